"""Which message of a channel shows an answer that is not whole yet, so that it becomes the whole one after a crash too.

A draft's name is the channel's: where it will be, until it is known, and then which message it is.
"""

from __future__ import annotations

from collections.abc import Iterable

import sqlalchemy as sa

from bot.errors import HomeUnwritable
from bot.storage.database import Database
from bot.storage.tables import drafts, outbox
from bot.types import Message

_LATELY = 50  # messages


def apart(row: int) -> int:
    """The key of what is shown about a message beside the answer to it: the count of its album."""
    return -row


class DraftRows:
    """The rows of `drafts`, and all of them in mind: most turns have none, and ask without asking the database."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._names: dict[int, str] = {}

    async def load(self) -> None:
        """Take up what an earlier process has left half shown."""
        self._names = {row.about: row.shown for row in await self._database.rows(sa.select(drafts))}

    def of(self, about: Iterable[Message]) -> dict[int, str]:
        """Drafts by the message whose answer they begin."""
        if not self._names:
            return {}
        return {each.id: self._names[each.id] for each in about if each.id in self._names}

    def behind(self, row: int) -> dict[int, str]:
        """Drafts of what was said after a message, by anybody."""
        return {each: shown for each, shown in self._names.items() if each > row}

    async def arrived(self, channel: str, chat: str) -> tuple[str, ...]:
        """The names of what has lately arrived in a chat, the newest first: no draft is looked for under these, and one
        that is shown now comes after them.
        """
        query = sa.select(outbox.c.sent_id).where(
            outbox.c.channel == channel, outbox.c.chat == chat, outbox.c.state == "sent"
        )
        rows = await self._database.rows(query.order_by(outbox.c.id.desc()).limit(_LATELY))
        return tuple(row.sent_id for row in rows if row.sent_id)

    async def begin(self, about: Message, shown: str) -> None:
        """A draft will be shown at this place. Stored before it is: after a crash it can be looked for there; and known
        before it is stored: an answer that is written in this very moment takes it over.
        """
        self._names[about.id] = shown
        try:
            await self._database.do(drafts.insert().values(about=about.id, shown=shown))
        except HomeUnwritable:
            self._names.pop(about.id, None)
            raise

    async def found(self, about: Message, shown: str) -> None:
        """The draft is this very message; nothing when the answer has taken it over meanwhile."""
        if about.id in self._names:
            self._names[about.id] = shown
            await self._database.do(drafts.update().where(drafts.c.about == about.id).values(shown=shown))

    def ending(self, about: Iterable[int]) -> sa.Delete:
        """The statement that ends drafts, for the transaction that stores what they become; then `ended`."""
        return drafts.delete().where(drafts.c.about.in_(list(about)))

    def ended(self, about: Iterable[int]) -> None:
        """They are part of the outbox now."""
        for each in about:
            self._names.pop(each, None)
