"""What one person's background work has before it: what waits, what is in hand, what failed and why."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

import sqlalchemy as sa

from bot.storage.database import Database
from bot.storage.pauses import MODEL, Pause, Pauses
from bot.storage.tables import cultivations, filings, messages

State = Literal["running", "waiting", "paused", "failed"]
STATES: tuple[State, ...] = ("running", "paused", "waiting", "failed")
Held = Mapping[str, Collection[int]]


@dataclass(frozen=True, slots=True)
class Work:
    """One row that is due, or has failed."""

    kind: str  # of job: file, extract, cultivate
    row: int
    state: State
    what: str  # a name to know it by
    since: datetime
    tries: int = 0
    why: str = ""  # it failed, or waits
    until: datetime | None = None  # when it is tried again

    @property
    def name(self) -> str:
        """What it is called in `/queue retry`: a picture is a bare number."""
        return str(self.row) if self.kind == "file" else f"{self.kind}-{self.row}"


class Queue:
    """Reads rows of several tables; changes a row's state only to have it tried again."""

    def __init__(self, database: Database, pauses: Pauses) -> None:
        self._database = database
        self._pauses = pauses

    async def of(self, person: str, now: datetime, held: Held | None = None) -> list[Work]:
        """All of a person's work that has not ended well: in hand, paused, waiting, failed; each oldest first.

        Args:
            held: the rows that hands hold, by kind; None: seen from another process, where a picture that a hand has
                begun with and not ended counts as in hand.
        """
        paused = {pause.matter: pause for pause in await self._pauses.standing(now)}
        works = [
            _placed(work, paused.get(f"{work.kind}:{work.row}"), held)
            for work in (
                *await self._pictures(person),
                *await self._messages(person),
                *await self._runs(person),
            )
        ]
        return sorted(works, key=lambda work: (STATES.index(work.state), work.since, work.row))

    async def providers(self, now: datetime) -> list[Pause]:
        """The models' providers that are not asked before a moment; `matter` is their host."""
        return [
            Pause(pause.matter.removeprefix(MODEL), pause.until, pause.why)
            for pause in await self._pauses.standing(now)
            if pause.matter.startswith(MODEL)
        ]

    async def again(self, person: str, work: Work) -> bool:
        """Make a failed row due anew; whether it was failed and is theirs."""
        table = {"file": filings, "cultivate": cultivations}.get(work.kind)
        if table is None:  # a message that memory has yet to read is due all the while
            return work.state == "failed"
        values: dict[str, object] = {"state": "due", "problem": ""}
        if table is filings:
            values["attempt"] = 0
        result = await self._database.do(
            table.update()
            .where(table.c.id == work.row, table.c.person == person, table.c.state == "failed")
            .values(values)
        )
        return bool(result.rowcount)

    async def _pictures(self, person: str) -> list[Work]:
        query = sa.select(filings).where(filings.c.person == person, filings.c.state.in_(("due", "failed")))
        return [
            Work(
                "file",
                row.id,
                "failed" if row.state == "failed" else "running" if row.attempt else "waiting",
                row.title or row.name or row.caption or f"{row.at:%Y-%m-%d %H:%M}",
                row.at,
                row.attempt,
                row.problem,
            )
            for row in await self._database.rows(query)
        ]

    async def _messages(self, person: str) -> list[Work]:
        query = sa.select(messages).where(
            messages.c.person == person, messages.c.answered.is_(True), messages.c.extracted.is_(False)
        )
        return [
            Work(
                "extract",
                row.id,
                "failed" if row.put_off else "waiting",
                row.text,
                row.at,
                why=row.problem if row.put_off else "",
            )
            for row in await self._database.rows(query)
        ]

    async def _runs(self, person: str) -> list[Work]:
        """Runs of cultivation; one that failed is past once another has ended well."""
        good = sa.select(sa.func.coalesce(sa.func.max(cultivations.c.id), 0)).where(
            cultivations.c.person == person, cultivations.c.state == "done"
        )
        query = sa.select(cultivations).where(
            cultivations.c.person == person,
            sa.or_(
                cultivations.c.state == "due",
                sa.and_(cultivations.c.state == "failed", cultivations.c.id > good.scalar_subquery()),
            ),
        )
        return [
            Work(
                "cultivate",
                row.id,
                "failed" if row.state == "failed" else "waiting",
                row.prompt,
                row.at,
                why=row.problem,
            )
            for row in await self._database.rows(query)
        ]


def _placed(work: Work, pause: Pause | None, held: Held | None) -> Work:
    """The same with what is known of this moment."""
    state, why, until = work.state, work.why, None
    if state != "failed" and pause is not None:
        state, why, until = "paused", pause.why, pause.until
    elif state != "failed" and held is not None:
        state = "running" if work.row in held.get(work.kind, ()) else "waiting"
    return Work(work.kind, work.row, state, work.what, work.since, work.tries, why, until)
