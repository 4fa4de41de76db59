"""The chat: typed into a real prompt over a pipe, seen as a terminal would show it."""

from __future__ import annotations

import asyncio
import io
import re
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output.vt100 import Vt100_Output

from bot.channels.terminal import TerminalChannel
from bot.errors import HomeBusy
from bot.terminal import chat as terminal
from bot.terminal.chat import chat
from bot.terminal.client import LocalClient
from bot.terminal.talk import Talk
from bot.types import Button, Incoming, Words
from tests.fakes.app import Brain, FakeApp, Finished, echo, eventually, running

ANSI = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class Bots:
    """Reaches one fake bot after another, as `bot.service.reach` would start them."""

    def __init__(self, home: Path, brain: Brain = echo) -> None:
        self.home = home
        self.brain = brain
        self.apps: list[FakeApp] = []
        self.kill = asyncio.Event()

    @property
    def heard(self) -> list[Incoming]:
        return [each for app in self.apps for each in app.heard]

    def __call__(self) -> AbstractAsyncContextManager[LocalClient]:
        return self._reach()

    @asynccontextmanager
    async def _reach(self) -> AsyncIterator[LocalClient]:
        async with running(TerminalChannel(self.home), self.brain) as app:
            self.apps.append(app)
            client = await LocalClient.connect(self.home, "me", follow=True)
            killed = asyncio.create_task(self._killed(client))
            try:
                yield client
            finally:
                killed.cancel()
                await client.close()

    async def _killed(self, client: LocalClient) -> None:
        await self.kill.wait()
        self.kill.clear()
        client._writer.transport.abort()


class Tty(io.StringIO):
    """A terminal's end, as far as `isatty` can tell."""

    def isatty(self) -> bool:
        return True


class Person:
    """Types, and reads the screen."""

    def __init__(self, keys: PipeInput, screen: Tty, task: asyncio.Task[bool]) -> None:
        self._keys = keys
        self._screen = screen
        self.task = task

    def type(self, keys: str) -> None:
        self._keys.send_text(keys)

    def seen(self) -> str:
        return ANSI.sub("", self._screen.getvalue())

    async def sees(self, words: str) -> None:
        await eventually(lambda: words in self.seen() or self.task.done())
        if self.task.done():
            self.task.result()
        assert words in self.seen()

    async def leaves(self) -> bool:
        self.type("\x04")
        return await asyncio.wait_for(self.task, 5)


@pytest.fixture
async def sits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Callable[[Bots], Person]]:
    screen = Tty()
    monkeypatch.chdir(tmp_path)
    tasks: list[asyncio.Task[bool]] = []
    output = Vt100_Output(screen, lambda: Size(rows=40, columns=100), enable_cpr=False)
    with create_pipe_input() as keys, create_app_session(input=keys, output=output):

        def sit(bots: Bots) -> Person:  # pytest puts its own streams back after the fixtures
            monkeypatch.setattr(sys, "stdin", Tty())
            monkeypatch.setattr(sys, "stdout", screen)
            task = asyncio.create_task(chat(bots, home=tmp_path, person="me", language="zh"))
            tasks.append(task)
            return Person(keys, screen, task)

        yield sit
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


Sits = Callable[[Bots], Person]


async def test_a_conversation(tmp_path: Path, sits: Sits) -> None:
    bots = Bots(tmp_path)
    person = sits(bots)
    await person.sees("模型 fake-1")
    await person.sees("Ctrl-D 离开")
    person.type("你好\r")
    await person.sees("heard 你好 []")
    assert await person.leaves() is True
    assert "+你好" in (tmp_path / ".history-me").read_text(encoding="utf-8")
    assert (tmp_path / ".history-me").stat().st_mode & 0o077 == 0


async def test_keys(tmp_path: Path, sits: Sits) -> None:
    """Alt-Enter makes a line, Ctrl-C clears, an empty line says nothing, a paste arrives in one piece."""
    bots = Bots(tmp_path)
    person = sits(bots)
    person.type("never\x03\r  \r")
    person.type("一\x1b\r二\r")
    person.type("\x1b[200~a\nb\x1b[201~\r")
    await person.sees("heard a")
    assert await person.leaves()
    assert [each.text for each in bots.heard] == ["一\n二", "a\nb"]


async def test_ctrl_c_on_an_empty_line_says_how_to_leave_and_leaving_is_no_failure(
    tmp_path: Path, sits: Sits
) -> None:
    async def brain(incoming: Incoming, out: Callable[[Words], None]) -> None:
        for handling in bots.apps[0].handled.values():
            handling.finished = Finished(ok=False, problem="模型连不上")
        out(Words("模型连不上"))

    bots = Bots(tmp_path, brain)
    person = sits(bots)
    await person.sees("Ctrl-D 离开")
    before = person.seen().count("Ctrl-D 离开")
    person.type("\x03")
    await eventually(lambda: person.seen().count("Ctrl-D 离开") > before)
    person.type("hi\r")
    await person.sees("模型连不上")
    assert await person.leaves() is True


async def test_a_picture_by_its_path(tmp_path: Path, sits: Sits) -> None:
    (tmp_path / "my shot.png").write_bytes(b"\x89PNG")
    bots = Bots(tmp_path)
    person = sits(bots)
    person.type(f"归到旅行 '{tmp_path}/my shot.png'\r")
    await person.sees("heard 归到旅行 ['my shot.png']")
    person.type("/nowhere/x.png\r")
    await person.sees("没有这个文件：/nowhere/x.png")
    person.type("日志里有 /nowhere/y.png\r")
    await person.sees("只发了文字")
    assert await person.leaves()
    assert [len(each.uploads) for each in bots.heard] == [1, 0]


