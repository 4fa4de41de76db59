"""Notes and consolidation, killed at every step of the database: nothing is lost, nothing is doubled."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from datetime import timedelta

import pytest

from bot.desk import Desk
from bot.errors import ModelUnavailable
from bot.jobs.consolidation import ConsolidationJob
from bot.jobs.noting import NotesJob
from bot.settings.values import Learning
from bot.storage.slow import SlowRows
from bot.types import Message
from memory.changes import Learn, Source
from memory.notes import NoteTaker
from tests.bot.desks import Rig
from tests.bot.storage.dying import Death, DyingDatabase, Killed

ROWS = "用户周日划船"


async def answers(system: str, user: str) -> str:
    """Notes the rowing wherever it is told; learns it from all notes there are."""
    if "<notes>" in user:
        ids = re.findall(r"^\[(n\d+)\]", user, re.M)
        changes = [{"op": "learn", "notes": ids, "text": ROWS, "topic": "划船"}]
        return json.dumps({"changes": changes}, ensure_ascii=False)
    found = re.findall(r"^\[(\d+)\] .*周日划船", user, re.M)
    notes = [{"message": int(n), "quote": "周日划船", "content": ROWS} for n in found]
    return json.dumps({"notes": notes}, ensure_ascii=False)


class Work:
    """Both jobs over a home, by one pair of hands."""

    def __init__(self, rig: Rig, death: Death | None = None, ask: object = answers) -> None:
        database = rig.storage.database
        self.rig = rig
        self.rows = SlowRows(DyingDatabase(database, death) if death else database)
        self.noting = NotesJob(self.rows, NoteTaker(answers), self.learns, rig.clock, timedelta(hours=6))
        self.consolidation = ConsolidationJob(
            rows=self.rows,
            ask=ask,  # type: ignore[arg-type]
            room=14_000,
            memory=rig.memory,
            desk=self.desk,
            messages=rig.storage.messages,
            outbox=rig.storage.outbox,
            learns=self.learns,
            now=rig.clock,
        )

    async def learns(self, person: str) -> Learning:
        return "on"

    async def desk(self, burst: Sequence[Message]) -> Desk:
        return self.rig.desk(*burst)

    async def all(self) -> None:
        """What is due, in the order of the day."""
        await self.rows.look()
        for cursor in await self.rows.cursors():
            await self.noting.run(cursor.id)
        self.rig.clock.later(minutes=6)
        for due in await self.rows.wanted():
            await self.consolidation.run(due.id)


async def told_twice(rig: Rig) -> None:
    for text in ("我周日划船，别约我", "周日划船去了，刚回来"):
        await rig.said(text)
        rig.clock.later(hours=8)


@pytest.mark.parametrize("at", range(1, 15))
async def test_killed_at_any_step(rig: Rig, at: int) -> None:
    await told_twice(rig)
    death = Death(at)
    try:
        await Work(rig, death).all()
    except Killed:
        assert death.steps == at
    rig.memories.clear()  # another process
    for _ in range(2):
        await Work(rig).all()
    assert [line.text for _, line in await rig.memory().lines()] == [ROWS]
    notes = await rig.storage.slow.notes("me", rig.clock.now.date())
    assert [note.message for note in notes] == ["1", "2"]
    assert len(await rig.memory().log()) == 1
    assert await rig.storage.slow.cursors() == []
    assert await rig.storage.slow.wanted() == []


async def test_the_steps_cover_the_whole_run(rig: Rig) -> None:
    await told_twice(rig)
    death = Death(0)
    await Work(rig, death).all()
    assert 6 <= death.steps < 15


async def test_a_model_that_is_away_is_waited_for(rig: Rig) -> None:
    await told_twice(rig)

    async def away(system: str, user: str) -> str:
        raise ModelUnavailable("busy")

    work = Work(rig, ask=away)
    with pytest.raises(ModelUnavailable):
        await work.all()
    [due] = await work.rows.wanted()
    await work.consolidation.give_up(due.id, "busy")
    [due] = await work.rows.wanted()
    assert (due.tries, due.wanted, due.weighed) == (1, rig.clock.now + timedelta(hours=1), 0)
    rig.clock.later(hours=2)
    await Work(rig).all()
    assert [line.text for _, line in await rig.memory().lines()] == [ROWS]


async def test_notes_of_one_person_never_reach_another(rig: Rig) -> None:
    await rig.said("我周日划船，别约我", person="me")
    await rig.said("周日划船去了，刚回来", person="tg-7")
    rig.clock.later(hours=8)
    await Work(rig).all()
    for person in ("me", "tg-7"):
        assert await rig.memory(person).lines() == []
        assert len(await rig.storage.slow.notes(person, rig.clock.now.date())) == 1


async def test_what_the_person_said_later_wins(rig: Rig) -> None:
    """The fact is stated, and taken the other way, while the notes wait."""
    await told_twice(rig)
    said = Source("fake:me", "3", rig.clock.now, "用户周日不划船", "用户周日不划船")
    await rig.memory().apply([Learn("用户周日不划船", "划船")], said)
    await Work(rig).all()
    assert [line.text for _, line in await rig.memory().lines()] == ["用户周日不划船"]
