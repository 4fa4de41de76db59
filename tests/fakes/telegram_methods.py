"""The methods of the Bot API that change or read what the fake remembers."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from typing import Any

from tests.fakes.telegram_bringing import Bringing, Brought
from tests.fakes.telegram_chats import Chats, Json, Sent
from tests.fakes.telegram_rules import (
    CAPTION_LIMIT,
    TEXT_LIMIT,
    Refused,
    bad,
    check_length,
    check_photo,
    formatted,
    keyboard,
)
from tests.fakes.telegram_wire import Request

TOO_BIG_TO_FETCH = 20 * 2**20


class Methods(Chats):
    """One function a method; `call` finds it."""

    def __init__(self, username: str) -> None:
        super().__init__(username)
        self.answered: list[str] = []  # callback queries
        self.commands: dict[str, list[Json]] = {}  # by language, where no scope is narrower
        # by scope and language: ("all_group_chats", "zh")
        self.scoped: dict[tuple[str, str], list[Json]] = {}
        self.webhook = ""
        self.bringing: Bringing | None = None
        self._methods: dict[str, Callable[[Request], Any]] = {
            "getme": lambda _: self.me(),
            "sendmessage": self._send_message,
            "sendphoto": self._send_file,
            "senddocument": self._send_file,
            "sendmediagroup": self._send_album,
            "sendchataction": self._chat_action,
            "editmessagetext": self._edit,
            "editmessagecaption": self._edit,
            "editmessagereplymarkup": self._edit,
            "deletemessage": self._delete,
            "answercallbackquery": self._answer,
            "getfile": self._get_file,
            "setmycommands": self._set_commands,
            "deletemycommands": self._delete_commands,
            "deletewebhook": self._delete_webhook,
            "setwebhook": self._set_webhook,
            "getwebhookinfo": lambda _: self._webhook_info(),
        }

    def call(self, method: str, request: Request) -> Any:
        """The result of a method, its name in lower case. Raises `Refused`."""
        handler = self._methods.get(method)
        if handler is None:
            raise Refused(404, "Not Found")
        return handler(request)

    def _chat(self, request: Request) -> tuple[int, int | None]:
        raw = request.fields.get("chat_id", "")
        if not raw.lstrip("-").isdigit() or int(raw) not in self._chats:
            raise bad("chat not found" if raw else "chat_id is empty")
        chat = int(raw)
        if chat in self.migrated:
            told = "Bad Request: group chat was upgraded to a supergroup chat"
            raise Refused(400, told, migrate_to_chat_id=self.migrated[chat])
        if chat in self.blocked:
            raise Refused(403, "Forbidden: bot was blocked by the user")
        thread = request.fields.get("message_thread_id")
        if thread and (chat, int(thread)) not in self.threads:
            raise bad("message thread not found")
        if thread and (chat, int(thread)) in self.closed:
            raise bad("TOPIC_CLOSED")
        return chat, int(thread) if thread else None

    def _send_message(self, request: Request) -> Json:
        chat, thread = self._chat(request)
        text, entities = formatted(request.fields.get("text", ""), request.fields)
        check_length(text, TEXT_LIMIT, caption=False)
        return self._keep(request, Sent(0, chat, "sendMessage", text, entities, thread=thread))

    def _send_file(self, request: Request) -> Json:
        chat, thread = self._chat(request)
        kind = "photo" if "photo" in request.files else "document"
        file = request.files.get(kind)
        if file is None or not file.data:
            raise bad("there is no file in the request" if file is None else "file must be non-empty")
        if kind == "photo":
            check_photo(file.data)
        elif len(file.data) > 50 * 2**20:
            raise Refused(413, "Request Entity Too Large")
        caption, entities = formatted(request.fields.get("caption", ""), request.fields, "caption_")
        check_length(caption, CAPTION_LIMIT, caption=True)
        method = f"send{kind.title()}"
        return self._keep(request, Sent(0, chat, method, caption, entities, thread=thread, file=file))

    def _send_album(self, request: Request) -> list[Json]:
        chat, thread = self._chat(request)
        media: list[Json] = json.loads(request.fields.get("media") or "[]")
        if not 2 <= len(media) <= 10:
            raise bad("there must be 2 to 10 messages to send as an album")
        if "reply_markup" in request.fields:
            raise bad("an album takes no reply markup")
        album = []
        for item in media:
            file = request.files.get(str(item["media"]).removeprefix("attach://"))
            if item.get("type") != "photo" or file is None:
                raise bad("can't parse InputMedia")
            check_photo(file.data)
            check_length(item.get("caption", ""), CAPTION_LIMIT, caption=True)
            album.append(
                Sent(0, chat, "sendMediaGroup", item.get("caption", "").strip(), thread=thread, file=file)
            )
        return [self._keep(request, each) for each in album]

    def _keep(self, request: Request, sent: Sent) -> Json:
        sent.buttons = keyboard(request.fields)
        reply = json.loads(request.fields.get("reply_parameters") or "{}")
        if reply:
            key = (sent.chat, int(reply["message_id"]))
            if key in self._heard or key in self.messages:
                sent.reply_to = key[1]
            elif not reply.get("allow_sending_without_reply"):
                raise bad("message to be replied not found")
        sent.id = next(self._ids)
        sent.seen.append((time.monotonic(), sent.text))
        self.messages[sent.chat, sent.id] = sent
        self._sent_by_chat.setdefault(sent.chat, []).append(sent)
        return self._stored(sent)

    def _chat_action(self, request: Request) -> bool:
        self._chat(request)
        if request.fields.get("action") not in ("typing", "upload_photo", "upload_document"):
            raise bad("wrong parameter action in request")
        return True

    def _own(self, request: Request, verb: str) -> Sent:
        chat, _ = self._chat(request)
        key = (chat, int(request.fields.get("message_id") or 0))
        if key in self._heard:
            raise bad(f"message can't be {verb}ed")
        if key not in self.messages:
            raise bad(f"message to {verb} not found")
        return self.messages[key]

    def _edit(self, request: Request) -> Json:
        sent = self._own(request, "edit")
        text, entities = sent.text, sent.entities
        if "text" in request.fields:
            if sent.file is not None:
                raise bad("there is no text in the message to edit")
            text, entities = formatted(request.fields["text"], request.fields)
            check_length(text, TEXT_LIMIT, caption=False)
        elif "caption" in request.fields:
            text, entities = formatted(request.fields["caption"], request.fields, "caption_")
            check_length(text, CAPTION_LIMIT, caption=True)
        buttons = keyboard(request.fields)
        if (text, entities, buttons) == (sent.text, sent.entities, sent.buttons):
            told = (
                "message is not modified: specified new message content and reply markup are exactly the same"
            )
            raise bad(f"{told} as a current content and reply markup of the message")
        sent.text, sent.entities, sent.buttons = text, entities, buttons
        sent.edits += 1
        sent.seen.append((time.monotonic(), text))
        return self._stored(sent)

    def _delete(self, request: Request) -> bool:
        sent = self._own(request, "delet")
        del self.messages[sent.chat, sent.id]
        return True

    def _answer(self, request: Request) -> bool:
        query = request.fields.get("callback_query_id", "")
        if query not in self._queries:
            raise bad("query is too old and response timeout expired or query ID is invalid")
        self._queries.discard(query)
        self.answered.append(query)
        return True

    def _get_file(self, request: Request) -> Json:
        file = request.fields.get("file_id", "")
        if file not in self._files:
            raise bad("wrong file_id or the file is temporarily unavailable")
        size = len(self._files[file])
        if size > TOO_BIG_TO_FETCH:
            raise bad("file is too big")
        return {"file_id": file, "file_unique_id": file, "file_size": size, "file_path": f"photos/{file}"}

    def _set_commands(self, request: Request) -> bool:
        commands: list[Json] = json.loads(request.fields.get("commands") or "[]")
        for one in commands:
            name, told = one.get("command", ""), one.get("description", "")
            if (
                not name.isascii()
                or name != name.lower()
                or not 1 <= len(name) <= 32
                or not name.isidentifier()
            ):
                raise bad("BOT_COMMAND_INVALID")
            if not 1 <= len(told) <= 256:
                raise bad("BOT_COMMAND_DESCRIPTION_INVALID")
        self._menus(request)[0][self._menus(request)[1]] = commands
        return True

    def _delete_commands(self, request: Request) -> bool:
        menus, key = self._menus(request)
        menus.pop(key, None)
        return True

    def _menus(self, request: Request) -> tuple[dict[Any, list[Json]], Any]:
        """Where the menu of a request's scope and language is kept, and under which key."""
        language = request.fields.get("language_code", "")
        if language and not (len(language) == 2 and language.islower()):
            raise bad("LANG_CODE_INVALID")
        scope: Json = json.loads(request.fields.get("scope") or '{"type": "default"}')
        match scope.get("type"):
            case "default":
                return self.commands, language
            case "all_private_chats" | "all_group_chats" | "all_chat_administrators" as name:
                return self.scoped, (name, language)
            case "chat":
                if scope.get("chat_id") not in self._chats:
                    raise bad("chat not found")
                return self.scoped, (f"chat {scope['chat_id']}", language)
        raise bad("can't parse BotCommandScope: Unallowed scope type")

    def _delete_webhook(self, _: Request) -> bool:
        self.webhook = ""
        if self.bringing is not None:
            self.bringing.end()
            self.bringing = None
        return True

    def _set_webhook(self, request: Request) -> bool:
        url, secret = request.fields.get("url", ""), request.fields.get("secret_token", "")
        if not url.startswith(("https://", "http://127.0.0.1:")):  # as a server of one's own allows
            raise bad("bad webhook: An HTTPS URL must be provided for webhook")
        if not re.fullmatch(r"[\w-]{0,256}", secret):
            raise bad("secret token contains unallowed characters")
        self._delete_webhook(request)
        self.webhook = url
        self.bringing = Bringing(self, Brought(url, secret))
        return True

    def _webhook_info(self) -> Json:
        info: Json = {"url": self.webhook, "has_custom_certificate": False}
        info["pending_update_count"] = len(self.waiting_updates())
        if self.bringing is not None and self.bringing.brought.last_error:
            brought = self.bringing.brought
            info |= {"last_error_date": int(brought.last_error_at), "last_error_message": brought.last_error}
        return info
