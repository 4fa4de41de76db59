"""Pictures in the database: what is due, where each one lies, and what is near to what."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import numpy as np
import sqlalchemy as sa
from numpy.typing import NDArray

from bot.storage.database import Database
from bot.storage.records import FilingRow
from bot.storage.tables import categories, filings, readings
from classifiers.types import Category, Reading

NO_MESSAGE = 0  # `message` of what was taken in from the folder
LIVE = ("filed", "kept_unread")  # states of what lies in the archive
MOST_COMPARED = 2_000  # pictures that a new one is held against in meaning: corrections, and the newest


_OTHERS = filings.alias("others")


def _next(person: Any) -> sa.Select[Any]:
    """The next count of a person's changes."""
    return sa.select(sa.func.coalesce(sa.func.max(_OTHERS.c.touched), 0) + 1).where(
        _OTHERS.c.person == person
    )


_NEXT = _next(filings.c.person).correlate(filings).scalar_subquery()

Span = tuple[datetime, datetime]
"""From a moment up to, and not with, another."""


def _live(person: str) -> sa.ColumnElement[bool]:
    return sa.and_(filings.c.person == person, filings.c.state.in_(LIVE))


def _in_time(within: Sequence[Span]) -> sa.ColumnElement[bool]:
    spans = [sa.and_(filings.c.at >= first, filings.c.at < end) for first, end in within]
    return sa.or_(*spans) if spans else sa.true()


def _filing(row: sa.Row[Any]) -> FilingRow:
    values = {name: getattr(row, name) for name in FilingRow.__dataclass_fields__}
    values["tags"], values["leaving"] = tuple(values["tags"]), tuple(values["leaving"])
    return FilingRow(**values)


