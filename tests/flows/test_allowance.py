"""Background work has a daily allowance: it waits when that is spent, says so once, and goes on at midnight."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from bot.models.model import Prompt, Reply, Usage
from bot.models.scripted import Scripted
from tests.bot.desks import ZONE, Clock, until
from tests.fakes.drawing import drawn
from tests.flows.conftest import Talk, opened

MIDNIGHT = datetime(2026, 9, 2, tzinfo=ZONE)
SAID = "我对花生过敏"


def dear(prompt: Prompt) -> Reply:
    """Talks cheaply; a reading about the lake takes a thousand tokens, and one about the allergy learns it."""
    if prompt.tools:
        return Reply("好的。", usage=Usage(100, 0, 10))
    change = {"op": "learn", "text": "用户对花生过敏", "topic": "健康", "quote": SAID}
    read = prompt.messages[-1].text.partition("NEW MESSAGE")[2]
    found = [change] if SAID in read else []
    took = 1000 if "西湖" in read else 10
    return Reply(json.dumps({"changes": found}, ensure_ascii=False), usage=Usage(took, 0, 0))


async def spend(talk: Talk) -> None:
    """Let background work use up its tokens of the day."""
    await talk.say("我住在杭州西湖边")
    assert await talk.app.meter.paused("me") == MIDNIGHT


async def test_it_waits_says_so_once_and_goes_on(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.meter.LOOK", 0.01)
    clock = Clock()
    async with opened(home, Scripted(dear), now=clock, background_tokens=1000) as talk:
        await spend(talk)
        said = await talk.say(SAID)
        assert "好的。" in said, "chat goes on"
        [notice] = [each for each in talk.channel.texts() if "后台今天的 1,000 tokens 用完了" in each]
        assert "停到 00:00" in notice
        assert "花生" not in "".join(talk.core())
        ended = await talk.done(await talk.channel.say("我也对芒果过敏"))
        assert ended.ok, "it was answered; that it is read later is no failure of it"
        assert sum("用完了" in each for each in talk.channel.texts()) == 1, "said once"
        for command in ("/usage", "/queue", "/status"):
            [words] = await talk.say(command)
            assert "今天的后台用量到上限了，2026-09-02 00:00 再继续" in words, command
        [queue] = await talk.say("/queue")
        assert "待重试 2，失败 0" in queue
        [used] = await talk.say("/usage")
        assert "后台：1,000 tokens" in used
        clock.now = MIDNIGHT + timedelta(minutes=1)

        async def learnt() -> bool:
            return not await talk.app.storage.messages.unextracted("me")

        await until(learnt)
        assert any("花生" in line.text for _, line in await talk.app.memory("me").everything())
        [words] = await talk.say("/queue")
        assert "用量" not in words


async def test_pictures_are_filed_by_the_rules_without_the_model(home: Path) -> None:
    model = Scripted(dear)
    async with opened(home, model, now=Clock(), background_tokens=1000) as talk:
        await spend(talk)
        asked = len(model.prompts)
        said = await talk.say("", drawn("Traceback (most recent call last)\nKeyError: 3"))
        assert any("#1" in each for each in said)
        judged = [prompt for prompt in model.prompts[asked:] if not prompt.tools]
        assert judged == []


async def test_a_restart_remembers_the_pause(home: Path) -> None:
    clock = Clock()
    async with opened(home, Scripted(dear), now=clock, background_tokens=1000) as talk:
        await spend(talk)
    model = Scripted(dear)
    async with opened(home, model, now=clock, background_tokens=1000) as talk:
        await talk.say(SAID)
        assert all(prompt.tools for prompt in model.prompts), "only the chat was asked"


async def test_cultivation_asked_for_by_hand_says_why_it_does_not_run(home: Path) -> None:
    async with opened(home, Scripted(dear), now=Clock(), background_tokens=1000) as talk:
        await spend(talk)
        said = await talk.say("/cultivate now")
        assert any("后台今天的 1,000 tokens 用完了，明天再继续" in each for each in said)


async def test_zero_never_waits(home: Path) -> None:
    async with opened(home, Scripted(dear), now=Clock(), background_tokens=0) as talk:
        for _ in range(3):
            await talk.say("我住在杭州西湖边，爱喝龙井")
        assert await talk.app.meter.paused("me") is None
        [words] = await talk.say("/usage")
        assert "后台用量没有上限" in words
        assert "后台：3,000 tokens" in words
