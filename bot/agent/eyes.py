"""Pictures opened and read once, whoever asks: the turn that talks about one and the job that files it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from bot.storage.blobs import Blobs
from bot.storage.filings import Filings
from classifiers.ports import Read
from classifiers.types import Picture, Reading

Open = Callable[[bytes, str], Awaitable[Picture]]
"""Decode a file. Raises `Unreadable`."""


class Eyes:
    """Opens by blob, reads by picture; two askers at once share one reading."""

    def __init__(self, open_: Open, read: Read, blobs: Blobs, filings: Filings) -> None:
        self._open = open_
        self._read = read
        self._blobs = blobs
        self._filings = filings
        self._reading: dict[str, asyncio.Task[Reading]] = {}

    async def open(self, blob: str, name: str) -> Picture:
        """A stored file as a picture. Raises `Unreadable`."""
        return await self._open(await self._blobs.get(blob), name)

    async def read(self, picture: Picture) -> Reading:
        """The text in a picture, from the table when it was read before. Raises `ReadingFailed`."""
        known = await self._filings.reading(picture.sha256)
        if known is not None:
            return known
        task = self._reading.get(picture.sha256)
        if task is None:
            task = asyncio.create_task(self._read_once(picture), name=f"read-{picture.sha256[:8]}")
            self._reading[picture.sha256] = task
            task.add_done_callback(lambda _: self._reading.pop(picture.sha256, None))
        return await asyncio.shield(task)

    async def _read_once(self, picture: Picture) -> Reading:
        reading = await self._read(picture)
        await self._filings.keep_reading(picture.sha256, reading)
        return reading
