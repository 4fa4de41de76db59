"""An index in memory, for as many documents as fit there: what memory searches when it is handed no other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memory.errors import EncoderFailed
from memory.index import (
    Document,
    Encoder,
    Held,
    Hit,
    Postings,
    Totals,
    asked_for,
    choose,
    worded,
)
from memory.words import has_han, terms

_BATCH = 64  # texts handed to the encoder at a time


@dataclass(frozen=True, slots=True)
class _Row:
    """A document with what stands before it."""

    document: Document
    meaning: str  # what its vector is made of
    own: Counter[str]
    context: Counter[str]


class DictIndex:
    """Keeps `memory.index.Index`."""

    def __init__(self, encoder: Encoder | None = None) -> None:
        self._encoder = encoder
        self._documents: dict[str, Document] = {}  # in the order in which they came
        self._marks: dict[str, str] = {}
        self._rows: list[_Row] | None = None  # None = something changed
        self._counted: dict[str, Counter[str]] = {}
        self._vectors: dict[str, NDArray[np.float32]] = {}

    async def put(self, documents: Sequence[Document], mark: str = "") -> None:
        """Take documents in."""
        if mark:
            self._marks[""] = mark
        for each in documents:
            known = self._documents.get(each.id)
            if known is not None and known.group != each.group:
                del self._documents[each.id]
            self._documents[each.id] = each
        self._rows = None

    async def drop(self, ids: Sequence[str]) -> None:
        """Forget documents."""
        for id in ids:
            self._documents.pop(id, None)
        self._rows = None

    async def clear(self) -> None:
        """Forget everything."""
        self._documents, self._marks, self._rows = {}, {}, None

    async def marks(self) -> Mapping[str, str]:
        """Group → mark."""
        return self._marks

    async def hold(self, groups: Mapping[str, Held], gone: Collection[str] = ()) -> None:
        """Make these groups hold exactly this."""
        leaving = {*groups, *gone}
        self._documents = {id: each for id, each in self._documents.items() if each.group not in leaving}
        for group, wanted in groups.items():
            self._documents.update((each.id, each) for each in wanted.documents)
            self._marks[group] = wanted.mark
        for group in gone:
            self._marks.pop(group, None)
        self._rows = None

    async def understand(self, most: int | None = None) -> int:
        """Give documents their meanings."""
        rows = self._laid_out()
        lacking = list(
            dict.fromkeys(row.meaning for row in reversed(rows) if row.meaning not in self._vectors)
        )
        if self._encoder is None:
            return len(lacking)
        due, left = (lacking if most is None else lacking[:most]), len(lacking)
        for at in range(0, len(due), _BATCH):
            batch = due[at : at + _BATCH]
            try:
                self._vectors.update(zip(batch, await self._encoder.passages(batch), strict=True))
            except EncoderFailed:
                break
            left -= len(batch)
        return left

    async def find(
        self,
        words: str,
        most: int = 10,
        *,
        among: Collection[str] | None = None,
        also: str = "",
        meant: bool = True,
    ) -> list[Hit]:
        """The documents that answer best, best first."""
        if most < 1 or not words.strip():
            return []
        question = None
        if meant and self._encoder is not None:
            try:
                question = (await self._encoder.queries([words]))[0]
            except EncoderFailed:
                question = None  # words alone
        rows = self._laid_out()
        may = set(among) if among is not None else {row.document.id for row in rows}
        allowed = np.array([n for n, row in enumerate(rows) if row.document.id in may], np.int64)
        own, context = worded(self._postings(asked_for(words, also)), self._totals(), len(rows), allowed)
        known = [n for n, row in enumerate(rows) if row.meaning in self._vectors]
        cosines = None
        if question is not None and known:
            cosines = np.stack([self._vectors[rows[n].meaning] for n in known]) @ question
        chosen = choose(own, context, np.array(known, np.int64), cosines, most, allowed)
        seen = {each.row for each in chosen}
        rest = [n for n in allowed.tolist() if n not in seen][: most - len(chosen)]
        return [Hit(rows[each.row].document.id, each.score, each.cosine, each.worded) for each in chosen] + [
            Hit(rows[n].document.id, 0.0, 0.0, False) for n in rest
        ]

    def _laid_out(self) -> list[_Row]:
        if self._rows is None:
            before: dict[str, str] = {}
            rows = []
            for each in self._documents.values():
                over = each.head or before.get(each.group, "")
                before[each.group] = each.text
                rows.append(self._row(each, over))
            self._rows = rows
            kept = {row.meaning for row in rows}
            self._vectors = {text: each for text, each in self._vectors.items() if text in kept}
        return self._rows

    def _row(self, document: Document, over: str) -> _Row:
        meaning = meaning_of(document, over)
        return _Row(
            document,
            meaning,
            self._count(document.own),
            self._count(f"{over}\n{document.own}" if over else document.own),
        )

    def _count(self, text: str) -> Counter[str]:
        if text not in self._counted:
            if len(self._counted) > 4 * len(self._documents) + 1_000:
                self._counted.clear()
            self._counted[text] = Counter(terms(text))
        return self._counted[text]

    def _totals(self) -> Totals:
        rows = self._laid_out()
        return Totals(
            len(rows), sum(row.own.total() for row in rows), sum(row.context.total() for row in rows)
        )

    def _postings(self, asked: Sequence[str]) -> list[Postings]:
        found = []
        rows = self._laid_out()
        for term in asked:
            times = _counting(term)
            there = [
                (n, times(row.own), count, row.own.total(), row.context.total())
                for n, row in enumerate(rows)
                if (count := times(row.context))
            ]
            if there:
                found.append(Postings(*(np.array(column, np.int64) for column in zip(*there, strict=True))))
        return found


def _counting(term: str) -> Callable[[Counter[str]], int]:
    """How often a term stands among others; one Han character counts wherever it begins one."""
    if len(term) == 1 and has_han(term):
        return lambda counted: sum(n for other, n in counted.items() if other.startswith(term))
    return lambda counted: counted[term]


def meaning_of(document: Document, over: str) -> str:
    """What a document's vector is made of: its words after what was said before them; a title stands for no words."""
    return document.text if document.head or not over else f"{over}\n{document.text}"
