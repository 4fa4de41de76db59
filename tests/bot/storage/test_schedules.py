"""Schedules and runs as rows."""

from __future__ import annotations

from tests.bot.desks import Rig


async def test_numbers_are_each_persons_own_and_not_used_twice_while_in_use(rig: Rig) -> None:
    schedules, due = rig.storage.schedules, rig.clock.now
    for person, prompt in (("me", "x"), ("me", "y"), ("anna", "x"), ("anna", "x")):
        await schedules.add(person, "0 9 * * *", prompt, message=1, due=due)
    nightly = await schedules.add("me", "0 23 * * *", "", message=1, due=due, nightly=True)
    assert nightly is not None
    assert [each.number for each in await schedules.of("me")] == [0, 1, 2]
    assert [each.number for each in await schedules.of("anna")] == [1]
    await schedules.remove(nightly.id)
    assert [each.number for each in await schedules.of("me")] == [1, 2]
    assert len(await schedules.active()) == 3


async def test_how_a_run_ends(rig: Rig) -> None:
    schedules = rig.storage.schedules
    first = await schedules.ask("me", "", message=1, at=rig.clock.now)
    second = await schedules.ask("me", "tidy", message=2, at=rig.clock.now)
    assert [each.id for each in await schedules.due()] == [first, second]
    assert await schedules.last("me") is None
    await rig.storage.database.do(schedules.ending(first, "failed", "away"))
    assert [each.id for each in await schedules.due()] == [second]
    last = await schedules.last("me")
    assert last is not None
    assert (last.state, last.problem) == ("failed", "away")
    assert [each.state for each in await schedules.asked_in(1)] == ["failed"]
    assert (await schedules.run(second)).by == f"cultivation {second} 2026-09-01T12:05:00Z"
