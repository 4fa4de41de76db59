"""Several terminals at once: who hears what, and in which language they are spoken to."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.channels.terminal import TerminalChannel
from bot.channels.terminal_wire import Done, Heard
from bot.terminal.client import LocalClient, language_of_terminal
from bot.types import Incoming, Language, Upload, Words
from tests.bot.channels.test_terminal import client_of, until_done
from tests.fakes.app import eventually, running


async def test_every_say_of_a_burst_hears_its_one_answer(tmp_path: Path) -> None:
    """Several at once from scripts: each waits for an answer, and one turn answers them all."""
    gate = asyncio.Event()

    async def as_one(incoming: Incoming, out: Callable[[Words], None]) -> None:
        if incoming.text == "last":
            gate.set()
            out(Words("answer to all"))
        elif incoming.text == "next":
            out(Words("another answer"))
        await gate.wait()

    async with (
        running(TerminalChannel(tmp_path), as_one) as app,
        client_of(tmp_path) as first,
        client_of(tmp_path) as picture,
        client_of(tmp_path) as last,
        client_of(tmp_path, person="bob") as bob,
    ):
        mine = await first.say("first")
        await picture.say("", [Upload(b"\x89PNG", "1.png")])
        await bob.say("bob's")
        await eventually(lambda: len(app.heard) == 3)
        await last.say("last")
        told = await asyncio.gather(*map(until_done, (first, picture, bob, last)))
        heard = [each for each in told[0] if isinstance(each, Heard)]
        assert [(each.text, each.about, each.earlier) for each in heard] == [("answer to all", mine, False)]
        assert [len(each) for each in told] == [2, 1, 1, 2], "a picture alone asks nothing; bob asked nobody"
        await last.say("next")
        assert [type(each) for each in await until_done(last)] == [Heard, Done]
        await first.say("last")
        heard = [each for each in await until_done(first) if isinstance(each, Heard)]
        assert [each.text for each in heard] == ["answer to all"], "what was heard once is not heard again"


@pytest.mark.parametrize(
    ("locale", "language"),
    [
        ({"LANG": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "zh_CN.UTF-8", "LC_ALL": "en_US.UTF-8"}, "en"),
        ({"LANG": "C.UTF-8"}, None),
        ({"LC_ALL": "POSIX", "LANG": "en_US"}, None),
        ({}, None),
    ],
)
async def test_the_terminals_language_comes_along(
    tmp_path: Path, locale: dict[str, str], language: Language | None
) -> None:
    async with running(TerminalChannel(tmp_path)) as app:
        spoken = language_of_terminal(locale)
        client = await LocalClient.connect(tmp_path, "me", follow=False, language=spoken)
        await client.say("", [Upload(b"\x89PNG", "1.png")])
        await until_done(client)
        await client.close()
    assert app.heard[0].language == language
