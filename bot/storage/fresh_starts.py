"""Where conversations were started afresh (`/new`): what was said there before is not gone on with."""

from __future__ import annotations

import sqlalchemy as sa

from bot.storage.database import Database
from bot.storage.tables import fresh_starts
from bot.types import Message


class FreshStarts:
    """The rows of `fresh_starts`, kept in mind: every turn asks."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._after: dict[tuple[str, str, str], int] = {}

    async def load(self) -> None:
        """Know what was begun afresh before, by the names that chats have now."""
        rows = await self._database.rows(sa.select(fresh_starts))
        self._after = {(row.person, row.channel, row.chat): row.after for row in rows}

    def after(self, person: str, channel: str, chat: str) -> int:
        """The message row after which a person's conversation in a chat (a topic is one) begins; 0 = with the first."""
        return self._after.get((person, channel, chat), 0)

    async def begin(self, message: Message) -> None:
        """Let the conversation in a message's chat begin after it, for who said it; memory stays."""
        place = {"person": message.person, "channel": message.channel, "chat": message.chat}
        here = sa.and_(*(fresh_starts.c[name] == value for name, value in place.items()))
        await self._database.do(
            fresh_starts.delete().where(here), fresh_starts.insert().values(**place, after=message.id)
        )
        self._after[message.person, message.channel, message.chat] = message.id
