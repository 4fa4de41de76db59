"""One process a home, and never a lock that outlives its process."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from bot.errors import HomeBusy, HomeUnwritable
from bot.lock import FILE, held, holder, taken

HOLD = """
import sys, time
from pathlib import Path
from bot.lock import taken
with taken(Path(sys.argv[1]), "kairos run"):
    print("held", flush=True)
    time.sleep(60)
"""


def hold(home: Path) -> subprocess.Popen[str]:
    process = subprocess.Popen([sys.executable, "-c", HOLD, str(home)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def end(process: subprocess.Popen[str]) -> None:
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert process.stdout is not None
    process.stdout.close()


def test_a_second_one_is_refused_and_the_first_named(tmp_path: Path) -> None:
    process = hold(tmp_path)
    try:
        assert held(tmp_path)
        with (
            pytest.raises(HomeBusy, match=rf"`kairos run` \(pid {process.pid}, since 20"),
            taken(tmp_path, "x"),
        ):
            pass
        with pytest.raises(HomeBusy, match=f"进程号 {process.pid}"), taken(tmp_path, "x", "zh"):
            pass
    finally:
        end(process)


def test_kill_9_leaves_it_free(tmp_path: Path) -> None:
    process = hold(tmp_path)
    end(process)
    assert not held(tmp_path)
    with taken(tmp_path, "kairos say"):
        found = holder(tmp_path)
        assert found is not None
        assert (found.pid, found.command) == (os.getpid(), "kairos say")
        with pytest.raises(HomeBusy), taken(tmp_path, "again"):
            pass
    assert not held(tmp_path)


def test_children_do_not_inherit_it(tmp_path: Path) -> None:
    """A worker process that outlives a killed bot must not keep the home."""
    with taken(tmp_path, "parent"):
        code = "print(flush=True); input()"
        child = subprocess.Popen(
            [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, close_fds=False
        )
        assert child.stdout is not None
        child.stdout.readline()  # the kernel closes our files a moment after `Popen` returns
    try:
        with taken(tmp_path, "next"):
            pass
    finally:
        child.communicate(b"\n")


def test_a_home_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    with pytest.raises(HomeUnwritable, match="file"), taken(tmp_path / "file" / "home", "x"):
        pass
    with pytest.raises(HomeUnwritable, match="不能写入"), taken(tmp_path / "file", "x", "zh"):
        pass


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"pid": "x"}', '{"pid": 1, "command": "a", "since": "never"}']
)
def test_a_garbled_lock_file_names_nobody(tmp_path: Path, text: str) -> None:
    (tmp_path / FILE).write_text(text, encoding="utf-8")
    assert holder(tmp_path) is None
    with taken(tmp_path, "x"):
        assert holder(tmp_path) is not None
