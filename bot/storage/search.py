"""Search over many lines: the `memory.index.Index` on one machine, in a file of its own.

Words are looked up in `bot.storage.postings`, meanings by NumPy. Everything in the file can be made again from what
it indexes: one that is damaged is thrown away.
"""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
from collections.abc import AsyncIterator, Callable, Collection, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from bot.storage import postings
from bot.storage.documents import SCHEMA, Change
from bot.storage.vectors import Matrix, Vectors, packed
from memory.dict_index import meaning_of
from memory.errors import EncoderFailed, IndexUnusable
from memory.index import Document, Encoder, Held, Hit, asked_for, choose, worded

T = TypeVar("T")

_BATCH = 256  # documents taken in at a time: what they need in memory stays bounded
_ENCODED = 16  # texts handed to the encoder at a time: what was done is kept if the next ones fail
IDLE = 60.0  # seconds after the last question until the vectors are let go

_PRAGMAS = """
PRAGMA journal_mode = WAL;
PRAGMA synchronous = NORMAL;
PRAGMA busy_timeout = 10000;
PRAGMA cache_size = -1024;
PRAGMA secure_delete = ON;
"""


class SearchIndex:
    """Opened at first need. One call at a time touches the file; questions are short."""

    def __init__(self, path: Path | None, encoder: Encoder | None = None) -> None:
        """`path`: of the file, whose folder is made; None = in memory."""
        self._path = path
        self._encoder = encoder
        self._turn = asyncio.Lock()
        self._database: sqlite3.Connection | None = None
        self._vectors: Matrix | None = None  # all vectors; None = not needed yet
        self._marks: dict[str, str] | None = None
        self._generation = -1  # of the file, when the two above were read; another process may write too
        self._idle: asyncio.TimerHandle | None = None

    async def put(self, documents: Sequence[Document], mark: str = "") -> None:
        """Take documents in, in the order in which they were said. Raises `IndexUnusable`."""
        for at in range(0, len(documents), _BATCH):
            batch = documents[at : at + _BATCH]
            await self._do(lambda batch=batch: self._writing(lambda change: change.put(batch)))  # type: ignore[misc]
        if mark:
            await self._do(lambda: self._writing(lambda change: change.mark("", mark)))

    async def clear(self) -> None:
        """Forget everything. Raises `IndexUnusable`."""
        await self._do(lambda: self._writing(lambda change: change.clear()))

    async def drop(self, ids: Sequence[str]) -> None:
        """Forget documents; unknown ids are passed over. Raises `IndexUnusable`."""
        await self._do(lambda: self._writing(lambda change: change.drop(ids)))

    async def marks(self) -> Mapping[str, str]:
        """Group → the mark of what is held of it. Raises `IndexUnusable`."""
        return await self._do(self._marked)

    async def hold(self, groups: Mapping[str, Held], gone: Collection[str] = ()) -> None:
        """Make these groups hold exactly this, and forget others. Raises `IndexUnusable`."""
        await self._do(lambda: self._writing(lambda change: change.hold(groups, gone)))

    async def understand(self, most: int | None = None) -> int:
        """Give up to `most` documents the meanings they still lack, newest first; how many lack them yet.

        Nothing waits for the encoder meanwhile, and a document that changes meanwhile keeps lacking its own.
        Raises `IndexUnusable`.
        """
        done, failed = 0, False
        while self._encoder is not None and not failed and (most is None or done < most):
            size = _ENCODED if most is None else min(_ENCODED, most - done)
            due = await self._do(lambda size=size: self._due(size))  # type: ignore[misc]
            if not due:
                return 0
            try:
                vectors = await self._encoder.passages([text for _, _, text in due])
            except EncoderFailed:
                failed = True
                continue
            kept = np.asarray(vectors, np.float32)
            await self._do(lambda due=due, kept=kept: self._keep(due, kept))  # type: ignore[misc]
            done += len(due)
        return await self._do(self._lacking)

    async def find(
        self,
        words: str,
        most: int = 10,
        *,
        among: Collection[str] | None = None,
        also: str = "",
        meant: bool = True,
    ) -> list[Hit]:
        """The documents that answer best, best first; fewer than `most` only when the index holds fewer.

        Raises `IndexUnusable`.
        """
        if most < 1 or not words.strip():
            return []
        question = None
        if meant and self._encoder is not None:
            with contextlib.suppress(EncoderFailed):  # words alone
                question = (await self._encoder.queries([words]))[0]
        found = await self._do(lambda: self._find(asked_for(words, also), question, most, among))
        self._rest_later()
        return found

    async def close(self) -> None:
        """Close the file; the next call opens it again."""
        if self._idle is not None:
            self._idle.cancel()
        async with self._turn:
            await asyncio.to_thread(self._disconnect)

    def _rest_later(self) -> None:
        """Let go of the vectors when nobody has asked for a while: idle, they would be most of what the bot needs."""
        if self._idle is not None:
            self._idle.cancel()
        self._idle = asyncio.get_running_loop().call_later(IDLE, self._rest)

    def _rest(self) -> None:
        if not self._turn.locked():
            self._vectors = None

    # ---- in a thread, one at a time

    async def _do(self, work: Callable[[], T]) -> T:
        async with self._turn:
            return await asyncio.to_thread(self._guarded, work)

    def _guarded(self, work: Callable[[], T]) -> T:
        """Work on the open file. What is damaged is thrown away, so that the next call makes it anew."""
        try:
            self._look()
            return work()
        except (sqlite3.Error, OSError) as error:
            self._disconnect()
            if any(
                sign in str(error) for sign in ("not a database", "malformed", "no such", "has no column")
            ):
                self._throw_away()
            raise IndexUnusable from error

    def _look(self) -> None:
        """Open, and forget what was read when another process has written since."""
        if self._database is None:
            self._database = self._connect()
        generation = int(self._database.execute("SELECT generation FROM totals").fetchone()[0])
        if generation != self._generation:
            self._vectors, self._marks, self._generation = None, None, generation

    def _connect(self) -> sqlite3.Connection:
        if self._path is not None:
            self._path.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(self._path or ":memory:", check_same_thread=False, isolation_level=None)
        try:
            connection.executescript(_PRAGMAS)
            connection.executescript(SCHEMA)
        except sqlite3.Error:
            connection.close()
            raise
        return connection

    def _disconnect(self) -> None:
        if self._database is not None:
            self._database.close()
        self._database, self._vectors, self._marks, self._generation = None, None, None, -1

    def _throw_away(self) -> None:
        if self._path is not None:
            for end in ("", "-wal", "-shm"):
                with contextlib.suppress(OSError):
                    Path(f"{self._path}{end}").unlink()

    @property
    def _open(self) -> sqlite3.Connection:
        assert self._database is not None
        return self._database

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """All of it or nothing. Between the look before it and its begin another process may have written."""
        database = self._open
        database.execute("BEGIN IMMEDIATE")
        try:
            self._look()
            yield database
            database.execute("UPDATE totals SET generation = generation + 1")
            database.execute("COMMIT")
        except BaseException:
            if database.in_transaction:
                database.execute("ROLLBACK")
            raise
        self._generation += 1

    def _writing(self, work: Callable[[Change], None]) -> None:
        """One transaction: what is held, its words and its marks change together or not at all."""
        with self._transaction() as database:
            change = Change(database, self._generation + 1)
            work(change)
            change.settle()
        if change.forgot:  # what is forgotten is not in the log beside the file either
            self._open.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        self._marks = None
        if change.emptied:
            self._vectors = None
        if self._vectors is not None:
            for row in change.touched:
                self._vectors.drop(row)

    def _marked(self) -> dict[str, str]:
        if self._marks is None:
            self._marks = dict(self._open.execute("SELECT place, mark FROM marks"))
        return self._marks

    def _due(self, most: int) -> list[tuple[int, int, str]]:
        """(row, revision, what its vector is made of) of documents that lack one."""
        found = self._open.execute(
            "SELECT row, revision, id, place, text, head, over FROM documents WHERE vector IS NULL"
            " ORDER BY row DESC LIMIT ?",
            (most,),
        )
        return [
            (row, revision, meaning_of(Document(id, text, place, head=head), over))
            for row, revision, id, place, text, head, over in found
        ]

    def _lacking(self) -> int:
        return int(self._open.execute("SELECT count(*) FROM documents WHERE vector IS NULL").fetchone()[0])

    def _keep(self, due: Sequence[tuple[int, int, str]], vectors: Vectors) -> None:
        """Store vectors of the documents that are still what they were."""
        kept = [
            (row, revision, packed(vector)) for (row, revision, _), vector in zip(due, vectors, strict=True)
        ]
        with self._transaction() as database:
            stored = [
                (row, blob)
                for row, revision, blob in kept
                if database.execute(
                    "UPDATE documents SET vector = ? WHERE row = ? AND revision = ?", (blob, row, revision)
                ).rowcount
            ]
        if self._vectors is not None:
            for row, blob in stored:
                self._vectors.put(row, blob)

    def _loaded(self) -> Matrix:
        """All vectors, read once and kept in step from then on."""
        if self._vectors is None:
            found = self._open.execute(
                "SELECT row, vector FROM documents WHERE vector IS NOT NULL ORDER BY row"
            ).fetchall()
            self._vectors = Matrix([row for row, _ in found], [vector for _, vector in found])
        return self._vectors

    def _find(
        self, asked: Sequence[str], question: Vectors | None, most: int, among: Collection[str] | None
    ) -> list[Hit]:
        database = self._open
        size = int(database.execute("SELECT coalesce(max(row), 0) FROM documents").fetchone()[0]) + 1
        allowed = None if among is None else self._rows(among)
        found = postings.look_up(database, asked)
        own, context = worded(found, postings.totals(database), size, allowed)
        rows, cosines = np.zeros(0, np.int64), None
        if question is not None:
            vectors = self._loaded()
            rows, cosines = vectors.rows, vectors.cosines(question)
        chosen = choose(own, context, rows, cosines, most, allowed)
        ids = self._ids([each.row for each in chosen])
        hits = [Hit(ids[each.row], each.score, each.cosine, each.worded) for each in chosen]
        if len(hits) < most:  # few lines, none with a vector: the rest follow as they come
            marks = "" if allowed is None else f"WHERE row IN ({','.join(map(str, allowed.tolist()))})"
            more = database.execute(f"SELECT id FROM documents {marks} ORDER BY row LIMIT ?", (most,))
            seen = set(ids.values())
            hits += [Hit(id, 0.0, 0.0, False) for (id,) in more if id not in seen][: most - len(hits)]
        return hits

    def _rows(self, ids: Collection[str]) -> NDArray[np.int64]:
        """Rows of these ids, as far as they are held."""
        wanted, rows = list(ids), list[int]()
        for at in range(0, len(wanted), 500):
            part = wanted[at : at + 500]
            marks = ",".join("?" * len(part))
            found = self._open.execute(f"SELECT row FROM documents WHERE id IN ({marks})", part)
            rows += [row for (row,) in found]
        return np.array(rows, np.int64)

    def _ids(self, rows: Sequence[int]) -> dict[int, str]:
        marks = ",".join("?" * len(rows))
        return dict(self._open.execute(f"SELECT row, id FROM documents WHERE row IN ({marks})", list(rows)))


@asynccontextmanager
async def open_index(path: Path | None, encoder: Encoder | None = None) -> AsyncIterator[SearchIndex]:
    """The index in a file (None = in memory), closed at the end."""
    index = SearchIndex(path, encoder)
    try:
        yield index
    finally:
        await index.close()
