"""`kairos memory` shows what is there and starts nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bot.cli import run


@pytest.fixture
def core(home: Path) -> Iterator[Path]:
    """A memory written by hand."""
    file = home / "me" / "CORE.md"
    file.parent.mkdir(parents=True)
    file.write_text(
        "# 我的规则\n\n- 发票归到「报销」 (when: 归档图片) ^r1\n- Answer in one sentence\n", encoding="utf-8"
    )
    topic = home / "me" / "topics" / "family.md"
    topic.parent.mkdir()
    topic.write_text("---\ntitle: 家人\npurpose: 谁是谁\n---\n\n- 女儿叫小禾 ^f1\n", encoding="utf-8")
    yield file
    assert not (home / "jobs.sqlite").exists(), "a command that only looks started jobs"
    assert not (home / "kairos.lock").exists()


def test_memory_as_json(core: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["memory", "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert [(each["text"], each["when"]) for each in found["rules"]] == [
        ("发票归到「报销」", "归档图片"),
        ("Answer in one sentence", None),
    ]
    (topic,) = found["topics"]
    assert (topic["title"], topic["purpose"], topic["page"]) == ("家人", "谁是谁", "topics/family.md")
    assert [each["text"] for each in topic["lines"]] == ["女儿叫小禾"]


def test_memory_for_people(
    core: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KAIROS_LANGUAGE", "zh")
    assert run(["memory"]) == 0
    shown = capsys.readouterr().out
    assert "- 发票归到「报销」（仅限：归档图片） ^r1" in shown
    assert "家人 — 谁是谁" in shown
    assert "- 女儿叫小禾" in shown
    assert run(["memory", "--person", "anna"]) == 0
    assert "还没有记住任何东西" in capsys.readouterr().out


def test_memory_is_searched(core: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["memory", "search", "女儿", "名字", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found[0]["text"] == "女儿叫小禾"
    assert found[0]["page"] == "topics/family.md"
    assert run(["memory", "--json", "search", "女儿"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["text"] == "女儿叫小禾"


def test_brackets_in_memory_are_words(core: Path, capsys: pytest.CaptureFixture[str]) -> None:
    core.write_text("- write [bold]x[/bold] :smile: ^r1\n", encoding="utf-8")
    assert run(["memory"]) == 0
    assert "write [bold]x[/bold] :smile:" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("language", "sentence"),
    [("en", "The memory file CORE.md cannot be read right now"), ("zh", "记忆文件 CORE.md 现在读不了")],
)
def test_a_memory_that_cannot_be_read_is_a_sentence_and_no_bug(
    home: Path,
    language: str,
    sentence: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("KAIROS_LANGUAGE", language)
    (home / "me" / "CORE.md").mkdir(parents=True)
    assert run(["memory"]) == 1
    shown = capsys.readouterr()
    assert shown.err.startswith(sentence)
    assert len(shown.err.splitlines()) == 1
    assert list((home / "logs").glob("crash-*")) == []
