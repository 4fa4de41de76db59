"""The documents of a search index: what stands where, and what a transaction does to them."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable, Mapping, Sequence

from bot.storage import postings
from bot.storage.postings import Worded
from memory.index import Document, Held

SCHEMA = f"""
CREATE TABLE IF NOT EXISTS documents (
    row INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, place TEXT NOT NULL, text TEXT NOT NULL,
    said TEXT NOT NULL, head TEXT NOT NULL, over TEXT NOT NULL, revision INTEGER NOT NULL, vector BLOB
);
CREATE INDEX IF NOT EXISTS documents_of_place ON documents (place, row);
CREATE INDEX IF NOT EXISTS documents_due ON documents (row) WHERE vector IS NULL;
CREATE TABLE IF NOT EXISTS marks (place TEXT PRIMARY KEY, mark TEXT NOT NULL) WITHOUT ROWID;
{postings.SCHEMA}
"""
_BEFORE = "SELECT max(row) FROM documents WHERE place = ? AND row < ?"
_AFTER = "SELECT min(row) FROM documents WHERE place = ? AND row > ?"
_GET = "SELECT place, text, said, head, over FROM documents WHERE row = ?"


class Change:
    """What one transaction does to documents; their words follow at its end, each once."""

    def __init__(self, database: sqlite3.Connection, revision: int) -> None:
        self._database = database
        self._revision = revision
        self.emptied = False
        self.forgot = False  # whether words that were held are held no more
        self._before: dict[int, Worded | None] = {}  # rows touched, with their terms as they are indexed

    @property
    def touched(self) -> Collection[int]:
        """Rows whose vectors hold no longer."""
        return self._before

    def put(self, documents: Iterable[Document]) -> None:
        """Take documents in, at their place or, new ones, at the end."""
        for each in documents:
            found = self._database.execute(
                "SELECT row, place FROM documents WHERE id = ?", (each.id,)
            ).fetchone()
            if found is not None and found[1] != _whole(each.group):
                self._remove(int(found[0]))
                found = None
            self._set(each, None if found is None else int(found[0]))

    def drop(self, ids: Iterable[str]) -> None:
        """Forget documents."""
        for id in ids:
            found = self._database.execute("SELECT row FROM documents WHERE id = ?", (id,)).fetchone()
            if found is not None:
                self._remove(int(found[0]))

    def hold(self, groups: Mapping[str, Held], gone: Iterable[str]) -> None:
        """Make groups hold exactly this."""
        for group in gone:
            self._exactly(group, ())
            self._database.execute("DELETE FROM marks WHERE place = ?", (_whole(group),))
        for group, wanted in groups.items():
            self._exactly(group, wanted.documents)
            self.mark(group, wanted.mark)

    def mark(self, group: str, mark: str) -> None:
        """What a group is held as."""
        self._database.execute("INSERT OR REPLACE INTO marks VALUES (?, ?)", (_whole(group), mark))

    def clear(self) -> None:
        """Forget everything."""
        for table in ("documents", "postings", "marks"):
            self._database.execute(f"DELETE FROM {table}")
        self._database.execute("UPDATE totals SET documents = 0, own = 0, context = 0")
        self.emptied = self.forgot = True

    def _exactly(self, group: str, documents: Sequence[Document]) -> None:
        rows = self._database.execute(
            "SELECT id, row, text, said, head FROM documents WHERE place = ? ORDER BY row", (_whole(group),)
        ).fetchall()
        there = {id: (row, (text, said, head)) for id, row, text, said, head in rows}
        wanted = [_whole(each.id) for each in documents]
        kept = [id for id in there if id in set(wanted)]
        moved = kept != wanted[: len(kept)] and not all(each.head for each in documents)
        for id in there if moved else there.keys() - set(wanted):
            self._remove(there[id][0])
        for each in documents:
            row, said = there.get(_whole(each.id), (None, None)) if not moved else (None, None)
            if said != (_whole(each.text), _whole(each.when), _whole(each.head)):
                self._set(each, row)

    def _set(self, document: Document, row: int | None) -> None:
        place = _whole(document.group)
        values = (_whole(document.text), _whole(document.when), _whole(document.head))
        if row is None:
            cursor = self._database.execute(
                "INSERT INTO documents (id, place, text, said, head, over, revision)"
                " VALUES (?, ?, ?, ?, ?, '', ?)",
                (_whole(document.id), place, *values, self._revision),
            )
            row = int(cursor.lastrowid or 0)
            self._before.setdefault(row, None)
        else:
            self._touch(row)
            self.forgot = True
            self._database.execute(
                "UPDATE documents SET text = ?, said = ?, head = ? WHERE row = ?", (*values, row)
            )
        self._touch_follower(place, row)

    def _remove(self, row: int) -> None:
        """Take one out; the one after it loses its context."""
        place = self._database.execute(_GET, (row,)).fetchone()[0]
        self._touch(row)
        self.forgot = True
        self._touch_follower(place, row)
        self._database.execute("DELETE FROM documents WHERE row = ?", (row,))

    def _touch_follower(self, place: str, row: int) -> None:
        found = self._database.execute(_AFTER, (place, row)).fetchone()[0]
        if found is not None and not self._database.execute(_GET, (found,)).fetchone()[3]:
            self._touch(int(found))

    def _touch(self, row: int) -> None:
        """Remember how a row is indexed before it becomes something else."""
        if row not in self._before:
            _, text, said, _, over = self._database.execute(_GET, (row,)).fetchone()
            self._before[row] = Worded.of(f"{text}\n{said}", over)

    def settle(self) -> None:
        """Write the words of all rows touched anew; their vectors are due."""
        changes: dict[int, tuple[Worded | None, Worded | None]] = {}
        for row, before in sorted(self._before.items()):
            found = self._database.execute(_GET, (row,)).fetchone()
            if found is None:
                changes[row] = (before, None)
                continue
            place, text, said, head, _ = found
            over = head or self._said_before(place, row)
            changes[row] = (before, Worded.of(f"{text}\n{said}", over))
            self._database.execute(
                "UPDATE documents SET over = ?, revision = ?, vector = NULL WHERE row = ?",
                (over, self._revision, row),
            )
        postings.write(self._database, changes)

    def _said_before(self, place: str, row: int) -> str:
        found = self._database.execute(_BEFORE, (place, row)).fetchone()[0]
        return "" if found is None else str(self._database.execute(_GET, (found,)).fetchone()[1])


def _whole(text: str) -> str:
    """Without halves of characters and NULs, which no database takes."""
    return text.encode("utf-8", "replace").decode("utf-8").replace("\0", " ")
