"""When cultivation is to run, a row a schedule; the runs they make due are rows of their own."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from bot.storage.database import Database
from bot.storage.tables import cultivations, schedules
from memory.words import squeeze

NIGHTLY = 0  # number of the schedule that `/cultivate on` makes
MOST = 20  # schedules a person may have


@dataclass(frozen=True, slots=True)
class Schedule:
    """One schedule of a person."""

    id: int
    person: str
    number: int
    cron: str
    prompt: str
    message: int
    active: bool
    due: datetime


@dataclass(frozen=True, slots=True)
class Run:
    """One run of cultivation."""

    id: int
    person: str
    schedule: int | None
    message: int
    prompt: str
    at: datetime
    state: str  # due, done, failed
    problem: str

    @property
    def by(self) -> str:
        """Its name in the journal; a database made anew counts from 1 again, so its moment is part of it."""
        return f"cultivation {self.id} {self.at:%Y-%m-%dT%H:%M:%SZ}"


def _schedule(row: sa.Row[Any]) -> Schedule:
    return Schedule(
        row.id, row.person, row.number, row.cron, row.prompt, row.message, bool(row.active), row.due
    )


def _run(row: sa.Row[Any]) -> Run:
    return Run(row.id, row.person, row.schedule, row.message, row.prompt, row.at, row.state, row.problem)


class Schedules:
    """Schedules and their runs."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def of(self, person: str) -> list[Schedule]:
        """A person's, by number."""
        query = sa.select(schedules).where(schedules.c.person == person).order_by(schedules.c.number)
        return [_schedule(row) for row in await self._database.rows(query)]

    async def active(self) -> list[Schedule]:
        """Everybody's that are switched on, the next due first."""
        query = (
            sa.select(schedules).where(schedules.c.active.is_(True)).order_by(schedules.c.due, schedules.c.id)
        )
        return [_schedule(row) for row in await self._database.rows(query)]

    async def add(
        self, person: str, cron: str, prompt: str, *, message: int, due: datetime, nightly: bool = False
    ) -> Schedule | None:
        """Make one, switched on, with the next free number; None when the person has as many as there may be.

        Asked for again, in another chat too, it is the one that is there, switched on.
        """

        def insert(connection: sa.Connection) -> sa.Row[Any] | None:
            mine = schedules.c.person == person
            there = connection.execute(sa.select(schedules).where(mine)).all()
            same = [row for row in there if (row.cron, squeeze(row.prompt)) == (cron, squeeze(prompt))]
            if same and not nightly:
                this = schedules.c.id == same[0].id
                connection.execute(schedules.update().where(this).values(active=True, due=due))
                return connection.execute(sa.select(schedules).where(this)).one()
            numbers = [int(row.number) for row in there]
            if len(numbers) >= MOST:
                return None
            number = NIGHTLY if nightly else max([NIGHTLY, *numbers]) + 1
            values = {"person": person, "number": number, "cron": cron, "prompt": prompt}
            values |= {"message": message, "active": True, "due": due}
            made = connection.execute(schedules.insert().values(values)).inserted_primary_key
            assert made is not None
            return connection.execute(sa.select(schedules).where(schedules.c.id == made[0])).one()

        row = await self._database.write(insert)
        return None if row is None else _schedule(row)

    async def update(self, id: int, **values: Any) -> None:
        """Change columns of one."""
        await self._database.do(schedules.update().where(schedules.c.id == id).values(**values))

    async def remove(self, id: int) -> None:
        """Take one away; a run it made due stays due."""
        await self._database.do(schedules.delete().where(schedules.c.id == id))

    # ---- runs

    async def ask(self, person: str, prompt: str, *, message: int, at: datetime) -> int:
        """Make a run due by hand."""
        values = {"person": person, "prompt": prompt, "message": message, "at": at, "state": "due"}
        result = await self._database.do(cultivations.insert().values(values))
        return int(result.inserted_primary_key[0])  # type: ignore[index]

    async def fall_due(self, schedule: Schedule, now: datetime, then: datetime) -> int | None:
        """Make the run of a schedule due and set its next moment `then`, in one transaction; returns the run.

        None when a run of it is still due or at work: a run that takes longer than its interval does not pile up,
        and what was missed while nobody ran is made up for once. None too when somebody moved it meanwhile.
        """

        def write(connection: sa.Connection) -> int | None:
            moved = connection.execute(
                schedules.update()
                .where(
                    schedules.c.id == schedule.id,
                    schedules.c.active.is_(True),
                    schedules.c.due == schedule.due,
                )
                .values(due=then)
            )
            waits = sa.select(cultivations.c.id).where(
                cultivations.c.schedule == schedule.id, cultivations.c.state == "due"
            )
            if not moved.rowcount or connection.execute(waits).first() is not None:
                return None
            values = {"person": schedule.person, "schedule": schedule.id, "message": schedule.message}
            values |= {"prompt": schedule.prompt, "at": now, "state": "due"}
            made = connection.execute(cultivations.insert().values(values)).inserted_primary_key
            assert made is not None
            return int(made[0])

        return await self._database.write(write)

    async def run(self, id: int) -> Run:
        """One run by its id."""
        [row] = await self._database.rows(sa.select(cultivations).where(cultivations.c.id == id))
        return _run(row)

    async def due(self) -> list[Run]:
        """Runs that have not ended, oldest first."""
        query = sa.select(cultivations).where(cultivations.c.state == "due").order_by(cultivations.c.id)
        return [_run(row) for row in await self._database.rows(query)]

    async def asked_in(self, message: int) -> list[Run]:
        """Runs that a message asked for by hand."""
        query = sa.select(cultivations).where(
            cultivations.c.message == message, cultivations.c.schedule.is_(None)
        )
        return [_run(row) for row in await self._database.rows(query.order_by(cultivations.c.id))]

    async def last(self, person: str) -> Run | None:
        """A person's run that ended last."""
        query = sa.select(cultivations).where(
            cultivations.c.person == person, cultivations.c.state.in_(["done", "failed"])
        )
        rows = await self._database.rows(query.order_by(cultivations.c.id.desc()).limit(1))
        return _run(rows[0]) if rows else None

    @staticmethod
    def ending(id: int, state: str, problem: str = "") -> sa.Update:
        """A run ends as "done" or "failed": a statement, for one transaction with what is said about it."""
        return cultivations.update().where(cultivations.c.id == id).values(state=state, problem=problem)
