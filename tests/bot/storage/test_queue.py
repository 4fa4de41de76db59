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
