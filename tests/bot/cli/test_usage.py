"""`kairos usage` reads what was counted and starts nothing."""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.cli import run
from bot.settings import Settings
from bot.storage import open_storage
from bot.storage.usage import Kind, Tokens, Used, quarter


async def _fill(settings: Settings) -> None:
    now = datetime.now(UTC)
    async with open_storage(settings, lambda: now) as storage:
        chat = Used(Kind("me", "chat", "m-1", estimated=False), Tokens(2, 1_000_000, 0, 10))
        filed = Used(Kind("me", "filing", "m-2", estimated=True), Tokens(1, 20, 0, 5))
        await storage.usage.add([(quarter(now), chat), (quarter(now), filed)])


def test_usage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (home / "settings.toml").write_text(
        'timezone = "UTC"\nbackground_tokens = 25\n[prices."m-1"]\ninput = 3\noutput = 0\n', encoding="utf-8"
    )
    asyncio.run(_fill(Settings.load(home, {})))
    assert run(["usage", "--json", "--home", str(home)]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["today"]["chat"]["input"] == 1_000_000
    assert found["today"]["chat"]["money"] == {"USD": 3.0}
    assert found["month"]["background"]["of"] == [
        {
            "purpose": "filing",
            "model": "m-2",
            "estimated": True,
            "calls": 1,
            "input": 20,
            "cached": 0,
            "output": 5,
        }
    ]
    assert found["without_price"] == ["m-2"]
    assert found["background_paused_until"].endswith("T00:00:00+00:00")
    assert run(["usage", "--home", str(home)]) == 0
    out = capsys.readouterr().out
    assert "$3.00" in out
    assert "used its tokens of today" in out
    assert run(["usage", "--person", "ann", "--home", str(home)]) == 0
    assert "m-1" not in capsys.readouterr().out
