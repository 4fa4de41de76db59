"""`kairos jobs` looks without starting anything; `retry` goes through the chat."""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.cli import run, say
from bot.lock import taken
from bot.settings import Settings
from bot.storage import open_storage
from bot.types import Attachment, Incoming

NOW = datetime(2026, 9, 1, tzinfo=UTC)


async def _fill(home: Path) -> None:
    async with open_storage(Settings.load(home, {}), lambda: NOW) as storage:
        await storage.messages.store(
            Incoming("fake", "me", "m1", "me"),
            [Attachment("aa", "bad.png", 1), Attachment("bb", "begun.png", 1)],
            at=NOW,
            answer=False,
            extract=False,
            to_file=range(2),
        )
        await storage.filings.update(1, state="failed", problem="too slow")
        await storage.filings.update(2, attempt=1)
        await storage.pauses.put("model:api.example.com", datetime.now(UTC) + timedelta(hours=1))


def test_jobs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    home = tmp_path / "home"
    home.mkdir()
    asyncio.run(_fill(home))
    with taken(home, "kairos run"):
        assert run(["jobs", "--json", "--home", str(home)]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [(work["name"], work["state"], work["why"]) for work in found["work"]] == [
        ("2", "running", ""),
        ("1", "failed", "too slow"),
    ]
    assert found["paused"][0]["provider"] == "api.example.com"
    assert run(["jobs", "--home", str(home)]) == 0
    out = capsys.readouterr().out
    assert "✗ 1 picture bad.png (too slow)" in out
    assert "· 2 picture begun.png" in out, "nobody works on it now"
    assert "api.example.com" in out


def test_retry_is_said_in_the_chat(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[tuple[str, str]] = []

    def hear(text: str, *, person: str, **_: object) -> None:
        heard.append((text, person))

    monkeypatch.setattr(say, "say", hear)
    assert run(["jobs", "retry", "all", "--person", "ann", "--home", str(tmp_path)]) == 0
    assert run(["jobs", "retry", "12", "--home", str(tmp_path)]) == 0
    assert heard == [("/queue retry all", "ann"), ("/queue retry 12", "me")]
