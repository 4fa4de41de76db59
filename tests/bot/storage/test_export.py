"""A plain zip that anything can open, whole or not at all."""

from __future__ import annotations

import asyncio
import csv
import hashlib
import io
import zipfile
from pathlib import Path

import pytest

from bot.storage.export import COLUMNS, export
from tests.bot.desks import Rig


def contents(target: Path, file: str) -> tuple[list[str], bytes, bytes]:
    """(names, the picture, the table) of a zip that lies alone in its folder."""
    assert [path.name for path in target.parent.glob(".*")] == []
    with zipfile.ZipFile(target) as archive:
        assert archive.testzip() is None
        return sorted(archive.namelist()), archive.read(file), archive.read("archive/index.csv")


async def test_pictures_sidecars_and_a_table(rig: Rig, tmp_path: Path) -> None:
    row = await rig.filed("代码笔记", "解包", text="=HYPERLINK(1)", tags=["a", "b"])
    gone = await rig.filed("Trips", "lost")
    target, rows = tmp_path / "out.zip", await rig.library().all()
    await asyncio.to_thread((rig.home / "me" / gone.file).unlink)
    found = await asyncio.to_thread(export, rig.home / "me", rows, target)
    assert (found.count, [each.number for each in found.missing]) == (1, [2])
    names, data, raw = await asyncio.to_thread(contents, target, row.file)
    assert names == sorted([row.file, row.file.removesuffix(".png") + ".md", "archive/index.csv"])
    assert hashlib.sha256(data).hexdigest() == row.blob
    assert raw.startswith(b"\xef\xbb\xbf")
    [head, line] = csv.reader(io.StringIO(raw.decode("utf-8-sig")))
    assert tuple(head) == COLUMNS
    assert line[:3] == ["1", "代码笔记", "解包"]
    assert line[4] == "a, b"
    assert line[-1] == "'=HYPERLINK(1)", "no table program runs it"


def test_nothing_is_written_over(tmp_path: Path) -> None:
    target = tmp_path / "out.zip"
    target.write_bytes(b"mine")
    with pytest.raises(FileExistsError):
        export(tmp_path, [], target)
    assert target.read_bytes() == b"mine"
    with pytest.raises(OSError, match="No such file"):
        export(tmp_path, [], tmp_path / "nowhere" / "out.zip")
