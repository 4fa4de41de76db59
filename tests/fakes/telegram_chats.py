"""What the fake Telegram remembers, and what people do in it."""

from __future__ import annotations

import asyncio
import itertools
import re
import time
from collections import deque
from dataclasses import dataclass, field
from typing import Any

from tests.fakes.telegram_rules import CAPTION_LIMIT, TEXT_LIMIT, units
from tests.fakes.telegram_wire import File

Json = dict[str, Any]
BOT_ID = 4242


@dataclass(slots=True)
class Sent:
    """A message of the bot as the server keeps it: what the person sees."""

    id: int
    chat: int
    method: str
    text: str = ""  # or the caption
    entities: list[Json] = field(default_factory=list)
    buttons: list[list[Json]] = field(default_factory=list)
    reply_to: int | None = None
    thread: int | None = None
    file: File | None = None
    edits: int = 0
    # each wording it had, and since when (monotonic)
    seen: list[tuple[float, str]] = field(default_factory=list)

    @property
    def formats(self) -> list[tuple[str, str]]:
        """(type, the words it covers) of each entity, in order."""
        raw = self.text.encode("utf-16-le")
        cut = [(e["type"], raw[e["offset"] * 2 : (e["offset"] + e["length"]) * 2]) for e in self.entities]
        return [(kind, piece.decode("utf-16-le")) for kind, piece in cut]


