"""Files by their bytes."""

from __future__ import annotations

import asyncio
import hashlib
from pathlib import Path

import pytest

from bot.errors import HomeUnwritable
from bot.storage.blobs import Blobs


async def test_kept_once_under_their_hash(tmp_path: Path) -> None:
    blobs = Blobs(tmp_path / "blobs")
    names = await asyncio.gather(*(blobs.put(b"picture") for _ in range(8)))
    assert set(names) == {hashlib.sha256(b"picture").hexdigest()}
    assert await blobs.get(names[0]) == b"picture"
    assert [path for path in (tmp_path / "blobs").rglob("*") if path.is_file()] == [blobs.path(names[0])]


async def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "blobs").write_bytes(b"")
    with pytest.raises(HomeUnwritable):
        await Blobs(tmp_path / "blobs").put(b"picture")


async def test_only_what_is_needed_stays(tmp_path: Path) -> None:
    blobs = Blobs(tmp_path / "blobs")
    await blobs.keep_only(set())  # nothing there yet
    needed, done = await blobs.put(b"needed"), await blobs.put(b"done")
    left = blobs.path(done).with_name(".half-written")
    left.write_bytes(b"x")
    await blobs.keep_only({needed})
    assert await blobs.get(needed) == b"needed"
    assert not left.exists()
    with pytest.raises(FileNotFoundError):
        await blobs.get(done)
