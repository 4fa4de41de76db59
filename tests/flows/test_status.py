"""/status: in plain words, green or red, whether it can think and is reached, and what waits."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from pathlib import Path

import pytest

from bot.errors import ModelRefused, ModelUnavailable
from bot.models.model import Prompt, Reply
from bot.models.scripted import Scripted
from tests.bot.desks import Clock
from tests.fakes.channel import FakeChannel
from tests.flows.conftest import opened
from tests.flows.phone import OWNER, telegram

NOTHING = '{"changes": []}'


def fine(prompt: Prompt) -> str:
    return "fine" if prompt.tools else NOTHING


async def test_a_model_that_has_just_answered_is_not_asked_again(home: Path) -> None:
    model, clock = Scripted(fine), Clock()
    async with opened(home, model, now=clock) as talk:
        await talk.say("hello there, how are you?")
        asked = len(model.prompts)
        [words] = await talk.say("/status")
        assert words.splitlines()[:5] == [
            "🟢 Model: scripted",
            "🟢 fake: fine",
            "Memory: 0 rules, 0 facts",
            "Pictures: 0, waiting: 0",
            "Background: Running 0, waiting 0, to retry 0, failed 0",
        ]
        assert words.splitlines()[-1].startswith("Kairos ")
        assert len(model.prompts) == asked
        clock.now += timedelta(minutes=6)
        assert "🟢 Model: scripted" in (await talk.say("/status"))[0]
        assert len(model.prompts) == asked + 1, "that was long ago: it is asked for a word"


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (ModelRefused(code="wrong_key"), "🔴 模型：scripted: 模型服务器不接受这个 API key"),
        (ModelUnavailable(code="unreachable"), "🔴 模型：scripted: 现在连不上模型"),
    ],
)
async def test_a_model_that_is_away_is_red(home: Path, error: Exception, told: str) -> None:
    async with opened(home, Scripted(lambda prompt: error), now=Clock()) as talk:
        assert (await talk.say("/status"))[0].startswith(told)


async def test_red_as_soon_as_it_fails(home: Path) -> None:
    down: list[Exception] = []

    def play(prompt: Prompt) -> Reply | Exception:
        return down[0] if down else Reply(fine(prompt))

    async with opened(home, Scripted(play), now=Clock()) as talk:
        await talk.say("hello there, how are you?")
        down.append(ModelRefused(code="quota"))
        await talk.say("and now?")
        assert (await talk.say("/status"))[0].startswith("🔴 Model: scripted: The account")


async def test_a_silent_model_does_not_keep_one_waiting(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.health.SOON", 0.1)

    async def never(prompt: Prompt) -> str:
        await asyncio.sleep(60)
        return ""

    async with opened(home, Scripted(never), now=Clock()) as talk:
        assert "🔴 模型：scripted" in (await talk.say("/status"))[0]


async def test_with_no_model_it_says_what_it_does_without(home: Path) -> None:
    async with opened(home, now=Clock()) as talk:
        assert (await talk.say("/status"))[0].startswith("🟢 模型：没有接模型，用内置默认")


async def test_a_channel_that_is_not_reached_is_red(home: Path) -> None:
    class Ill(FakeChannel):
        def health(self) -> str:
            return "another program polls this bot"

    async with opened(home, Scripted(fine), channel=Ill(), now=Clock()) as talk:
        assert "🔴 fake：another program polls this bot" in (await talk.say("/status"))[0]


async def test_the_same_on_a_phone(home: Path) -> None:
    async with telegram(home, Scripted(fine)) as phone:
        [sent] = await phone.say("/status", OWNER, language="en")
        assert sent.text.startswith("🟢 Model: scripted\n🟢 telegram: fine\n")
        [usage] = await phone.say("/usage", OWNER)
        assert usage.text.startswith("Today (")
        [settings] = await phone.say("/settings", OWNER)
        [pressed] = await phone.press(settings, 1)
        assert pressed.text == "✓ Learning: off. Only what you ask to be remembered is kept"
        assert phone.app.storage.preferences.of("me").learning == "off"
