"""One process a home: an advisory lock that the kernel drops with the process, so it is never left behind."""

from __future__ import annotations

import errno
import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from bot.errors import HomeBusy, HomeUnwritable
from bot.types import Language

FILE = "kairos.lock"


@dataclass(frozen=True, slots=True)
class Holder:
    """Who runs a home."""

    pid: int
    command: str  # e.g. "kairos run"
    since: datetime  # aware

    def named(self, language: Language) -> str:
        """Names the process, so that a person can find and stop it."""
        since = self.since.astimezone().strftime("%Y-%m-%d %H:%M:%S")
        if language == "zh":
            return f"`{self.command}`（进程号 {self.pid}，自 {since} 起）"
        return f"`{self.command}` (pid {self.pid}, since {since})"


@contextmanager
def taken(home: Path, command: str, language: Language = "en") -> Iterator[None]:
    """Hold the home's lock; `command` is what a second process will be told about us.

    `flock` goes with the open file, and Python's files are not inherited through `exec`: after `kill -9` the
    home is free, whatever worker processes are left.

    Raises:
        HomeBusy: another process holds it; the message names that process.
        HomeUnwritable: the home or its lock file cannot be written.
    """
    try:
        home.mkdir(parents=True, exist_ok=True)
        lock = os.open(home / FILE, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as problem:
        raise HomeUnwritable(_unwritable(home, problem, language)) from problem
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as problem:
            if problem.errno not in {errno.EWOULDBLOCK, errno.EACCES}:
                raise HomeUnwritable(_unwritable(home, problem, language)) from problem
            raise HomeBusy(_busy(home, language)) from problem
        _sign(lock, command)
        yield
    finally:
        os.close(lock)  # which drops the lock; the file stays, for removing it would let two in


def held(home: Path) -> bool:
    """Whether a process runs this home right now."""
    try:
        lock = os.open(home / FILE, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return True
    else:
        return False
    finally:
        os.close(lock)


def holder(home: Path) -> Holder | None:
    """Who wrote their name into the lock last; None when nobody has, or it cannot be read.

    It says nothing about whether that process still lives: only taking the lock tells.
    """
    try:
        found = json.loads((home / FILE).read_text(encoding="utf-8"))
        return Holder(int(found["pid"]), str(found["command"]), datetime.fromisoformat(found["since"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _sign(lock: int, command: str) -> None:
    """Write our name. A full disk must not keep the bot from running: then the lock is held unnamed."""
    name = {"pid": os.getpid(), "command": command, "since": datetime.now(UTC).isoformat(timespec="seconds")}
    try:
        os.ftruncate(lock, 0)
        os.pwrite(lock, json.dumps(name, ensure_ascii=False).encode(), 0)
    except OSError:
        return


def _busy(home: Path, language: Language) -> str:
    found = holder(home)
    if language == "zh":
        return f"已经有一个 Kairos 在用这个目录：{found.named(language) if found else home}。"
    return f"Another Kairos already runs in this home: {found.named(language) if found else home}."


def _unwritable(home: Path, problem: OSError, language: Language) -> str:
    why = problem.strerror or str(problem)
    if language == "zh":
        return f"不能写入目录 {home}（{why}）。请检查权限和磁盘空间，或用 --home 换一个目录。"
    return f"Cannot write to {home} ({why}). Check its permissions and free space, or pass another --home."
