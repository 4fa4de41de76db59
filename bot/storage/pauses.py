"""What is waiting for a moment: a provider that asked for patience, a job between two tries.

It stands in the database so that it is seen from outside the process, and so that a restart does not hammer a provider
that has just said when it may be asked again.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa

from bot.storage.database import Database
from bot.storage.tables import pauses

MODEL = "model:"  # how the matter of a provider begins


@dataclass(frozen=True, slots=True)
class Pause:
    """One matter that waits."""

    matter: str  # `model:<host>`, or `<kind of job>:<row>`
    until: datetime
    why: str


class Pauses:
    """The rows of `pauses`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def put(self, matter: str, until: datetime, why: str = "") -> None:
        """A matter waits until then, and why."""
        await self._database.do(
            pauses.delete().where(pauses.c.matter == matter),
            pauses.insert().values(matter=matter, until=until, why=why),
        )

    async def lift(self, matter: str) -> None:
        """It waits no longer."""
        await self._database.do(pauses.delete().where(pauses.c.matter == matter))

    async def standing(self, now: datetime) -> list[Pause]:
        """What waits for a moment that is yet to come, by matter."""
        query = sa.select(pauses).where(pauses.c.until > now).order_by(pauses.c.matter)
        return [Pause(row.matter, row.until, row.why) for row in await self._database.rows(query)]

    async def forget_jobs(self) -> None:
        """At start every due job is tried at once; providers keep the time they asked for."""
        await self._database.do(pauses.delete().where(pauses.c.matter.not_like(f"{MODEL}%")))
