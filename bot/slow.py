"""Slow memory: conversations that have gone quiet → notes → what is remembered. Wired here, run by `background`.

It needs a language model; with none it only tells plans as past whose day has passed, and says that it does no more.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta

from bot.household import Household
from bot.jobs.consolidation import ConsolidationJob
from bot.jobs.noting import LATELY, Learns, NotesJob
from bot.jobs.rounds import Rounds
from bot.jobs.understanding import Understanding
from bot.minds import Minds
from bot.settings import Settings
from bot.storage import Storage
from bot.storage.slow import Coverage
from bot.types import Language
from bot.wording import say
from memory.changes import Outcome
from memory.consolidation import tell_past
from memory.notes import NoteTaker

Start = Callable[[str, int], Awaitable[None]]


def covered(coverage: Coverage | None, language: Language) -> str:
    """How much is read, as a sentence; None = there is no model to read it."""
    if coverage is None:
        return say(language, "slow.none")
    words = say(language, "slow.coverage", said=coverage.said, read=coverage.read)
    return words + (say(language, "slow.failed", failed=coverage.failed) if coverage.failed else "")


@dataclass(frozen=True, slots=True)
class Tidied:
    """What one run at the person's wish came to."""

    coverage: Coverage | None  # None = there is no model to read
    notes: int  # made by it
    changes: int  # journal entries written by it
    proposals: int  # questions that wait now, beyond those that did


class SlowMemory:
    """The jobs of slow memory and who starts them."""

    def __init__(
        self, settings: Settings, storage: Storage, minds: Minds, household: Household, learns: Learns
    ) -> None:
        self._storage = storage
        self._household = household
        self._understanding = Understanding(
            household.memory, household.chats, household.gallery, storage.messages.unanswered
        )
        self.noting: NotesJob | None = None
        self.consolidation: ConsolidationJob | None = None
        if (ask := minds.ponder) is not None:
            self.noting = NotesJob(
                rows=storage.slow,
                taker=NoteTaker(ask),
                learns=learns,
                now=household.here,
                quiet=timedelta(hours=settings.notes_after_hours),
            )
            self.consolidation = ConsolidationJob(
                rows=storage.slow,
                ask=ask,
                room=settings.model_context * 2 // 5,  # a Chinese character may be a token
                memory=household.memory,
                desk=household.desk,
                messages=storage.messages,
                outbox=storage.outbox,
                learns=learns,
                now=household.here,
            )

    def rounds(self, start: Start) -> Rounds:
        """Who looks when something is due."""
        return Rounds(
            self._storage.slow,
            self.noting,
            start,
            self._storage.people.names,
            self._past,
            self._understanding.round,
            self._household.here,
        )

    async def coverage(self, person: str) -> Coverage | None:
        """How much of what was typed lately is distilled; None where nothing is, for want of a model."""
        if self.noting is None:
            return None
        return await self._storage.slow.coverage(person, self._household.now() - LATELY)

    async def ask(self, person: str) -> None:
        """Have everything unread read and weighed now, by whoever runs this home."""
        await self._storage.slow.look()
        await self._storage.slow.ask(person)
        await self._storage.slow.want(person, self._household.now())

    async def tidy(self, person: str) -> Tidied:
        """Do what is due of one person's, here and now.

        Raises what the model layer raises; what was read until then stays read.
        """
        rows = self._storage.slow
        before = await self._counts(person)
        await self._past(person)
        await rows.look()
        if self.noting is not None and self.consolidation is not None:
            for cursor in await rows.cursors(person):
                await self.noting.run(cursor.id)
            for due in await rows.wanted(person):
                await self.consolidation.run(due.id)
        after = await self._counts(person)
        notes, changes, proposals = (b - a for a, b in zip(before, after, strict=True))
        return Tidied(await self.coverage(person), notes, changes, proposals)

    async def _counts(self, person: str) -> tuple[int, int, int]:
        notes = await self._storage.slow.notes(person, self._household.here(person).date())
        entries = await self._household.memory(person).log(1)
        waiting = await self._storage.proposals.open(person)
        return len(notes), entries[0].n if entries else 0, len(waiting)

    async def _past(self, person: str) -> list[Outcome]:
        return await tell_past(self._household.memory(person), self._household.here(person))
