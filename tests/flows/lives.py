"""The service as a process that can be killed, on a fake Telegram and a fake model, and what its disk then holds."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import IO, Any

from tests.fakes.model_answers import Answer, Behaviour, Request, calls, hangs
from tests.fakes.model_server import FakeModelServer
from tests.fakes.telegram_server import FakeTelegram

OWNER = 7
ROOT = str(Path(__file__).parents[2])
RULE = "keep answers short"
SAID = re.compile(rf"^(?:message \d|are you there\?|{RULE})$", re.MULTILINE)  # what tests say


def play(request: Request) -> Answer | str:
    """A main model that keeps a rule and else says what it heard, a judge, and an extractor that finds nothing."""
    if request.tools:
        if request.messages[-1]["role"] == "tool":
            return "Noted."
        heard = SAID.findall(request.last)
        if heard == [RULE]:
            return calls(("remember", {"text": RULE, "quote": RULE, "kind": "instruction"}))
        return f"heard: {', '.join(heard)}"
    if "file one picture" in str(request.messages[0]["content"]):
        filing = {"category": "", "new_category": "收据", "title": "a title", "confidence": 0.9}
        return json.dumps(filing, ensure_ascii=False)
    return json.dumps({"changes": []})


def hanging(wanted: Callable[[Request], bool]) -> Callable[[Request], Answer | str]:
    """The same, but what is `wanted` is never answered."""
    return lambda request: hangs() if wanted(request) else play(request)


class Lives:
    """One home, and one process after another that runs it."""

    def __init__(
        self,
        home: Path,
        tg: FakeTelegram,
        model: FakeModelServer,
        output: IO[bytes],
        *,
        allowed: Sequence[int] = (OWNER,),
    ) -> None:
        self.home = home
        self.tg = tg
        self.model = model
        self.process: subprocess.Popen[bytes] | None = None
        self.output = output  # what the processes print
        self.allowed = allowed  # who may talk
        self.started = 0.0
        self.first = 0.0  # seconds the first start took until it heard, which tells how busy this machine is

    def _environment(self) -> dict[str, str]:
        return {
            **os.environ,
            "PYTHONPATH": os.pathsep.join([ROOT, os.environ.get("PYTHONPATH", "")]),
            "LANG": "en_US.UTF-8",
            "KAIROS_HOME": str(self.home),
            "KAIROS_MODEL": "fake",
            "KAIROS_MODEL_BASE_URL": self.model.base_url,
            "KAIROS_MODEL_API_KEY": "key",
            "KAIROS_TELEGRAM_TOKEN": self.tg.token,
            "KAIROS_TELEGRAM_BASE_URL": self.tg.root,
            "KAIROS_TELEGRAM_ALLOWED": ",".join(map(str, self.allowed)),
        }

    async def doctor(self) -> tuple[int, dict[str, dict[str, Any]]]:
        """`kairos doctor`: its exit code and its checks by name."""
        command = [sys.executable, "-m", "bot.cli", "doctor", "--json"]
        done = await asyncio.to_thread(
            subprocess.run, command, capture_output=True, cwd=ROOT, env=self._environment(), check=False
        )
        return done.returncode, {each["name"]: each for each in json.loads(done.stdout)}

    def start(self) -> None:
        """A new process; returns at once."""
        self.started = time.monotonic()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "bot.cli", "run"],
            stdout=self.output,
            stderr=subprocess.STDOUT,
            cwd=ROOT,
            env=self._environment(),
        )

    def kill(self) -> None:
        """`kill -9`."""
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    async def end(self) -> int:
        """SIGTERM; returns the exit code."""
        assert self.process is not None
        self.process.send_signal(signal.SIGTERM)
        return await asyncio.to_thread(self.process.wait, 30)

    async def listening(self) -> None:
        """Until it hears."""
        polls = self.tg.polls
        await self.until(lambda: self.tg.polls > polls + 1)
        self.first = self.first or time.monotonic() - self.started

    @property
    def soon(self) -> float:
        """Seconds from a start to the answers: 5, or more on a machine that is busy with other things."""
        return max(5.0, 3 * self.first)

    async def until(self, condition: Callable[[], object], seconds: float = 60) -> None:
        """Until it holds, looked at every millisecond."""
        end = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < end, f"not within {seconds} s; {self._told()}"
            assert self.process is None or self.process.poll() is None, f"it ended; {self._told()}"
            await asyncio.sleep(0.001)

    def _told(self) -> str:
        self.output.seek(0)
        logs = "".join(path.read_text(encoding="utf-8") for path in self.home.glob("logs/*"))
        printed = self.output.read().decode("utf-8", "replace")
        return f"sent so far: {self.texts()}\nprinted: {printed[-3000:]}\nlog: {logs[-3000:]}"

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """What the database says; nothing while there is none, or while it is busy."""
        try:
            with closing(sqlite3.connect(f"file:{self.home}/kairos.sqlite?mode=ro", uri=True)) as database:
                return database.execute(query).fetchall()
        except sqlite3.OperationalError:
            return []

    def texts(self) -> list[str]:
        """What the person was told, in order."""
        return [sent.text for sent in self.tg.sent(OWNER)]

    def files(self, pattern: str = "*") -> list[Path]:
        """Everything in the person's folder that matches, hidden files too."""
        return sorted(path for path in (self.home / "me").rglob(pattern) if path.is_file())

    def settled(self) -> bool:
        """Nothing is due any more."""
        due = (
            "select 1 from messages where not answered or not extracted",
            "select 1 from filings where state = 'due'",
            "select 1 from outbox where state = 'unsent'",
        )
        return bool(self.rows("select 1 from messages")) and not any(self.rows(query) for query in due)

    def check(self, pictures: list[bytes]) -> None:
        """The disk holds each picture once, whole, with its sidecar; the journal can be read; nothing is left over."""
        archived = self.files("archive/*/*.png")
        assert sorted(path.read_bytes() for path in archived) == sorted(pictures)
        numbers = [row[0] for row in self.rows("select number from filings where state = 'filed'")]
        assert sorted(numbers) == list(range(1, len(pictures) + 1))
        for path in archived:
            head, _, rest = (
                path.with_suffix(".md").read_text(encoding="utf-8").removeprefix("---\n").partition("---")
            )
            assert f"#{json.loads(head.partition('number: ')[2].partition(chr(10))[0])}." in path.name
            assert rest.strip()
        assert len(self.files("archive/*/*")) == 2 * len(archived)
        assert [path for path in self.files() if path.suffix in (".part", ".tmp")] == []
        for path in self.files("journal.jsonl"):
            for line in path.read_text(encoding="utf-8").splitlines():
                json.loads(line)


@asynccontextmanager
async def lives(
    home: Path, reply: Behaviour = play, allowed: Sequence[int] = (OWNER,)
) -> AsyncIterator[Lives]:
    """Servers and a home; whatever still runs at the end is killed."""
    with tempfile.TemporaryFile() as output:
        async with FakeTelegram() as tg, FakeModelServer(reply) as model:
            made = Lives(home, tg, model, output, allowed=allowed)
            try:
                yield made
            finally:
                if made.process is not None and made.process.poll() is None:
                    made.kill()
