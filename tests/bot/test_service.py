"""How a bot comes to run: reached where it runs, started where it does not, never twice."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from bot import app, service
from bot.channels.channel import Channel
from bot.errors import HomeBusy, HomeError, HomeUnwritable
from bot.lock import held
from bot.service import reach, serve
from bot.settings import Settings
from bot.terminal.talk import Talk, Unreachable
from bot.types import Incoming, Words
from tests.fakes.app import Brain, FakeApp, echo, eventually


class Screen:
    """Keeps what it hears."""

    def __init__(self) -> None:
        self.heard: list[str] = []

    def words(self, heard: Any) -> None:
        self.heard.append(heard.text)

    def done(self, done: object, *, said: bool) -> None: ...

    def lost(self) -> None:
        self.heard.append("LOST")


class Opened:
    """Stands for `open_app`; keeps every app it opened."""

    def __init__(self) -> None:
        self.apps: list[FakeApp] = []
        self.brain: Brain = echo
        self.kind = FakeApp
        self.closed = 0

    @asynccontextmanager
    async def __call__(self, settings: Settings, *, channels: Sequence[Channel]) -> AsyncIterator[FakeApp]:
        app = self.kind(channels, self.brain)
        self.apps.append(app)
        try:
            yield app
        finally:
            await app.close()
            self.closed += 1


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> Opened:
    made = Opened()
    monkeypatch.setattr(app, "open_app", made)
    return made


def reaching(home: Path, *, follow: bool = False) -> Any:
    return partial(reach, Settings(home=home), "me", follow=follow, command="kairos say", language="en")


async def say(home: Path, text: str, screen: Screen | None = None) -> list[str]:
    screen = screen or Screen()
    async with Talk(reaching(home), screen) as talk:
        await talk.say(text)
        await talk.settled()
    return screen.heard


async def test_a_bot_is_started_for_one_message_and_leaves(home: Path, opened: Opened) -> None:
    assert await say(home, "hi") == ["heard hi []"]
    assert (len(opened.apps), opened.closed, held(home)) == (1, 1, False)
    assert len(opened.apps[0].wound_up_for) == 1  # what was left before it is not left once more


async def test_many_at_once_share_bots_and_all_are_answered(home: Path, opened: Opened) -> None:
    async def slow(incoming: Incoming, out: Callable[[Words], None]) -> None:
        await asyncio.sleep(0.05)
        await echo(incoming, out)

    opened.brain = slow
    answers = await asyncio.gather(*(say(home, str(number)) for number in range(12)))
    assert answers == [[f"heard {number} []"] for number in range(12)]
    assert opened.closed == len(opened.apps)


async def test_a_service_is_used_where_it_runs(home: Path, opened: Opened) -> None:
    running = asyncio.Event()
    task = asyncio.create_task(serve(Settings(home=home), "en", lambda channels, code: running.set()))
    await running.wait()
    assert await say(home, "hi") == ["heard hi []"]
    with pytest.raises(HomeBusy, match=f"`kairos run` .pid {os.getpid()}"):
        await serve(Settings(home=home), "en", lambda channels, code: None)
    os.kill(os.getpid(), signal.SIGTERM)
    await asyncio.wait_for(task, 5)
    assert (len(opened.apps), opened.closed, held(home)) == (1, 1, False)
    assert opened.apps[0].wound_up_for == []  # a service stays: nobody has to wait for others' work


async def test_a_chat_goes_on_when_the_service_stops(home: Path, opened: Opened) -> None:
    running = asyncio.Event()
    task = asyncio.create_task(serve(Settings(home=home), "en", lambda channels, code: running.set()))
    await running.wait()
    screen = Screen()
    async with Talk(reaching(home, follow=True), screen) as talk:
        await talk.say("one")
        await talk.settled()
        os.kill(os.getpid(), signal.SIGINT)
        await asyncio.wait_for(task, 5)
        await talk.say("two")
        await talk.settled()
    assert sorted(screen.heard) == ["LOST", "heard one []", "heard two []"]
    assert len(opened.apps) == 2


async def test_who_holds_the_home_and_does_not_answer_is_named(
    home: Path, opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "_PATIENCE", 0.2)
    async with service._holding(home, "kairos run", "en"):
        with pytest.raises(HomeBusy, match="kairos run"):
            await say(home, "hi")
    assert await say(home, "hi") == ["heard hi []"]


async def test_a_bot_that_hangs_is_named_without_long_waiting(
    home: Path, opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A `kairos run` that was stopped (SIGSTOP): its socket takes connections, and nothing is said on it."""
    monkeypatch.setattr("bot.terminal.client._WELCOME", 0.2)
    async with service._holding(home, "kairos run", "en"):
        hung = socket.socket(socket.AF_UNIX)
        hung.bind(str(home / "kairos.sock"))
        hung.listen()
        with hung, pytest.raises(HomeBusy, match="kairos run"):
            await asyncio.wait_for(say(home, "hi"), service._PATIENCE / 4)
    assert opened.apps == []
    assert await say(home, "hi") == ["heard hi []"]


async def test_a_bot_that_crashes_on_every_message_is_given_up(home: Path, opened: Opened) -> None:
    class Broken(FakeApp):
        async def receive(self, incoming: Incoming) -> bool:
            raise RuntimeError("a bug")

    opened.kind = Broken
    with pytest.raises(Unreachable, match="log"):
        await say(home, "hi")
    assert 1 < len(opened.apps) < 6
    assert not held(home)


async def test_a_home_that_cannot_be_written_is_said(tmp_path: Path, opened: Opened) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(HomeUnwritable):
        await say(tmp_path / "file" / "home", "hi")


async def test_leaving_in_the_middle_frees_the_home(home: Path, opened: Opened) -> None:
    """Ctrl-C does not wait for work; the next start takes it up."""

    async def never(incoming: Incoming, out: Callable[[Words], None]) -> None:
        await asyncio.Event().wait()

    opened.brain = never
    task = asyncio.create_task(say(home, "hi"))
    await eventually(lambda: opened.apps and opened.apps[0].heard)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert not held(home)


async def test_a_channel_that_cannot_open_ends_the_service(
    home: Path, opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "kairos.sock").mkdir(parents=True)  # neither the socket nor anything else can be put there
    monkeypatch.setattr("bot.channels.terminal.places", lambda home: [home / "kairos.sock"])
    with pytest.raises(HomeError, match="directory"):
        await serve(Settings(home=home), "en", lambda channels, code: None)
    assert not held(home)
