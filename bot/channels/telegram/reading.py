"""What Telegram delivered (plain JSON) → what the bot heard. Pure functions, no network, no library.

An update may have any shape; one that cannot be read is nothing, never an error.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from bot.channels.telegram.addressing import Ours
from bot.types import Incoming, Language
from bot.wording import language_of, say

NAME = "telegram"
MOST_BYTES = 20 * 2**20  # a bot may fetch no larger file

Json = dict[str, Any]

_EXTENSIONS = {
    "image/jpeg": "jpg",
    "image/jpg": "jpg",
    "image/png": "png",
    "image/webp": "webp",
    "image/heic": "heic",
    "image/heif": "heif",
    "image/gif": "gif",
    "image/bmp": "bmp",
    "image/tiff": "tiff",
    "image/avif": "avif",
}
_DOCUMENTS = {
    "application/pdf": "pdf",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "xlsx",
    "application/vnd.openxmlformats-officedocument.presentationml.presentation": "pptx",
    "application/vnd.oasis.opendocument.text": "odt",
    "application/vnd.oasis.opendocument.spreadsheet": "ods",
    "application/vnd.oasis.opendocument.presentation": "odp",
    "text/plain": "txt",
    "text/markdown": "md",
    "text/html": "html",
    "text/csv": "csv",
}
_IMAGE_NAME = re.compile(r"\.(jpe?g|png|webp|hei[cf]|gif|bmp|tiff?|avif)$", re.IGNORECASE)
_MAGIC = (
    (0, b"\x89PNG\r\n\x1a\n", "png"),
    (0, b"\xff\xd8\xff", "jpg"),
    (0, b"GIF8", "gif"),
    (8, b"WEBP", "webp"),
    (0, b"BM", "bmp"),
    (0, b"II*\x00", "tiff"),
    (0, b"MM\x00*", "tiff"),
    (4, b"ftypavif", "avif"),
    (4, b"ftypheic", "heic"),
    (4, b"ftypheix", "heic"),
    (4, b"ftypmif1", "heic"),
)
_UNREADABLE = {
    "video": "telegram.video",
    "video_note": "telegram.video",
    "animation": "telegram.video",
    "venue": "telegram.location",  # before its location
    "location": "telegram.location",
    "contact": "telegram.contact",
    "poll": "telegram.poll",
    "sticker": "telegram.other",  # one that stands for no emoji
    "dice": "telegram.other",
    "story": "telegram.other",
    "paid_media": "telegram.other",
    "checklist": "telegram.other",
    "game": "telegram.other",
    "invoice": "telegram.other",
}


@dataclass(frozen=True, slots=True)
class Remote:
    """A file on Telegram's side that came with a message, or why it will not be fetched."""

    id: str
    name: str
    problem: str = ""
    voice: bool = False  # spoken instead of writing


@dataclass(frozen=True, slots=True)
class Heard:
    """A message of a person we know."""

    incoming: Incoming
    language: Language
    file: Remote | None = None
    shows: Remote | None = None  # the file of what it replies to, where we may never have heard that


@dataclass(frozen=True, slots=True)
class Stranger:
    """Somebody we do not know wrote in a private chat."""

    user: int
    language: Language
    name: str = ""  # as they call themselves
    text: str = ""


def chat_name(chat: int, thread: int | None) -> str:
    """A chat as the rest of the bot names it: `"<chat>"`, in a topic `"<chat>/<thread>"`."""
    return f"{chat}/{thread}" if thread else str(chat)


def chat_of(name: str) -> tuple[int, int | None]:
    """The reverse of `chat_name`. Raises `ValueError` for anything else."""
    chat, _, thread = name.partition("/")
    return int(chat), int(thread) if thread else None


def read_message(
    message: Json, people: Mapping[int, str], ours: Ours, default: Language
) -> Heard | Stranger | None:
    """What a message says. None: not for us (other people in a group, service messages, channels).

    `ours` tells in groups what is said to us. Raises `KeyError`, `TypeError` or `ValueError` when the message has no
    shape we know.
    """
    sender = message.get("from")
    if not sender or sender.get("is_bot"):
        return None
    user, place = sender["id"], message["chat"]
    typed: str = message.get("text") or message.get("caption") or ""
    private = place["type"] == "private"
    language = language_of(typed) or _interface(sender, default)
    if user not in people:
        return Stranger(user, language, _name(sender), typed) if private else None
    called = ""  # our name, where that is all that was said
    if not private:
        to_us = ours.words(message, typed)
        if to_us is None:
            return None
        typed, called = to_us, typed
    typed, file = _content(message, typed, language)
    typed = typed if typed or file else called.strip()
    if not typed and file is None:
        return None
    thread = message.get("message_thread_id") if message.get("is_topic_message") else None
    reply = message.get("reply_to_message") or {}
    if reply.get("message_id") == thread or "forum_topic_created" in reply:
        reply = {}  # what every message in a topic carries; nobody replied to anything
    quote = (message.get("quote") or {}).get("text")
    elsewhere = message.get("external_reply") or ({} if private else reply)
    incoming = Incoming(
        channel=NAME,
        chat=chat_name(place["id"], thread),
        id=str(message["message_id"]),
        person=people[user],
        text=typed,
        album=message.get("media_group_id") or "",
        reply_to=str(reply.get("message_id") or ""),
        quoted=quote or reply.get("text") or reply.get("caption") or "",
        forwarded="forward_origin" in message or "forward_date" in message,
        at=datetime.fromtimestamp(message["date"], UTC),
        language=_interface(sender, default),
        shared=not private,
    )
    return Heard(incoming, language, file, _shown(elsewhere, language))


