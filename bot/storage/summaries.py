"""The older part of each long conversation, summed up: up to where it is told, and from where on talk is shown itself.

A summary is for the model that goes on with the conversation, and for nobody else: it is no message and no answer, so
search does not find it, and nothing that reads for memory ever sees it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import sqlalchemy as sa

from bot.storage.database import Database
from bot.storage.history import History, read_before
from bot.storage.records import HistoryLine
from bot.storage.tables import summaries
from bot.types import Message

_HERE = sa.and_(
    summaries.c.person == sa.bindparam("in_person"),
    summaries.c.channel == sa.bindparam("in_channel"),
    summaries.c.chat == sa.bindparam("in_chat"),
)
_OF = sa.select(summaries).where(_HERE)
_OWED = sa.select(summaries.c.id).where(summaries.c.due > summaries.c.read_to).order_by(summaries.c.id)
# of the person's messages that are read for a summary; what lies further back is found by searching
MOST = 300


@dataclass(frozen=True, slots=True)
class Summary:
    """One conversation's."""

    id: int  # 0 = there is none yet
    person: str
    channel: str
    chat: str
    starts: int  # messages.id after which talk is shown in its own words
    read_to: int  # messages.id up to which the text tells it
    due: int  # up to which it is to tell it
    text: str

    @property
    def owed(self) -> bool:
        """Whether there is talk that it is yet to tell."""
        return self.due > self.read_to

    def since(self, fresh: int) -> Summary:
        """The same for somebody who has started afresh after a message: nothing from before it."""
        if fresh <= self.read_to:
            return self
        return replace(self, starts=max(self.starts, fresh), read_to=fresh, due=max(self.due, fresh), text="")


class Summaries:
    """The rows of `summaries`."""

    def __init__(self, database: Database, history: History) -> None:
        self._database = database
        self._history = history
        # whether there may be talk that a summary is yet to tell: looked for once after a start, then after each `owe`
        self.may_owe = True

    async def opening(self, message: Message, fresh: int) -> tuple[Summary, list[HistoryLine]]:
        """What a conversation is gone on with: its summary, and the talk shown in its own words from there up to a
        message. `fresh`: the row after which the history starts (`/new`).
        """

        def read(connection: sa.Connection) -> tuple[Summary, list[HistoryLine]]:
            row = connection.execute(_OF, _place(message)).first()
            none = Summary(0, message.person, message.channel, message.chat, 0, 0, 0, "")
            summary = (_summary(row) if row is not None else none).since(fresh)
            return summary, read_before(connection, message, after=summary.starts)

        return await self._database.read(read)

    async def get(self, row_id: int) -> Summary:
        """One by its row."""
        [row] = await self._database.rows(sa.select(summaries).where(summaries.c.id == row_id))
        return _summary(row)

    async def owe(self, summary: Summary, due: int, *, at_once: bool = False) -> None:
        """Have talk up to a row summed up. `at_once`: it is not shown any more, from now on; else when it is told."""

        def owe(connection: sa.Connection) -> None:
            place = _place(summary)
            row = connection.execute(_OF, place).first()
            starts = max(summary.starts, due if at_once else 0)
            values = {"starts": starts, "read_to": summary.read_to, "due": due, "text": summary.text}
            if row is None:
                names = {name.removeprefix("in_"): value for name, value in place.items()}
                connection.execute(summaries.insert().values(**names, **values))
            elif row.read_to <= summary.read_to:  # nobody has gone on with it meanwhile
                values["due"] = max(due, row.due)
                connection.execute(summaries.update().where(summaries.c.id == row.id).values(values))

        await self._database.write(owe)
        self.may_owe = True

    async def owed(self) -> list[int]:
        """Rows of those that have talk to tell."""
        self.may_owe = False  # before the look: what comes from here on is looked for again
        rows = [int(row.id) for row in await self._database.rows(_OWED)]
        self.may_owe = self.may_owe or bool(rows)
        return rows

    async def talk(self, summary: Summary) -> list[HistoryLine]:
        """The talk that it is yet to tell, oldest first."""
        place = (summary.channel, summary.chat, summary.person)
        return await self._history.stretch(*place, after=summary.read_to, to=summary.due, most=MOST)

    async def keep(self, summary: Summary, text: str, read_to: int) -> None:
        """What it tells now, and up to where: from there on talk is shown in its own words."""
        values = {"text": text, "read_to": read_to, "starts": max(summary.starts, read_to)}
        await self._database.do(summaries.update().where(summaries.c.id == summary.id).values(values))


def _place(of: Message | Summary) -> dict[str, Any]:
    return {"in_person": of.person, "in_channel": of.channel, "in_chat": of.chat}


def _summary(row: sa.Row[Any]) -> Summary:
    return Summary(row.id, row.person, row.channel, row.chat, row.starts, row.read_to, row.due, row.text)
