"""Search over many lines: SQLite FTS5 for words, NumPy for meaning; the `memory.index.Index` on one machine.

The stock tokenizers find no two-character Chinese word, so FTS5 is fed tokens that are cut here: pairs of Han
characters, and words of the rest, which it stems itself. Everything in it can be made again from what it indexes.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import numpy as np

from bot.errors import HomeUnwritable
from bot.storage.vectors import Matrix, Vectors
from memory.index import Document, Encoder, Hit, asked, blend, risen
from memory.words import tokens

POOL = 300  # candidates that each of the three ways of looking brings
_BATCH = 256  # documents taken in at a time: what they need in memory stays bounded

_SCHEMA = """
PRAGMA journal_mode = WAL;
PRAGMA synchronous = NORMAL;
PRAGMA busy_timeout = 10000;
CREATE TABLE IF NOT EXISTS documents (
    row INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, place TEXT NOT NULL, text TEXT NOT NULL,
    said TEXT NOT NULL, vector BLOB
);
CREATE INDEX IF NOT EXISTS documents_of_place ON documents (place, row);
CREATE VIRTUAL TABLE IF NOT EXISTS own USING fts5 (words, tokenize = 'porter unicode61');
CREATE VIRTUAL TABLE IF NOT EXISTS context USING fts5 (words, tokenize = 'porter unicode61');
"""
_BEFORE = "SELECT max(row) FROM documents WHERE place = ? AND row < ?"
_AFTER = "SELECT min(row) FROM documents WHERE place = ? AND row > ?"


class SearchIndex:
    """Open with `open_index`. One call at a time touches the database; questions are short."""

    def __init__(self, connection: sqlite3.Connection, encoder: Encoder | None) -> None:
        self._database = connection
        self._encoder = encoder
        self._turn = asyncio.Lock()
        self._vectors: Matrix | None = None  # all vectors; None = not needed yet

    async def put(self, documents: Sequence[Document]) -> None:
        """Take documents in, in the order in which they were said. Raises `HomeUnwritable`."""
        for at in range(0, len(documents), _BATCH):
            async with self._turn:
                changed = await asyncio.to_thread(self._write, documents[at : at + _BATCH])
                await self._understand(changed)

    async def drop(self, ids: Sequence[str]) -> None:
        """Forget documents; unknown ids are passed over. Raises `HomeUnwritable`."""
        async with self._turn:
            changed = await asyncio.to_thread(self._delete, ids)
            await self._understand(changed)

    async def find(self, words: str, most: int = 10) -> list[Hit]:
        """The documents that answer best, best first; fewer than `most` only when the index holds fewer."""
        if most < 1 or not words.strip():
            return []
        question = None
        if self._encoder is not None:
            question = (await self._encoder.queries([words]))[0]
        async with self._turn:
            return await asyncio.to_thread(self._find, words, question, most)

    # ---- in a thread, one at a time

    def _find(self, words: str, question: Vectors | None, most: int) -> list[Hit]:
        pool = max(POOL, most)
        own, context = (self._worded(table, words, pool) for table in ("own", "context"))
        near: dict[int, tuple[float, float]] = {}  # row: cosine, how far it stands out
        if question is not None:
            vectors = self._loaded()
            rows, cosines = vectors.rows, vectors.cosines(question)
            meaning = risen(cosines)
            known = {*own, *context}
            best = list(range(rows.size))
            if rows.size > pool:
                top = np.argpartition(-cosines, pool)[:pool].tolist()
                best = [*top, *np.flatnonzero(np.isin(rows, list(known))).tolist()]
            near = {int(rows[i]): (float(cosines[i]), float(meaning[i])) for i in best}
        candidates = sorted({*own, *context, *near})
        if len(candidates) < most:  # few lines, none with a vector: the rest follow as they come
            more = self._database.execute("SELECT row FROM documents ORDER BY row LIMIT ?", (pool,))
            candidates = sorted({*candidates, *(row for (row,) in more)})
        scores = blend(
            np.array([own.get(row, 0.0) for row in candidates]),
            np.array([context.get(row, 0.0) for row in candidates]),
            np.array([near.get(row, (0.0, 0.0))[1] for row in candidates]) if near else None,
        )
        order = np.argsort(-scores, kind="stable")[:most].tolist()
        found = [candidates[i] for i in order]
        marks = ",".join("?" * len(found))
        ids = dict(self._database.execute(f"SELECT row, id FROM documents WHERE row IN ({marks})", found))
        return [
            Hit(ids[row], float(scores[i]), near.get(row, (0.0, 0.0))[0], row in own or row in context)
            for i, row in zip(order, found, strict=True)
        ]

    def _worded(self, table: str, words: str, most: int) -> dict[int, float]:
        """BM25 of the best documents that share a word: row → score, unscaled."""
        terms = [part for token in asked(words) for part in token.replace("’", "'").split("'") if part]
        if not terms:
            return {}
        query = " OR ".join(f'"{term}"' for term in dict.fromkeys(terms))
        found = self._database.execute(
            f"SELECT rowid, -rank FROM {table} WHERE {table} MATCH ? ORDER BY rank LIMIT ?", (query, most)
        )
        return {row: max(score, 1e-9) for row, score in found}

    def _write(self, documents: Sequence[Document]) -> dict[int, str]:
        """Store documents; returns the rows whose meaning is due, with the words that carry it."""
        touched: set[int] = set()
        with _writing(self._database) as database:
            for each in documents:
                known = database.execute(
                    "SELECT row, place FROM documents WHERE id = ?", (each.id,)
                ).fetchone()
                values = (_whole(each.group), _whole(each.text), _whole(each.when))
                if known is not None and known[1] == values[0]:
                    row = int(known[0])
                    database.execute(
                        "UPDATE documents SET place = ?, text = ?, said = ? WHERE row = ?", (*values, row)
                    )
                else:
                    if known is not None:
                        touched |= self._remove(int(known[0]), str(known[1]))
                    cursor = database.execute(
                        "INSERT INTO documents (id, place, text, said) VALUES (?, ?, ?, ?)",
                        (each.id, *values),
                    )
                    row = int(cursor.lastrowid or 0)
                touched |= {row, *self._neighbour(_AFTER, values[0], row)}
            return self._index(touched)

    def _delete(self, ids: Iterable[str]) -> dict[int, str]:
        touched: set[int] = set()
        with _writing(self._database) as database:
            for id in ids:
                known = database.execute("SELECT row, place FROM documents WHERE id = ?", (id,)).fetchone()
                if known is not None:
                    touched |= self._remove(int(known[0]), str(known[1]))
                    touched.discard(int(known[0]))
            return self._index(touched)

    def _remove(self, row: int, place: str) -> set[int]:
        """Take one out; returns the one after it, whose context that was."""
        follower = self._neighbour(_AFTER, place, row)
        for table, key in (("documents", "row"), ("own", "rowid"), ("context", "rowid")):
            self._database.execute(f"DELETE FROM {table} WHERE {key} = ?", (row,))
        if self._vectors is not None:
            self._vectors.drop(row)
        return follower

    def _neighbour(self, query: str, place: str, row: int) -> set[int]:
        found = self._database.execute(query, (place, row)).fetchone()[0]
        return set() if found is None else {int(found)}

    def _index(self, rows: Iterable[int]) -> dict[int, str]:
        """Write the words of rows anew; returns what their vectors are to be made of."""
        due: dict[int, str] = {}
        get = "SELECT place, text, said FROM documents WHERE row = ?"
        for row in sorted(rows):
            found = self._database.execute(get, (row,)).fetchone()
            if found is None:
                continue
            place, text, said = found
            before = [
                self._database.execute(get, (n,)).fetchone()[1] for n in self._neighbour(_BEFORE, place, row)
            ]
            due[row] = "\n".join([*before, text])
            for table, words in (("own", f"{text}\n{said}"), ("context", f"{due[row]}\n{said}")):
                self._database.execute(f"DELETE FROM {table} WHERE rowid = ?", (row,))
                self._database.execute(
                    f"INSERT INTO {table} (rowid, words) VALUES (?, ?)", (row, " ".join(tokens(words)))
                )
            self._database.execute("UPDATE documents SET vector = NULL WHERE row = ?", (row,))
        return due

    async def _understand(self, due: dict[int, str]) -> None:
        """Give rows their vectors."""
        if self._encoder is None or not due:
            return
        vectors = await self._encoder.passages(list(due.values()))
        await asyncio.to_thread(self._keep, list(due), np.asarray(vectors, np.float32))

    def _keep(self, rows: list[int], vectors: Vectors) -> None:
        with _writing(self._database) as database:
            database.executemany(
                "UPDATE documents SET vector = ? WHERE row = ?",
                [(vector.tobytes(), row) for row, vector in zip(rows, vectors, strict=True)],
            )
        if self._vectors is not None:
            for row, vector in zip(rows, vectors, strict=True):
                self._vectors.put(row, vector)

    def _loaded(self) -> Matrix:
        """All vectors, read once and kept in step from then on."""
        if self._vectors is None:
            found = self._database.execute(
                "SELECT row, vector FROM documents WHERE vector IS NOT NULL ORDER BY row"
            ).fetchall()
            joined = np.frombuffer(bytearray().join(vector for _, vector in found), np.float32)
            self._vectors = Matrix(
                [row for row, _ in found], joined.reshape(len(found), -1) if found else None
            )
        return self._vectors


class _writing:  # noqa: N801 - reads as a verb where it is used
    """One transaction; a disk that is full or cannot be written to ends in `HomeUnwritable`."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database

    def __enter__(self) -> sqlite3.Connection:
        self._database.execute("BEGIN IMMEDIATE")
        return self._database

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: object) -> None:
        if kind is None:
            self._database.execute("COMMIT")
            return
        if self._database.in_transaction:
            self._database.execute("ROLLBACK")
        if isinstance(error, sqlite3.OperationalError):
            raise HomeUnwritable() from error


def _whole(text: str) -> str:
    """Without halves of characters and NULs, which no database takes."""
    return text.encode("utf-8", "replace").decode("utf-8").replace("\0", " ")


@asynccontextmanager
async def open_index(path: Path | None, encoder: Encoder | None = None) -> AsyncIterator[SearchIndex]:
    """The index in a file (None = in memory). Raises `HomeUnwritable`."""

    def connect() -> sqlite3.Connection:
        connection = sqlite3.connect(path or ":memory:", check_same_thread=False, isolation_level=None)
        connection.executescript(_SCHEMA)
        return connection

    try:
        connection = await asyncio.to_thread(connect)
    except sqlite3.OperationalError as error:
        raise HomeUnwritable() from error
    try:
        yield SearchIndex(connection, encoder)
    finally:
        await asyncio.to_thread(connection.close)
