"""The job after a turn: what follows from the message for memory, written and said with an undo."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

import structlog

from bot.desk import Desk
from bot.errors import ModelUnavailable
from bot.storage.messages import Messages
from bot.storage.outbox import OutboxRows
from bot.tools.notes import propose, receipt
from bot.types import Message, Words
from bot.wording import say
from memory.changes import Did
from memory.errors import ExtractionFailed

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class ExtractionJob:
    """Everything the job needs; one for the whole app."""

    messages: Messages
    outbox: OutboxRows
    desk: Callable[[Sequence[Message]], Awaitable[Desk]]
    changed: Callable[[Message], Awaitable[None]]  # rules changed by this message: pictures may have to move

    async def run(self, row_id: int) -> None:
        """Extract one message, unless that is done already. What is known or refused is not talked about."""
        message = await self.messages.unread(row_id)
        if message is None:
            return
        desk = await self.desk([message])
        assert desk.note is not None
        try:
            noted = await desk.note(message)
        except ExtractionFailed as error:
            raise ModelUnavailable(str(error)) from error  # nothing is marked: it is read again later
        told = [receipt(desk, o) for o in noted.outcomes if o.did not in (Did.KNOWN, Did.REFUSED)]
        told += [await propose(desk, change, source.quote) for change, source in noted.questions]
        for refused in (o for o in noted.outcomes if o.did is Did.REFUSED):
            log.info("refused", action="memory_refused", row=row_id, reason=refused.reason)
        buttons = tuple(button for result in told for button in result.buttons)
        words = [Words("\n".join(r.receipt for r in told), "receipt", buttons)] if told else []
        await self.outbox.add(message, *words, also=(self.messages.extracting([row_id]),))
        if any(result.deed for result in told):
            await self.changed(message)

    async def put_off(self, row_id: int, why: str) -> None:
        """Say that it is not in memory yet. The row stays due: it is read again with the next turn or start."""
        message = await self.messages.get(row_id)
        desk = await self.desk([message])
        first = await self.messages.put_off(row_id, why or say(desk.language, "trouble.unexpected"))
        if first:
            await self.outbox.add(message, Words(say(desk.language, "trouble.memory_later"), "notice"))
