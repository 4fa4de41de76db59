"""Cursors, notes and what is due of them, over a real file."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from bot.storage.slow import Coverage, later
from memory.notes import Note
from tests.bot.desks import NOW, Rig


def note(message: int, content: str = "用户在学葡萄牙语") -> Note:
    until = NOW.date() + timedelta(days=60)
    return Note(content, "", NOW, content, "fake:me", str(message), str(message), until)


async def test_a_conversation_each_with_its_own_cursor(rig: Rig) -> None:
    rows = rig.storage.slow
    await rig.said("一", chat="a")
    last = await rig.said("二", chat="a")
    await rig.said("三", chat="b")
    await rig.said("someone else", person="tg-7", chat="a")
    await rows.look()
    await rows.look()
    assert [(c.person, c.chat) for c in await rows.cursors()] == [("me", "a"), ("me", "b"), ("tg-7", "a")]
    first = (await rows.cursors("me"))[0]
    assert (first.newest, first.read_to) == (last.id, 0)
    assert [each.text for each in await rows.talk(first, NOW - timedelta(days=1))] == ["一", "二"]


async def test_notes_and_cursor_move_together_and_only_forward(rig: Rig) -> None:
    rows = rig.storage.slow
    message = await rig.said("我在学葡萄牙语")
    await rows.look()
    [cursor] = await rows.cursors()
    weigh = NOW + timedelta(minutes=5)
    for _ in range(2):  # a second hand that read the same
        await rows.keep(cursor, [note(message.id)], message.id, NOW, weigh)
    [kept] = await rows.notes("me", NOW.date())
    assert replace(kept, id=0) == note(message.id)
    assert [(due.person, due.wanted) for due in await rows.wanted()] == [("me", weigh)]
    assert await rows.cursors() == []
    assert await rows.notes("tg-7", NOW.date()) == []


async def test_a_note_takes_part_until_its_last_day(rig: Rig) -> None:
    rows = rig.storage.slow
    message = await rig.said("x")
    await rows.look()
    [cursor] = await rows.cursors()
    await rows.keep(cursor, [note(message.id)], message.id, NOW, NOW)
    last = NOW.date() + timedelta(days=60)
    assert len(await rows.notes("me", last)) == 1
    assert await rows.notes("me", last + timedelta(days=1)) == []


async def test_coverage_counts_what_was_typed(rig: Rig) -> None:
    rows = rig.storage.slow
    for text in ("一", "/status", "二", "   "):
        await rig.said(text)
    await rig.said("somebody's", forwarded=True)
    await rig.said("long ago", at=NOW - timedelta(days=9))
    await rows.look()
    since = NOW - timedelta(days=7)
    assert await rows.coverage("me", since) == Coverage(2, 0, 0)
    [cursor] = await rows.cursors()
    await rows.put_off(cursor, NOW, unreadable=True)
    assert await rows.coverage("me", since) == Coverage(2, 0, 2)
    await rows.give_up(cursor, 1)
    assert await rows.coverage("me", since) == Coverage(2, 0, 1)
    await rows.pass_over(cursor, cursor.newest)
    assert await rows.coverage("me", since) == Coverage(2, 1, 1)
    assert await rows.coverage("tg-7", since) == Coverage(0, 0, 0)


async def test_wanted_again_while_it_ran_stays_wanted(rig: Rig) -> None:
    rows = rig.storage.slow
    await rows.want("me", NOW)
    [due] = await rows.wanted()
    await rows.want("me", NOW + timedelta(minutes=5))
    await rows.weighed(due, 7)
    [still] = await rows.wanted()
    assert (still.wanted, still.weighed) == (NOW + timedelta(minutes=5), 7)
    await rows.weighed(still, 9)
    assert await rows.wanted() == []
    [row] = await rows.wanted("me")
    assert (row.wanted, row.weighed) == (None, 9)


async def test_a_failure_is_tried_again_ever_later_but_daily(rig: Rig) -> None:
    rows = rig.storage.slow
    await rows.want("me", NOW)
    [due] = await rows.wanted()
    await rows.failed(due, "no JSON", NOW + later(due.tries))
    [again] = await rows.wanted()
    assert (again.tries, again.problem, again.wanted) == (1, "no JSON", NOW + timedelta(hours=1))
    assert [later(tries) for tries in (0, 1, 2, 9)] == [timedelta(hours=h) for h in (1, 2, 4, 24)]
