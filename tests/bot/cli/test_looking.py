"""Commands that only look: they show what is there and start nothing."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from bot import app
from bot.cli import run
from bot.settings import Settings

ROW = {
    "number": 7,
    "category": "报销",
    "title": "打车发票",
    "rule": "发票归到「报销」",
    "file": "archive/报销/2026-05-04 打车发票 #7.png",
    "summary": "一张发票",
    "tags": ("发票",),
    "text": "合计 42.00",
    "why": "规则",
    "state": "filed",
    "corrected": False,
    "at": datetime(2026, 5, 4, 9, tzinfo=UTC),
}


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


@pytest.fixture
def filed(monkeypatch: pytest.MonkeyPatch) -> None:
    class Looking:
        async def filings(self, person: str) -> list[SimpleNamespace]:
            return [SimpleNamespace(**ROW)] if person == "me" else []

    @asynccontextmanager
    async def look(settings: Settings, *, looking: bool) -> AsyncIterator[Looking]:
        assert looking
        yield Looking()

    monkeypatch.setattr(app, "open_app", look)


@pytest.mark.usefixtures("filed")
def test_filings(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["filings", "--json"]) == 0
    out = capsys.readouterr().out
    assert "打车发票" in out, "not escaped"
    assert json.loads(out) == [{**ROW, "tags": ["发票"], "at": "2026-05-04T09:00:00+00:00"}]
    assert run(["filings"]) == 0
    assert "#7 【报销】《打车发票》 2026-05-04" in capsys.readouterr().out
    assert run(["filings", "--person", "anna", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == []
    assert run(["filings", "--person", "anna"]) == 0
    assert capsys.readouterr().out == "No pictures have been filed yet.\n"


def test_doctor_is_red_where_settings_are_broken(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    home.mkdir()
    (home / "settings.toml").write_text("telegram_allowed = 'me'", encoding="utf-8")
    assert run(["doctor", "--json"]) == 1
    (check,) = json.loads(capsys.readouterr().out)
    assert (check["name"], check["ok"]) == ("settings", False)
    assert "telegram_allowed" in check["sentence"]


def test_doctor_is_red_where_the_home_is(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    home.write_text("", encoding="utf-8")
    assert run(["doctor"]) == 1
    shown = capsys.readouterr().out
    assert "✗ home" in shown
    assert str(home) in shown


@pytest.mark.slow
def test_doctor_on_a_fresh_home_is_green(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["doctor"]) == 0
    shown = capsys.readouterr().out
    assert "✗" not in shown
    for name in ("settings", "home", "memory", "model", "embeddings", "ocr", "terminal"):
        assert f"✓ {name}" in shown
    assert not (home / "jobs.sqlite").exists()
