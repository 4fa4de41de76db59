"""What `doctor` sees: a red line names what is wrong."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest

from bot.errors import ModelRefused
from bot.models.scripted import Scripted
from tests.fakes.channel import FakeChannel
from tests.fakes.transcription_server import FakeTranscription
from tests.flows.conftest import opened


async def found(
    home: Path, model: Any = None, language: Any = "en", **more: Any
) -> dict[str, tuple[bool, str]]:
    async with opened(home, model, **more) as talk:
        return {each.name: (each.ok, each.sentence) for each in await talk.app.status(language)}


@pytest.mark.slow
async def test_all_is_well_without_a_model(home: Path) -> None:
    seen = await found(home)
    assert list(seen) == [
        "settings",
        "version",
        "home",
        "database",
        "memory",
        "model",
        "embeddings",
        "ocr",
        "channel fake",
        "notes",
    ]
    assert all(ok for ok, _ in seen.values()), seen
    assert "kairos setup" in seen["model"][1]
    assert "no model is configured" in seen["notes"][1]


async def test_in_chinese(home: Path) -> None:
    seen = await found(home, Scripted("pong"), language="zh")
    assert seen["model"] == (True, "scripted")
    assert "剩余" in seen["home"][1]


@pytest.mark.parametrize("error", [ModelRefused("HTTP 401", code="wrong_key")])
async def test_a_model_that_refuses(home: Path, error: Exception) -> None:
    ok, sentence = (await found(home, Scripted(error)))["model"]
    assert not ok
    assert sentence.startswith("scripted: ")
    assert "401" not in sentence


async def test_a_page_that_cannot_be_read(home: Path) -> None:
    (home / "me").mkdir(parents=True)
    (home / "me" / "CORE.md").mkdir()
    ok, sentence = (await found(home, Scripted("pong")))["memory"]
    assert not ok
    assert "CORE.md" in sentence


async def test_a_machine_that_cannot_read_pictures_says_so(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = importlib.util.find_spec

    def without(name: str, package: str | None = None) -> object:
        return None if name == "rapidocr" else there(name, package)

    monkeypatch.setattr("bot.health.importlib.util.find_spec", without)
    ok, sentence = (await found(home, Scripted("pong")))["ocr"]
    assert not ok
    assert "rapidocr" in sentence


async def test_a_channel_in_trouble(home: Path) -> None:
    class Cut(FakeChannel):
        def health(self) -> str:
            return "Telegram cannot be reached."

    seen = await found(home, Scripted("pong"), channel=Cut())
    assert seen["channel fake"] == (False, "Telegram cannot be reached.")


async def test_whether_speech_can_be_heard_is_tried_where_it_is_set_up(home: Path) -> None:
    async with FakeTranscription("") as ear:
        assert (await found(home, Scripted("pong"), **ear.settings))["speech"] == (True, "whisper-1")
        assert ear.heard[0].data.startswith(b"RIFF")
        wrong = {**ear.settings, "transcribe_model": "whisper-9"}
        ok, sentence = (await found(home, Scripted("pong"), **wrong))["speech"]
        assert not ok
        assert "There is no such model at that address" in sentence
    assert "speech" not in await found(home, Scripted("pong"))
