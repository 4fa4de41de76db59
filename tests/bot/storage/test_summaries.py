"""Up to where a conversation is summed up, and from where on it is shown in its own words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.storage.summaries import Summary
from bot.types import Answered, Words
from tests.bot.desks import Rig


async def talked(rig: Rig, count: int, person: str = "me") -> list[int]:
    rows = []
    for number in range(count):
        message = await rig.said(f"m{number}", person=person)
        await rig.storage.outbox.answer([message], Answered((Words(f"a{number}"),)))
        rows.append(message.id)
    return rows


async def of(rig: Rig, fresh: int = 0, person: str = "me") -> Summary:
    return (await rig.storage.summaries.opening(await rig.said("here", person=person), fresh))[0]


async def test_there_is_none_at_first(rig: Rig) -> None:
    summary = await of(rig)
    assert (summary.id, summary.starts, summary.text, summary.owed) == (0, 0, "", False)


async def test_what_is_owed_is_told_and_then_no_more_shown(rig: Rig) -> None:
    rows = await talked(rig, 6)
    await rig.storage.summaries.owe(await of(rig), rows[3])
    owed = await of(rig)
    assert (owed.starts, owed.read_to, owed.due, owed.owed) == (0, 0, rows[3], True)
    assert await rig.storage.summaries.owed() == [owed.id]
    assert [line.text for line in await rig.storage.summaries.talk(owed)][-2:] == ["m3", "a3"]
    await rig.storage.summaries.keep(owed, "They talked.", rows[1])
    part = await of(rig)
    assert (part.starts, part.owed, part.text) == (rows[1], True, "They talked.")
    assert [line.text for line in await rig.storage.summaries.talk(part)] == ["m2", "a2", "m3", "a3"]
    await rig.storage.summaries.keep(part, "They talked on.", rows[3])
    assert await rig.storage.summaries.owed() == []


async def test_what_a_server_refused_is_not_shown_from_then_on(rig: Rig) -> None:
    rows = await talked(rig, 4)
    await rig.storage.summaries.owe(await of(rig), rows[2], at_once=True)
    summary = await of(rig)
    assert (summary.starts, summary.read_to, summary.owed) == (rows[2], 0, True)


@pytest.mark.parametrize("fresh_place", [1, 3])
async def test_nothing_from_before_a_fresh_start(rig: Rig, fresh_place: int) -> None:
    """Not even when it was told, or became due, after the person started afresh."""
    rows = await talked(rig, 5)
    await rig.storage.summaries.owe(await of(rig), rows[1])
    old = await of(rig)
    await rig.storage.summaries.keep(old, "delete the list", rows[1])
    fresh = rows[fresh_place]
    summary = await of(rig, fresh)
    if fresh_place == 1:  # nothing lies before it that is not told
        assert summary.text == "delete the list"
        return
    assert (summary.starts, summary.text, summary.owed) == (fresh, "", False)
    await rig.storage.summaries.owe(summary, rows[4], at_once=True)
    assert (await of(rig, fresh)).text == ""
    assert [line.text for line in await rig.storage.summaries.talk(await of(rig, fresh))] == ["m4", "a4"]


async def test_two_turns_may_owe_and_none_takes_back_what_a_job_told(rig: Rig) -> None:
    rows = await talked(rig, 4)
    seen = await of(rig)
    await rig.storage.summaries.owe(seen, rows[2])
    await rig.storage.summaries.owe(seen, rows[1])
    owed = await of(rig)
    assert owed.due == rows[2]
    await rig.storage.summaries.keep(owed, "told", rows[2])
    await rig.storage.summaries.owe(seen, rows[3])  # from before the job
    assert (await of(rig)).text == "told"


async def test_each_conversation_has_its_own(rig: Rig) -> None:
    mine, theirs = await talked(rig, 2), await talked(rig, 2, "bob")
    await rig.storage.summaries.owe(await of(rig), mine[0])
    await rig.storage.summaries.owe(await of(rig, person="bob"), theirs[0])
    first, second = await rig.storage.summaries.owed()
    await rig.storage.summaries.keep(await rig.storage.summaries.get(first), "of me", mine[0])
    await rig.storage.summaries.keep(await rig.storage.summaries.get(second), "of bob", theirs[0])
    assert [(await of(rig)).text, (await of(rig, person="bob")).text] == ["of me", "of bob"]
    assert [(await rig.storage.summaries.get(row)).person for row in (first, second)] == ["me", "bob"]


async def test_since_a_start_that_lies_behind_it_changes_nothing() -> None:
    summary = Summary(1, "me", "fake", "me", 9, 9, 9, "told")
    assert summary.since(9) is summary
    assert summary.since(12) == replace(summary, starts=12, read_to=12, due=12, text="")
