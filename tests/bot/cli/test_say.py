"""`kairos say`, over a bot without a brain: what is sent, what is printed, how it exits."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from bot import app
from bot.channels.channel import Channel
from bot.cli import run
from bot.settings import Settings
from bot.types import Button, Incoming, Words
from tests.fakes.app import FakeApp, Finished

GOOD = Finished(ok=True, loaded=("代码截图归档到「代码笔记」",))


class Bot:
    """What the command meets."""

    def __init__(self) -> None:
        self.apps: list[FakeApp] = []
        self.end = GOOD
        self.says: list[Words] = [Words("**好的**\n第二行"), Words("已存档 #1", kind="receipt")]

    @property
    def heard(self) -> list[Incoming]:
        return [each for app in self.apps for each in app.heard]

    @asynccontextmanager
    async def open(self, settings: Settings, *, channels: Sequence[Channel]) -> AsyncIterator[FakeApp]:
        app = FakeApp(channels, self.answer)
        self.apps.append(app)
        yield app
        await app.close()

    async def answer(self, incoming: Incoming, out: Callable[[Words], None]) -> None:
        for each in self.says:
            out(each)
        for handling in self.apps[-1].handled.values():
            handling.finished = self.end


@pytest.fixture
def bot(monkeypatch: pytest.MonkeyPatch) -> Bot:
    made = Bot()
    monkeypatch.setattr(app, "open_app", made.open)
    return made


def test_answer_and_what_follows_are_printed(bot: Bot, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["say", "你好"]) == 0
    assert capsys.readouterr().out == "**好的**\n第二行\n已存档 #1\n"
    assert [(each.text, each.person, each.chat) for each in bot.heard] == [("你好", "me", "me")]


def test_json_is_one_object_and_nothing_else(bot: Bot, capsys: pytest.CaptureFixture[str]) -> None:
    bot.says.append(Words("要记住吗？", kind="notice", buttons=(Button("记住", "yes:1"),)))
    assert run(["say", "--json", "你好"]) == 0
    out = capsys.readouterr().out
    assert "已存档" in out, "not escaped"
    assert len(out.splitlines()) == 1
    assert json.loads(out) == {
        "answer": "**好的**\n第二行",
        "later": ["已存档 #1", "要记住吗？"],
        "loaded": ["代码截图归档到「代码笔记」"],
        "ok": True,
        "problem": "",
        "earlier": [],
        "buttons": [{"label": "记住", "data": "yes:1"}],
    }


def test_what_did_not_end_well_exits_1(bot: Bot, capsys: pytest.CaptureFixture[str]) -> None:
    bot.end = Finished(ok=False, problem="模型连不上")
    assert run(["say", "--json", "你好"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert (found["ok"], found["problem"]) == (False, "模型连不上")
    bot.says = []
    assert run(["say", "你好"]) == 1
    assert capsys.readouterr().err == "模型连不上\n"


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["hi", "--image", "/nowhere/x.png"], "/nowhere/x.png"),
        (["hi", "--person", "a/b"], "a/b"),
        ([" "], "--image"),
    ],
)
def test_json_is_one_object_when_nothing_could_be_sent_too(
    bot: Bot, capsys: pytest.CaptureFixture[str], arguments: list[str], problem: str
) -> None:
    assert run(["say", "--json", *arguments]) in {1, 2}
    shown = capsys.readouterr()
    found = json.loads(shown.out)
    assert (found["answer"], found["later"], found["loaded"], found["ok"]) == ("", [], [], False)
    assert problem in found["problem"]
    assert problem in shown.err
    assert bot.heard == []


def test_pictures(bot: Bot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "截图 1.png").write_bytes(b"one")
    (tmp_path / "b.png").write_bytes(b"two")
    monkeypatch.chdir(tmp_path)
    assert run(["say", "--image", "截图 1.png", "--image", "~/b.png", "--person", "anna"]) == 0
    (heard,) = bot.heard
    assert [(each.name, each.data) for each in heard.uploads] == [("截图 1.png", b"one"), ("b.png", b"two")]
    assert (heard.text, heard.person) == ("", "anna")


@pytest.mark.parametrize("name", ["gone.png", "folder", "locked.png"])
def test_a_picture_that_cannot_be_read_sends_nothing(
    bot: Bot, tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "fine.png").write_bytes(b"x")
    if name == "locked.png":
        (tmp_path / name).write_bytes(b"x")
        readable = Path.read_bytes

        def read(path: Path) -> bytes:  # root may read everything
            if path.name == name:
                raise PermissionError(13, "Permission denied")
            return readable(path)

        monkeypatch.setattr(Path, "read_bytes", read)
    assert run(["say", "hi", "--image", str(tmp_path / "fine.png"), "--image", str(tmp_path / name)]) == 1
    shown = capsys.readouterr()
    assert str(tmp_path / name) in shown.err
    assert (shown.out, bot.heard) == ("", [])


@pytest.mark.parametrize("arguments", [["say"], ["say", "  "], ["say", "-"], ["say", "--json"]])
def test_nothing_to_say(
    bot: Bot, arguments: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n"))
    assert run(arguments) == 2
    assert "Nothing to send" in capsys.readouterr().err
    assert not bot.apps


@pytest.mark.parametrize("arguments", [["say"], ["say", "-"]])
def test_text_from_a_pipe(bot: Bot, arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("一\n二\n"))
    assert run(arguments) == 0
    assert bot.heard[0].text == "一\n二"


def test_a_button_is_pressed(bot: Bot) -> None:
    assert run(["say", "--press", "undo:1"]) == 0
    assert (bot.heard[0].pressed, bot.heard[0].text) == ("undo:1", "")


def test_bytes_that_are_no_text_do_no_harm(bot: Bot) -> None:
    assert run(["say", "caf\udce9"]) == 0
    assert bot.heard[0].text == "caf\ufffd"


@pytest.mark.parametrize("name", ["", "../x", "a/b", ".hidden", "logs", "x" * 80, "a\nb", "end."])
def test_a_person_whose_name_is_no_folder(bot: Bot, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["say", "hi", "--person", name]) == 1
    assert "cannot be a person's name" in capsys.readouterr().err
    assert not bot.apps


def test_words_from_before_are_kept_apart(bot: Bot, capsys: pytest.CaptureFixture[str]) -> None:
    first = bot.answer

    async def late(incoming: Incoming, out: Callable[[Words], None]) -> None:
        bot.apps[-1].notice("me", "提醒：开会")
        await first(incoming, out)

    bot.answer = late  # type: ignore[method-assign]
    assert run(["say", "--json", "hi"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert found["earlier"] == ["提醒：开会"]
    assert found["later"] == ["已存档 #1"]


def test_broken_settings_are_said(home: Path, capsys: pytest.CaptureFixture[str], bot: Bot) -> None:
    home.mkdir()
    (home / "settings.toml").write_text("model = [", encoding="utf-8")
    assert run(["say", "hi"]) == 1
    assert "settings.toml" in capsys.readouterr().err
    assert not bot.apps
