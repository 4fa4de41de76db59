"""The job after a turn: what follows from the message for memory, written and said with an undo."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from weakref import WeakValueDictionary

import structlog

from bot.desk import Desk
from bot.errors import AllowanceSpent, ModelUnavailable
from bot.models.metering import charge
from bot.storage.messages import Messages
from bot.storage.outbox import OutboxRows
from bot.tools.noting import told
from bot.types import Message, Words
from bot.wording import say
from memory.errors import ExtractionFailed

log = structlog.get_logger(__name__)

SHOWN = 60  # characters of a message by which its person knows it again
_GARBLED = 2  # unreadable answers about one message, after a round that failed, before it is given up


@dataclass(frozen=True, slots=True)
class ExtractionJob:
    """Everything the job needs; one for the whole app."""

    messages: Messages
    outbox: OutboxRows
    desk: Callable[[Sequence[Message]], Awaitable[Desk]]
    changed: Callable[[Message], Awaitable[None]]  # rules changed by this message: pictures may have to move
    take_up: Callable[[int], Awaitable[None]]  # read this row, which was put off, now that reading works
    _garbled: Counter[int] = field(default_factory=Counter)
    _in_order: WeakValueDictionary[str, asyncio.Lock] = field(default_factory=WeakValueDictionary)

    async def run(self, row_id: int) -> None:
        """Extract one message, unless that is done already. What is known or refused is not talked about."""
        message = await self.messages.unread(row_id)
        if message is None:
            return
        turn = self._in_order.setdefault(message.person, asyncio.Lock())
        waits = turn.locked()
        async with turn:  # what was said first is read first
            if waits:  # it may have been read meanwhile
                message = await self.messages.unread(row_id)
            if message is not None:
                await self._read(message)

    async def _read(self, message: Message) -> None:
        row_id = message.id
        charge(message.person, "extraction")
        desk = await self.desk([message])
        assert desk.note is not None
        try:
            noted = await desk.note(message)
        # no problem of this message: nobody waits for it until then, and it was said once
        except AllowanceSpent:
            await self.messages.put_off(row_id, "")
            return
        except ExtractionFailed as error:
            self._garbled[row_id] += 1
            if self._garbled[row_id] < _GARBLED or not await self.messages.was_put_off(row_id):
                raise ModelUnavailable(str(error)) from error  # nothing is marked: it is read again later
            log.error("given up", action="extraction_given_up", row=row_id, error=str(error))
            await self._end(message, [self._never(desk, message, "trouble.memory_never")])
            return
        results = await told(desk, noted)
        if any(result.deed or result.already for result in results):
            await self.changed(message)  # before it is marked read: what is not marked is read again
        results = [result for result in results if result.receipt]
        buttons = tuple(button for result in results for button in result.buttons)
        words = [Words("\n".join(r.receipt for r in results), "receipt", buttons)] if results else []
        await self._end(message, words)

    async def _end(self, message: Message, words: Sequence[Words]) -> None:
        """Mark it read; then, one by one, what was put off: while the model is away nothing but news is tried."""
        self._garbled.pop(message.id, None)
        await self.outbox.add(message, *words, also=(self.messages.extracting([message.id]),))
        row = await self.messages.next_overdue(message.person)
        if row is not None:
            await self.take_up(row)

    async def give_up(self, row_id: int, why: str) -> None:
        """Say that it is not in memory yet. The row stays due: it is read again when a reading has ended well."""
        message = await self.messages.get(row_id)
        desk = await self.desk([message])
        first = await self.messages.put_off(row_id, why or say(desk.language, "trouble.unexpected"))
        if first:
            await self.outbox.add(message, Words(say(desk.language, "trouble.memory_later"), "notice"))

    async def put_aside(self, row_id: int) -> None:
        """It ended the process each time it was begun: it is not read again, and that is said."""
        message = await self.messages.unread(row_id)
        if message is not None:
            desk = await self.desk([message])
            await self._end(message, [self._never(desk, message, "trouble.memory_deadly")])

    @staticmethod
    def _never(desk: Desk, message: Message, key: str) -> Words:
        shown = message.text if len(message.text) <= SHOWN else f"{message.text[:SHOWN]}…"
        return Words(say(desk.language, key, words=shown), "notice")
