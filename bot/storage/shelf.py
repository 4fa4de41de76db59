"""The classifiers' `Shelf` for one person and one due filing: the database beside the archive folder."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from bot.errors import KairosError
from bot.storage.archive import Archive, Item
from bot.storage.filings import Filings
from bot.storage.records import FilingRow
from classifiers.fingerprint import distance
from classifiers.ports import Embed
from classifiers.types import Category, Correction, Filing, Picture, Reading

SAME_PICTURE_BITS = 20  # bits of 256 that may differ between two copies of one picture (phash)
HEAD = 600  # characters of a picture's text that its vector stands for


class PersonShelf:
    """Where one person's pictures lie. `row` is the filing that is being shelved."""

    def __init__(
        self,
        rows: Filings,
        archive: Archive,
        row: FilingRow,
        data: bytes,
        *,
        embed: Embed | None,
        zone: object,
    ) -> None:
        self._rows = rows
        self._archive = archive
        self._row = row
        self._data = data
        self._embed = embed
        self._zone = zone

    async def categories(self) -> Sequence[Category]:
        """The closed list."""
        return await self._rows.categories(self._row.person)

    async def _vector(self, text: str) -> NDArray[np.float32] | None:
        """What a text means; None where this machine has no encoder."""
        if self._embed is None or not text.strip():
            return None
        try:
            return np.asarray((await self._embed([text[:HEAD]]))[0], np.float32)
        except KairosError:
            return None

    async def nearest(self, text: str, most: int = 5) -> Sequence[Correction]:
        """The person's own filings nearest in meaning, corrections first."""
        known, matrix = await self._rows.vectors(self._row.person)
        vector = await self._vector(text) if known else None
        if vector is None:
            return []
        likeness = matrix @ vector
        order = np.argsort(-likeness)[: most * 2]
        found = [
            Correction(known[i].text[:200], known[i].category, known[i].corrected, float(likeness[i]))
            for i in order
            if known[i].id != self._row.id
        ]
        return sorted(found, key=lambda each: (not each.corrected, -each.likeness))[:most]

    async def seen(self, sha256: str) -> int | None:
        """The number of the item with these bytes, in the archive or the bin; never the one being shelved."""
        known = await self._rows.with_bytes(self._row.person, sha256)
        if known is None:
            for row in await self._rows.binned(self._row.person):
                if row.blob == sha256 and await self._lies(row):
                    known = row
                    break
        return known.number if known is not None and known.id != self._row.id else None

    async def _lies(self, row: FilingRow) -> bool:
        return await asyncio.to_thread(self._archive.place, (row.file, *row.leaving)) is not None

    async def alike(self, picture: Picture, text: str) -> int | None:
        """A live item that looks the same (≤ 20 of 256 bits) and reads nearly the same."""
        if not picture.phash:
            return None
        hashes = await self._rows.hashes(self._row.person)
        near = [id for id, phash in hashes if distance(picture.phash, phash) <= SAME_PICTURE_BITS]
        for row in await self._rows.of_ids(self._row.person, near):
            if row.id != self._row.id and _overlap(text, row.text) >= 0.8:
                return row.number
        return None

    async def put(self, picture: Picture, reading: Reading, filing: Filing) -> int:
        """Number it, write picture and sidecar, take away what an earlier filing of it left.

        The row stays due: the job ends it, together with the receipt. Where it may lie is in the row before a
        file is touched, so that a crash anywhere repeats the same steps and leaves one picture with one number.
        """
        number = await self._rows.number(self._row.id, self._row.person)
        text = reading.text or picture.page_text
        row = await self._rows.get(self._row.id)
        title = row.title if row.renamed else filing.title  # the person's own outlives every judgement
        item = self.item(number, replace(filing, title=title), text, picture)
        leaving = [file for file in dict.fromkeys((*row.leaving, row.file)) if file and file != item.file]
        await self._rows.update(row.id, file=item.file, leaving=leaving)
        await asyncio.to_thread(self._archive.write, item, self._data, leaving)
        for file in leaving:
            await asyncio.to_thread(self._archive.remove, file)
        await self._rows.add_category(self._row.person, filing.category)
        vector = await self._vector(text)
        await self._rows.update(
            self._row.id,
            category=filing.category,
            title=title,
            summary=filing.summary,
            tags=list(filing.tags),
            text=text,
            rule=filing.rule,
            why=filing.why,
            confidence=filing.confidence,
            runner_up=filing.runner_up,
            sha256=picture.sha256,
            phash=picture.phash,
            vector=None if vector is None else vector.tobytes(),
        )
        return number

    def item(self, number: int, filing: Filing, text: str, picture: Picture) -> Item:
        """What the archive is to hold."""
        return Item(
            number=number,
            category=filing.category,
            title=filing.title,
            summary=filing.summary,
            tags=filing.tags,
            text=text,
            at=local(self._row.at, self._zone),
            extension=picture.extension,
            sha256=picture.sha256,
            rule=filing.rule,
            why=filing.why,
        )


def local(moment: datetime, zone: object) -> datetime:
    """A moment in the person's zone, for file names and dates they read."""
    return moment.astimezone(zone)  # type: ignore[arg-type]


def _overlap(one: str, other: str) -> float:
    """Share of character pairs two texts have in common (1 = the same; two empty texts are the same)."""
    a, b = ({t[i : i + 2] for i in range(len(t) - 1)} for t in (one, other))
    return len(a & b) / len(a | b) if a or b else 1.0
