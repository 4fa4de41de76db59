"""One outgoing message → the calls that bring it to a chat, each part once.

What can be told about a part whose answer was lost (time-out, dropped connection, 502): before it is sent
again, the ids that Telegram may have given it are asked for with an edit to the very same words. "Not
modified" means it is there. That works when the last id before it is known from this run; else, and after a
crash between the sending and its record, the part is sent again: at least once, at worst twice.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from weakref import WeakValueDictionary

import structlog

from bot.channels.chunks import CAPTION_LIMIT, Entity, chunks
from bot.channels.telegram_reading import chat_of, words
from bot.errors import SendDelayed, SendRefused
from bot.types import Button, Language, Outgoing

log = structlog.get_logger(__name__)

MOST_PROBES = 8  # ids asked for after a lost answer; other chats use up ids too
MOST_UNFINISHED = 1000  # messages whose progress is remembered
PHOTO_BYTES = 10 * 2**20
FILE_BYTES = 50 * 2**20
ROW_WIDTH = 28  # label columns that fit beside each other


class Flooded(SendDelayed):
    """Telegram wants us to wait with this chat."""


class Lost(SendDelayed):
    """No answer came. `maybe_taken`: the request may have been carried out all the same."""

    def __init__(self, message: str = "", *, maybe_taken: bool) -> None:
        super().__init__(message, retry_after=None)
        self.maybe_taken = maybe_taken


class TokenRefused(SendDelayed):
    """Telegram does not know the token, or not the method."""


class Unusable(SendDelayed):
    """The settings make no connection; the message says which."""


class Contested(SendDelayed):
    """Another program receives with the same token, or a webhook is set."""


class BadRequest(SendRefused):
    """Telegram refuses these very parameters."""


class Migrated(SendRefused):
    """The group has another id now."""

    def __init__(self, chat: int) -> None:
        super().__init__()
        self.chat = chat


@dataclass(frozen=True, slots=True)
class FileOut:
    """A file among the parameters of a call."""

    data: bytes
    name: str


Call = Callable[[str, dict[str, Any]], Awaitable[Any]]
"""Calls a method of the Bot API. Raises the errors above, or `SendRefused`."""


@dataclass(slots=True)
class _Part:
    text: str
    entities: list[Entity]
    file: FileOut | None = None
    as_document: bool = False
    reply_to: str = ""
    buttons: tuple[Button, ...] = ()

    @property
    def method(self) -> str:
        if self.file is None:
            return "sendMessage"
        return "sendDocument" if self.as_document else "sendPhoto"


@dataclass(slots=True)
class _Progress:
    parts: list[_Part]
    done: int = 0
    last_id: int = 0
    doubt: int | None = None  # the newest id before a try whose answer was lost


@dataclass(slots=True)
class _Ids:
    """Message ids of one counter of Telegram: all private chats share one, each supergroup has its own."""

    newest: int | None = None
    seen: deque[int] = field(default_factory=lambda: deque(maxlen=200))

    def add(self, number: int) -> None:
        self.newest = max(number, self.newest or 0)
        self.seen.append(number)


class Sender:
    """Sends, part by part, one message at a time a chat."""

    def __init__(self, call: Call, language: Language, now: Callable[[], float] = time.monotonic) -> None:
        self._call = call
        self._language = language
        self._now = now
        self._unfinished: OrderedDict[tuple[int, str, int], _Progress] = OrderedDict()
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._ids: dict[int, _Ids] = {}
        self._waits: dict[int, float] = {}  # chats that Telegram wants left alone, until when
        self._moved: dict[int, int] = {}

    def waits(self, chat: int) -> float:
        """Seconds for which this chat must be left alone."""
        until = self._waits.get(chat)
        if until is None:
            return 0.0
        left = until - self._now()
        if left <= 0:
            del self._waits[chat]
        return max(left, 0.0)

    def flooded(self, chat: int, seconds: float) -> None:
        """Leave a chat alone for a while."""
        self._waits[chat] = self._now() + seconds

    def heard(self, chat: int, message: int) -> None:
        """A message that was certainly written during this run: newer ids are newer messages."""
        self._counter(chat).add(message)

    async def send(self, outgoing: Outgoing) -> str:
        """Send what is left of a message; returns the id of its last part.

        Raises `SendDelayed` (call again with the same message: parts that arrived are not repeated) or
        `SendRefused`.
        """
        try:
            chat, thread = chat_of(outgoing.chat)
        except ValueError:
            raise SendRefused(f"not a Telegram chat: {outgoing.chat!r}") from None
        chat = self._moved.get(chat, chat)
        lock = self._locks.get(chat)
        if lock is None:
            lock = self._locks[chat] = asyncio.Lock()
        async with lock:
            if (left := self.waits(chat)) > 0:
                raise SendDelayed("Telegram asked for a pause", retry_after=left)
            key = (outgoing.id, outgoing.chat, hash((outgoing.text, outgoing.picture)))
            progress = self._unfinished.get(key)
            if progress is None:
                progress = self._unfinished[key] = _Progress(await self._parts(outgoing))
                if len(self._unfinished) > MOST_UNFINISHED:
                    self._unfinished.popitem(last=False)
            try:
                while progress.done < len(progress.parts):
                    progress.last_id = await self._deliver(progress, chat, thread)
                    progress.done += 1
                    progress.doubt = None
            except SendRefused:
                self._unfinished.pop(key, None)
                raise
            self._unfinished.pop(key, None)
            return str(progress.last_id)

    # ---- what to send

    async def _parts(self, outgoing: Outgoing) -> list[_Part]:
        file = await asyncio.to_thread(_load, outgoing.picture) if outgoing.picture else None
        pieces = chunks(outgoing.text, first=CAPTION_LIMIT if file else None)
        if file is None and (outgoing.picture or not pieces):
            pieces.append((words("picture" if outgoing.picture else "empty", self._language), []))
        parts = [_Part(text, entities) for text, entities in pieces] or [_Part("", [])]
        parts[0].file = file
        parts[0].as_document = file is not None and len(file.data) > PHOTO_BYTES
        parts[0].reply_to = outgoing.reply_to
        parts[-1].buttons = outgoing.buttons
        return parts

    def _parameters(self, part: _Part, chat: int, thread: int | None) -> dict[str, Any]:
        told: dict[str, Any] = {"chat_id": chat}
        if thread is not None:
            told["message_thread_id"] = thread
        told |= _content(part)
        if part.file is not None:
            told["document" if part.as_document else "photo"] = part.file
        if part.reply_to.isdigit():
            told["reply_parameters"] = json.dumps(
                {"message_id": int(part.reply_to), "allow_sending_without_reply": True}
            )
        return told

    # ---- sending it

    async def _deliver(self, progress: _Progress, chat: int, thread: int | None) -> int:
        part = progress.parts[progress.done]
        if progress.doubt is not None:
            found = await self._find(part, chat, progress.doubt)
            if found is not None:
                log.info("the lost answer was for a message that arrived", action="send_found", chat=chat)
                self._counter(chat).add(found)
                return found
            progress.doubt = None
        before = self._counter(chat).newest
        try:
            message = await self._try(part, chat, thread)
        except Flooded as flooded:
            self.flooded(chat, flooded.retry_after or 1.0)
            raise
        except Lost as lost:
            if lost.maybe_taken:
                progress.doubt = before
            raise
        number = int(message["message_id"])
        self._counter(chat).add(number)
        return number

    async def _try(self, part: _Part, chat: int, thread: int | None) -> Any:
        """One part; what Telegram refuses about it is left away, its words never are."""
        while True:
            try:
                return await self._call(part.method, self._parameters(part, chat, thread))
            except Migrated as moved:
                self._moved[chat] = moved.chat
                chat = moved.chat
            except BadRequest as refused:
                why = str(refused).lower()
                if "thread" in why and thread is not None:
                    thread = None
                elif not self._simpler(part, why):
                    raise
                log.warning("sent more simply", action="send_simpler", method=part.method, error=str(refused))

    def _simpler(self, part: _Part, why: str) -> bool:
        """Take away what was refused; False when there is nothing left to take."""
        if part.entities and ("entit" in why or "parse" in why):
            part.entities = []
        elif part.buttons and ("button" in why or "markup" in why or "keyboard" in why):
            part.buttons = ()
        elif part.reply_to and ("repl" in why):
            part.reply_to = ""
        elif part.file is not None and "chat not found" not in why:
            if part.as_document:
                part.file = None
                part.text = part.text or words("picture", self._language)
            part.as_document = True
        else:
            return False
        return True

    # ---- a lost answer

    async def _find(self, part: _Part, chat: int, before: int) -> int | None:
        """The id under which a part arrived after all, or None when it did not or that cannot be told."""
        counter = self._counter(chat)
        newest = max(counter.newest or 0, before)
        others = set(counter.seen)
        asked = [n for n in range(before + 1, newest + MOST_PROBES + 1) if n not in others][:MOST_PROBES]
        method = "editMessageText" if part.file is None else "editMessageCaption"
        for number in asked:
            try:
                await self._call(method, {"chat_id": chat, "message_id": number} | _content(part))
            except BadRequest as refused:
                if "not modified" in str(refused).lower():
                    return number
            except (TokenRefused, SendRefused):
                return None
            else:
                return number
        return None

    def _counter(self, chat: int) -> _Ids:
        key = chat if chat < -(10**12) else 0
        counter = self._ids.get(key)
        if counter is None:
            counter = self._ids[key] = _Ids()
        return counter


def _load(path: str) -> FileOut | None:
    """The picture to send along; None when there is none that could be sent."""
    try:
        file = Path(path)
        data = file.read_bytes() if file.stat().st_size <= FILE_BYTES else b""
    except OSError as error:
        log.warning("the picture cannot be read", action="picture_unreadable", error=str(error))
        return None
    return FileOut(data, file.name) if data else None


def _content(part: _Part) -> dict[str, Any]:
    """Words, their formatting and the buttons: what sending and editing have in common."""
    name = "text" if part.file is None else "caption"
    told: dict[str, Any] = {}
    if part.text:
        told[name] = part.text
    if part.entities:
        entities = json.dumps(part.entities, ensure_ascii=False)
        told["entities" if part.file is None else "caption_entities"] = entities
    if keyboard := _keyboard(part.buttons):
        told["reply_markup"] = json.dumps({"inline_keyboard": keyboard}, ensure_ascii=False)
    return told


def _keyboard(buttons: tuple[Button, ...]) -> list[list[dict[str, str]]]:
    """Short buttons share a row."""
    rows: list[list[dict[str, str]]] = []
    width = 0
    for button in buttons:
        if not button.label.strip() or not 1 <= len(button.data.encode()) <= 64:
            log.warning("a button cannot be shown", action="button_dropped", data=button.data[:64])
            continue
        columns = sum(2 if ord(c) > 0x2E80 else 1 for c in button.label) + 4
        if not rows or width + columns > ROW_WIDTH:
            rows.append([])
            width = 0
        rows[-1].append({"text": button.label, "callback_data": button.data})
        width += columns
    return rows
