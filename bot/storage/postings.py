"""Which documents hold a term, in SQLite: packed blocks of rows, so that a question reads a few blobs and no text.

The words half of `bot.storage.search`, behind two calls, so that another database can have its own. It is not FTS5:
scoring each match one by one, that needs 3 ms a question and table at 10,000 lines, and thirty at 100,000.
"""

from __future__ import annotations

import sqlite3
import struct
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from memory.index import Postings, Totals
from memory.words import has_han, terms

SCHEMA = """
CREATE TABLE IF NOT EXISTS postings (
    term TEXT NOT NULL, block INTEGER NOT NULL, entries BLOB NOT NULL, PRIMARY KEY (term, block)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS totals (
    one INTEGER PRIMARY KEY CHECK (one = 1), documents INTEGER NOT NULL, own INTEGER NOT NULL,
    context INTEGER NOT NULL, generation INTEGER NOT NULL
);
INSERT OR IGNORE INTO totals VALUES (1, 0, 0, 0, 0);
"""
_BLOCK = 1_024  # rows: a common word's blob stays below 8 kB, which is what adding one line rewrites
_ENTRY = np.dtype(
    [("at", "<u2"), ("own", "u1"), ("context", "u1"), ("own_length", "<u2"), ("context_length", "<u2")]
)
_PACKED = struct.Struct("<HBBHH")  # the same
_MOST_TIMES, _MOST_TERMS = 255, 65_535
_LAST = "\U0010ffff"  # sorts after every other character


@dataclass(frozen=True, slots=True)
class Worded:
    """The terms of one document."""

    own: Counter[str]
    context: Counter[str]  # these, and those of what stands before it

    @classmethod
    def of(cls, own: str, over: str) -> Worded:
        """Count the terms of a document and of what stands before it."""
        counted = Counter(terms(own))
        return cls(counted, counted + Counter(terms(over)) if over else counted)

    def entry(self, term: str, at: int) -> tuple[int, int, int, int, int]:
        """What a block holds of it."""
        return (
            at,
            min(self.own[term], _MOST_TIMES),
            min(self.context[term], _MOST_TIMES),
            min(self.own.total(), _MOST_TERMS),
            min(self.context.total(), _MOST_TERMS),
        )


Changes = Mapping[int, tuple[Worded | None, Worded | None]]
"""Row → its terms before and now; None = there is no such document."""


def write(database: sqlite3.Connection, changes: Changes) -> None:
    """Bring blocks and totals in step, within the transaction that is open."""
    cells: dict[tuple[str, int], dict[int, tuple[int, int, int, int, int] | None]] = defaultdict(dict)
    documents = own = context = 0
    for row, (before, now) in changes.items():
        block, at = divmod(row, _BLOCK)
        for each, sign in ((before, -1), (now, 1)):
            if each is not None:
                documents += sign
                own += sign * each.own.total()
                context += sign * each.context.total()
        for term in before.context if before else ():
            cells[term, block][at] = None
        for term in now.context if now else ():
            assert now is not None
            cells[term, block][at] = now.entry(term, at)
    for (term, block), entries in sorted(cells.items()):
        _rewrite(database, term, block, entries)
    database.execute(
        "UPDATE totals SET documents = documents + ?, own = own + ?, context = context + ?",
        (documents, own, context),
    )


def _rewrite(
    database: sqlite3.Connection,
    term: str,
    block: int,
    entries: Mapping[int, tuple[int, int, int, int, int] | None],
) -> None:
    """One term's block with some rows' entries replaced or gone."""
    found = database.execute(
        "SELECT entries FROM postings WHERE term = ? AND block = ?", (term, block)
    ).fetchone()
    new = b"".join(_PACKED.pack(*entry) for _, entry in sorted(entries.items()) if entry is not None)
    if found is not None:
        blob = bytes(found[0])
        if _PACKED.unpack_from(blob, len(blob) - _PACKED.size)[0] >= min(
            entries
        ):  # not only added at the end
            old = np.frombuffer(blob, _ENTRY)
            kept = old[~np.isin(old["at"], list(entries))].tobytes()
            mixed = np.frombuffer(kept + new, _ENTRY)
            new = mixed[np.argsort(mixed["at"], kind="stable")].tobytes()
        else:
            new = blob + new
    if new:
        database.execute("INSERT OR REPLACE INTO postings VALUES (?, ?, ?)", (term, block, new))
    elif found is not None:
        database.execute("DELETE FROM postings WHERE term = ? AND block = ?", (term, block))


def totals(database: sqlite3.Connection) -> Totals:
    """Of all documents."""
    return Totals(*database.execute("SELECT documents, own, context FROM totals").fetchone())


def look_up(database: sqlite3.Connection, asked: Iterable[str]) -> list[Postings]:
    """Where each term stands; one Han character stands for every term that it begins."""
    found = []
    for term in asked:
        alone = len(term) == 1 and has_han(term)
        end = f"{term}{_LAST}" if alone else term
        blocks = database.execute(
            "SELECT block, entries FROM postings WHERE term BETWEEN ? AND ?", (term, end)
        ).fetchall()
        if blocks:
            joined = _joined(blocks)
            found.append(_summed(joined) if alone else joined)
    return found


def _joined(blocks: list[tuple[int, bytes]]) -> Postings:
    entries = np.frombuffer(b"".join(blob for _, blob in blocks), _ENTRY)
    sizes = [len(blob) // _ENTRY.itemsize for _, blob in blocks]
    first = np.repeat(np.array([block * _BLOCK for block, _ in blocks], np.int64), sizes)
    return Postings(
        first + entries["at"],
        *(entries[name] for name in ("own", "context", "own_length", "context_length")),
    )


def _summed(found: Postings) -> Postings:
    """With one entry a row."""
    rows, first, inverse = np.unique(found.rows, return_index=True, return_inverse=True)
    own, context = (
        np.bincount(inverse, weights=times).astype(np.int64) for times in (found.own, found.context)
    )
    return Postings(rows, own, context, found.own_length[first], found.context_length[first])
