"""`kairos setup`, by questions and by flags, against fake servers."""

from __future__ import annotations

import asyncio
import re
import threading
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner, Result

from bot.cli.setup import setup
from bot.errors import SettingsError
from tests.fakes.model_server import Answer, FakeModelServer, Request, fails

TOKEN = "123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw1"


class Servers:
    """The fake model server on a thread of its own, since the command runs a loop of its own.

    It plays Telegram too.
    """

    def __init__(self) -> None:
        self._started = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run()), daemon=True)
        self._thread.start()
        self._started.wait(5)

    async def _run(self) -> None:
        self._stop = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        async with FakeModelServer("ok", key="good", model="good-model") as self.model:
            self._started.set()
            await self._stop.wait()

    def stop(self) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(5)

    @property
    def url(self) -> str:
        return self.model.base_url


@pytest.fixture
def servers() -> Iterator[Servers]:
    running = Servers()
    yield running
    running.stop()


def kairos_setup(*arguments: str, typed: str | None = None) -> Result:
    app = typer.Typer()
    app.command()(setup)
    return CliRunner().invoke(app, list(arguments), input=typed)


def written(home: Path) -> dict[str, Any]:
    return tomllib.loads((home / "settings.toml").read_text(encoding="utf-8"))


def by_flags(servers: Servers, *more: str, key: str = "good", model: str = "good-model") -> Result:
    return kairos_setup("--model-base-url", servers.url, "--model-api-key", key, "--model", model, *more)


def test_flags_are_tried_and_written(home: Path, servers: Servers) -> None:
    result = by_flags(servers, "--language", "en", "--telegram-allowed", "7,8")
    assert result.exit_code == 0, result.output
    assert "good-model answers" in result.output
    assert "Background work may use 1,000,000 tokens a person and day" in result.output
    assert written(home) == {
        "model": "good-model",
        "model_base_url": servers.url,
        "model_api_key": "good",
        "language": "en",
        "telegram_allowed": [7, 8],
    }
    assert (home / "settings.toml").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    ("wrong", "words"), [({"key": "bad"}, "does not accept the API key"), ({"model": "bad"}, "no such model")]
)
def test_what_fails_is_said_and_nothing_is_written(
    home: Path, servers: Servers, wrong: dict[str, str], words: str
) -> None:
    result = by_flags(servers, **wrong)
    assert result.exit_code == 1
    assert words in result.output
    assert not (home / "settings.toml").exists()


def test_no_test_saves_untried(home: Path) -> None:
    result = kairos_setup("--model-base-url", "http://127.0.0.1:9/v1", "--model", "x", "--no-test")
    assert result.exit_code == 0
    assert written(home)["model"] == "x"


def test_nobody_there(home: Path) -> None:
    result = kairos_setup("--model-base-url", "http://127.0.0.1:9/v1", "--model", "x")
    assert result.exit_code == 1
    assert "cannot be reached" in result.output
    assert "Traceback" not in result.output


def test_an_address_that_lacks_v1_is_found_out(home: Path, servers: Servers) -> None:
    bare = servers.url.removesuffix("/v1")
    result = kairos_setup("--model-base-url", bare, "--model-api-key", "good", "--model", "good-model")
    assert result.exit_code == 0, result.output
    assert written(home)["model_base_url"] == servers.url


def test_a_key_can_be_piped_in(home: Path, servers: Servers) -> None:
    result = kairos_setup(
        "--model-base-url", servers.url, "--model-api-key", "-", "--model", "good-model", typed="good\n"
    )
    assert result.exit_code == 0, result.output
    assert written(home)["model_api_key"] == "good"


@pytest.mark.parametrize("flag", ["model-api-key", "telegram-token"])
@pytest.mark.parametrize(("given", "typed"), [("-", ""), ("-", "\n"), ("", None), ("  ", None)])
def test_a_secret_that_came_out_empty_takes_away_none_that_is_there(
    home: Path, flag: str, given: str, typed: str | None
) -> None:
    kairos_setup(f"--{flag}", "12345:before", "--no-test")
    before = written(home)
    result = kairos_setup(f"--{flag}", given, "--no-test", typed=typed)
    assert isinstance(result.exception, SettingsError)
    assert flag.replace("-", "_").upper() in str(result.exception)
    assert written(home) == before
    assert kairos_setup(f"--{flag}", "none", "--no-test").exit_code == 0
    assert flag.replace("-", "_") not in written(home), "that is how it is taken away"


def test_questions(home: Path, servers: Servers) -> None:
    typed = f"{servers.url}\ngood\ngood-model\nnone\n\n"  # address, key, name, vision, token
    result = kairos_setup(typed=typed)
    assert result.exit_code == 0, result.output
    assert "good" not in result.output.replace("good-model", "")  # the key is not shown
    assert written(home)["model_api_key"] == "good"


