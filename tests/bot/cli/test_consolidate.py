"""`kairos consolidate`: here and now, or by the bot that runs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bot.cli import run
from bot.lock import taken


def test_without_a_model_it_says_that_it_does_nothing(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["consolidate", "--now"]) == 0
    assert "no model is configured" in capsys.readouterr().out


def test_as_json(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["consolidate", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert {key: found[key] for key in ("coverage", "notes", "changes", "proposals", "handed")} == {
        "coverage": None,
        "notes": 0,
        "changes": 0,
        "proposals": 0,
        "handed": False,
    }


def test_a_running_bot_is_left_the_work(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in (("MODEL", "m"), ("MODEL_BASE_URL", "http://127.0.0.1:9/v1"), ("MODEL_API_KEY", "k")):
        monkeypatch.setenv(f"KAIROS_{name}", value)
    with taken(home, "kairos run"):
        assert run(["consolidate", "--now"]) == 0
    assert "running bot" in capsys.readouterr().out
