"""What is to be said: stored, then sent, then marked; a crash in between sends it again and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from bot.storage.database import Database
from bot.storage.tables import messages, outbox
from bot.types import Answered, Button, Message, Outgoing, Words


def _outgoing(row: sa.Row[Any]) -> Outgoing:
    return Outgoing(
        id=row.id,
        channel=row.channel,
        chat=row.chat,
        text=row.text,
        kind=row.kind,
        reply_to=row.reply_to,
        buttons=tuple(Button(**each) for each in row.buttons),
        picture=row.picture,
        about=row.about,
    )


class OutboxRows:
    """The rows of the outbox."""

    def __init__(self, database: Database, now: Callable[[], datetime]) -> None:
        self._database = database
        self._now = now
        self.stored: Callable[[str], None] = lambda channel: None  # called after each row with its channel

    async def answer(self, burst: Sequence[Message], answered: Answered) -> list[int]:
        """Store what a turn says, mark its messages answered, and those that need no reading for memory as read.

        One transaction. Returns the rows of this person that memory has yet to read.
        """
        values: dict[str, object] = {"answered": True}
        if answered.problem:
            values["problem"] = answered.problem
        loaded = [line for each in answered.words for line in each.loaded]
        if loaded:
            values["loaded"] = loaded
        ids = [message.id for message in burst]
        said = [self._insert(burst[-1], each) for each in answered.words]
        marked = messages.update().where(messages.c.id.in_(ids)).values(values)
        read = messages.update().where(messages.c.id.in_(answered.read)).values(extracted=True)
        unread = sa.select(messages.c.id).where(
            messages.c.person == burst[-1].person,
            messages.c.answered.is_(True),  # what waits for its turn is read after it
            messages.c.extracted.is_(False),
        )

        def write(connection: sa.Connection) -> list[int]:
            for statement in (*said, marked, *([read] if answered.read else [])):
                connection.execute(statement)
            return [int(row.id) for row in connection.execute(unread.order_by(messages.c.id))]

        rows = await self._database.write(write)
        self.stored(burst[-1].channel)
        return rows

    async def add(self, about: Message, *words: Words, also: Sequence[sa.Executable] = ()) -> None:
        """Store what is to be said outside a turn (a receipt, a notice), in one transaction with what ends by it."""
        statements = [*also, *(self._insert(about, each) for each in words)]
        if statements:
            await self._database.do(*statements)
        self.stored(about.channel)

    async def offered(self, message: Message) -> bool:
        """Whether the button that was pressed was put to this person in this chat."""
        query = sa.select(outbox.c.buttons).where(
            outbox.c.channel == message.channel,
            outbox.c.chat == message.chat,
            outbox.c.person == message.person,
            outbox.c.buttons != sa.literal("[]", sa.Text),
        )
        rows = await self._database.rows(query.order_by(outbox.c.id.desc()))
        return any(each["data"] == message.pressed for row in rows for each in row.buttons)

    async def asked(self, message: Message) -> list[int]:
        """Open questions that stand in what we said last before a message: ids of `yes:<id>` buttons.

        Receipts and notices after the question do not hide it; an answer to something else does.
        """
        query = (
            sa.select(outbox.c.kind, outbox.c.buttons)
            .where(
                outbox.c.channel == message.channel,
                outbox.c.chat == message.chat,
                outbox.c.person == message.person,
            )
            .order_by(outbox.c.id.desc())
            .limit(10)
        )
        for row in await self._database.rows(query):
            data = [str(each["data"]) for each in row.buttons]
            found = [int(each.removeprefix("yes:")) for each in data if each.startswith("yes:")]
            if found or row.kind == "answer":
                return found
        return []

    def _insert(self, about: Message, words: Words) -> sa.Insert:
        reply_to = sa.select(messages.c.outside_id).where(messages.c.id == about.id).scalar_subquery()
        return outbox.insert().values(
            channel=about.channel,
            chat=about.chat,
            person=about.person,
            text=words.text,
            kind=words.kind,
            buttons=[asdict(button) for button in words.buttons],
            picture=words.picture,
            reply_to=reply_to,
            about=about.id,
            at=self._now(),
            state="unsent",
        )

    async def unsent(self, channel: str, after: int = 0) -> list[Outgoing]:
        """What waits to be sent in a channel, oldest first; only rows newer than `after`."""
        query = (
            sa.select(outbox)
            .where(outbox.c.channel == channel, outbox.c.state == "unsent", outbox.c.id > after)
            .order_by(outbox.c.id)
        )
        return [_outgoing(row) for row in await self._database.rows(query)]

    async def mark(self, row_id: int, state: str, *, sent_id: str = "", problem: str = "") -> None:
        """It was sent, or refused for good."""
        await self._database.do(
            outbox.update().where(outbox.c.id == row_id).values(state=state, sent_id=sent_id, problem=problem)
        )

    async def states(self, about: int) -> list[str]:
        """The states of everything said about one message."""
        rows = await self._database.rows(sa.select(outbox.c.state).where(outbox.c.about == about))
        return [row.state for row in rows]

    async def about(self, channel: str, chat: str, sent_id: str) -> tuple[int | None, str] | None:
        """The message that one of our sent messages was about, and our words; None when it is not ours."""
        rows = await self._database.rows(
            sa.select(outbox.c.about, outbox.c.text).where(
                outbox.c.channel == channel, outbox.c.chat == chat, outbox.c.sent_id == sent_id
            )
        )
        return (rows[0].about, rows[0].text) if rows else None
