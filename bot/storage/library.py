"""One person's filed pictures: find them, move them."""

from __future__ import annotations

import asyncio
import unicodedata
from dataclasses import replace

from bot.errors import KairosError
from bot.storage.archive import Archive, Item
from bot.storage.filings import Filings
from bot.storage.records import FilingRow
from bot.storage.shelf import HEAD, local
from classifiers.ports import Embed


def _plain(text: str) -> str:
    """NFKC, lower case, letters and digits only: OCR glues words and people do not type what it glued."""
    return "".join(c for c in unicodedata.normalize("NFKC", text).casefold() if c.isalnum())


class Library:
    """Bound to one person at birth."""

    def __init__(
        self, rows: Filings, archive: Archive, person: str, *, embed: Embed | None, zone: object
    ) -> None:
        self._rows = rows
        self._archive = archive
        self._person = person
        self._embed = embed
        self._zone = zone

    async def all(self) -> list[FilingRow]:
        """Every filed picture, by number."""
        return await self._rows.all(self._person)

    async def numbered(self, number: int) -> FilingRow | None:
        """The picture known as `#number`, when it lies in the archive."""
        return await self._rows.numbered(self._person, number)

    async def newest(self) -> FilingRow | None:
        """The picture filed last."""
        return await self._rows.newest(self._person)

    async def category_names(self) -> list[str]:
        """The person's categories."""
        return [each.name for each in await self._rows.categories(self._person)]

    async def search(self, words: str, most: int = 8) -> list[FilingRow]:
        """Pictures by the words in them, their titles and categories, or their meaning; best first."""
        rows = await self.all()
        words = words[:HEAD]
        wanted = [plain for each in words.split() if (plain := _plain(each))]
        scores = {row.id: _lexical(row, wanted, _plain(words)) for row in rows}
        for row_id, cosine in await self._likeness(words):
            if row_id in scores:  # not one that was filed since
                scores[row_id] += max(0.0, cosine - 0.82) * 3
        best = sorted(rows, key=lambda row: (-scores[row.id], -(row.number or 0)))
        return [row for row in best if scores[row.id] > 0.15][:most]

    async def _likeness(self, words: str) -> list[tuple[int, float]]:
        """(row id, cosine) of every picture that has a vector; nothing where this machine has no encoder."""
        known, matrix = await self._rows.vectors(self._person)
        if self._embed is None or not known:
            return []
        try:
            vector = (await self._embed([words]))[0]
        except KairosError:
            return []
        return [(row.id, float(cosine)) for row, cosine in zip(known, matrix @ vector, strict=True)]

    async def move(self, row: FilingRow, category: str) -> FilingRow:
        """Put a picture into another category, on disk and in the database; remembered as a correction."""
        corrected = replace(row, category=category, rule=None, why="")
        await self._rows.add_category(self._person, category)
        await self._shift(corrected)
        await self._rows.update(
            row.id,
            category=category,
            leaving=[],
            corrected=True,
            rule=None,
            why="",
            confidence=1.0,
            runner_up=None,
        )
        return await self._rows.get(row.id)

    async def settle(self, row: FilingRow) -> None:
        """Bring the disk back to what the row says, after a move that a crash cut short."""
        await self._shift(row)
        await self._rows.update(row.id, leaving=[])

    async def _shift(self, row: FilingRow) -> None:
        """Move the file to where its row's category wants it; the row names both places before anything moves."""
        item = Item(
            number=row.number or 0,
            category=row.category,
            title=row.title,
            summary=row.summary,
            tags=row.tags,
            text=row.text,
            at=local(row.at, self._zone),
            extension="." + row.file.rsplit(".", 1)[-1],
            rule=row.rule,
            why=row.why,
        )
        leaving = [file for file in dict.fromkeys((row.file, *row.leaving)) if file and file != item.file]
        await self._rows.update(row.id, file=item.file, leaving=leaving)
        await asyncio.to_thread(self._archive.move, leaving, item)


def _lexical(row: FilingRow, wanted: list[str], whole: str) -> float:
    title, text, category = _plain(row.title + row.summary), _plain(row.text), _plain(row.category)
    score = 0.0
    for word in wanted:
        named = word in category or (category != "" and category in word)
        score += (word in title) * 1.0 + (word in text) * 0.7 + named * 0.6
    score /= max(1, len(wanted))
    return score + (0.5 if len(whole) > 1 and (whole in title or whole in text) else 0.0)