class Filings:
    """The rows of `filings`, `categories` and `readings`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def due(self, person: str | None = None) -> list[FilingRow]:
        """What waits to be filed (of one person), oldest first."""
        query = sa.select(filings).where(filings.c.state == "due").order_by(filings.c.id)
        if person is not None:
            query = query.where(filings.c.person == person)
        return [_filing(row) for row in await self._database.rows(query)]

    async def get(self, row_id: int) -> FilingRow:
        """One row."""
        return _filing((await self._database.rows(sa.select(filings).where(filings.c.id == row_id)))[0])

    async def find(self, row_id: int) -> FilingRow | None:
        """One row, if it is there."""
        rows = await self._database.rows(sa.select(filings).where(filings.c.id == row_id))
        return _filing(rows[0]) if rows else None

    async def together(self, *statements: sa.Executable) -> sa.CursorResult[Any]:
        """Run statements in one transaction; the last one's result."""
        return await self._database.do(*statements)

    async def binned(self, person: str) -> list[FilingRow]:
        """What a person has in the bin, the last put there first."""
        query = (
            sa.select(filings)
            .where(filings.c.person == person, filings.c.state == "deleted")
            .order_by(filings.c.binned_at.desc(), filings.c.id.desc())
        )
        return [_filing(row) for row in await self._database.rows(query)]

    async def known(self, person: str) -> list[FilingRow]:
        """All of a person's pictures that have a number, those in the bin and those that are gone too."""
        query = sa.select(filings).where(filings.c.person == person, filings.c.number.is_not(None))
        return [_filing(row) for row in await self._database.rows(query.order_by(filings.c.number))]

    async def take_in(self, person: str, values: dict[str, Any]) -> int:
        """A row for a picture that lies in the archive and came with no message that is known; returns its id."""

        def add(connection: sa.Connection) -> int:
            place = sa.select(sa.func.coalesce(sa.func.max(filings.c.place), 0) + 1).where(
                filings.c.message == NO_MESSAGE
            )
            given = {"person": person, "message": NO_MESSAGE, "place": connection.execute(place).scalar_one()}
            given["touched"] = connection.execute(_next(person)).scalar_one()
            made = connection.execute(filings.insert().values({**given, **values})).inserted_primary_key
            assert made is not None
            return int(made[0])

        return await self._database.write(add)

    async def forget(self, row: FilingRow) -> None:
        """What was in a picture goes too; its number is never given again."""
        nothing: dict[str, object] = {
            "title": "",
            "summary": "",
            "text": "",
            "name": "",
            "caption": "",
            "tags": [],
            "vector": None,
        }
        nothing |= {"phash": "", "sha256": "", "file": "", "leaving": [], "rule": None, "why": ""}
        await self._database.do(
            readings.delete().where(readings.c.blob == row.blob),
            self.updating(row.id, state="gone", **nothing),
        )

    async def of_message(self, message: int) -> list[FilingRow]:
        """What one message brought."""
        query = sa.select(filings).where(filings.c.message == message).order_by(filings.c.place)
        return [_filing(row) for row in await self._database.rows(query)]

    async def all(self, person: str) -> list[FilingRow]:
        """A person's filed pictures, by number."""
        query = (
            sa.select(filings)
            .where(filings.c.person == person, filings.c.state.in_(LIVE))
            .order_by(filings.c.number)
        )
        return [_filing(row) for row in await self._database.rows(query)]

    async def numbered(self, person: str, number: int) -> FilingRow | None:
        """The picture a person knows as `#number`, when it lies in the archive."""
        query = sa.select(filings).where(
            filings.c.person == person, filings.c.number == number, filings.c.state.in_(LIVE)
        )
        rows = await self._database.rows(query)
        return _filing(rows[0]) if rows else None

    async def binned_number(self, person: str, number: int) -> FilingRow | None:
        """The picture a person knows as `#number`, when it lies in the bin."""
        return next((row for row in await self.binned(person) if row.number == number), None)

    async def newest(self, person: str) -> FilingRow | None:
        """The picture sent last, whatever has become of it; of those that could not be taken, none."""
        query = (
            sa.select(filings)
            .where(filings.c.person == person, filings.c.state.in_((*LIVE, "due", "duplicate")))
            .order_by(filings.c.id.desc())
            .limit(1)
        )
        rows = await self._database.rows(query)
        return _filing(rows[0]) if rows else None

    async def with_bytes(self, person: str, sha256: str) -> FilingRow | None:
        """The live picture with these very bytes."""
        query = sa.select(filings).where(
            filings.c.person == person, filings.c.sha256 == sha256, filings.c.state.in_(LIVE)
        )
        query = query.order_by(filings.c.id)
        rows = await self._database.rows(query)
        return _filing(rows[0]) if rows else None

    async def number(self, row_id: int, person: str) -> int:
        """Give a row its number, once; a row that has one keeps it."""
        taken = sa.select(sa.func.coalesce(sa.func.max(filings.c.number), 0) + 1).where(
            filings.c.person == person
        )

        def take(connection: sa.Connection) -> int:
            connection.execute(
                filings.update()
                .where(filings.c.id == row_id, filings.c.number.is_(None))
                .values(number=taken.scalar_subquery())
            )
            return int(
                connection.execute(sa.select(filings.c.number).where(filings.c.id == row_id)).one().number
            )

        return await self._database.write(take)

    async def update(self, row_id: int, **values: object) -> None:
        """Write some columns of one row."""
        await self._database.do(self.updating(row_id, **values))

    @staticmethod
    def updating(row_id: int, **values: object) -> sa.Update:
        """The same as a statement, for a transaction with what is said about it."""
        return filings.update().where(filings.c.id == row_id).values(**values, touched=_NEXT)

    async def unsettled(self) -> list[FilingRow]:
        """Pictures whose move was cut short: they may lie in `file` or in `leaving`."""
        query = sa.select(filings).where(
            filings.c.state.in_((*LIVE, "deleted")), sa.cast(filings.c.leaving, sa.Text) != "[]"
        )
        return [_filing(row) for row in await self._database.rows(query.order_by(filings.c.id))]

    async def vectors(
        self, person: str, most: int = MOST_COMPARED
    ) -> tuple[list[FilingRow], NDArray[np.float32]]:
        """A person's live pictures that have a vector, and those vectors, a row each: what they corrected and what
        came last, up to `most`."""
        query = sa.select(filings).where(_live(person), filings.c.vector.is_not(None))
        query = query.order_by(filings.c.corrected.desc(), filings.c.id.desc()).limit(most)
        rows = sorted(await self._database.rows(query), key=lambda row: int(row.id))
        if not rows:
            return [], np.zeros((0, 0), np.float32)
        return [_filing(row) for row in rows], np.stack(
            [np.frombuffer(row.vector, np.float32) for row in rows]
        )

    async def hashes(self, person: str) -> list[tuple[int, str]]:
        """(row id, perceptual hash) of a person's live pictures."""
        query = sa.select(filings.c.id, filings.c.phash).where(_live(person), filings.c.phash != "")
        rows = await self._database.rows(query.order_by(filings.c.id))
        return [(row.id, row.phash) for row in rows]

    async def count(self, person: str) -> int:
        """How many pictures a person has."""
        rows = await self._database.rows(sa.select(sa.func.count()).where(_live(person)))
        return int(rows[0][0])

    async def of_ids(self, person: str, ids: Sequence[int]) -> list[FilingRow]:
        """Those of these rows that are a person's live pictures, by number.

        Asked by their ids alone: with the person in the question too, SQLite walks through all that person's rows.
        """
        rows = await self._database.rows(sa.select(filings).where(filings.c.id.in_(list(ids))))
        found = [_filing(row) for row in rows if row.person == person and row.state in LIVE]
        return sorted(found, key=lambda row: row.number or 0)

    async def latest(
        self, person: str, most: int, *, within: Sequence[Span] = (), categories: Sequence[str] | None = None
    ) -> list[FilingRow]:
        """A person's newest pictures, newest first; of some stretches of time, of some categories."""
        query = sa.select(filings).where(_live(person), _in_time(within))
        if categories is not None:
            query = query.where(filings.c.category.in_(list(categories)))
        rows = await self._database.rows(query.order_by(filings.c.number.desc()).limit(most))
        return [_filing(row) for row in rows]

    async def ids_within(self, person: str, within: Sequence[Span]) -> list[int]:
        """Row ids of what came in some stretches of time."""
        rows = await self._database.rows(sa.select(filings.c.id).where(_live(person), _in_time(within)))
        return [int(row[0]) for row in rows]

    async def touched(self, person: str, after: int, most: int) -> list[tuple[int, FilingRow]]:
        """(count, row) of the next rows that changed after a count, in that order."""
        query = sa.select(filings).where(filings.c.person == person, filings.c.touched > after)
        rows = await self._database.rows(query.order_by(filings.c.touched).limit(most))
        return [(int(row.touched), _filing(row)) for row in rows]

    async def origin(self, person: str) -> str:
        """What tells this database's rows of a person from those of another one that was made anew: the oldest."""
        query = sa.select(filings.c.id, filings.c.blob, filings.c.at).where(filings.c.person == person)
        rows = await self._database.rows(
            query.order_by(filings.c.at, filings.c.id).limit(1)
        )  # as an index lies
        return "".join(f"{row.id} {row.blob[:12]} {row.at:%Y%m%d%H%M%S}" for row in rows)

    async def categories(self, person: str) -> list[Category]:
        """The person's closed list, in the order of their making, with how many pictures each holds."""
        counts = {
            str(row.category): int(row.pictures)
            for row in await self._database.rows(
                sa.select(filings.c.category, sa.func.count().label("pictures"))
                .where(filings.c.person == person, filings.c.state.in_(LIVE))
                .group_by(filings.c.category)
            )
        }
        query = sa.select(categories).where(categories.c.person == person).order_by(categories.c.id)
        return [
            Category(str(row.id), row.name, row.description, tuple(row.aliases), counts.get(row.name, 0))
            for row in await self._database.rows(query)
        ]

    async def category_names(self, person: str) -> list[str]:
        """The names of the closed list alone."""
        query = sa.select(categories.c.name).where(categories.c.person == person).order_by(categories.c.id)
        return [row.name for row in await self._database.rows(query)]

    async def add_category(
        self, person: str, name: str, description: str = "", aliases: Sequence[str] = ()
    ) -> None:
        """Add a category unless it is there."""

        def add(connection: sa.Connection) -> None:
            known = connection.execute(
                sa.select(categories.c.id).where(categories.c.person == person, categories.c.name == name)
            )
            if known.first() is None:
                values: dict[str, object] = {"person": person, "name": name, "description": description}
                values["aliases"] = list(aliases)
                connection.execute(categories.insert().values(values))

        await self._database.write(add)

    @staticmethod
    def dropping_category(person: str, name: str) -> sa.Delete:
        """The statement that takes a category off the list."""
        return categories.delete().where(categories.c.person == person, categories.c.name == name)

    @staticmethod
    def naming(person: str, name: str, aliases: list[str]) -> sa.Update:
        """The statement that says by which other names a category is known."""
        return (
            categories.update()
            .where(categories.c.person == person, categories.c.name == name)
            .values(aliases=aliases)
        )

    async def reading(self, blob: str) -> Reading | None:
        """The text of a blob, if it was read before."""
        rows = await self._database.rows(sa.select(readings).where(readings.c.blob == blob))
        if not rows:
            return None
        row = rows[0]
        return Reading(row.text, row.lines, row.confidence, row.engine, row.seconds)

    async def keep_reading(self, blob: str, reading: Reading) -> None:
        """Remember a blob's text, so that it is read once."""
        await self._database.do(
            readings.delete().where(readings.c.blob == blob),
            readings.insert().values(
                blob=blob,
                text=reading.text,
                lines=reading.lines,
                confidence=reading.confidence,
                engine=reading.engine,
                seconds=reading.seconds,
            ),
        )

    async def filed_since(self, person: str, message: int, other_than: str) -> Sequence[FilingRow]:
        """Pictures that came after a message and were judged by other rules than `other_than`."""
        query = sa.select(filings).where(
            filings.c.person == person,
            filings.c.message >= message,
            filings.c.state == "filed",
            filings.c.corrected.is_(False),
            filings.c.rules_seen != other_than,
        )
        return [_filing(row) for row in await self._database.rows(query.order_by(filings.c.id))]

    async def needed(self, moment: datetime) -> set[str]:
        """Blobs with a filing that is due, has failed, or is younger than `moment`. All others can go: what was
        kept lies in the archive."""
        query = sa.select(filings.c.blob).distinct()
        query = query.where(sa.or_(filings.c.state.in_(("due", "failed")), filings.c.at >= moment))
        return {row.blob for row in await self._database.rows(query)}
