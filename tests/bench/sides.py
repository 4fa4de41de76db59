"""The processes of the bench: a fake Telegram, a fake model and a bot, once for Kairos and once for the bare bot."""

from __future__ import annotations

import http.client
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

import psutil

Json = dict[str, Any]
Kind = Literal["kairos", "embedded", "bare"]

ROOT = Path(__file__).parents[2]
TOKEN = "4242:fake-token"
USERS = tuple(range(1001, 1061))
START_LIMIT = 30.0  # seconds until the first poll


class BenchFailed(Exception):
    """A process of the bench did not do what it should."""


@dataclass(slots=True)
class Server:
    """A fake in a process of its own."""

    process: subprocess.Popen[str]
    url: str

    def ask(self, path: str, given: Json | None = None, patience: float = 120.0) -> Any:
        """One request and its JSON. Raises `BenchFailed` for any status but 200."""
        place = urlsplit(self.url)
        connection = http.client.HTTPConnection(place.hostname or "127.0.0.1", place.port, timeout=patience)
        try:
            body = None if given is None else json.dumps(given)
            method = "GET" if body is None else "POST"
            connection.request(method, path, body, {"Content-Type": "application/json"})
            answer = connection.getresponse()
            data = answer.read()
        finally:
            connection.close()
        if answer.status != 200:
            raise BenchFailed(f"{path}: {answer.status} {data[:200]!r}")
        return json.loads(data)


@dataclass(slots=True)
class Usage:
    """All processes of a bot at one moment."""

    rss: int  # bytes, summed
    cpu: float  # seconds, user and system
    processes: int


@dataclass(slots=True)
class Side:
    """One bot with a Telegram and a model of its own."""

    kind: Kind
    folder: Path
    telegram: Server
    model: Server
    bot: subprocess.Popen[bytes] | None = None
    number: int = 0  # of the last message
    extra: dict[str, str] = field(default_factory=dict)  # environment

    # ---- life of the bot

    def start(self, home: str = "home") -> float:
        """Start the bot and wait for its first poll; returns the seconds from one to the other."""
        self.telegram.ask("/bench/forget", {})
        with (self.folder / f"{self.kind}.log").open("ab") as log:
            began = time.monotonic()
            self.bot = subprocess.Popen(
                self._command(), cwd=ROOT, env=self._environment(home), stdout=log, stderr=log
            )
        while not (polled := float(self.telegram.ask("/bench/first_poll", {}))):
            if self.bot.poll() is not None or time.monotonic() > began + START_LIMIT:
                raise BenchFailed(f"{self.kind} does not start:\n{self.log()[-2000:]}")
            time.sleep(0.02)
        return polled - began

    def kill(self) -> None:
        """`kill -9`, as a crash would; and whatever it started."""
        if self.bot is None:
            return
        family = self._family()
        self.bot.send_signal(signal.SIGKILL)
        self.bot.wait()
        _, left = psutil.wait_procs(family, timeout=3)
        for process in left:
            process.kill()
        self.bot = None

    def log(self) -> str:
        """What the bot printed."""
        return (self.folder / f"{self.kind}.log").read_text(encoding="utf-8", errors="replace")

    def _command(self) -> list[str]:
        module = ["tests.bench.bare_bot"] if self.kind == "bare" else ["bot.cli", "run"]
        return [sys.executable, "-m", *module]

    def _environment(self, home: str) -> dict[str, str]:
        """Nothing of the machine's own settings; loopback only."""
        ours = ("KAIROS_", "OPENAI_", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "PYTHONWARNINGS")
        env = {name: value for name, value in os.environ.items() if not name.upper().startswith(ours)}
        if self.kind == "bare":
            return env | {
                "TELEGRAM_ROOT": self.telegram.url,
                "TELEGRAM_TOKEN": TOKEN,
                "MODEL_URL": self.model.url,
            }
        env |= {
            "KAIROS_HOME": str(self.folder / home),
            "KAIROS_TELEGRAM_TOKEN": TOKEN,
            "KAIROS_TELEGRAM_BASE_URL": self.telegram.url,
            "KAIROS_TELEGRAM_ALLOWED": ",".join(str(user) for user in USERS),
        }
        if self.kind == "kairos":
            env |= {
                "KAIROS_MODEL_BASE_URL": self.model.url,
                "KAIROS_MODEL_API_KEY": "bench",
                "KAIROS_MODEL": "bench",
            }
        return env | self.extra

    # ---- what it uses

    def _family(self) -> list[psutil.Process]:
        if self.bot is None:
            return []
        try:
            parent = psutil.Process(self.bot.pid)
            return [parent, *parent.children(recursive=True)]
        except psutil.NoSuchProcess:
            return []

    def usage(self) -> Usage:
        """Memory and CPU of the bot and all processes it has started and that still run."""
        rss, cpu, processes = 0, 0.0, 0
        for process in self._family():
            try:
                with process.oneshot():
                    times, memory = process.cpu_times(), process.memory_info().rss
            except psutil.NoSuchProcess:
                continue
            rss, cpu, processes = rss + memory, cpu + times.user + times.system, processes + 1
        return Usage(rss, cpu, processes)

    def settle(self, patience: float = 15.0) -> Usage:
        """Wait until the bot does nothing any more: at most 20 ms of CPU within half a second, twice in a row."""
        end, quiet, before = time.monotonic() + patience, 0, self.usage()
        while quiet < 2 and time.monotonic() < end:
            time.sleep(0.5)
            now = self.usage()
            quiet = quiet + 1 if now.cpu - before.cpu <= 0.02 else 0
            before = now
        return before

    # ---- talk

    def says(self, texts: Sequence[str]) -> list[tuple[str, str]]:
        """Number messages, so that their answers can be told apart. No model, no numbers: the first word counts."""
        if self.kind == "embedded":
            return [(text, "") for text in texts]
        numbered = []
        for text in texts:
            self.number += 1
            numbered.append((f"{text} ({self.number})", f"({self.number})"))
        return numbered

    def talk(self, user: int, texts: Sequence[str]) -> list[float]:
        """One user, one message after the other; the seconds until each answer."""
        given = {"user": user, "says": self.says(texts)}
        took: list[float] = self.telegram.ask("/bench/sequence", given)
        return took

    def requests(self) -> list[Json]:
        """Everything the model was asked: `body`, `size`, `at`."""
        asked: list[Json] = self.model.ask("/requests")
        return asked


def _server(*command: str) -> Server:
    process = subprocess.Popen(
        [sys.executable, "-m", *command], cwd=ROOT, stdout=subprocess.PIPE, text=True, encoding="utf-8"
    )
    assert process.stdout is not None
    url = process.stdout.readline().strip()
    if not url:
        raise BenchFailed(f"{command[0]} does not start")
    return Server(process, url)


@contextmanager
def side(kind: Kind, **extra: str) -> Iterator[Side]:
    """Servers that run, and a bot that does not yet. `extra`: more environment for the bot."""
    folder = Path(tempfile.mkdtemp(prefix=f"bench-{kind}-"))
    servers: list[Server] = []
    one: Side | None = None
    try:
        servers.append(_server("tests.bench.people"))
        servers.append(
            _server("tests.fakes.model_server", "--script", str(Path(__file__).parent / "model_script.py"))
        )
        one = Side(kind, folder, servers[0], servers[1], extra=extra)
        yield one
    finally:
        if one is not None:
            one.kill()
        for server in servers:
            server.process.kill()
            server.process.wait()
            if server.process.stdout is not None:
                server.process.stdout.close()
        shutil.rmtree(folder, ignore_errors=True)
