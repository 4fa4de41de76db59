"""Plans whose day has passed, told as past by form alone."""

from __future__ import annotations

from datetime import date, datetime, timedelta

import pytest

from memory import Line, Memory
from memory.changes import Did, Instruct, Kind, Learn, Origin, Source
from memory.consolidation import tell_past
from memory.dates import find_dates
from memory.journal import Held
from memory.plans import in_the_past, passed
from memory.store import DictStore
from tests.memory.conftest import NOW, Say

TOLD = [
    ("The user is going to Singapore on 3 May", "The user was in Singapore on 3 May 2026"),
    ("The user is flying to New York on 2026-05-03", "The user was in New York on 2026-05-03"),
    ("On 3 May the user will be in Lisbon", "On 3 May 2026 the user was in Lisbon"),
    ("The user has a dentist appointment on 2026-05-03", "The user had a dentist appointment on 2026-05-03"),
    ("The user plans to visit Oslo on 3 May 2026", "The user visited Oslo on 3 May 2026"),
    ("The user will run a marathon on May 3", "The user was going to run a marathon on May 3 2026"),
    ("The user's sister is visiting on 2026-05-03", "The user's sister was visiting on 2026-05-03"),
    ("用户5月3日要去新加坡", "用户2026年5月3日去了新加坡"),
    ("用户要在2026-05-03去新加坡出差", "用户2026-05-03去了新加坡出差"),
    ("用户2026-05-03去新加坡", "用户2026-05-03去了新加坡"),
    ("用户打算2026-05-03做手术", "用户原定2026-05-03做手术"),
    ("用户的妹妹将于2026-05-03结婚", "用户的妹妹原定于2026-05-03结婚"),
    ("用户2026-05-03有会议", None),
    ("用户5月3日不去新加坡了", None),
    ("The user is not going to Rome on 2026-05-03", None),
]


@pytest.mark.parametrize(("text", "told"), TOLD)
def test_told_as_past_with_the_whole_date(text: str, told: str | None) -> None:
    [day] = find_dates(text, NOW)
    assert in_the_past(text, day, NOW) == told


def held(
    text: str, *, kind: Kind = Kind.EPISODIC, until: date | None = None, origin: Origin = Origin.LEARNED
) -> Held:
    line = Line("t1", text, kind, origin, until=until)
    return Held("topics/trips.md", line, Source("terminal:me", "1", NOW, text, text))


NO_PLANS = [
    held("The user was in Rome on 2026-03-20"),
    held("用户的生日是3月20日"),
    held("The user jogs every Friday until 2026-03-20"),
    held("用户2026-03-01去北京"),  # past already when it was said
    held("Answer in French until 2026-03-20", kind=Kind.INSTRUCTION),
    held("用户2026-03-20去北京", origin=Origin.EDITED),
    held("用户住在北京"),
]


@pytest.mark.parametrize("line", NO_PLANS, ids=lambda each: each.line.text)
def test_what_is_no_plan_stays(line: Held) -> None:
    assert passed([line], date(2026, 4, 1)) == []


def test_not_on_the_day_itself() -> None:
    plan = held("用户2026-03-20去北京")
    assert passed([plan], date(2026, 3, 20)) == []
    [(found, day)] = passed([plan], date(2026, 3, 21))
    assert (found, day.iso) == (plan, "2026-03-20")


def test_a_day_that_only_the_end_names() -> None:
    plan = held("用户要去北京看展", until=date(2026, 3, 20))
    [(_, day)] = passed([plan], date(2026, 3, 21))
    assert in_the_past(plan.line.text, day, NOW) == "用户去了北京看展（2026-03-20）"


class Clock:
    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> datetime:
        return self.now


async def test_in_memory_it_holds_again_and_the_old_words_stay_in_the_journal(say: Say) -> None:
    clock = Clock()
    memory = Memory(DictStore(), person="me", now=clock)
    words = "I'm going to Singapore on 20 March"
    text = "The user is going to Singapore on 20 March"
    plan = Learn(text, "Trips", Kind.EPISODIC, until=date(2026, 3, 20), origin=Origin.EXPLICIT)
    [added] = await memory.apply(
        [
            plan,
        ],
        say(words),
    )
    assert added.did is Did.ADDED
    await memory.apply([Instruct("Keep answers short")], say("Keep answers short"))
    assert await tell_past(memory, clock.now) == []
    clock.now += timedelta(days=20)
    assert [line.text for _, line in await memory.lines("topics/trips.md")] == [], "expired, so not loaded"
    [told] = await tell_past(memory, clock.now)
    assert told.did is Did.REPLACED
    [(_, line)] = await memory.lines("topics/trips.md")
    assert line == Line(line.id, "The user was in Singapore on 20 March 2026", Kind.EPISODIC, Origin.EXPLICIT)
    [first, last] = await memory.explain(line.id)
    assert first.after is not None
    assert last.before == first.after
    assert (last.source.quote, last.source.by, last.reason) == (words, "consolidation", "its day has passed")
    assert await tell_past(memory, clock.now) == [], "once"
    undone = await memory.undo(last.n)
    assert undone.after == text
