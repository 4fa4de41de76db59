"""The watchman: starts what is due, looks after plans once a day, and sleeps in between."""

from __future__ import annotations

import asyncio
from datetime import timedelta

from bot.jobs.noting import NotesJob
from bot.jobs.rounds import PAUSE, Rounds
from bot.settings.values import Learning
from memory.notes import NoteTaker
from tests.bot.desks import Rig


class Watched:
    """A watchman whose jobs are only written down."""

    def __init__(self, rig: Rig, *, model: bool = True) -> None:
        self.started: list[tuple[str, int]] = []
        self.past: list[str] = []
        self.understood: list[str] = []
        noting = NotesJob(rig.storage.slow, NoteTaker(self.ask), self.learns, rig.clock, timedelta(hours=6))
        self.rounds = Rounds(
            rig.storage.slow,
            noting if model else None,
            self.start,
            rig.storage.people.names,
            self.tell_past,
            self.understand,
            rig.clock,
        )

    async def ask(self, system: str, user: str) -> str:
        raise AssertionError("a look asks nobody")

    async def learns(self, person: str) -> Learning:
        return "on"

    async def start(self, kind: str, row: int) -> None:
        self.started.append((kind, row))

    async def understand(self, person: str) -> None:
        self.understood.append(person)

    async def tell_past(self, person: str) -> None:
        self.past.append(person)


async def test_what_is_due_is_started_and_nothing_before(rig: Rig) -> None:
    watched = Watched(rig)
    await rig.said("一")
    await rig.storage.slow.want("me", rig.clock.now + timedelta(hours=7))
    await watched.rounds.look()
    assert watched.started == []
    rig.clock.later(hours=6)
    await watched.rounds.look()
    assert watched.started == [("notes", 1)]
    rig.clock.later(hours=1)
    await watched.rounds.look()
    assert watched.started[1:] == [("notes", 1), ("consolidate", 1)]


async def test_asked_for_it_is_due_at_once(rig: Rig) -> None:
    watched = Watched(rig)
    await rig.said("一")
    await rig.storage.slow.look()
    await rig.storage.slow.ask("me")
    await watched.rounds.look()
    assert watched.started == [("notes", 1)]


async def test_plans_once_a_day_model_or_not(rig: Rig) -> None:
    watched = Watched(rig, model=False)
    await rig.storage.people.meet("me", "zh")
    for _ in range(3):
        await watched.rounds.look()
    assert watched.past == ["me"]
    rig.clock.later(days=1)
    await watched.rounds.look()
    assert watched.past == ["me", "me"]
    assert watched.understood == ["me"] * 4
    assert watched.started == []


async def test_between_looks_it_sleeps(rig: Rig) -> None:
    assert PAUSE >= 60
    watched = Watched(rig)
    await rig.said("一")
    rig.clock.later(hours=7)
    running = asyncio.create_task(watched.rounds.run())
    await asyncio.sleep(0.05)
    running.cancel()
    assert watched.started == []
