"""The records of pictures, from the folder alone."""

from __future__ import annotations

import asyncio
import hashlib
import shutil
import zipfile
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from bot.storage.archive import Archive
from bot.storage.export import export
from bot.storage.folder import walk
from bot.storage.rebuild import Rebuild, Rebuilt, Unread
from bot.storage.records import FilingRow
from bot.storage.tables import categories, filings
from tests.bot.desks import ZONE, Rig


async def look(data: bytes, name: str) -> str:
    return "" if data.startswith(b"no picture") else "00" * 32


async def rebuild(rig: Rig) -> Rebuilt:
    rows, archive, editing = rig.storage.filings, Archive(rig.home / "me"), rig.library().edit
    return await Rebuild(rows, archive, "me", editing, look=look, embed=None).run(ZONE)


async def forget(rig: Rig) -> None:
    await rig.storage.database.do(sa.delete(filings), sa.delete(categories))


async def filed(rig: Rig, category: str, title: str, **values: Any) -> FilingRow:
    sha256 = hashlib.sha256(f"me{category}{title}".encode()).hexdigest()
    return await rig.filed(category, title, sha256=sha256, **values)


def said(row: FilingRow) -> tuple[object, ...]:
    return (
        row.number,
        row.category,
        row.title,
        row.tags,
        row.text,
        row.summary,
        row.rule,
        row.at,
        row.state,
        row.file,
    )


async def test_all_is_as_it_was(rig: Rig) -> None:
    one = await filed(
        rig, "代码/笔记", "a *b* 标题: 1", text="```\nx\n", tags=["t"], summary="s", rule="规则「x」"
    )
    two = await filed(rig, "Trips", "two", text="Gate B7")
    three = await filed(rig, "Trips", "three")
    await rig.library().edit.delete([three])
    before = sorted(path for path in (rig.home / "me").rglob("*") if path.is_file())
    await forget(rig)
    assert await rebuild(rig) == Rebuilt(taken=3)
    assert [said(row) for row in await rig.library().all()] == [said(one), said(two)]
    assert [row.number for row in await rig.library().binned()] == [3]
    assert {each.name for each in await rig.library().categories()} == {"代码/笔记", "Trips"}
    assert sorted(path for path in (rig.home / "me").rglob("*") if path.is_file()) == before
    assert await rebuild(rig) == Rebuilt(known=3), "twice is once"
    assert [row.number for row in await rig.library().search("gate b7")] == [2]
    assert (await filed(rig, "Trips", "next")).number == 4


async def test_taken_out_wiped_and_brought_back(rig: Rig, tmp_path: Path) -> None:
    """What `kairos archive export` gives is enough to have everything again elsewhere."""
    await filed(rig, "代码笔记", "解包", text="a, b = row", tags=["t"], summary="s")
    await filed(rig, "Trips", "two", text="Gate B7")
    before = await rig.library().all()
    target = tmp_path / "all.zip"
    await asyncio.to_thread(export, rig.home / "me", before, target)
    await forget(rig)
    await asyncio.to_thread(shutil.rmtree, rig.home / "me" / "archive")
    await asyncio.to_thread(_unpack, target, rig.home / "me")
    assert (await rebuild(rig)).taken == 2
    after = await rig.library().all()
    assert [(*said(row), row.sha256) for row in after] == [(*said(row), row.sha256) for row in before]
    for row in after:
        data = await asyncio.to_thread((rig.home / "me" / row.file).read_bytes)
        assert hashlib.sha256(data).hexdigest() == row.sha256


def _unpack(target: Path, folder: Path) -> None:
    with zipfile.ZipFile(target) as archive:
        archive.extractall(folder, [name for name in archive.namelist() if not name.endswith(".csv")])


async def test_without_sidecars_names_and_folders_speak(rig: Rig) -> None:
    row = await filed(rig, "Trips", "Boarding pass")
    (rig.home / "me" / row.file).with_suffix(".md").unlink()
    (rig.home / "me/archive/From phone").mkdir()
    (rig.home / "me/archive/From phone/IMG_7.png").write_bytes(b"new")
    (rig.home / "me/archive/From phone/notes.txt").write_bytes(b"no picture")
    await forget(rig)
    found = await rebuild(rig)
    assert (found.taken, found.unread) == (3, ())
    rows = {row.title: row for row in await rig.library().all()}
    assert (rows["Boarding pass"].number, rows["Boarding pass"].category) == (1, "Trips")
    assert rows["Boarding pass"].at.astimezone(ZONE).date().isoformat() == "2026-09-01"
    assert rows["IMG_7"].category == "From phone"
    assert rows["notes"].state == "kept_unread"
    assert sorted(row.number or 0 for row in rows.values()) == [1, 2, 3]
    assert (rig.home / "me" / rows["IMG_7"].file).with_suffix(".md").is_file()


async def test_copies_and_numbers_that_two_claim(rig: Rig) -> None:
    row = await filed(rig, "A", "one")
    home = rig.home / "me"
    shutil.copy(home / row.file, home / "archive/A/one #1 copy.png")
    (home / "archive/A/aaa #1.png").write_bytes(b"another")
    await forget(rig)
    found = await rebuild(rig)
    assert found == Rebuilt(
        2, 0, (Unread("archive/A/one #1 copy.png", 1),), (("archive/A/aaa #1.png", 1, 2),)
    )
    assert [(row.number, row.title) for row in await rig.library().all()] == [(1, "one"), (2, "aaa")]
    assert "archive/A/one #1 copy.png" in [each.file for each in await asyncio.to_thread(walk, home)]


async def test_a_folder_that_is_not_there(rig: Rig) -> None:
    assert await rebuild(rig) == Rebuilt()
