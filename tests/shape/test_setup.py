"""Two commands on a fresh machine: what they do again, and what they say when they cannot."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.shape.tree import ROOT

pytestmark = pytest.mark.skipif(not shutil.which("make"), reason="no make on this machine")
INSTALL = "-m pip install"
ENVIRONMENT = {
    name: value
    for name, value in os.environ.items()
    if not name.startswith(("MAKE", "MFLAGS", "PYTHON", "ARGS"))
}


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A folder as somebody may name it, with what the set-up reads, set up a moment ago."""
    folder = tmp_path / "my files" / "kairos (1)'s"
    (folder / ".ci").mkdir(parents=True)
    for name in ("Makefile", "pyproject.toml", "constraints.txt", ".ci/venv"):
        shutil.copy(ROOT / name, folder / name)
    _set_up(folder)
    return folder


def _set_up(folder: Path, *stamps: str) -> None:
    (folder / ".venv").mkdir(exist_ok=True)
    (folder / ".venv/where").write_text(f"{folder.resolve()}\n", encoding="utf-8")
    for stamp in stamps or ("installed", "installed-dev"):
        (folder / ".venv" / stamp).touch()


def _would(folder: Path, target: str) -> str:
    """What make would do."""
    return _make(folder, "-n", target)


def _make(folder: Path, *arguments: str) -> str:
    """As from a shell, not as part of the make that may run these tests."""
    ran = subprocess.run(
        ["make", *arguments], cwd=folder, capture_output=True, text=True, check=True, env=ENVIRONMENT
    )
    return ran.stdout


def _venv(folder: Path, python: str, path: str = "/usr/bin:/bin") -> subprocess.CompletedProcess[str]:
    environment = {**ENVIRONMENT, "PYTHON": python, "PATH": path}
    return subprocess.run(
        ["sh", ".ci/venv"], cwd=folder, capture_output=True, text=True, check=False, env=environment
    )


def _python(folder: Path, name: str, script: str) -> str:
    """A stand-in for a Python of another kind."""
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    path.chmod(0o755)
    return str(path)


def test_the_second_run_sets_nothing_up(clone: Path) -> None:
    assert _would(clone, "run").strip() == ".venv/bin/kairos chat"
    assert _would(clone, "test").strip() == ".venv/bin/python -m pytest"


def test_the_tests_tools_are_added_to_what_is_there(clone: Path) -> None:
    (clone / ".venv/installed-dev").unlink()
    assert INSTALL not in _would(clone, "run")
    assert INSTALL in _would(clone, "test")


@pytest.mark.parametrize("name", ["pyproject.toml", "constraints.txt"])
def test_new_requirements_are_installed(clone: Path, name: str) -> None:
    later = (clone / ".venv/installed").stat().st_mtime + 10
    os.utime(clone / name, (later, later))
    assert INSTALL in _would(clone, "run")
    assert INSTALL in _would(clone, "test")


def test_a_folder_that_was_moved_is_set_up_again(clone: Path) -> None:
    moved = clone.rename(clone.with_name("elsewhere"))
    assert INSTALL in _would(moved, "run")


def test_an_old_python_gets_one_sentence(clone: Path) -> None:
    old = _python(clone, "python3.9", 'case "$1" in --version) echo Python 3.9.2;; *) exit 1;; esac')
    ended = _venv(clone, old, path=_only_sh(clone))
    assert ended.returncode == 1
    assert ended.stderr.splitlines() == [
        "Kairos needs Python 3.11 or newer, but found Python 3.9.2: install one,"
        " or name it with PYTHON=/path/to/python3."
    ]


def test_a_missing_venv_module_gets_one_sentence(clone: Path) -> None:
    bare = _python(clone, "python3", 'case "$*" in *ensurepip*) exit 1;; *) exit 0;; esac')
    ended = _venv(clone, bare)
    assert ended.returncode == 1
    assert "apt install python3-venv" in ended.stderr
    assert len(ended.stderr.splitlines()) == 1


def test_help_lists_every_target(clone: Path) -> None:
    shown = _make(clone)
    assert all(f"make {target}" in shown for target in ("run", "test", "check", "clean"))


def _only_sh(folder: Path) -> str:
    """A PATH with a shell and no Python."""
    bins = folder / "bin"
    bins.mkdir()
    for name in ("sh", "cat", "pwd"):
        (bins / name).symlink_to(f"/bin/{name}")
    return str(bins)
