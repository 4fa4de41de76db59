"""What was found, to be looked at: one picture of thumbnails, made when it is asked for, kept until it is sent.

Beside it lies a folder of the same name with each thumbnail alone, for a channel that can send them as an album.
"""

from __future__ import annotations

import asyncio
import hashlib
import shutil
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from bot.storage.archive import Archive
from bot.storage.records import FilingRow
from classifiers.errors import Unreadable
from classifiers.sheet import sheet, small
from classifiers.types import Picture

Look = Callable[[bytes, str], Awaitable[Picture]]
"""Decode a file where a hostile one harms nobody. Raises `Unreadable`."""

KEPT = 20  # sheets that wait to be sent, or were


@dataclass(frozen=True, slots=True)
class Thumbnail:
    """One picture of a sheet."""

    label: str  # "#7"
    path: Path


def thumbnails(sheet: Path) -> list[Thumbnail]:
    """What a sheet shows, in its order; nothing when the picture is no sheet, or they are gone."""
    return [
        Thumbnail(path.stem.partition(" ")[2], path)
        for path in sorted(sheet.with_suffix("").glob("* #*.jpg"))
    ]


class Sheets:
    """Of one person. `folder` is nobody's but ours: what lies in it can be made again."""

    def __init__(self, archive: Archive, folder: Path, look: Look) -> None:
        self._archive = archive
        self._folder = folder
        self._look = look

    async def make(self, rows: Sequence[FilingRow]) -> Path:
        """The sheet of these pictures, in this order."""
        shown = [(f"#{row.number}", await self._copy(row)) for row in rows]
        return await asyncio.to_thread(self._draw, shown)

    async def _copy(self, row: FilingRow) -> bytes:
        data = await asyncio.to_thread(self._archive.read, (row.file, *row.leaving))
        if data is None:
            return b""
        try:
            return (await self._look(data, row.name)).jpeg
        except Unreadable:
            return b""

    def _draw(self, shown: Sequence[tuple[str, bytes]]) -> Path:
        data = sheet(shown)
        path = self._folder / f"{hashlib.sha256(data).hexdigest()[:16]}.jpg"
        alone = path.with_suffix("")
        alone.mkdir(parents=True, exist_ok=True)
        for place, (label, jpeg) in enumerate(shown):
            if jpeg:
                (alone / f"{place:02} {label}.jpg").write_bytes(small(jpeg))
        path.write_bytes(data)
        for old in sorted(self._folder.glob("*.jpg"), key=lambda each: each.stat().st_mtime)[:-KEPT]:
            old.unlink(missing_ok=True)
            shutil.rmtree(old.with_suffix(""), ignore_errors=True)
        return path
