"""What a person had done to their pictures: moved, renamed, deleted, restored, merged. One row is one undo.

However many pictures it touched, an edit is one row: it keeps, for each of them, the columns as they were and as they
became, so that it can be taken back as a whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

import sqlalchemy as sa

from bot.storage.database import Database
from bot.storage.tables import picture_edits


class Kind(StrEnum):
    """What was done."""

    MOVE = "move"
    RENAME = "rename"
    DELETE = "delete"
    RESTORE = "restore"
    MERGE = "merge"
    REFILE = "refile"  # moved by a new rule, with the person's yes
    HAND = "hand"  # in the folder, by the person


@dataclass(frozen=True, slots=True)
class Step:
    """One picture's part in an edit."""

    filing: int  # filings.id
    before: dict[str, Any]  # columns that changed, as JSON values
    after: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Merged:
    """Two categories that became one."""

    gone: str
    description: str
    aliases: tuple[str, ...]
    into: str
    aliases_before: tuple[str, ...]  # of the one that stayed


@dataclass(frozen=True, slots=True)
class Edit:
    """One entry of the journal."""

    id: int
    kind: Kind
    steps: tuple[Step, ...]
    at: datetime
    merged: Merged | None = None


class Edits:
    """The rows of `picture_edits`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @staticmethod
    def adding(
        person: str, kind: Kind, steps: Sequence[Step], at: datetime, merged: Merged | None
    ) -> sa.Insert:
        """The statement that records an edit, for the transaction that makes it."""
        return picture_edits.insert().values(
            person=person,
            kind=kind.value,
            steps=[asdict(step) for step in steps],
            merged=None if merged is None else asdict(merged),
            at=at,
        )

    async def standing(self, person: str, number: int | None = None) -> Edit | None:
        """A person's edit that was not taken back: the one with an id, or the last."""
        query = sa.select(picture_edits).where(
            picture_edits.c.person == person, picture_edits.c.undone.is_(False)
        )
        if number is not None:
            query = query.where(picture_edits.c.id == number)
        rows = await self._database.rows(query.order_by(picture_edits.c.id.desc()).limit(1))
        return _edit(rows[0]) if rows else None

    async def touching(self, person: str, filings: set[int]) -> Edit | None:
        """The last edit of a person that stands and touched any of these rows."""
        query = sa.select(picture_edits).where(
            picture_edits.c.person == person, picture_edits.c.undone.is_(False)
        )
        edits = [_edit(row) for row in await self._database.rows(query.order_by(picture_edits.c.id.desc()))]
        return next((edit for edit in edits if filings & {step.filing for step in edit.steps}), None)

    async def moves(self, person: str) -> list[Edit]:
        """A person's moves that stand, oldest first."""
        query = sa.select(picture_edits).where(
            picture_edits.c.person == person,
            picture_edits.c.kind == Kind.MOVE.value,
            picture_edits.c.undone.is_(False),
        )
        return [_edit(row) for row in await self._database.rows(query.order_by(picture_edits.c.id))]

    @staticmethod
    def taking_back(number: int) -> sa.Update:
        """The statement that marks one as undone."""
        return picture_edits.update().where(picture_edits.c.id == number).values(undone=True)


def _edit(row: sa.Row[Any]) -> Edit:
    merged = None
    if row.merged:
        values = row.merged | {
            "aliases": tuple(row.merged["aliases"]),
            "aliases_before": tuple(row.merged["aliases_before"]),
        }
        merged = Merged(**values)
    return Edit(row.id, Kind(row.kind), tuple(Step(**step) for step in row.steps), row.at, merged)
