"""Pictures opened and read once, whoever asks: the turn that talks about one and the job that files it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from bot.storage.blobs import Blobs
from bot.storage.filings import Filings
from bot.storage.records import FilingRow
from classifiers.errors import other_kind
from classifiers.ports import Read
from classifiers.types import Picture, Reading

Open = Callable[[bytes, str], Awaitable[Picture]]
"""Decode a file. Raises `Unreadable`."""

Paper = Callable[[bytes, str], Awaitable[Reading]]
"""The text of a document that is no picture. Raises `Unreadable`."""

Kept = Callable[[FilingRow], Awaitable[bytes | None]]
"""The bytes of a filed picture as they lie in the archive; None when they do not."""


async def nothing_kept(row: FilingRow) -> bytes | None:
    """For those who have no archive."""
    return None


async def no_paper(data: bytes, name: str) -> Reading:
    """For those who look at pictures only."""
    raise other_kind(name)


class Eyes:
    """Opens by blob, reads by picture; two askers at once share one reading."""

    def __init__(
        self,
        open_: Open,
        read: Read,
        blobs: Blobs,
        filings: Filings,
        *,
        paper: Paper = no_paper,
        kept: Kept = nothing_kept,
    ) -> None:
        self._open = open_
        self._paper = paper
        self._kept = kept
        self._read = read
        self._blobs = blobs
        self._filings = filings
        self._reading: dict[str, asyncio.Task[Reading]] = {}

    async def open(self, blob: str, name: str, row: FilingRow | None = None) -> Picture:
        """A stored file as a picture; `row`: where it was filed, from when on the archive alone keeps it.

        Raises `Unreadable`, or `FileNotFoundError` when it is nowhere any more.
        """
        try:
            data = await self._blobs.get(blob)
        except FileNotFoundError:
            kept = await self._kept(row) if row is not None else None
            if kept is None:
                raise
            data = kept
        return await self._open(data, name)

    async def paper(self, blob: str, name: str) -> Reading:
        """The text of a document, from the table when it was read before. Raises like `open`."""
        known = await self._filings.reading(blob)
        if known is None:
            known = await self._paper(await self._blobs.get(blob), name)
            await self._filings.keep_reading(blob, known)
        return known

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