class Chats:
    """Chats with everything in them. A person's id is their private chat too; groups are negative."""

    def __init__(self, username: str) -> None:
        self.username = username
        self.messages: dict[tuple[int, int], Sent] = {}  # by (chat, id); deleted ones are gone
        self.threads: set[tuple[int, int]] = set()
        self.closed: set[tuple[int, int]] = set()  # of these, topics in which only administrators may write
        self.allowed: set[str] | None = None  # kinds of updates the bot asked for last; None = nearly all
        self.migrated: dict[int, int] = {}  # groups → the supergroups they are now
        self.blocked: set[int] = set()  # people who blocked the bot
        self._chats: dict[int, Json] = {}
        self._heard: dict[tuple[int, int], Json] = {}  # messages of people
        self._updates: deque[Json] = deque()
        self._again: deque[Json] = deque()
        self._files: dict[str, bytes] = {}
        self._queries: set[str] = set()
        self._ids = itertools.count(100)
        self._update_ids = itertools.count(700)
        self._changed = asyncio.Event()
        self._sent_by_chat: dict[int, list[Sent]] = {}

    def me(self) -> Json:
        """The bot."""
        return {"id": BOT_ID, "is_bot": True, "first_name": "Kairos", "username": self.username}

    def sent(self, chat: int) -> list[Sent]:
        """The bot's messages in a chat as they stand now, oldest first."""
        return [s for s in self._sent_by_chat.get(chat, []) if (chat, s.id) in self.messages]

    # ---- what people do

    def know(self, chat: int) -> None:
        """A chat exists, although nobody has written in it during this test."""
        self._chats.setdefault(chat, {"id": chat, "type": "private" if chat > 0 else "supergroup"})

    def say(self, user: int, text: str, **more: Any) -> Json:
        """A person writes. `more`: chat, thread, reply_to, quote, forwarded, name, language, entities, date.

        `forwarded`: True = of somebody who hides, or the body of a `forward_origin`.
        """
        return self._person(user, {"text": text}, **more)

    def paste(self, user: int, text: str, **more: Any) -> list[Json]:
        """A person pastes what is too long for one message: their app cuts it, at blanks where there are any."""
        parts = []
        while text:
            end = _fits(text, TEXT_LIMIT)
            nicer = text.rfind("\n", end * 2 // 3, end)
            cut = nicer if len(text) > end and nicer > 0 else end
            parts.append(text[:cut].strip())
            text = text[cut:].strip()
        return [self.say(user, part, **more) for part in parts]

    def voice(self, user: int, data: bytes, *, seconds: int = 3, kind: str = "voice", **more: Any) -> Json:
        """A person speaks; `kind` "audio" is a file of music or speech."""
        number = next(self._ids)
        self._files[f"v{number}"] = data
        body: Json = {"file_id": f"v{number}", "file_unique_id": f"u{number}", "file_size": len(data)}
        body |= {"duration": seconds, "mime_type": "audio/ogg" if kind == "voice" else "audio/mpeg"}
        return self._person(user, {kind: body} | _captioned(more.pop("caption", "")), **more)

    def photo(
        self,
        user: int,
        data: bytes,
        *,
        caption: str = "",
        album: str = "",
        as_document: bool = False,
        name: str | None = None,
        mime: str | None = None,
        size: int | None = None,
        **more: Any,
    ) -> Json:
        """A person sends a picture, or a file when `as_document`. `size` is what the server claims."""
        body = _captioned(caption)
        if album:
            body["media_group_id"] = album
        number = next(self._ids)
        told = len(data) if size is None else size
        if as_document:
            body["document"] = {"file_id": f"d{number}", "file_unique_id": f"u{number}", "file_size": told}
            body["document"] |= {k: v for k, v in (("file_name", name), ("mime_type", mime)) if v is not None}
            self._files[f"d{number}"] = data
        else:
            self._files[f"s{number}"] = b"thumbnail"
            self._files[f"p{number}"] = data
            body["photo"] = [
                {"file_id": f"s{number}", "file_unique_id": "s", "width": 90, "height": 60, "file_size": 9},
                {
                    "file_id": f"p{number}",
                    "file_unique_id": "p",
                    "width": 1280,
                    "height": 900,
                    "file_size": told,
                },
            ]
        return self._person(user, body, **more)

    def post(self, user: int, body: Json, **more: Any) -> Json:
        """A person sends anything else: `{"voice": {…}}`, `{"sticker": {…}}` …"""
        return self._person(user, body, **more)

    def press(self, user: int, message: int, data: str, *, chat: int | None = None) -> Json:
        """A person presses a button under a message of the bot."""
        sent = self.messages[chat or user, message]
        query = f"q{next(self._ids)}"
        self._queries.add(query)
        body = {"id": query, "from": self._user(user), "chat_instance": "1", "data": data}
        body["message"] = self._stored(sent)
        return self.update({"callback_query": body})

    def edit(self, user: int, update: Json, text: str) -> Json:
        """A person edits what they wrote, or the words under what they sent."""
        before = update.get("message") or update["edited_message"]
        part = "text" if "text" in before else "caption"
        message = {k: v for k, v in before.items() if k != part} | {"edit_date": int(time.time())}
        message |= {"text": _within(text, TEXT_LIMIT)} if part == "text" else _captioned(text)
        self._heard[message["chat"]["id"], message["message_id"]] = _alone(message)
        return self.update({"edited_message": message})

    def migrate(self, user: int, old: int) -> int:
        """A group becomes a supergroup: another id, messages numbered anew, the old one refuses everything."""
        new = -1_000_000_000_000 + old
        self.know(new)
        self.migrated[old] = new
        self._person(user, {"migrate_to_chat_id": new}, chat=old)
        self._person(user, {"migrate_from_chat_id": old}, chat=new)
        return new

    def redeliver(self, update: Json) -> None:
        """Hand an update out once more, although it may have been confirmed."""
        self._again.append(update)
        self._changed.set()

    # ---- updates on their way

    def waiting_updates(self) -> list[Json]:
        """What the bot has not confirmed, and what is handed out again, oldest first."""
        return [*self._again, *self._updates]

    def taken(self, update: Json) -> None:
        """The bot has taken this one."""
        for waiting in (self._again, self._updates):
            if update in waiting:
                waiting.remove(update)
                return

    # ---- bodies

    def _user(self, user: int, name: str = "", language: str = "en") -> Json:
        first = name or f"User{user}"
        return {"id": user, "is_bot": False, "first_name": first, "language_code": language}

    def _person(self, user: int, body: Json, **more: Any) -> Json:
        chat: int = more.get("chat") or user
        self.know(chat)
        place = self._chats[chat]
        message: Json = {
            "message_id": next(self._ids),
            "date": more.get("date") or int(time.time()),
            "chat": place,
        }
        message["from"] = self._user(user, more.get("name", ""), more.get("language", "en"))
        message |= body
        if "text" in body:
            message["text"] = _within(body["text"], TEXT_LIMIT)
        for part, kind in (("text", "entities"), ("caption", "caption_entities")):
            found = more.get("entities") or _seen(message.get(part, ""))
            if part in message and found:
                message[kind] = found
        if thread := more.get("thread"):
            self.threads.add((chat, thread))
            message |= {"message_thread_id": thread, "is_topic_message": True}
        if reply := more.get("reply_to"):
            message["reply_to_message"] = self._replied(chat, reply)
        if quote := more.get("quote"):
            message["quote"] = {"text": quote, "position": 0, "is_manual": True}
        if forwarded := more.get("forwarded"):
            hidden = {"type": "hidden_user", "date": 1, "sender_user_name": "Someone"}
            message["forward_origin"] = hidden if forwarded is True else forwarded
        self._heard[chat, message["message_id"]] = _alone(message)
        return self.update({"message": message})

    def _replied(self, chat: int, message: int) -> Json:
        if (chat, message) in self.messages:
            return self._stored(self.messages[chat, message])
        if (chat, message) in self._heard:
            return self._heard[chat, message]
        place = {"id": chat, "type": "supergroup", "is_forum": True}  # the starter of a topic
        return {"message_id": message, "date": 1, "chat": place, "forum_topic_created": {"name": "t"}}

    def _stored(self, sent: Sent) -> Json:
        body: Json = {"message_id": sent.id, "date": int(time.time()), "chat": self._chats[sent.chat]}
        body["from"] = self.me()
        body["caption" if sent.file else "text"] = sent.text
        if sent.thread:
            body |= {"message_thread_id": sent.thread, "is_topic_message": True}
        return body

    def update(self, body: Json) -> Json:
        """Anything at all arrives."""
        update = {"update_id": next(self._update_ids)} | body
        if self.allowed is not None and not self.allowed & set(body):
            return update  # of a kind that the bot did not ask for
        self._updates.append(update)
        self._changed.set()
        return update


def _fits(text: str, limit: int) -> int:
    """How many characters have no more than `limit` UTF-16 units."""
    end = min(len(text), limit)
    while units(text[:end]) > limit:
        end -= 1
    return end


def _within(text: str, limit: int) -> str:
    """Text as the server hands it out: trimmed, never longer than apps may send it."""
    text = text.strip()
    if not text or units(text) > limit:
        raise ValueError(f"no app sends {units(text)} units in one message")
    return text


_NAMED = re.compile(r"(?<![\w@/.])(?:@\w{4,32}(?![\w@]|\.\w)|/\w{1,32}(?:@\w{4,32})?(?![\w@/]))")


def _seen(text: str) -> list[Json]:
    """The names and commands that the server sees in what people write, as entities."""
    return [
        {
            "type": "mention" if hit[0].startswith("@") else "bot_command",
            "offset": units(text[: hit.start()]),
            "length": units(hit[0]),
        }
        for hit in _NAMED.finditer(text)
    ]


def _captioned(text: str) -> Json:
    return {"caption": _within(text, CAPTION_LIMIT)} if text else {}


def _alone(message: Json) -> Json:
    """A message as it stands in a reply to it: without what it replies to itself."""
    return {k: v for k, v in message.items() if k != "reply_to_message"}
