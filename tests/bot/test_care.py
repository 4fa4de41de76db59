"""What ended the process is begun again with care, and in the end not at all; what was beside it is done."""

from __future__ import annotations

import asyncio

import pytest

from bot import care as module
from bot.care import TURN, Care
from bot.storage.beginnings import Begun, Work
from tests.bot.desks import Rig

DEADLY, OTHER, PICTURE = (TURN, 1), (TURN, 2), ("file", 1)


async def die(care: Care, *works: Work) -> None:
    """Begin works at once, and let the process end: nothing is written down any more."""

    async def begin(work: Work) -> None:
        async with care.begun(work):
            await asyncio.sleep(600)

    tasks = [asyncio.create_task(begin(work)) for work in works if not care.deadly(work)]
    await asyncio.sleep(0.1)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def started(rig: Rig, *undone: Work) -> Care:
    care = Care(rig.storage.beginnings)
    await care.take_up(undone)
    return care


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "HELD_BACK", {3: 0.01, 4: 0.01})


async def test_begun_five_times_and_never_ended_it_is_put_aside(rig: Rig) -> None:
    for undone in ([], *4 * [[DEADLY]]):
        care = await started(rig, *undone)
        assert not care.deadly(DEADLY)
        await die(care, DEADLY)
    assert (await started(rig, DEADLY)).deadly(DEADLY)
    assert (await started(rig, DEADLY)).deadly(DEADLY), "and stays so while it is undone"


async def test_killed_before_it_is_begun_again_nothing_counts(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A machine that is killed every other second for reasons of its own loses nobody's message."""
    monkeypatch.setattr(module, "HELD_BACK", {3: 60.0})
    for undone in ([], *9 * [[DEADLY]]):
        await die(await started(rig, *undone), DEADLY)
    care = await started(rig, DEADLY)
    assert not care.deadly(DEADLY)
    assert await rig.storage.beginnings.left([DEADLY]) == {DEADLY: Begun(3, 0)}


async def test_what_was_in_hand_beside_it_is_not_taken_for_it(rig: Rig) -> None:
    """From the third time on each is alone, so that only what ends the process is counted."""
    undone = [DEADLY, OTHER, PICTURE]
    for left in ([], *2 * [undone]):
        await die(await started(rig, *left), *undone)
    counts = [begun.deaths for begun in (await rig.storage.beginnings.left(undone)).values()]
    assert sorted(counts) == [2, 2, 3], "the one that was begun; the others were still waiting"


async def test_what_is_suspected_is_done_by_itself(rig: Rig) -> None:
    await die(await started(rig, DEADLY), DEADLY)
    care = await started(rig, DEADLY)
    assert [care.apart(works) for works in ([DEADLY, OTHER], [OTHER, DEADLY], [OTHER, OTHER])] == [1, 1, 2]


async def test_what_it_survives_does_not_count(rig: Rig) -> None:
    """A job that fails and is tried again later, while the process dies of something else."""
    await die(await started(rig), PICTURE)
    for _ in range(5):
        care = await started(rig, PICTURE)
        assert not care.deadly(PICTURE)
        async with care.begun(PICTURE):
            pass
        with pytest.raises(ValueError, match="later"):
            async with care.begun(PICTURE):
                raise ValueError("later")
    assert await rig.storage.beginnings.left([PICTURE]) == {PICTURE: Begun(1, 0)}


async def test_a_clean_stop_counts_only_when_it_never_ends(rig: Rig) -> None:
    """A turn may be what asks for the stop, each time."""
    for times in range(module.MOST_TURNS):
        care = await started(rig, *([DEADLY, PICTURE] if times else []))
        assert not care.deadly(DEADLY), times
        await die(care, DEADLY, PICTURE)
        await care.close()
    care = await started(rig, DEADLY, PICTURE)
    assert (care.deadly(DEADLY), care.deadly(PICTURE)) == (True, False)


async def test_a_turn_does_not_wait_for_ever_to_be_alone(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PATIENCE", 0.05)
    for left in ([], [PICTURE, OTHER]):
        await die(await started(rig, *left), PICTURE, OTHER)
    care = await started(rig, PICTURE, OTHER)
    async with asyncio.timeout(5), care.begun(PICTURE), care.begun(OTHER):
        pass


async def test_usual_work_asks_the_database_nothing() -> None:
    care = Care()
    async with care.begun(DEADLY, PICTURE):
        assert not care.deadly(DEADLY)
    await care.close()
