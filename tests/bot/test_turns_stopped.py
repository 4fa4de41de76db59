"""`/stop`: the turn ends at once, tools included; one short word; nothing of it arrives later; what follows is new."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence

import pytest

from bot.agent.loop import Beat
from bot.storage.outbox import OutboxRows
from bot.types import Answered, Message
from bot.unbroken import unbroken
from tests.bot.desks import Rig
from tests.bot.test_turns import DEED, Working, echo, forever, working
from tests.fakes.app import eventually

STOPPED = "停下了；在这之前说的都不做了。"


async def slow_only(burst: Sequence[Message], beat: Beat) -> str:
    """Hangs over what begins with "slow", echoes all else."""
    return await (forever if burst[0].text.startswith("slow") else echo)(burst, beat)


async def begun(w: Working, text: str = "slow") -> Message:
    """A turn that is under way."""
    message = await w.say(text)
    await eventually(lambda: w.bursts)
    return message


@pytest.mark.parametrize("word", ["/stop", "/STOP", "/stop@kairos_bot", " /stop now"])
async def test_stop_ends_the_turn_and_what_waits_and_what_follows_is_a_new_turn(rig: Rig, word: str) -> None:
    """A30: a question within 100 ms of the `/stop`."""
    async with working(rig, slow_only) as w:
        slow = await begun(w)
        waits = await w.say("and in French")
        started = time.monotonic()
        await w.say(word)
        await w.say("what is 2 + 2?")
        await w.tells(STOPPED, "what is 2 + 2?")
        assert time.monotonic() - started < 1
        assert w.bursts == [["slow"], ["what is 2 + 2?"]]
        rows = [await rig.storage.messages.find("fake", "me", f"m{i}") for i in range(1, 5)]
        assert [row.problem for row in rows if row] == [STOPPED, STOPPED, "", ""]
        assert [row.extracted for row in rows[:2] if row] == [True, True], "no receipt comes of it later"
        assert slow.id < waits.id


async def test_stop_in_every_moment_of_a_turn(rig: Rig) -> None:
    """Whether it comes before, in, or at the very end: nothing is answered twice, and the next question is."""

    async def work(burst: Sequence[Message], beat: Beat) -> str:
        await asyncio.sleep(0.004)
        return await echo(burst, beat)

    async with working(rig, work) as w:
        for i in range(40):
            await w.say(f"m{i}")
            await asyncio.sleep(0.0004 * (i % 16))
            await w.say("/stop")
            await w.say(f"then {i}")
            await w.settled()
        said = await w.told()
        spoken = [part for text in said for part in text.split("+")]
        assert [part for part in spoken if part.startswith("then")] == [f"then {i}" for i in range(40)]
        answered = [part for part in spoken if part.startswith("m")]
        assert len(answered) == len(set(answered)), "nothing is answered twice"
        assert 0 < spoken.count(STOPPED) < 40, "the moments reach from before a turn to after it"
        assert len(answered) + spoken.count(STOPPED) == 40, "each is answered, or stopped"
        assert spoken.count("/stop") == len(answered)
        assert not w.turns._halted
        assert not w.turns._cut


async def test_nothing_to_stop_is_an_ordinary_command(rig: Rig) -> None:
    async with working(rig, echo) as w:
        await w.say("/stop")
        await w.say("/stop")
        await w.tells("/stop", "/stop")


async def test_a_second_stop_says_nothing_twice(rig: Rig) -> None:
    async with working(rig, slow_only) as w:
        await begun(w)
        await rig.said("/stop")
        await w.say("/stop")
        await w.tells(STOPPED)


async def test_stop_stops_only_its_own_chat(rig: Rig) -> None:
    async with working(rig, slow_only) as w:
        await begun(w)
        await w.say("/stop", chat="group")
        await w.say("/stop", person="ann", chat="me")
        await w.tells("/stop", "/stop")
        assert not w.turns._in_hand["me", "fake", "me"].stopped


async def test_forwarded_words_stop_nothing(rig: Rig) -> None:
    async with working(rig, slow_only) as w:
        await begun(w)
        await w.say("/stop", forwarded=True)
        await asyncio.sleep(0.05)
        assert not w.turns._in_hand["me", "fake", "me"].stopped
        assert await w.told() == []


async def test_what_was_done_before_the_stop_is_told_with_its_undo(rig: Rig) -> None:
    async def work(burst: Sequence[Message], beat: Beat) -> str:
        beat(DEED)
        return await forever(burst, beat)

    async with working(rig, work) as w:
        await begun(w)
        await w.say("/stop")
        await w.tells(f"{STOPPED}\n\n✓ Saved: short answers")
        [said] = await rig.storage.outbox.unsent("fake")
        assert said.buttons == DEED.buttons


async def test_a_stop_that_a_crash_came_before_holds_after_it(rig: Rig) -> None:
    await rig.said("slow")
    await rig.said("/stop")
    last = await rig.said("and now?")
    async with working(rig, echo) as w:
        w.turns.wake(last)
        await w.tells(STOPPED, "and now?")
        assert w.bursts == [["and now?"]], "what was stopped is not begun again"


async def test_a_stop_between_the_turns_of_a_burst_that_hangs(rig: Rig) -> None:
    """The burst hung and its messages are tried by themselves: none after the `/stop`."""

    class Stops(OutboxRows):
        async def answer(self, burst: Sequence[Message], answered: Answered) -> list[int]:
            if burst[-1].text == "one":
                await w.say("/stop")
            return await super().answer(burst, answered)

    async def work(burst: Sequence[Message], beat: Beat) -> str:
        return await (forever if len(burst) > 1 else echo)(burst, beat)

    first = await rig.said("one")
    await rig.said("two")
    async with working(rig, work, Stops(rig.storage.database, rig.clock), first_word=0.05, limit=0.1) as made:
        w = made
        w.turns.wake(first)
        await w.settled()
        assert w.bursts == [["one", "two"], ["one"]]
        assert [text for text in await w.told() if "还在等" not in text] == ["one", STOPPED]


async def test_what_has_begun_to_be_written_is_not_cut_in_two() -> None:
    written: list[str] = []

    async def write() -> str:
        written.append("half")
        await asyncio.sleep(0.02)
        written.append("whole")
        return "done"

    told: list[str] = []
    task = asyncio.create_task(unbroken(write(), told.append))
    await eventually(lambda: written)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert (written, told) == (["half", "whole"], ["done"])

    answered = asyncio.create_task(unbroken(write()))
    await eventually(lambda: len(written) == 3)
    answered.cancel()
    assert await answered == "done"


async def test_what_hangs_is_cut_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.unbroken.GRACE", 0.02)
    ended: list[str] = []

    async def hangs() -> None:
        try:
            await asyncio.sleep(600)
        finally:
            ended.append("cut")

    task = asyncio.create_task(unbroken(hangs()))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert ended == ["cut"]
