"""Schedules fall due: once, whatever happened meanwhile, and never on top of themselves."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from bot.jobs.calendar import Calendar
from bot.storage.schedules import Schedule
from bot.timetable import DAILY
from tests.bot.desks import Rig, until


class Desk:
    """A calendar, and the runs it has started."""

    def __init__(self, rig: Rig) -> None:
        self.rig = rig
        self.started: list[int] = []
        self.calendar = Calendar(rig.storage.schedules, self.start, rig.clock)

    async def start(self, run: int) -> None:
        self.started.append(run)

    async def add(self, due: datetime, cron: str = DAILY, prompt: str = "") -> Schedule:
        message = await self.rig.said("/cultivate on")
        made = await self.rig.storage.schedules.add("me", cron, prompt, message=message.id, due=due)
        assert made is not None
        return made

    async def end(self, run: int) -> None:
        await self.rig.storage.database.do(self.rig.storage.schedules.ending(run, "done"))


@pytest.fixture
def desk(rig: Rig) -> Desk:
    return Desk(rig)


async def test_it_starts_when_it_is_time_and_not_before(desk: Desk) -> None:
    clock = desk.rig.clock
    made = await desk.add(clock.now + timedelta(hours=1))
    assert await desk.calendar.look() == made.due
    assert desk.started == []
    clock.later(hours=1)
    following = await desk.calendar.look()
    assert following == datetime(2026, 9, 1, 23, 0, tzinfo=clock.now.tzinfo)
    [run] = await desk.rig.storage.schedules.due()
    assert desk.started == [run.id]
    assert (run.schedule, run.message) == (made.id, made.message)


async def test_what_was_missed_while_stopped_is_made_up_for_once(desk: Desk) -> None:
    clock = desk.rig.clock
    await desk.add(clock.now + timedelta(hours=3))
    clock.later(days=5)
    for _ in range(3):
        await desk.calendar.look()
        if desk.started:
            await desk.end(desk.started[-1])
    assert len(desk.started) == 1
    [schedule] = await desk.rig.storage.schedules.active()
    assert schedule.due == datetime(2026, 9, 6, 23, 0, tzinfo=clock.now.tzinfo)


async def test_a_run_longer_than_its_interval_does_not_pile_up(desk: Desk) -> None:
    await desk.add(desk.rig.clock.now, cron="*/5 * * * *")
    for _ in range(4):
        await desk.calendar.look()
        desk.rig.clock.later(minutes=5)
    assert len(desk.started) == 1
    await desk.end(desk.started[0])
    await desk.calendar.look()
    assert len(desk.started) == 2


async def test_two_that_are_due_at_once_are_two_runs(desk: Desk) -> None:
    await desk.add(desk.rig.clock.now)
    await desk.add(desk.rig.clock.now, prompt="整理项目页")
    await desk.calendar.look()
    runs = await desk.rig.storage.schedules.due()
    assert [run.prompt for run in runs] == ["", "整理项目页"]
    assert desk.started == [run.id for run in runs]


async def test_what_is_switched_off_meanwhile_does_not_run(desk: Desk) -> None:
    made = await desk.add(desk.rig.clock.now)
    await desk.rig.storage.schedules.update(made.id, active=False)
    assert await desk.rig.storage.schedules.fall_due(made, desk.rig.clock.now, desk.rig.clock.now) is None
    assert await desk.calendar.look() is None


async def test_another_zone_moves_what_is_to_come(desk: Desk) -> None:
    """A server in UTC, a person in Shanghai who moves to Berlin."""
    clock = desk.rig.clock
    made = await desk.add(datetime(2026, 9, 1, 15, 0, tzinfo=UTC))
    assert made.due.astimezone(clock.now.tzinfo).hour == 23
    clock.now = clock.now.astimezone(ZoneInfo("Europe/Berlin"))
    await desk.calendar.set_anew()
    [moved] = await desk.rig.storage.schedules.active()
    assert moved.due == datetime(2026, 9, 1, 21, 0, tzinfo=UTC)


async def test_it_wakes_for_a_new_schedule(desk: Desk) -> None:
    task = asyncio.create_task(desk.calendar.run())
    await asyncio.sleep(0.05)
    await desk.add(desk.rig.clock.now)
    desk.calendar.wake()

    async def started() -> bool:
        return len(desk.started) == 1

    await until(started)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
