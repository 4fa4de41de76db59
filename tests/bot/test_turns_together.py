"""Messages sent together, of which one hangs: the others are answered all the same."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from bot.agent.loop import Beat
from bot.types import Message
from tests.bot.desks import Rig
from tests.bot.test_turns import DEED, Work, Working, echo, forever, working


@asynccontextmanager
async def together(rig: Rig, work: Work, *texts: str) -> AsyncIterator[Working]:
    said = [await rig.said(text) for text in texts]
    async with working(rig, work, first_word=0.05, limit=0.2) as w:
        w.turns.wake(said[-1])
        await w.settled()
        yield w


async def test_of_messages_sent_together_only_the_one_that_hangs_is_let_go(rig: Rig) -> None:
    async def work(burst: Sequence[Message], beat: Beat) -> str:
        return await (forever if any(each.text == "hangs" for each in burst) else echo)(burst, beat)

    async with together(rig, work, "one", "hangs", "two") as w:
        assert w.bursts == [["one", "hangs", "two"], ["one"], ["hangs"], ["two"]]
        said = [text for text in await w.told() if "还在等" not in text]
        assert (said[0], said[2]) == ("one", "two")
        assert "一直没有回答" in said[1]


async def test_a_deed_done_in_a_burst_that_hangs_is_not_done_again(rig: Rig) -> None:
    async def work(burst: Sequence[Message], beat: Beat) -> str:
        beat(DEED)
        return await forever(burst, beat)

    async with together(rig, work, "keep answers short", "and write a novel") as w:
        assert len(w.bursts) == 1
        assert (await w.told())[-1].count("✓ Saved: short answers") == 1
