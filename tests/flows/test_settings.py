"""What a person changes in a chat holds for them from that moment on, whatever works for them."""

from __future__ import annotations

import json
from pathlib import Path
from zoneinfo import ZoneInfo

from bot.models.model import Prompt
from bot.models.scripted import Scripted
from tests.bot.desks import NOW, Clock, until
from tests.flows.conftest import opened

CHANGE = {"op": "learn", "text": "用户对花生过敏", "topic": "健康", "quote": "我对花生过敏"}


def learning(prompt: Prompt) -> str:
    if prompt.tools:
        return "好的。"
    said = prompt.messages[-1].text.partition("NEW MESSAGE")[2]
    changes = [CHANGE] if CHANGE["quote"] in said else []
    return json.dumps({"changes": changes}, ensure_ascii=False)


async def test_learning_is_each_persons_own(home: Path) -> None:
    async with opened(home, Scripted(learning), now=Clock()) as talk:
        await talk.say("/settings learning off")
        for person in ("me", "ann"):
            await talk.say("我对花生过敏", person=person)
        known = {person: await talk.app.memory(person).everything() for person in ("me", "ann")}
        assert known["me"] == []
        assert any("花生" in line.text for _, line in known["ann"])
        await talk.say("/settings learning ask")
        said = await talk.say("我对花生过敏")
        assert any(text.startswith("要我一直记住「用户对花生过敏」") for text in said)


async def test_a_language_holds_over_the_one_that_is_written_and_after_a_restart(home: Path) -> None:
    async with opened(home, now=Clock()) as talk:  # with no model
        assert (await talk.say("/memory"))[0].startswith("我还什么都没记住")
        await talk.say("/settings language en")
        assert (await talk.say("你好"))[0].isascii()
        assert (await talk.say("/memory", person="ann"))[0].startswith("我还什么都没记住")
    async with opened(home, now=Clock()) as talk:
        assert (await talk.say("/memory", id="a"))[0].startswith("I remember nothing yet")
        [done] = await talk.say("/settings language auto", id="b")
        assert done in ("✓ Language: the one you write", "✓ 语言：跟着你写的语言")
        assert not (await talk.say("你好", id="c"))[-1].isascii()


async def test_a_zone_moves_the_day_the_clock_and_the_schedules(home: Path) -> None:
    model, clock = Scripted(learning), Clock()
    async with opened(home, model, now=clock) as talk:  # 20:05 in Shanghai
        await talk.say("/cultivate on")
        [before] = await talk.app.storage.schedules.of("me")
        assert before.due.astimezone(ZoneInfo("Asia/Shanghai")).hour == 23
        [words] = await talk.say("/settings timezone New York")
        assert words == "✓ 时区：America/New_York，现在 08:05"
        await talk.say("今天星期几？")
        asked = next(prompt for prompt in reversed(model.prompts) if prompt.tools)
        assert "2026-09-01 08:05" in asked.messages[-1].text

        async def moved() -> bool:
            [schedule] = await talk.app.storage.schedules.of("me")
            return schedule.due.astimezone(ZoneInfo("America/New_York")).hour == 23

        await until(moved)
        [usage] = await talk.say("/usage")
        assert usage.startswith("今天（2026-09-01，America/New_York）")
        assert NOW.hour == 20, "of the machine"
