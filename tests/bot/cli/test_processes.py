"""The real commands as processes of their own, with no model and real signals."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.timeout(180)]

KAIROS = [sys.executable, "-m", "bot.cli"]
ROOT = str(Path(__file__).parents[3])


def kairos(*arguments: str, stdin: str = "", code: int | None = 0) -> subprocess.CompletedProcess[str]:
    """Run one command to its end; the home is the test's own (KAIROS_HOME)."""
    done = subprocess.run(
        [*KAIROS, *arguments],
        input=stdin,
        capture_output=True,
        encoding="utf-8",
        timeout=90,
        cwd=ROOT,
        env=environment(),
        check=False,
    )
    assert "Traceback" not in done.stdout + done.stderr
    assert code is None or done.returncode == code, done.stdout + done.stderr
    return done


def environment() -> dict[str, str]:
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([ROOT, os.environ.get("PYTHONPATH", "")]),
        "LANG": "en_US.UTF-8",
        "LC_ALL": "",
    }


def say(*arguments: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(kairos("say", "--json", *arguments).stdout)
    return found


class Running:
    """A `kairos run`."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [*KAIROS, "run"],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            cwd=ROOT,
            env=environment(),
        )
        assert self.process.stdout is not None
        self.line = self.process.stdout.readline()

    def end(self, number: int) -> int:
        self.process.send_signal(number)
        try:
            return self.process.wait(30)
        finally:
            if self.process.stdout is not None:
                self.process.stdout.close()


@pytest.fixture
def run() -> Iterator[Callable[[], Running]]:
    made: list[Running] = []

    def start() -> Running:
        made.append(Running())
        return made[-1]

    yield start
    for each in made:
        if each.process.poll() is None:
            each.end(signal.SIGKILL)


def test_a_rule_said_is_a_rule_remembered(home: Path) -> None:
    found = say("以后发票的截图都归到「报销」里")
    assert found["ok"] is True
    assert found["answer"]
    memory = json.loads(kairos("memory", "--json").stdout)
    assert any("报销" in each["text"] for each in memory["rules"]), memory
    assert "报销" in kairos("memory").stdout
    assert "报销" in kairos("memory", "search", "发票").stdout
    assert json.loads(kairos("filings", "--json").stdout) == []
    assert not (home / "kairos.sock").exists()


def test_the_service(home: Path, run: Callable[[], Running]) -> None:
    running = run()
    assert "terminal" in running.line
    refused = kairos("run", code=1)
    assert f"pid {running.process.pid}" in refused.stderr
    assert say("hello")["ok"] is True
    doctor = kairos("doctor", code=None)
    assert f"pid {running.process.pid}" in doctor.stdout
    assert running.end(signal.SIGTERM) == 0
    assert not (home / "kairos.sock").exists()


def test_kill_9_leaves_a_home_that_works(home: Path, run: Callable[[], Running]) -> None:
    running = run()
    running.end(signal.SIGKILL)
    assert (home / "kairos.sock").exists()
    assert say("hello")["ok"] is True
    second = run()
    assert "terminal" in second.line
    assert second.end(signal.SIGINT) == 0


def test_the_bot_is_killed_while_a_message_waits(home: Path, run: Callable[[], Running]) -> None:
    """`say` starts the bot itself and still gets the answer, once."""
    running = run()
    saying = subprocess.Popen(
        [*KAIROS, "say", "--json", "what do you remember?"],
        stdout=subprocess.PIPE,
        encoding="utf-8",
        cwd=ROOT,
        env=environment(),
    )
    time.sleep(1.0)  # at an arbitrary moment
    running.end(signal.SIGKILL)
    out, _ = saying.communicate(timeout=90)
    found = json.loads(out)
    assert found["ok"] is True
    assert found["answer"]


def test_lines_through_a_pipe(home: Path) -> None:
    done = kairos("chat", stdin="my name is Lin\nwhat do you remember?\n")
    assert "Lin" in done.stdout


def test_a_home_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    for command in (["say", "hi"], ["run"], ["doctor"]):
        began = time.monotonic()
        done = kairos("--home", str(tmp_path / "file" / "home"), *command, code=1)
        assert str(tmp_path / "file") in done.stdout + done.stderr
        assert time.monotonic() - began < 30
