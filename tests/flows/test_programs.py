"""A line that another program proposes, all the way: a process beside the bot, the person's own channel, their yes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.channels.terminal_wire import Done, Heard, Working
from bot.mcp_server import open_programs
from bot.models.model import Prompt, Reply
from bot.models.scripted import Scripted
from bot.programs import WAITS
from bot.service import reach
from bot.settings import Settings
from tests.flows.conftest import opened
from tests.flows.test_hostile import NOTHING, keep

RULE = "提交信息用英文写"


async def heard(events: AsyncIterator[Heard | Working | Done], part: str) -> list[str]:
    """Until something with these words is heard: the data of its buttons."""
    async for event in events:
        if isinstance(event, Heard) and part in event.text:
            return [each.data for each in event.buttons]
    raise AssertionError(f"never heard: {part}")


@pytest.mark.slow
async def test_a_proposal_reaches_the_bot_that_runs_and_is_kept_by_the_yes(home: Path) -> None:
    settings = await asyncio.to_thread(Settings.load, home, {}, timezone="Asia/Shanghai")
    async with (
        asyncio.timeout(50),
        reach(settings, "me", follow=True, command="kairos chat", language="zh") as chat,
        open_programs(settings, "me", "zh") as programs,
    ):
        events = chat.events()
        await chat.say("/help")
        await heard(events, "/memory")
        assert await programs.propose("claude-code", RULE, "instruction") == WAITS
        assert await heard(events, f"claude-code 提议记住这一条，你点头才记：\n「{RULE}」") == [
            "accept:1",
            "no:1",
        ]
        assert await programs.rules() == "There are no standing rules."
        await chat.say("", pressed="accept:1")
        await heard(events, f"✓ 记住了：{RULE}")
        assert await programs.rules() == f"[r1] {RULE}"


async def test_what_was_proposed_while_no_bot_ran_is_said_by_the_next_once(home: Path) -> None:
    model = Scripted(lambda prompt: "好" if prompt.tools else NOTHING)
    async with opened(home, model) as talk:
        await talk.say("你好")
    settings = await asyncio.to_thread(Settings.load, home, {}, timezone="Asia/Shanghai")
    async with open_programs(settings, "me", "zh") as programs:
        assert await programs.propose("cursor", RULE, "instruction") == WAITS
    told: list[str] = []
    for _ in range(2):
        async with opened(home, model) as talk:
            await talk.say("在吗")
            told += [text for text in talk.channel.texts() if RULE in text]
            assert RULE not in talk.core()
    assert len(told) == 1


async def test_a_rule_that_is_still_being_read_is_waited_for(home: Path) -> None:
    """As for every other model call on the person's behalf: what they said before it counts."""
    go = asyncio.Event()

    def play(prompt: Prompt) -> Reply:
        words = prompt.messages[-1].typed
        return keep(prompt, words[-1]) if words else Reply("ok" if prompt.tools else NOTHING)

    class Slow(Scripted):
        async def generate(self, prompt: Prompt) -> Reply:
            await go.wait()
            return await super().generate(prompt)

    async with opened(home, Slow(play)) as talk, open_programs(talk.app.settings, "me", "zh") as programs:
        name = await talk.channel.say("以后回答都要简短")
        asked = asyncio.create_task(programs.rules())
        with pytest.MonkeyPatch.context() as patch:  # this very process is the bot that runs, without a lock
            patch.setattr("bot.mcp_server.held", lambda home: True)
            await asyncio.sleep(0.3)
            assert not asked.done()
            go.set()
            await talk.done(name)
            assert "以后回答都要简短" in await asked
