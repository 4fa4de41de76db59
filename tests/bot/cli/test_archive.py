"""`kairos archive`: rescan, rebuild and export, of a home of files."""

from __future__ import annotations

import json
import zipfile
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.cli import run
from bot.storage.archive import Archive, Item

ITEM = Item(
    3, "Trips", "Boarding pass", "To Lyon.", ("air",), "Gate B7", datetime(2026, 9, 1, tzinfo=UTC), ".png"
)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    home = tmp_path / "home"
    Archive(home / "me").write(ITEM, b"no picture at all")
    return home


def heard(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> str:
    assert run(list(words)) == code
    return capsys.readouterr().out


def test_rebuild_then_all_the_others(home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    at = ("--home", str(home))
    assert "1 taken in, 0 known before" in heard(capsys, "archive", "rebuild", *at)
    assert json.loads(heard(capsys, "archive", "rebuild", "--json", *at))["known"] == 1
    [row] = json.loads(heard(capsys, "filings", "--json", *at))
    assert (row["number"], row["title"], row["text"], row["tags"]) == (3, "Boarding pass", "Gate B7", ["air"])
    assert "The folder and the records agree." in heard(capsys, "archive", "rescan", *at)
    old = home / "me" / ITEM.file
    (home / "me/archive/Work").mkdir()
    old.rename(home / "me/archive/Work" / old.name)
    assert "#3: [Trips] → [Work]" in heard(capsys, "archive", "rescan", *at)
    zipped = tmp_path / "out.zip"
    assert "1 pictures exported" in heard(capsys, "archive", "export", str(zipped), *at)
    with zipfile.ZipFile(zipped) as archive:
        assert "archive/Work/2026-09-01 Boarding pass #3.png" in archive.namelist()
    heard(capsys, "archive", "export", str(zipped), *at, code=1)
    assert "problem" in json.loads(heard(capsys, "archive", "export", str(zipped), "--json", *at, code=1))
    heard(capsys, "archive", "export", str(tmp_path / "no" / "x.zip"), *at, code=1)


def test_an_empty_home(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("rescan", "rebuild"):
        assert heard(capsys, "archive", command, "--home", str(tmp_path / "new"))


def test_who_runs_is_named_when_rebuilding(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from bot.lock import taken

    with taken(home, "kairos run"):
        assert run(["archive", "rebuild", "--home", str(home)]) != 0
    assert "kairos run" in capsys.readouterr().err
