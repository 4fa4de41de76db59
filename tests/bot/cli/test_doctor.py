"""`kairos doctor`: red or green, by its exit code too."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bot.cli import run


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
