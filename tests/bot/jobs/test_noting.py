"""The job on quiet talk: when it reads, what a failure leaves, what is nobody's words."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest

from bot.errors import ModelUnavailable
from bot.jobs.noting import NotesJob, spoken
from bot.settings.values import Learning
from bot.storage.slow import Cursor
from memory.changes import Speaker
from memory.notes import NoteTaker
from tests.bot.desks import NOW, Rig

QUIET = timedelta(hours=6)
NOTHING = json.dumps({"notes": []})
NOTED = json.dumps(
    {"notes": [{"message": 1, "quote": "我在学葡萄牙语", "content": "用户在学葡萄牙语"}]}, ensure_ascii=False
)


class Asked:
    """A model as told; an exception is raised."""

    def __init__(self, *answers: str | Exception) -> None:
        self.answers = list(answers)
        self.users: list[str] = []

    async def __call__(self, system: str, user: str) -> str:
        self.users.append(user)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Exception):
            raise answer
        return answer


def job(rig: Rig, ask: Any, learning: Learning = "on") -> NotesJob:
    async def learns(person: str) -> Learning:
        return learning

    return NotesJob(rig.storage.slow, NoteTaker(ask), learns, rig.clock, QUIET)


async def looked(rig: Rig) -> Cursor:
    await rig.storage.slow.look()
    return (await rig.storage.slow.cursors())[0]


async def test_read_once_when_quiet(rig: Rig) -> None:
    await rig.said("我在学葡萄牙语")
    cursor, ask = await looked(rig), Asked(NOTED)
    await job(rig, ask).run(cursor.id)
    assert ask.users == [], "not quiet yet"
    rig.clock.later(hours=6)
    for _ in range(2):
        await job(rig, ask).run(cursor.id)
    assert len(ask.users) == 1
    [note] = await rig.storage.slow.notes("me", NOW.date())
    assert (note.content, note.message, note.conversation) == ("用户在学葡萄牙语", "1", "fake:me")
    assert [due.wanted for due in await rig.storage.slow.wanted()] == [rig.clock.now + timedelta(minutes=5)]


async def test_only_what_is_new_is_read_and_the_rest_stands_beside(rig: Rig) -> None:
    await rig.said("我在学葡萄牙语")
    cursor, ask = await looked(rig), Asked(NOTHING)
    rig.clock.later(hours=7)
    await job(rig, ask).run(cursor.id)
    await rig.said("考过 B1 了")
    cursor = await looked(rig)
    rig.clock.later(hours=7)
    await job(rig, ask).run(cursor.id)
    assert "[1]" in ask.users[0]
    assert "[1]" not in ask.users[1]
    assert "person: 我在学葡萄牙语" in ask.users[1]
    assert "[2]" in ask.users[1]


async def test_what_is_older_than_a_week_is_not_read(rig: Rig) -> None:
    await rig.said("我在学葡萄牙语", at=NOW - timedelta(days=8))
    cursor, ask = await looked(rig), Asked(NOTED)
    await job(rig, ask).run(cursor.id)
    assert ask.users == []
    assert await rig.storage.slow.cursors() == []


async def test_with_learning_off_nothing_is_read_then_or_later(rig: Rig) -> None:
    await rig.said("我在学葡萄牙语")
    cursor, ask = await looked(rig), Asked(NOTED)
    rig.clock.later(hours=7)
    await job(rig, ask, "off").run(cursor.id)
    await job(rig, ask, "on").run(cursor.id)
    assert ask.users == []
    assert await rig.storage.slow.notes("me", NOW.date()) == []


async def test_an_unreadable_message_blocks_for_five_rounds_and_is_counted(rig: Rig) -> None:
    await rig.said("我在学葡萄牙语")
    await rig.said("我养了只鹦鹉")
    cursor = await looked(rig)

    async def ask(system: str, user: str) -> str:
        return "hm" if "[1]" in user else NOTHING

    rig.clock.later(hours=7)
    for rounds in range(5):
        [cursor] = await rig.storage.slow.cursors()
        assert (cursor.read_to, cursor.tries) == (0, rounds)
        await job(rig, ask).run(cursor.id)
        rig.clock.later(hours=17)
    [cursor] = await rig.storage.slow.cursors()
    assert (cursor.read_to, cursor.failed) == (1, 1)
    await job(rig, ask).run(cursor.id)
    assert await rig.storage.slow.cursors() == []
    coverage = await rig.storage.slow.coverage("me", NOW - timedelta(days=7))
    assert (coverage.said, coverage.read, coverage.failed) == (2, 1, 1)


async def test_a_model_that_is_away_moves_nothing(rig: Rig) -> None:
    await rig.said("我在学葡萄牙语")
    cursor = await looked(rig)
    rig.clock.later(hours=7)
    taking = job(rig, Asked(ModelUnavailable("busy")))
    with pytest.raises(ModelUnavailable):
        await taking.run(cursor.id)
    await taking.give_up(cursor.id, "busy")
    [cursor] = await rig.storage.slow.cursors()
    assert (cursor.read_to, cursor.tries) == (0, 0)
    assert taking.due(cursor) == rig.clock.now + timedelta(hours=1)


async def test_what_could_never_be_read_in_time_is_counted(rig: Rig) -> None:
    await rig.said("我在学葡萄牙语")
    cursor = await looked(rig)
    await job(rig, Asked(NOTHING)).give_up(cursor.id, "away")
    rig.clock.later(days=9)
    await job(rig, Asked(NOTHING)).run(cursor.id)
    assert await rig.storage.slow.cursors() == []
    assert (await rig.storage.slow.coverage("me", NOW)).failed == 1


async def test_who_spoke_and_in_which_sitting(rig: Rig) -> None:
    await rig.said("一")
    await rig.said("别人的", forwarded=True)
    await rig.said("/status")
    rig.clock.later(hours=6)
    await rig.said("二")
    cursor = await looked(rig)
    said = await rig.storage.slow.talk(cursor, NOW - timedelta(days=1))
    rows = spoken(said, cursor, rig.clock.now, QUIET)
    assert [(r.utterance.text, r.utterance.role, r.new, r.sitting) for r in rows] == [
        ("一", Speaker.PERSON, True, "1"),
        ("别人的", Speaker.TOOL, False, "1"),
        ("二", Speaker.PERSON, True, "4"),
    ]
