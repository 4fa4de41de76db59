"""The job after notes were taken: weighed with what is remembered; rules and, if wished, all else asked about."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

import structlog

from bot.desk import Desk
from bot.jobs.noting import Learns
from bot.models.metering import charge
from bot.storage.messages import Messages
from bot.storage.outbox import OutboxRows
from bot.storage.slow import SlowRows, later
from bot.tools.notes import propose
from bot.types import Message, Words
from memory import Change, Memory, Source
from memory.changes import Did, Instruct, Learn, Revise
from memory.consolidation import Consolidator, tell_past
from memory.errors import ExtractionFailed
from memory.extractor import Ask

log = structlog.get_logger(__name__)

_MOST = 3  # questions that one run puts to the person


@dataclass(frozen=True, slots=True)
class ConsolidationJob:
    """Everything the job needs; one for the whole app."""

    rows: SlowRows
    ask: Ask
    room: int  # characters that one request may hold
    memory: Callable[[str], Memory]
    desk: Callable[[Sequence[Message]], Awaitable[Desk]]
    messages: Messages
    outbox: OutboxRows
    learns: Learns
    now: Callable[[str], datetime]  # on a person's clock

    async def run(self, row_id: int) -> None:
        """Weigh one person's notes, unless there is nothing new. Safe to run twice: what notes did, they do once.

        Raises what the model layer raises; then nothing is marked, and all is weighed again.
        """
        due = await self.rows.consolidation(row_id)
        now = self.now(due.person)
        if due.wanted is None or due.wanted > now:
            return None
        charge(due.person, "consolidation")
        learning = await self.learns(due.person)
        memory = self.memory(due.person)
        await tell_past(memory, now)
        notes = [] if learning == "off" else await self.rows.notes(due.person, now.date())
        consolidator = Consolidator(self.ask, asking=learning == "ask", room=self.room)
        try:
            found = await consolidator.run(memory, notes, due.weighed, now)
        except ExtractionFailed as error:
            log.warning("not consolidated", action="consolidation_failed", row=row_id, error=str(error))
            return await self.rows.failed(due, str(error), now + later(due.tries))
        for each in found:
            for reason in each.dropped:
                log.info("left alone", action="consolidation_left", row=row_id, reason=reason)
            for outcome in each.outcomes:
                reason = outcome.reason if outcome.did is Did.REFUSED else ""
                log.info(
                    outcome.did.value, action="consolidated", row=row_id, line=outcome.line, reason=reason
                )
        await self._put([p for each in found for p in each.proposals], due.person)
        await self.rows.weighed(due, max((note.id for note in notes), default=due.weighed))
        return None

    async def _put(self, proposals: Sequence[tuple[Change, Source]], person: str) -> None:
        """Ask about what may not be learned unasked, each thing once whatever was answered."""
        put = 0
        for change, source in proposals:
            if put == _MOST:
                break
            message = await self.messages.get(int(source.message))
            desk = await self.desk([message])
            text = change.text if isinstance(change, Instruct | Learn | Revise) else ""
            if await desk.proposals.was_put(person, text, source):
                continue
            asked = await propose(desk, change, source)
            await self.outbox.add(message, Words(asked.receipt, "receipt", asked.buttons))
            put += 1

    async def give_up(self, row_id: int, why: str) -> None:
        """The model is away: later again."""
        due = await self.rows.consolidation(row_id)
        await self.rows.failed(due, why, self.now(due.person) + later(due.tries))
