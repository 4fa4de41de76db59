"""Commands in a terminal are those of every channel, in the person's language; buttons are pressed there too."""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path

import pytest

from bot.channels.terminal_wire import Done, Heard
from bot.commands import COMMANDS
from bot.service import reach
from bot.settings import Settings
from bot.terminal.talk import Talk
from bot.types import Language


class Screen:
    """Keeps what it hears."""

    def __init__(self) -> None:
        self.heard: list[Heard] = []

    def words(self, heard: Heard) -> None:
        self.heard.append(heard)

    def done(self, done: Done, *, said: bool) -> None: ...

    def lost(self) -> None: ...


class Terminal:
    """One conversation."""

    def __init__(self, talk: Talk, screen: Screen) -> None:
        self._talk = talk
        self._screen = screen

    async def say(self, text: str, *, pressed: str = "") -> Heard:
        before = len(self._screen.heard)
        await self._talk.say(text, pressed=pressed)
        await self._talk.settled()
        [heard] = self._screen.heard[before:]
        return heard


def opening(home: Path, language: Language, screen: Screen) -> Talk:
    settings = Settings.load(home, {"KAIROS_LANGUAGE": language, "KAIROS_TIMEZONE": "Asia/Shanghai"})
    return Talk(partial(reach, settings, "me", follow=True, command="test", language=language), screen)


@pytest.mark.parametrize("language", ["zh", "en"])
async def test_every_command_and_a_button(home: Path, language: Language) -> None:
    screen = Screen()
    async with await asyncio.to_thread(opening, home, language, screen) as talk:
        terminal = Terminal(talk, screen)
        listed = (await terminal.say("/help")).text
        for name, command in COMMANDS.items():
            assert f"{name} {command.words(language)}" in listed
        english = language == "en"
        told = {
            "/status": "🟢 terminal: fine" if english else "🟢 terminal：正常",
            "/usage": "· Chat: no model was used" if english else "· 聊天：没有用过模型",
            "/queue": "Nothing waits" if english else "后台没有要做的",
            "/stop": "Nothing is being done" if english else "没有",
        }
        for name, words in told.items():
            assert words in (await terminal.say(name)).text
        settings = await terminal.say("/settings")
        [off] = [button for button in settings.buttons if button.data == "set:learning:off"]
        assert off.label == ("Learning: off" if english else "学习：关")
        pressed = await terminal.say("", pressed=off.data)
        assert pressed.text == (
            "✓ Learning: off. Only what you ask to be remembered is kept"
            if english
            else "✓ 学习：关。只记你让我记的"
        )
        assert pressed.text.removeprefix("✓ ") in (await terminal.say("/settings")).text
