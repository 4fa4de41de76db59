"""Moves of pictures the person asked for, so that each can be taken back."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa

from bot.storage.database import Database
from bot.storage.tables import moves


@dataclass(frozen=True, slots=True)
class Move:
    """One picture left one category for another."""

    id: int
    filing: int  # filings.id
    old: str
    new: str
    at: datetime


class Moves:
    """The rows of `moves`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, person: str, filing: int, old: str, new: str, at: datetime) -> int:
        """Record a move; returns its id."""
        values = {"person": person, "filing": filing, "old": old, "new": new, "at": at}
        result = await self._database.do(moves.insert().values(values))
        return int(result.inserted_primary_key[0])  # type: ignore[index]

    async def standing(self, person: str, number: int | None = None) -> Move | None:
        """A person's move that was not taken back: the one with an id, or the last."""
        query = (
            sa.select(moves)
            .where(moves.c.person == person, moves.c.undone.is_(False))
            .order_by(moves.c.id.desc())
            .limit(1)
        )
        if number is not None:
            query = query.where(moves.c.id == number)
        rows = await self._database.rows(query)
        return Move(rows[0].id, rows[0].filing, rows[0].old, rows[0].new, rows[0].at) if rows else None

    async def take_back(self, number: int) -> None:
        """Mark one as undone."""
        await self._database.do(moves.update().where(moves.c.id == number).values(undone=True))
