"""One person's pictures in a search index: kept in step with their rows, asked by words and by what they look like.

The rows are the truth. What was written to them since the last look is taken in before each search, so that no search
reads more pictures than it shows. OCR glues words ("GRANDTOTAL") and mistakes O for 0, and nobody types it so: long
words are also held by their groups of three letters, and words with a digit also with every O as 0.
"""

from __future__ import annotations

import asyncio
import re
import unicodedata
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bot.storage.filings import LIVE, Filings
from bot.storage.records import FilingRow
from bot.storage.shelf import HEAD
from classifiers.ports import Embed
from memory.dict_index import DictIndex
from memory.errors import IndexUnusable
from memory.index import Document, Hit, Index
from memory.words import fold

LONGEST = 20_000  # characters of one picture's text that are searched
GLUED = 6  # letters from which a word may be several, or only begin with the one that is looked for
GROUP = 3  # letters
AT_ONCE = 500  # rows taken in at a time
EMBEDDED_AT_ONCE = 32  # pictures given their meaning within one search; the rest are found by their words
_WORD = re.compile(r"[a-z0-9]{2,}")
_SIGNS = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class ByText:
    """The way of embedding pictures: like with like, by the beginning of the text in them."""

    embed: Embed

    async def passages(self, texts: Sequence[str], /) -> NDArray[np.float32]:
        """Of pictures."""
        return await self.embed([text[:HEAD] for text in texts])

    async def queries(self, texts: Sequence[str], /) -> NDArray[np.float32]:
        """Of questions."""
        return await self.embed([text[:HEAD] for text in texts])


class Gallery:
    """Bound to one person at birth."""

    def __init__(self, rows: Filings, person: str, index: Index) -> None:
        self._rows = rows
        self._person = person
        self._index = index
        self._spare = DictIndex()  # where the index cannot be used
        self._turn = asyncio.Lock()

    async def worded(
        self, words: str, most: int, among: Collection[int] | None = None, *, glued: bool = False
    ) -> list[Hit]:
        """The pictures that share most words with these, best first; `Hit.id` is the row's.

        Args:
            among: rows that may be found; None = all.
            glued: also where the words stand within longer ones, or O is written for 0. Takes longer.
        """
        also = likely(words) if glued else ""
        found = await self._ask(
            lambda index: index.find(words, most, among=_ids(among), also=also, meant=False)
        )
        return [hit for hit in found if hit.worded]

    async def meant(self, words: str, most: int, among: Collection[int] | None = None) -> list[Hit]:
        """The pictures that come nearest in meaning and words, best first."""
        return await self._ask(lambda index: index.find(words, most, among=_ids(among)), meaning=True)

    async def understand(self, most: int | None = None) -> int:
        """Take in what changed and give it its meaning; returns how much lacks it yet. For idle hours."""
        async with self._turn:
            await self._in_step(self._index)
            return await self._index.understand(most)

    async def _ask(
        self, find: Callable[[Index], Awaitable[list[Hit]]], *, meaning: bool = False
    ) -> list[Hit]:
        async with self._turn:
            for index in (self._index, self._spare):
                try:
                    await self._in_step(index)
                    if meaning:
                        await index.understand(EMBEDDED_AT_ONCE)
                    return await find(index)
                except IndexUnusable:
                    continue
        return []

    async def _in_step(self, index: Index) -> None:
        origin = await self._rows.origin(self._person)
        known, _, count = (await index.marks()).get("", "").rpartition(":")
        if known != origin:
            await index.clear()
            count = "0"
        reached = int(count or 0)
        while changed := await self._rows.touched(self._person, reached, AT_ONCE):
            reached = changed[-1][0]
            await index.drop([str(row.id) for _, row in changed if row.state not in LIVE])
            documents = [document(row) for _, row in changed if row.state in LIVE]
            await index.put(documents, mark=f"{origin}:{reached}")


def _ids(rows: Collection[int] | None) -> list[str] | None:
    return None if rows is None else [str(row) for row in rows]


def document(row: FilingRow) -> Document:
    """A picture as an index holds it."""
    head = f"{row.title}\n{row.category} {' '.join(row.tags)}\n{row.summary}"
    text = row.text[:LONGEST]
    return Document(str(row.id), text or row.title, when=_alike(f"{row.title}\n{text}"), head=head)


def spelled(text: str) -> str:
    """As words are compared that OCR has read: letters and digits alone, in one case, every O a 0."""
    return _SIGNS.sub("", unicodedata.normalize("NFKC", text).casefold()).replace("o", "0")


def _alike(text: str) -> str:
    """The groups of letters of long words, and words with a digit in their other spelling."""
    found: dict[str, None] = {}
    for word in _WORD.findall(fold(text)):
        if len(word) >= GLUED:
            found.update(dict.fromkeys(_groups(word)))
        if not word.isalpha() and "o" in word:
            found[word.replace("o", "0")] = None
    return " ".join(found)


def likely(words: str) -> str:
    """What else a text may hold that these words are in."""
    found: dict[str, None] = {}
    for word in _WORD.findall(fold(words)):
        if len(word) > GROUP:
            found.update(dict.fromkeys(_groups(word)))
        if "o" in word:
            found[word.replace("o", "0")] = None
    return " ".join(found)


def _groups(word: str) -> list[str]:
    return [word[at : at + GROUP] for at in range(len(word) - GROUP + 1)]
