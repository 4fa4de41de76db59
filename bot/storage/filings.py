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
        return filings.update().where(filings.c.id == row_id).values(**values)

    async def unsettled(self) -> list[FilingRow]:
        """Pictures whose move was cut short: they may lie in `file` or in `leaving`."""
        query = sa.select(filings).where(
            filings.c.state.in_((*LIVE, "deleted")), sa.cast(filings.c.leaving, sa.Text) != "[]"
        )
        return [_filing(row) for row in await self._database.rows(query.order_by(filings.c.id))]

    async def vectors(self, person: str) -> tuple[list[FilingRow], NDArray[np.float32]]:
        """A person's live pictures that have a vector, and those vectors, a row each."""
        query = sa.select(filings).where(
            filings.c.person == person, filings.c.state.in_(LIVE), filings.c.vector.is_not(None)
        )
        rows = await self._database.rows(query.order_by(filings.c.id))
        if not rows:
            return [], np.zeros((0, 0), np.float32)
        return [_filing(row) for row in rows], np.stack(
            [np.frombuffer(row.vector, np.float32) for row in rows]
        )

    async def hashes(self, person: str) -> list[tuple[int, str, str]]:
        """(number, perceptual hash, text) of a person's live pictures."""
        query = sa.select(filings.c.number, filings.c.phash, filings.c.text).where(
            filings.c.person == person, filings.c.state.in_(LIVE), filings.c.phash != ""
        )
        rows = await self._database.rows(query.order_by(filings.c.id))
        return [(row.number, row.phash, row.text) for row in rows]

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
