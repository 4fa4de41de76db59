"""Logs: where they go, and that no secret ever does."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import structlog

from bot import logs

KEY = 'ab"c\\d/é-key-1234'
TOKEN = "123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw1"


@pytest.fixture(autouse=True)
def restored() -> Iterator[None]:
    root = logging.getLogger()
    level = root.level
    yield
    logs.close()
    logs.configure(None)
    logs.close()
    root.setLevel(level)
    structlog.reset_defaults()


def lines(home: Path) -> list[dict[str, Any]]:
    logs.close()
    text = (home / "logs" / "kairos.log").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def test_one_json_object_a_line(home: Path) -> None:
    logs.configure(home)
    structlog.get_logger("kairos.test").info("存好了", action="filed", number=1)
    logging.getLogger("dbos").error("from a library: %s", "x")
    ours, theirs = lines(home)
    assert (ours["event"], ours["action"], ours["number"], ours["level"]) == ("存好了", "filed", 1, "info")
    assert theirs["event"] == "from a library: x"
    assert "timestamp" in ours


def test_no_secret_in_any_field_or_traceback(home: Path) -> None:
    logs.configure(home, [KEY, TOKEN])
    log = structlog.get_logger("kairos.test")
    log.info(f"text {KEY}", field=KEY, nested={"deep": [KEY, {KEY: 1}]}, url=f"https://x/bot{TOKEN}/getMe")
    try:
        raise ValueError(f"https://api.telegram.org/bot{TOKEN}/sendMessage {KEY}")
    except ValueError:
        log.exception("failed")
        logging.getLogger("telegram").exception("theirs %s", KEY)
    found = lines(home)
    assert len(found) == 3
    text = (home / "logs" / "kairos.log").read_text(encoding="utf-8")
    assert TOKEN not in text
    assert "key-1234" not in text
    assert found[0]["field"] == logs.STRUCK
    assert "ValueError" in found[1]["exception"]


@pytest.mark.parametrize(
    "secret",
    [
        "sk-proj-abcdefghijklmnopqrstuvwx",
        TOKEN,
        TOKEN.replace(":", "%3A"),
        "AKIAIOSFODNN7EXAMPLE",
        "ghp_abcdefghijklmnopqrstuvwxyz0123456789",
        "AIzaSyD-abcdefghijklmnopqrstuvwxyz01234",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abcdefghij",
    ],
)
def test_what_looks_like_a_key_is_struck_out_unasked(secret: str) -> None:
    assert secret not in logs.redact(f"before {secret} after")
    assert logs.redact(f"before {secret} after") == "before [secret] after"


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Authorization: Bearer abcdef123456", "Authorization: Bearer [secret]"),
        ("postgresql://me:hunter22@db/x", "postgresql://[secret]@db/x"),
        ("api_key=abcdef123", "api_key=[secret]"),
        ('{"password": "hunter22"}', '{"password": "[secret]"}'),
    ],
)
def test_secrets_known_by_their_place(text: str, left: str) -> None:
    assert logs.redact(text) == left


@pytest.mark.parametrize(
    "text", ["tokens=1234567", "2026-02-03 10:20:30", "a.py:120:5", "代码截图 sk-8 海报", "key: value"]
)
def test_ordinary_words_stay(text: str) -> None:
    assert logs.redact(text) == text


def test_libraries_are_quiet(home: Path) -> None:
    """httpx writes each URL at INFO, and Telegram's hold the token."""
    logs.configure(home)
    logging.getLogger("httpx").info("HTTP Request: POST https://api.telegram.org/bot1:x/getMe")
    logging.getLogger("telegram.ext").info("started")
    assert lines(home) == []


def test_verbose_shows_them_on_the_screen_too(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    logs.configure(home, [KEY], verbose=True)
    structlog.get_logger("kairos.test").debug("detail", action="x", key=KEY)
    assert "detail" in capsys.readouterr().err
    assert lines(home)[0]["event"] == "detail"


def test_without_verbose_the_screen_stays_clean(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    logs.configure(home)
    structlog.get_logger("kairos.test").error("for the operator", action="x")
    logs.close()
    assert capsys.readouterr() == ("", "")


def test_a_home_that_takes_no_file_is_no_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    logs.configure(tmp_path / "file")
    structlog.get_logger("kairos.test").warning("still heard", action="x")
    assert "still heard" in capsys.readouterr().err


def test_a_full_disk_is_worth_a_line_where_a_service_keeps_its_own(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    logs.configure(home, [KEY])
    assert logs._listener is not None
    [file] = logs._listener.handlers
    assert isinstance(file, logs._Bounded)

    class Full(io.TextIOWrapper):
        def write(self, _: str) -> int:
            raise OSError(28, "No space left on device")

    assert file.stream is not None
    file.stream.close()
    file.stream = Full(io.BytesIO())
    structlog.get_logger("kairos.test").info("no matter", action="x")
    structlog.get_logger("kairos.test").error("disk full", action="x", key=KEY)
    logs.close()
    [line] = capsys.readouterr().err.splitlines()
    assert json.loads(line)["event"] == "disk full"
    assert KEY not in line


def test_the_file_is_bounded(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logs, "MAX_BYTES", 2_000)
    logs.configure(home)
    log = structlog.get_logger("kairos.test")
    for number in range(200):
        log.info("a line of some length", action="x", number=number)
    logs.close()
    files = list((home / "logs").iterdir())
    assert len(files) == logs.BACKUPS + 1
    assert all(file.stat().st_size <= 2_000 for file in files)


@pytest.mark.skipif(os.name != "posix", reason="POSIX permissions")
def test_the_log_is_for_the_owner_only(home: Path) -> None:
    logs.configure(home)
    logs.close()
    assert (home / "logs" / "kairos.log").stat().st_mode & 0o077 == 0


async def test_logging_never_blocks_the_loop(home: Path) -> None:
    await asyncio.to_thread(logs.configure, home)
    structlog.get_logger("kairos.test").info("from the loop", action="x")
    assert await asyncio.to_thread(lines, home)