async def test_receipts_arrive_while_typing_and_their_buttons_are_pressed(tmp_path: Path, sits: Sits) -> None:
    gate = asyncio.Event()

    async def brain(incoming: Incoming, out: Callable[[Words], None]) -> None:
        if incoming.pressed:
            out(Words(f"pressed {incoming.pressed}"))
            return
        out(Words("answer"))
        await gate.wait()
        out(Words("已存档 #1", kind="receipt", buttons=(Button("撤销", "undo:1"),)))

    bots = Bots(tmp_path, brain)
    person = sits(bots)
    person.type("hi\r")
    await person.sees("answer")
    person.type("1")
    gate.set()
    await person.sees("· 已存档 #1")
    await person.sees("[1] 撤销")
    person.type("\r")
    await person.sees("pressed undo:1")
    assert await person.leaves()
    assert [(each.text, each.pressed) for each in bots.heard] == [("hi", ""), ("", "undo:1")]


async def test_the_spinner_comes_and_goes(
    tmp_path: Path, sits: Sits, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(terminal, "_PATIENT", 0.02)
    monkeypatch.setattr(terminal, "_TICK", 0.01)
    gate = asyncio.Event()
    shown: list[str] = []

    async def brain(incoming: Incoming, out: Callable[[Words], None]) -> None:
        out(Words("half"))
        await gate.wait()

    spinner = terminal._Window._spinner

    def watch(window: terminal._Window, elapsed: float, *, answered: bool) -> object:
        found = spinner(window, elapsed, answered=answered)
        shown.append(found[0][1])
        return found

    monkeypatch.setattr(terminal._Window, "_spinner", watch)
    person = sits(Bots(tmp_path, brain))
    person.type("hi\r")
    await person.sees("half")
    await asyncio.sleep(0.1)
    gate.set()
    assert await person.leaves()
    assert any("后台处理中" in each for each in shown)
    count = len(shown)
    await asyncio.sleep(0.05)
    assert len(shown) == count


async def test_a_lost_bot_is_replaced_and_the_message_heard_once_more_under_its_id(
    tmp_path: Path, sits: Sits
) -> None:
    gate = asyncio.Event()

    async def brain(incoming: Incoming, out: Callable[[Words], None]) -> None:
        await gate.wait()
        out(Words(f"answer to {incoming.text}"))

    bots = Bots(tmp_path, brain)
    person = sits(bots)
    person.type("important\r")
    await eventually(lambda: bots.heard)
    bots.kill.set()
    await person.sees("我自己接着做")
    gate.set()
    await person.sees("answer to important")
    assert await person.leaves()
    assert len(bots.apps) == 2
    assert len({each.id for each in bots.heard}) == 1


async def test_leaving_waits_for_work_and_failure_is_told(tmp_path: Path, sits: Sits) -> None:
    gate = asyncio.Event()

    async def brain(incoming: Incoming, out: Callable[[Words], None]) -> None:
        await gate.wait()
        raise AssertionError  # never answered

    bots = Bots(tmp_path, brain)
    person = sits(bots)
    person.type("hi\r")
    await asyncio.sleep(0.2)
    person.type("\x04")
    await person.sees("还有 1 条没处理完")
    assert not person.task.done()
    person.task.cancel()
    gate.set()
    with pytest.raises(asyncio.CancelledError):
        await person.task


async def test_a_home_that_is_busy_ends_the_chat(tmp_path: Path, sits: Sits) -> None:
    @asynccontextmanager
    async def busy() -> AsyncIterator[LocalClient]:
        raise HomeBusy("busy")
        yield

    with pytest.raises(HomeBusy):
        await chat(busy, home=tmp_path, person="me", language="en")


# -------------------------------------------------------------------- no terminal


async def test_lines_from_a_pipe_are_answered_one_after_the_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def brain(incoming: Incoming, out: Callable[[Words], None]) -> None:
        if incoming.pressed:
            out(Words(f"pressed {incoming.pressed}"))
            return
        out(Words(f"**{incoming.text}**"))
        await asyncio.sleep(0.02)
        out(Words("later", kind="receipt", buttons=(Button("Undo", "undo:1"),)))

    monkeypatch.setattr(sys, "stdin", io.StringIO("one\n\n两\n1\n/nowhere.png\nlast"))
    bots = Bots(tmp_path, brain)
    assert await chat(bots, home=tmp_path, person="me", language="en") is False
    shown = capsys.readouterr().out.splitlines()
    assert [line for line in shown if "action=" not in line] == [
        "**one**",
        "later",
        "[1] Undo",
        "**两**",
        "later",
        "[1] Undo",
        "pressed undo:1",
        "There is no such file: /nowhere.png",
        "**last**",
        "later",
        "[1] Undo",
    ]


async def test_no_lines_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    assert await chat(Bots(tmp_path), home=tmp_path, person="me", language="en") is True


async def test_a_talk_reports_what_did_not_end_well(tmp_path: Path) -> None:

    class Screen:
        told = ""

        def words(self, heard: object) -> None: ...
        def lost(self) -> None: ...
        def done(self, done: object, *, said: bool) -> None:
            self.told = f"{getattr(done, 'problem', '')} {said}"

    async def brain(incoming: Incoming, out: Callable[[Words], None]) -> None:
        next(iter(bots.apps[0].handled.values())).finished = Finished(ok=False, problem="broken")

    bots = Bots(tmp_path, brain)
    screen = Screen()
    async with Talk(bots, screen) as talk:
        await talk.say("x")
        await talk.settled()
    assert not talk.ok
    assert screen.told == "broken False"
