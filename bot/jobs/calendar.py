"""The clock that makes schedules due. What is due is a row; this only looks when it is time, and after a pause.

A laptop that slept, a process that was stopped: what was missed meanwhile is made up for once, at the next look.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime

import structlog

from bot.errors import HomeUnwritable
from bot.storage.schedules import Schedules
from bot.timetable import next_due

log = structlog.get_logger(__name__)

# seconds between two looks at the clock: a machine that sleeps stops our waiting, not the time
LONGEST = 60.0


class Calendar:
    """Everybody's schedules."""

    def __init__(
        self, schedules: Schedules, start: Callable[[int], Awaitable[None]], now: Callable[[str], datetime]
    ) -> None:
        """`start` takes a run that is due in hand; `now` is the time on a person's clock."""
        self._schedules = schedules
        self._start = start
        self._now = now
        self._woken = asyncio.Event()
        self._anew = True

    def wake(self, *, anew: bool = False) -> None:
        """Schedules have changed; `anew`: somebody's clock has."""
        self._anew = self._anew or anew
        self._woken.set()

    async def look(self) -> datetime | None:
        """Start what is due now; returns when the next is, None when there is none. Raises `HomeUnwritable`."""
        upcoming: datetime | None = None
        for schedule in await self._schedules.active():
            due, now = schedule.due, self._now(schedule.person)
            if due <= now:
                due = await asyncio.to_thread(next_due, schedule.cron, now)
                run = await self._schedules.fall_due(schedule, now, due)
                if run is not None:
                    log.info("due", action="schedule_due", schedule=schedule.id, row=run)
                    await self._start(run)
            upcoming = min(upcoming or due, due)
        return upcoming

    async def set_anew(self) -> None:
        """What is yet to come is worked out again, since a person's zone may be another now."""
        for schedule in await self._schedules.active():
            now = self._now(schedule.person)
            if schedule.due > now:
                due = await asyncio.to_thread(next_due, schedule.cron, now)
                if due != schedule.due:
                    await self._schedules.update(schedule.id, due=due)

    async def run(self) -> None:
        """Look whenever something is due, until cancelled."""
        upcoming: datetime | None = None
        while True:
            self._woken.clear()
            try:
                if self._anew:
                    await self.set_anew()
                    self._anew = False
                upcoming = await self.look()
            except HomeUnwritable as error:
                log.error("schedules wait", action="schedule_waits", error=str(error))
                await asyncio.sleep(LONGEST)
            while not self._woken.is_set() and (upcoming is None or upcoming > self._now("")):
                wait = LONGEST if upcoming is None else (upcoming - self._now("")).total_seconds()
                await self._wait(None if upcoming is None else min(max(wait, 0.05), LONGEST))

    async def _wait(self, seconds: float | None) -> None:
        """Until woken, or so many seconds; None = for as long as there is nothing to wait for."""
        try:
            async with asyncio.timeout(seconds):
                await self._woken.wait()
        except TimeoutError:
            return
