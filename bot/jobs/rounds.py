"""When slow work is due: one look at a few rows a minute, and sleep in between.

What is due stands in the database; a look starts a job for each row whose time has come, and lets the search indexes
catch up with what was said. Once a day plans whose day
has passed are told as past, which needs no model.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import date, datetime

import structlog

from bot.errors import HomeUnwritable
from bot.jobs.noting import NotesJob
from bot.storage.slow import SlowRows
from memory.errors import MemoryProblem

log = structlog.get_logger(__name__)

PAUSE = 60.0  # seconds between two looks: what the command line asks for is seen within a minute


@dataclass(slots=True)
class Rounds:
    """The watchman of slow memory."""

    rows: SlowRows
    noting: NotesJob | None  # None = no model is configured: only plans are looked after
    start: Callable[[str, int], Awaitable[None]]
    people: Callable[[], Awaitable[list[str]]]
    tell_past: Callable[[str], Awaitable[object]]
    understand: Callable[[str], Awaitable[object]]  # catches up with the search indexes of a person
    now: Callable[[str], datetime]  # on a person's clock
    _days: dict[str, date] = field(default_factory=dict)  # the day on which each was told last

    async def run(self) -> None:
        """Look again and again until cancelled."""
        while True:
            await asyncio.sleep(PAUSE)
            try:
                await self.look()
            except (HomeUnwritable, MemoryProblem) as error:
                log.warning("not looked", action="rounds_failed", error=str(error))

    async def look(self) -> None:
        """Start what is due."""
        for person in await self.people():
            await self.understand(person)
            today = self.now(person).date()
            if self._days.get(person) != today:
                await self.tell_past(person)
                self._days[person] = today
        if self.noting is None:
            return
        await self.rows.look()
        for cursor in await self.rows.cursors():
            if self.noting.due(cursor) <= self.now(cursor.person):
                await self.start("notes", cursor.id)
        for due in await self.rows.wanted():
            if due.wanted is not None and due.wanted <= self.now(due.person):
                await self.start("consolidate", due.id)
