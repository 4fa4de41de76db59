"""One outgoing message → the calls that bring it to a chat, each part once.

What can be told about a part whose answer was lost (time-out, dropped connection, 502): before it is sent
again, it is looked for (`ids`). That works when the last id before it is known from this run; else, and
after a crash between the sending and its record, the part is sent again: at least once, at worst twice. An answer
that was shown while it grew (`drafts`) is edited to its end instead, which can be done any number of times.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from weakref import WeakValueDictionary

import structlog

from bot.channels.channel import Arrived
from bot.channels.chunks import CAPTION_LIMIT, chunks
from bot.channels.telegram.calls import BadRequest, Call, Flooded, Lost, Migrated
from bot.channels.telegram.drafts import Drafts
from bot.channels.telegram.ids import Ids
from bot.channels.telegram.parts import Part, load, load_album
from bot.channels.telegram.reading import chat_of
from bot.errors import SendDelayed, SendRefused
from bot.types import Language, Outgoing
from bot.wording import say

log = structlog.get_logger(__name__)

MOST_UNFINISHED = 1000  # messages whose progress is remembered
PHOTO_BYTES = 10 * 2**20


@dataclass(slots=True)
class _Progress:
    parts: list[Part]
    done: int = 0
    last_id: int = 0
    doubt: int | None = None  # the newest id before a try whose answer was lost
    drafted: bool = False  # a draft is to become its first part


def _begun(outgoing: Outgoing, parts: list[Part]) -> _Progress:
    """A message to be sent, of which some may be there already: `+2:17` are two parts, the last of them 17."""
    if not outgoing.shown.startswith("+"):
        return _Progress(parts, drafted=bool(outgoing.shown))
    done, _, last = outgoing.shown[1:].partition(":")
    return _Progress(parts, done=min(int(done), len(parts)), last_id=int(last))


async def _unnoted(outgoing: Outgoing, shown: str) -> None:
    """For whoever sends without an outbox."""


class Sender:
    """Sends, part by part, one message at a time a chat."""

    def __init__(self, call: Call, language: Language, now: Callable[[], float] = time.monotonic) -> None:
        self._call = call
        self._language: Language = language
        self._now = now
        self.arrived: Arrived = _unnoted
        self._unfinished: OrderedDict[tuple[int, str, int], _Progress] = OrderedDict()
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._ids = Ids()
        self._drafts = Drafts(call, self._ids, language, now)
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
        self._ids.add(chat, message)

    def place(self, outgoing: Outgoing) -> str:
        """See `Drafts.place`."""
        return self._drafts.place(outgoing, self._chat(outgoing)[0])

    async def show(self, outgoing: Outgoing) -> str:
        """Show the beginning of an answer in the message that `shown` names, and return its id.

        Raises `SendDelayed` (not now) or `SendRefused` (no more).
        """
        chat, thread = self._chat(outgoing)
        async with self._lock(chat):
            self._pausing(chat)
            pieces = chunks(outgoing.text)
            if not pieces:
                raise SendDelayed("nothing to see yet")
            part = Part(*pieces[0], reply_to=outgoing.reply_to)
            try:
                if not self._drafts.fresh(chat, outgoing.shown):
                    number = await self._drafts.grow(outgoing, part, chat)
                    self._ids.add(
                        chat, number
                    )  # found or known: nobody else's lost message is taken to be this one
                    return str(number)
                message = await self._try(part, chat, thread)
            except Flooded as flooded:
                self.flooded(chat, flooded.retry_after or 1.0)
                raise
            except Lost as lost:
                if lost.maybe_taken and self._drafts.fresh(chat, outgoing.shown):
                    self._drafts.begun(chat, outgoing.shown, None)
                raise
            number = int(message["message_id"])
            self._ids.add(chat, number)
            self._drafts.begun(chat, outgoing.shown, number)
            return str(number)

    async def withdraw(self, outgoing: Outgoing) -> None:
        """Take away the message in which an answer was shown, if it is not more than that. Raises `SendDelayed`."""
        chat, _ = self._chat(outgoing)
        async with self._lock(chat):
            self._pausing(chat)
            if not outgoing.shown.startswith("+"):
                await self._drafts.withdraw(outgoing, chat)

    async def send(self, outgoing: Outgoing) -> str:
        """Send what is left of a message; returns the id of its last part.

        Raises `SendDelayed` (call again with the same message: parts that arrived are not repeated) or
        `SendRefused`.
        """
        chat, thread = self._chat(outgoing)
        async with self._lock(chat):
            self._pausing(chat)
            key = (outgoing.id, outgoing.chat, hash((outgoing.text, outgoing.picture)))
            progress = self._unfinished.get(key)
            if progress is None:
                progress = self._unfinished[key] = _begun(outgoing, await self._parts(outgoing))
                if len(self._unfinished) > MOST_UNFINISHED:
                    self._unfinished.popitem(last=False)
            try:
                if progress.drafted:
                    await self._become(outgoing, progress, chat)
                    await self._note(outgoing, progress)
                while progress.done < len(progress.parts):
                    progress.last_id = await self._deliver(progress, chat, thread)
                    progress.done += 1
                    progress.doubt = None
                    await self._note(outgoing, progress)
            except SendRefused:
                self._unfinished.pop(key, None)
                raise
            self._unfinished.pop(key, None)
            return str(progress.last_id)

    def _chat(self, outgoing: Outgoing) -> tuple[int, int | None]:
        """(chat, thread). Raises `SendRefused`."""
        try:
            return self.now_of(outgoing.chat)
        except ValueError:
            raise SendRefused(f"not a Telegram chat: {outgoing.chat!r}") from None

    def now_of(self, name: str) -> tuple[int, int | None]:
        """(chat, thread) of what goes by this name with us, by the id that it has now. Raises `ValueError`."""
        chat, thread = chat_of(name)
        return self._moved.get(chat, chat), thread

    def _lock(self, chat: int) -> asyncio.Lock:
        lock = self._locks.get(chat)
        if lock is None:
            lock = self._locks[chat] = asyncio.Lock()
        return lock

    def _pausing(self, chat: int) -> None:
        """Raises `SendDelayed` while the chat must be left alone."""
        if (left := self.waits(chat)) > 0:
            raise SendDelayed("Telegram asked for a pause", retry_after=left)

    async def _note(self, outgoing: Outgoing, progress: _Progress) -> None:
        """What has arrived is not sent again after a crash."""
        if 0 < progress.done < len(progress.parts):
            await self.arrived(outgoing, f"+{progress.done}:{progress.last_id}")

    # ---- what to send

    async def _parts(self, outgoing: Outgoing) -> list[Part]:
        file = await asyncio.to_thread(load, outgoing.picture) if outgoing.picture else None
        pieces = chunks(outgoing.text, first=CAPTION_LIMIT if file else None)
        if file is None and (outgoing.picture or not pieces):
            pieces.append(
                (say(self._language, "telegram.picture" if outgoing.picture else "telegram.empty"), [])
            )
        parts = [Part(text, entities) for text, entities in pieces] or [Part("", [])]
        parts[0].file = file
        if file is not None and not outgoing.buttons:
            parts[0].album = await asyncio.to_thread(load_album, outgoing.picture, outgoing.text)
        parts[0].as_document = file is not None and len(file.data) > PHOTO_BYTES
        parts[0].reply_to = outgoing.reply_to
        parts[-1].buttons = outgoing.buttons
        return parts

    # ---- sending it

    async def _become(self, outgoing: Outgoing, progress: _Progress, chat: int) -> None:
        """The draft becomes the first part, if it still can."""
        await asyncio.sleep(self._drafts.rest(chat))
        try:
            number = await self._drafts.become(outgoing, progress.parts[0], chat)
        except Flooded as flooded:
            self.flooded(chat, flooded.retry_after or 1.0)
            raise
        progress.drafted = False
        if number is not None:
            self._ids.add(chat, number)
            progress.last_id, progress.done = number, 1

    async def _deliver(self, progress: _Progress, chat: int, thread: int | None) -> int:
        part = progress.parts[progress.done]
        if progress.doubt is not None:
            found = await self._ids.find(self._call, part, chat, progress.doubt)
            if found is not None:
                log.info("the lost answer was for a message that arrived", action="send_found", chat=chat)
                self._ids.add(chat, found)
                return found
            progress.doubt = None
        before = self._ids.newest(chat)
        try:
            message = await self._try(part, chat, thread)
        except Flooded as flooded:
            self.flooded(chat, flooded.retry_after or 1.0)
            raise
        except Lost as lost:
            if lost.maybe_taken:
                progress.doubt = before
            raise
        numbers = [int(each["message_id"]) for each in (message if isinstance(message, list) else [message])]
        for number in numbers:
            self._ids.add(chat, number)
        return numbers[-1]

    def moved(self, old: int, new: int) -> None:
        """A group has another id now."""
        self._moved[old] = new

    async def _try(self, part: Part, chat: int, thread: int | None) -> Any:
        """One part; what Telegram refuses about it is left away, its words never are."""
        while True:
            try:
                return await self._call(part.method, part.parameters(chat, thread))
            except Migrated as moved:
                self.moved(chat, moved.chat)
                chat = moved.chat
            except BadRequest as refused:
                why = str(refused).lower()
                if ("thread" in why or "topic" in why) and thread is not None:  # gone, or closed
                    thread = None
                elif not part.simpler(why, self._language):
                    raise
                log.warning("sent more simply", action="send_simpler", method=part.method, error=str(refused))
