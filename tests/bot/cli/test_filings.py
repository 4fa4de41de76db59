"""`kairos filings` lists what was filed and starts nothing."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace

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


@pytest.mark.parametrize("command", ["filings", "memory"])
def test_a_home_that_is_not_there_is_said_and_not_made(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    typo = tmp_path / "Kairoos"
    assert run([command, "--home", str(typo)]) == 0
    assert f"There is no folder {typo}." in capsys.readouterr().err
    assert not typo.exists()


def test_a_key_that_is_no_setting_is_said(
    home: Path, filed: None, capsys: pytest.CaptureFixture[str]
) -> None:
    home.mkdir()
    (home / "settings.toml").write_text('modle = "x"', encoding="utf-8")
    assert run(["filings", "--json"]) == 0
    said = capsys.readouterr()
    assert "Did you mean model?" in said.err
    assert json.loads(said.out)[0]["number"] == 7


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


@pytest.mark.parametrize(
    ("command", "said"),
    [(["filings", "--json"], "[]"), (["memory"], "Nothing is remembered yet.")],
)
def test_a_home_that_cannot_be_made_holds_nothing(
    tmp_path: Path, command: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    assert run([*command, "--home", str(tmp_path / "file" / "home")]) == 0
    assert said in capsys.readouterr().out
