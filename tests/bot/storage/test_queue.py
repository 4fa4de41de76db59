"""What a person's background work has before it."""

from __future__ import annotations

from datetime import timedelta

from bot.storage.queue import Work
from bot.types import Upload
from tests.bot.desks import NOW, Rig


async def sent(rig: Rig, *names: str, person: str = "me") -> list[int]:
    message = await rig.said("", *(Upload(name.encode(), name) for name in names), person=person)
    return [row.id for row in await rig.storage.filings.of_message(message.id)]


def told(works: list[Work]) -> list[tuple[str, str, str, str]]:
    return [(work.state, work.name, work.what, work.why) for work in works]


async def test_each_state_in_its_order(rig: Rig) -> None:
    queue, filings = rig.storage.queue, rig.storage.filings
    a, b, c, d = await sent(rig, "a.png", "b.png", "c.png", "d.png")
    await filings.update(a, state="failed", problem="too slow")
    await rig.storage.pauses.put(f"file:{c}", NOW + timedelta(seconds=20), "busy")
    await sent(rig, "hers.png", person="ann")
    await rig.filed("Trips", "done")
    works = await queue.of("me", NOW, {"file": {d}})
    assert told(works) == [
        ("running", str(d), "d.png", ""),
        ("paused", str(c), "c.png", "busy"),
        ("waiting", str(b), "b.png", ""),
        ("failed", str(a), "a.png", "too slow"),
    ]
    assert works[1].until == NOW + timedelta(seconds=20)


async def test_from_outside_what_was_begun_counts_as_in_hand(rig: Rig) -> None:
    a, b = await sent(rig, "a.png", "b.png")
    await rig.storage.filings.update(b, attempt=1)
    works = await rig.storage.queue.of("me", NOW)
    assert [(work.row, work.state) for work in works] == [(b, "running"), (a, "waiting")]


async def test_only_what_failed_is_due_again_and_only_ones_own(rig: Rig) -> None:
    queue, filings = rig.storage.queue, rig.storage.filings
    a, _ = await sent(rig, "a.png", "b.png")
    await filings.update(a, state="failed", problem="too slow", attempt=3)
    failed, waiting = (await queue.of("me", NOW, {}))[::-1]
    assert not await queue.again("ann", failed)
    assert not await queue.again("me", waiting)
    assert await queue.again("me", failed)
    row = await filings.get(a)
    assert (row.state, row.problem, row.attempt) == ("due", "", 0)
    assert not await queue.again("me", failed), "once"


async def test_messages_that_memory_could_not_read(rig: Rig) -> None:
    message = await rig.said("记住这个", answer=False, extract=True)
    await rig.storage.messages.put_off(message.id, "busy")
    [work] = await rig.storage.queue.of("me", NOW, {})
    assert (work.state, work.name, work.why) == ("failed", f"extract-{message.id}", "busy")
    assert await rig.storage.queue.again("me", work)


async def test_a_filing_rule_that_is_to_be_tried(rig: Rig) -> None:
    row = await rig.storage.proposals.owe("me", "fake:me", 1, 7, "代码截图归档到「代码笔记」", NOW)
    await rig.storage.proposals.owe("ann", "fake:ann", 1, 7, "hers", NOW)
    assert told(await rig.storage.queue.of("me", NOW, {})) == [
        ("waiting", f"trial-{row}", "代码截图归档到「代码笔记」", "")
    ]


async def test_a_conversation_waits_once_it_is_quiet_or_when_its_reading_failed(rig: Rig) -> None:
    queue, slow = rig.storage.queue, rig.storage.slow
    await rig.said("下周三去杭州")
    await slow.look()
    assert await queue.of("me", NOW, {}) == [], "it is still talked"
    [cursor] = await slow.cursors("me")
    quiet = NOW + timedelta(hours=6)
    assert told(await queue.of("me", quiet, {})) == [("waiting", f"notes-{cursor.id}", "fake", "")]
    [work] = await queue.of("me", quiet, {"notes": {cursor.id}})
    assert work.state == "running"
    await slow.put_off(cursor, quiet + timedelta(hours=1))
    [work] = await queue.of("me", quiet, {})
    assert (work.state, work.until) == ("paused", quiet + timedelta(hours=1))
    await slow.pass_over(cursor, cursor.newest)
    assert await queue.of("me", quiet, {}) == []


async def test_notes_that_are_to_be_weighed(rig: Rig) -> None:
    queue, slow = rig.storage.queue, rig.storage.slow
    await slow.want("me", NOW)
    [due] = await slow.wanted("me")
    assert told(await queue.of("me", NOW, {})) == [("waiting", f"consolidate-{due.id}", "", "")]
    await slow.failed(due, "the model is away", NOW + timedelta(hours=1))
    [work] = await queue.of("me", NOW, {})
    assert (work.state, work.why, work.until) == ("paused", "the model is away", NOW + timedelta(hours=1))
    assert told(await queue.of("ann", NOW, {})) == []


async def test_a_long_conversation_that_is_to_be_summed_up(rig: Rig) -> None:
    message = await rig.said("很久以前说的")
    summaries = rig.storage.summaries
    summary, _ = await summaries.opening(message, 0)
    await summaries.owe(summary, message.id)
    [work] = await rig.storage.queue.of("me", NOW, {})
    assert (work.kind, work.state, work.what) == ("summary", "waiting", "fake")
    assert await rig.storage.queue.of("ann", NOW, {}) == []