def as_edit(read: Heard | Stranger | None) -> Heard | None:
    """What was read of an edited message: only its words count, its file was fetched when it came."""
    if not isinstance(read, Heard):
        return None
    return replace(read, incoming=replace(read.incoming, edited=True), file=None, shows=None)


def read_press(query: Json, people: Mapping[int, str]) -> Incoming | None:
    """A button that was pressed by somebody we know. Raises like `read_message`."""
    user, message = query["from"]["id"], query.get("message")
    if user not in people or not message or not query.get("data"):
        return None
    thread = message.get("message_thread_id") if message.get("is_topic_message") else None
    return Incoming(
        channel=NAME,
        chat=chat_name(message["chat"]["id"], thread),
        id=f"press-{query['id']}",
        person=people[user],
        reply_to=str(message["message_id"]),
        quoted=message.get("text") or message.get("caption") or "",
        pressed=query["data"],
        language=_interface(query["from"], "en") if query["from"].get("language_code") else None,
        shared=message["chat"]["type"] != "private",
    )


def named(name: str, data: bytes) -> str:
    """The name of a file; a picture without one, or under another, gets the ending its bytes call for."""
    if _IMAGE_NAME.search(name):
        return name
    kind = next((kind for at, magic, kind in _MAGIC if data.startswith(magic, at)), "")
    return f"{name or 'picture'}.{kind}" if kind else name


def _name(sender: Json) -> str:
    names = [sender.get("first_name"), sender.get("last_name"), f"@{sender.get('username') or ''}"]
    return " ".join(str(name) for name in names if name and name != "@")


def _interface(sender: Json, default: Language) -> Language:
    code = str(sender.get("language_code") or "").lower()
    return ("zh" if code.startswith("zh") else "en") if code else default


def _content(message: Json, typed: str, language: Language) -> tuple[str, Remote | None]:
    """The words and the file of a message; both empty for service messages."""
    sticker = message.get("sticker") or {}
    return typed or str(sticker.get("emoji") or ""), _file(message, language)


def _file(message: Json, language: Language) -> Remote | None:
    if sizes := message.get("photo"):
        best = max(sizes, key=lambda size: size.get("width", 0) * size.get("height", 0))
        return _remote(best, "", language)
    if voice := message.get("voice"):
        return replace(_remote(voice, "voice.ogg", language), voice=True)
    if audio := message.get("audio"):  # a file: whoever speaks in it, it is not the person speaking now
        return _remote(audio, str(audio.get("file_name") or "recording.mp3"), language)
    emoji = (message.get("sticker") or {}).get("emoji")
    for kind, key in _UNREADABLE.items():  # before documents: an animation carries both
        if kind in message and not emoji:
            return Remote("", kind.replace("_", " "), say(language, key))
    document = message.get("document")
    return _remote(document, _file_name(document), language) if document else None


def _shown(reply: Json, language: Language) -> Remote | None:
    """The picture or document of what is replied to; nothing that could not be shown."""
    if not (reply.get("photo") or reply.get("document")) or "animation" in reply:
        return None
    file = _file(reply, language)
    return file if file is not None and not file.problem else None


def _file_name(document: Json) -> str:
    """As it was sent; where its kind is told but not by its name, the name gets the ending."""
    name = str(document.get("file_name") or "")
    mime = str(document.get("mime_type") or "").lower()
    if mime in _EXTENSIONS and not _IMAGE_NAME.search(name):
        return f"{name or 'picture'}.{_EXTENSIONS[mime]}"
    return name or (f"document.{_DOCUMENTS[mime]}" if mime in _DOCUMENTS else "")


def _remote(file: Json, name: str, language: Language) -> Remote:
    size = file.get("file_size") or 0
    problem = say(language, "telegram.large", size=-(-size // 2**20)) if size > MOST_BYTES else ""
    return Remote(file["file_id"], name, problem)
