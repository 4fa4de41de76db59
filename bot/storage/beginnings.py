"""Work that was begun and not ended when a process died, and how often: what ends the process each time would else be
begun for ever.

Usual work has no row here. One is made for what a start finds undone, and for what a clean stop cuts short.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import sqlalchemy as sa

from bot.storage.database import Database
from bot.storage.tables import beginnings

Work = tuple[str, int]
"""("turn", messages.id), or (kind of job, its row)."""


@dataclass(frozen=True, slots=True)
class Begun:
    """What is known of one piece of work that is still undone."""

    times: int  # it was begun
    stopped: int  # of these: how many were cut short by a clean stop

    @property
    def deaths(self) -> int:
        """How many processes died with it in hand."""
        return self.times - self.stopped


class Beginnings:
    """The rows of `beginnings`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def left(self, works: Collection[Work]) -> dict[Work, Begun]:
        """What a start finds undone, each with how often it was begun; what is not undone any more is forgotten.

        What has no row was begun once, as far as one can know: by the process that left it.
        """

        def look(connection: sa.Connection) -> dict[Work, Begun]:
            known = {
                (row.kind, row.row): Begun(row.times, row.stopped)
                for row in connection.execute(sa.select(beginnings))
            }
            for work in known.keys() - set(works):
                connection.execute(beginnings.delete().where(_is(work)))
            for work in set(works) - known.keys():
                connection.execute(beginnings.insert().values(kind=work[0], row=work[1], times=1, stopped=0))
            return {work: known.get(work, Begun(1, 0)) for work in works}

        return await self._database.write(look)

    async def again(self, works: Collection[Work], by: int = 1) -> None:
        """Works that have a row are begun once more; by -1: they were not the end of us."""
        statement = beginnings.update().values(times=beginnings.c.times + by)
        if works:
            await self._database.do(*(statement.where(_is(work)) for work in works))

    async def stopped(self, works: Collection[Work]) -> None:
        """A clean stop cuts these short."""

        def mark(connection: sa.Connection) -> None:
            for work in works:
                raised = beginnings.update().where(_is(work)).values(stopped=beginnings.c.stopped + 1)
                if not connection.execute(raised).rowcount:
                    connection.execute(
                        beginnings.insert().values(kind=work[0], row=work[1], times=1, stopped=1)
                    )

        if works:
            await self._database.write(mark)


def _is(work: Work) -> sa.ColumnElement[bool]:
    return sa.and_(beginnings.c.kind == work[0], beginnings.c.row == work[1])
