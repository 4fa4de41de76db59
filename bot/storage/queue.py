"""What one person's background work has before it: what waits, what is in hand, what failed and why."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Literal

import sqlalchemy as sa

from bot.storage.database import Database
from bot.storage.pauses import MODEL, Pause, Pauses
from bot.storage.proposals import REFILE
from bot.storage.tables import (
    consolidations,
    cultivations,
    filings,
    messages,
    note_cursors,
    proposals,
    summaries,
)

State = Literal["running", "waiting", "paused", "failed"]
STATES: tuple[State, ...] = ("running", "paused", "waiting", "failed")
Held = Mapping[str, Collection[int]]


@dataclass(frozen=True, slots=True)
class Work:
    """One row that is due, or has failed."""

    kind: str  # of job, as `jobs.handlers` names it
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

    def __init__(self, database: Database, pauses: Pauses, quiet: timedelta) -> None:
        """`quiet`: how long a conversation is silent before it is distilled; until then that is not due."""
        self._database = database
        self._pauses = pauses
        self._quiet = quiet

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
                *await self._trials(person),
                *await self._conversations(person, now),
                *await self._weighings(person, now),
                *await self._summaries(person, now),
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

    async def _trials(self, person: str) -> list[Work]:
        """New filing rules that are still to be tried on what was filed before."""
        query = sa.select(proposals).where(proposals.c.person == person, proposals.c.state == "due")
        return [
            Work("trial", row.id, "waiting", str(row.change["rule"]), row.at)
            for row in await self._database.rows(query)
            if row.change.get("op") == REFILE
        ]

    async def _conversations(self, person: str, now: datetime) -> list[Work]:
        """Conversations with something that is to be distilled by now, or whose reading failed and is tried later."""
        query = sa.select(note_cursors).where(
            note_cursors.c.person == person, note_cursors.c.newest > note_cursors.c.read_to
        )
        rows = await self._database.rows(query)
        return [
            _or_later(
                Work("notes", row.id, "waiting", row.channel, row.newest_at, row.tries), row.retry_at, now
            )
            for row in rows
            if row.asked or row.retry_at is not None or row.newest_at + self._quiet <= now
        ]

    async def _weighings(self, person: str, now: datetime) -> list[Work]:
        """Notes that wait to be weighed with what is remembered."""
        query = sa.select(consolidations).where(
            consolidations.c.person == person, consolidations.c.wanted.is_not(None)
        )
        return [
            _or_later(
                Work("consolidate", row.id, "waiting", "", row.wanted, row.tries, row.problem),
                row.wanted if row.tries else None,
                now,
            )
            for row in await self._database.rows(query)
        ]

    async def _summaries(self, person: str, now: datetime) -> list[Work]:
        """Long conversations whose older part is to be summed up."""
        query = sa.select(summaries).where(
            summaries.c.person == person, summaries.c.due > summaries.c.read_to
        )
        return [
            Work("summary", row.id, "waiting", row.channel, now) for row in await self._database.rows(query)
        ]


def _or_later(work: Work, again: datetime | None, now: datetime) -> Work:
    """The same, put off where it failed and is to be tried again at a moment that is yet to come."""
    return replace(work, state="paused", until=again) if again is not None and again > now else work


def _placed(work: Work, pause: Pause | None, held: Held | None) -> Work:
    """The same with what is known of this moment."""
    if work.state == "failed":
        return work
    if pause is not None:
        return replace(work, state="paused", why=pause.why, until=pause.until)
    if held is None:
        return work
    if work.row in held.get(work.kind, ()):
        return replace(work, state="running", until=None)
    return work if work.state == "paused" else replace(work, state="waiting")
