"""What model calls took, added up by quarters of an hour: every time zone's midnight falls on one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import sqlalchemy as sa

from bot.storage.database import Database
from bot.storage.tables import usage


@dataclass(frozen=True, slots=True)
class Kind:
    """What is added up apart."""

    person: str
    purpose: str  # chat, extraction, filing … as `models.metering` names them
    model: str
    estimated: bool  # the server did not count; we did


@dataclass(frozen=True, slots=True)
class Tokens:
    """A sum of calls."""

    calls: int = 0
    input: int = 0  # those from the cache included
    cached: int = 0
    output: int = 0

    @property
    def all(self) -> int:
        """Read and written together."""
        return self.input + self.output

    def __add__(self, other: Tokens) -> Tokens:
        return Tokens(
            self.calls + other.calls,
            self.input + other.input,
            self.cached + other.cached,
            self.output + other.output,
        )


@dataclass(frozen=True, slots=True)
class Used:
    """What one kind of calls took in some stretch of time."""

    kind: Kind
    tokens: Tokens


@dataclass(frozen=True, slots=True)
class Spending:
    """What a person's calls took lately."""

    now: datetime  # on their own clock
    today: Sequence[Used]
    month: Sequence[Used]
    allowance: int  # tokens that background work may take a day; 0 = as many as it likes
    paused: datetime | None = None  # until when background work waits, where that is spent


def quarter(moment: datetime) -> datetime:
    """The beginning of a moment's quarter of an hour."""
    there = moment.astimezone(UTC)
    return there.replace(minute=there.minute // 15 * 15, second=0, microsecond=0)


class UsageRows:
    """The rows of `usage`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, found: Sequence[tuple[datetime, Used]]) -> None:
        """Add up what was used, each at the beginning of a quarter. One transaction. Raises `HomeUnwritable`."""

        def write(connection: sa.Connection) -> None:
            for slot, used in found:
                kind, tokens = used.kind, used.tokens
                names = {"person": kind.person, "purpose": kind.purpose, "model": kind.model}
                here = {**names, "estimated": kind.estimated, "slot": slot}
                where = [usage.c[name] == value for name, value in here.items()]
                more = usage.update().where(*where)
                counts = {name: getattr(tokens, name) for name in ("calls", "input", "cached", "output")}
                added = {name: usage.c[name] + count for name, count in counts.items()}
                if not connection.execute(more.values(added)).rowcount:
                    connection.execute(usage.insert().values({**here, **counts}))

        await self._database.write(write)

    async def totals(self, person: str, since: datetime) -> list[Used]:
        """What a person's calls took since the beginning of a quarter, each kind once, the largest first."""
        counts = [sa.func.sum(usage.c[name]).label(name) for name in ("calls", "input", "cached", "output")]
        query = (
            sa.select(usage.c.purpose, usage.c.model, usage.c.estimated, *counts)
            .where(usage.c.person == person, usage.c.slot >= since)
            .group_by(usage.c.purpose, usage.c.model, usage.c.estimated)
        )
        found = [
            Used(
                Kind(person, row.purpose, row.model, bool(row.estimated)),
                Tokens(int(row.calls), int(row.input), int(row.cached), int(row.output)),
            )
            for row in await self._database.rows(query)
        ]
        return sorted(found, key=lambda each: (-each.tokens.all, each.kind.purpose, each.kind.model))