def test_a_wrong_answer_is_asked_again(home: Path, servers: Servers) -> None:
    typed = f"{servers.url}\nbad\ngood-model\nn\n{servers.url}\ngood\ngood-model\n\n\n"
    result = kairos_setup(typed=typed)
    assert result.exit_code == 0, result.output
    assert written(home)["model_api_key"] == "good"


def test_after_a_wrong_key_only_the_key_is_typed_again(home: Path, servers: Servers) -> None:
    result = kairos_setup(typed=f"{servers.url}\nbad\ngood-model\nn\n\ngood\n\nnone\nnone\n")
    assert result.exit_code == 0, result.output
    assert written(home)["model"] == "good-model"
    assert written(home)["model_api_key"] == "good"


def test_an_address_that_is_none_is_asked_again(home: Path) -> None:
    result = kairos_setup(typed="not an address\n\nx\nnone\n\n")
    assert result.exit_code == 0, result.output
    assert "http://" in result.output


def test_enter_keeps_what_is_there(home: Path, servers: Servers) -> None:
    assert by_flags(servers).exit_code == 0
    before = written(home)
    result = kairos_setup(typed="\n\n\n\n\n")
    assert result.exit_code == 0, result.output
    assert {name: value for name, value in written(home).items() if name != "vision_model"} == before


def test_nothing_at_all_by_enter_only(home: Path) -> None:
    result = kairos_setup(typed="\n\n")
    assert result.exit_code == 0, result.output
    assert written(home) == {}


def test_ctrl_c_leaves_everything_as_it_was(home: Path, servers: Servers) -> None:
    assert by_flags(servers).exit_code == 0
    before = (home / "settings.toml").read_bytes()
    result = kairos_setup(typed=f"{servers.url}\n")  # input ends in the midst
    assert result.exit_code == 130
    assert (home / "settings.toml").read_bytes() == before


def test_ctrl_c_makes_no_home(home: Path) -> None:
    assert kairos_setup(typed="").exit_code == 130
    assert not home.exists()


def test_the_old_key_is_not_sent_to_a_new_server(home: Path, servers: Servers) -> None:
    kairos_setup(
        "--model-base-url", "http://127.0.0.1:9/v1", "--model-api-key", "old-key", "--model", "x", "--no-test"
    )
    servers.model._key = None
    result = kairos_setup("--model-base-url", servers.url, "--model", "good-model")
    assert result.exit_code == 0, result.output
    assert "old-key" not in servers.model.requests[-1].headers["authorization"]


def test_the_environment_is_not_written(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KAIROS_MODEL_API_KEY", "from-the-environment")
    monkeypatch.setenv("KAIROS_LANGUAGE", "zh")
    result = kairos_setup("--telegram-allowed", "5")
    assert result.exit_code == 0
    assert "已保存" in result.output
    assert written(home) == {"telegram_allowed": [5]}


def test_a_broken_file_is_mended_and_kept(home: Path) -> None:
    home.mkdir()
    (home / "settings.toml").write_text("[[[", encoding="utf-8")
    result = kairos_setup("--telegram-allowed", "5")
    assert result.exit_code == 0, result.output
    assert written(home) == {"telegram_allowed": [5]}
    assert (home / "settings.toml.broken").exists()


def telegram(servers: Servers, answer: Answer) -> Result:
    """Setup with a Telegram that answers so; its root is the fake server."""

    def reply(request: Request) -> Answer:
        return answer

    servers.model.reply_elsewhere = reply
    return kairos_setup("--telegram-token", TOKEN, "--telegram-base-url", servers.url.removesuffix("/v1"))


def test_telegram_is_asked_who_it_is(home: Path, servers: Servers) -> None:
    result = telegram(servers, Answer(raw='{"ok": true, "result": {"id": 1, "username": "kairos_bot"}}'))
    assert result.exit_code == 0, result.output
    assert "@kairos_bot" in result.output
    assert re.search(r"Code: \w{4}-\w{4}\n", result.output), "nobody is the owner there yet"
    assert written(home)["telegram_token"] == TOKEN


@pytest.mark.parametrize(
    "answer", [fails(401, "Unauthorized"), fails(404), Answer(raw="<html>"), Answer(raw="[]"), fails(502)]
)
def test_a_telegram_that_does_not_know_us(home: Path, servers: Servers, answer: Answer) -> None:
    result = telegram(servers, answer)
    assert result.exit_code == 1
    assert TOKEN not in result.output
    assert "Traceback" not in result.output
    assert not (home / "settings.toml").exists()
