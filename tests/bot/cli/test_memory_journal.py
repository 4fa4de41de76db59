"""`kairos memory log|why|restore`: for people and for programs, with nothing started."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bot.cli import run


@pytest.fixture
def core(home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Path:
    """A rule typed by hand, adopted, then changed by hand."""
    monkeypatch.setenv("KAIROS_LANGUAGE", "zh")
    file = home / "me" / "CORE.md"
    file.parent.mkdir(parents=True)
    file.write_text("- 回答都要简短\n", encoding="utf-8")
    assert run(["memory", "log"]) == 0
    file.write_text("- 回答都要详细（暂停） ^r1\n", encoding="utf-8")
    capsys.readouterr()
    return file


def test_log(core: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["memory", "log"]) == 0
    newest, oldest = capsys.readouterr().out.strip().split("\n")
    assert newest.startswith("#2 ")
    assert "改 回答都要简短 → 回答都要详细" in newest
    assert newest.endswith("你在文件里改的")
    assert "记下 回答都要简短" in oldest
    assert run(["memory", "--json", "log", "-n", "1"]) == 0
    [entry] = json.loads(capsys.readouterr().out)
    assert (entry["n"], entry["op"], entry["by"]) == (2, "edit", "person")
    assert (entry["before"]["text"], entry["after"]["text"]) == ("回答都要简短", "回答都要详细")
    assert entry["after"]["paused"] is True


@pytest.mark.parametrize("what", ["r1", "1", "详细"])
def test_why(core: Path, capsys: pytest.CaptureFixture[str], what: str) -> None:
    assert run(["memory", "why", what]) == 0
    shown = capsys.readouterr().out
    assert "「回答都要详细（暂停）」" in shown
    assert "之前是：「回答都要简短」" in shown
    assert run(["memory", "why", what, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["line"]["id"], [each["n"] for each in told["history"]]) == ("r1", [1, 2])


def test_why_of_nothing(core: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["memory", "why", "r9", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["line"] is None


def test_restore(core: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["memory", "restore", "2"]) == 0
    assert "恢复了：回答都要简短" in capsys.readouterr().out
    assert core.read_text(encoding="utf-8") == "- 回答都要简短 ^r1\n"
    assert run(["memory", "restore", "1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["did"] == "known"
    assert run(["memory", "restore", "99"]) == 1
    assert "没有第 99 号改动" in capsys.readouterr().out


def test_paused_lines_are_shown_as_such(core: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["memory"]) == 0
    assert "- 回答都要详细（暂停） ^r1" in capsys.readouterr().out
    assert run(["memory", "--json"]) == 0
    [rule] = json.loads(capsys.readouterr().out)["rules"]
    assert rule["paused"] is True
