"""What was found, to be looked at: one picture of thumbnails, made when it is asked for, kept until it is sent."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

from bot.storage.archive import Archive
from bot.storage.records import FilingRow
from classifiers.errors import Unreadable
from classifiers.sheet import sheet
from classifiers.types import Picture

Look = Callable[[bytes, str], Awaitable[Picture]]
"""Decode a file where a hostile one harms nobody. Raises `Unreadable`."""

KEPT = 20  # sheets that wait to be sent, or were


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
        self._folder.mkdir(parents=True, exist_ok=True)
        path = self._folder / f"{hashlib.sha256(data).hexdigest()[:16]}.jpg"
        path.write_bytes(data)
        for old in sorted(self._folder.glob("*.jpg"), key=lambda each: each.stat().st_mtime)[:-KEPT]:
            old.unlink(missing_ok=True)
        return path
