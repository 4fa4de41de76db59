"""/settings: what a person changes for themselves, by words and by buttons; nothing of anybody else's, no secret."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.commands import serve
from bot.commands.buttons import press
from bot.storage.preferences import Choices, Preferences
from bot.types import Language, Words
from tests.bot.commands.test_commands import context as bare
from tests.bot.desks import NOW, Rig


async def ask(rig: Rig, text: str, person: str = "me", language: Language = "zh") -> Words:
    desk = rig.desk(await rig.said(text, person=person), language=language)
    return await serve(bare(rig), desk, text)


async def test_how_things_stand_with_a_button_for_what_else_could_be(rig: Rig) -> None:
    words = await ask(rig, "/settings", language="en")
    assert words.text.splitlines() == [
        "Your settings (for you alone):",
        "· Learning: on. What you mention in passing is kept too, said each time, with an undo",
        "· Language: the one you write",
        "· Time zone: Asia/Shanghai, where it is 20:05",
        "· Streaming: on. A slow answer is shown while it is written",
        "· Tending memory by night: off",
        "To change one: press a button, or /settings learning ask, /settings language zh, /settings timezone Tokyo",
    ]
    assert [button.data for button in words.buttons] == [
        "set:learning:ask",
        "set:learning:off",
        "set:language:zh",
        "set:language:en",
        "set:streaming:off",
        "set:cultivate:on",
    ]


@pytest.mark.parametrize(
    ("said", "name", "value"),
    [
        ("learning off", "learning", "off"),
        ("学习 先问", "learning", "ask"),
        ("LEARNING = ASK", "learning", "ask"),
        ("language English", "language", "en"),
        ("语言：中文", "language", "zh"),
        ("timezone asia/tokyo", "timezone", "Asia/Tokyo"),
        ("timezone New York", "timezone", "America/New_York"),
        ("时区 柏林", "timezone", "Europe/Berlin"),
        ("tz utc+8", "timezone", "Etc/GMT-8"),
        ("streaming off", "streaming", "off"),
    ],
)
async def test_by_words_of_either_language(rig: Rig, said: str, name: str, value: str) -> None:
    words = await ask(rig, f"/settings {said}")
    assert words.text.startswith("✓ ")
    assert getattr(rig.storage.preferences.of("me"), name) == value
    assert getattr(rig.storage.preferences.of("ann"), name) != value, "hers are hers"
    again = Preferences(rig.storage.database, Choices())
    await again.load()
    assert getattr(again.of("me"), name) == value


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("learning", "/settings learning on、ask 或 off"),
        ("learning perhaps", "/settings learning on、ask 或 off"),
        ("language fr", "/settings language zh、en 或 auto"),
        ("timezone Mars/Olympus", "没认出这个时区"),
        ("timezone ../../etc/passwd", "没认出这个时区"),
        ("timezone utc+99", "没认出这个时区"),
        ("cultivate maybe", "/settings cultivate on 或 off"),
        ("model gpt-9", "kairos setup"),
        ("model_api_key sk-123", "kairos setup"),
        ("telegram_token", "kairos setup"),
        ("home /tmp", "kairos setup"),
    ],
)
async def test_what_cannot_be_changed_is_said_and_stays(rig: Rig, said: str, told: str) -> None:
    words = await ask(rig, f"/settings {said}")
    assert told in words.text
    assert "sk-123" not in words.text
    assert rig.storage.preferences.of("me") == rig.storage.preferences.of("nobody")


async def test_a_button_changes_it_and_offers_the_way_back(rig: Rig) -> None:
    desk = rig.desk(await rig.said("", pressed="set:learning:off"))
    words = await press(desk, "set:learning:off", bare(rig))
    assert words.text == "✓ 学习：关。只记你让我记的"
    assert [button.data for button in words.buttons] == ["set:learning:on", "set:learning:ask"]
    for odd in ("set:learning:", "set:model:x", "set:", "set:timezone:Mars"):
        assert "✓" not in (await press(desk, odd, bare(rig))).text


async def test_a_change_of_language_is_told_in_it(rig: Rig) -> None:
    assert (await ask(rig, "/settings language en", language="zh")).text == "✓ Language: English"


async def test_a_zone_can_be_taken_back_and_whoever_looks_at_the_clock_hears_of_it(rig: Rig) -> None:
    heard: list[str] = []
    context = replace(bare(rig), chosen=lambda message, name: heard.append(f"{message.chat} {name}"))
    for said in ("timezone Europe/Berlin", "timezone auto"):
        text = f"/settings {said}"
        await serve(context, rig.desk(await rig.said(text)), text)
    assert heard == ["me timezone", "me timezone"]
    assert rig.storage.preferences.of("me").timezone == "Asia/Shanghai", "that of the settings"
    assert rig.storage.preferences.here("me", NOW).utcoffset() == timedelta(hours=8)
