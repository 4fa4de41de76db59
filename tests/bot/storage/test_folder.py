"""What lies in the archive folder, whoever put it there."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from bot.storage.folder import Found, elsewhere, sha256_of, walk


def test_pictures_are_seen_and_nothing_else(tmp_path: Path) -> None:
    seen = ["archive/A/x #1.png", "archive/A/deep/er/y.heic", "archive/z.pdf", "bin/gone #2.jpg"]
    for name in (
        *seen,
        "archive/A/x #1.md",
        "archive/A/.x.part",
        "archive/.obsidian/a.png",
        "archive/A/.DS_Store",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(b"x")
    assert [found.file for found in walk(tmp_path)] == sorted(seen)
    assert walk(tmp_path / "nobody") == []


@pytest.mark.parametrize(
    ("file", "folder", "title", "number", "dated"),
    [
        ("archive/A/2026-09-01 title #3.png", "A", "title", 3, "2026-09-01"),
        ("archive/A/B/title ＃12.png", "A/B", "title", 12, ""),
        ("archive/IMG_01.png", "", "IMG_01", None, ""),
        ("archive/A/#3 first.png", "A", "#3 first", None, ""),
        ("archive/A/2026-09-01 #7.png", "A", "", 7, "2026-09-01"),
        ("archive/Cafe\u0301/x #0012.png", "Café", "x", 12, ""),
    ],
)
def test_what_a_name_says(file: str, folder: str, title: str, number: int | None, dated: str) -> None:
    found = Found(file, False)
    assert (found.folder, found.title, found.number, found.dated) == (folder, title, number, dated)


def test_bytes_and_clouds(tmp_path: Path) -> None:
    (tmp_path / ".a.png.icloud").write_bytes(b"")
    (tmp_path / "b.png").write_bytes(b"b")
    assert elsewhere(tmp_path, "a.png")
    assert not elsewhere(tmp_path, "b.png")
    assert sha256_of(tmp_path / "b.png") == hashlib.sha256(b"b").hexdigest()
    assert sha256_of(tmp_path / "a.png") == ""
