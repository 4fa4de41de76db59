"""What people said: stored before it is handled, heard once, and what is still due of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any, TypedDict

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from bot.storage.database import Database, Values
from bot.storage.tables import filings, messages
from bot.types import Attachment, Incoming, Message, is_command

HERE = sa.and_(  # a person's side of one conversation, between two rows
    messages.c.channel == sa.bindparam("channel"),
    messages.c.chat == sa.bindparam("chat"),
    messages.c.person == sa.bindparam("person"),
    messages.c.id > sa.bindparam("after"),
    messages.c.id < sa.bindparam("before"),
)
_BEFORE = sa.select(messages).where(HERE).order_by(messages.c.id.desc()).limit(1)
_LATELY = sa.select(messages).where(HERE).order_by(messages.c.id.desc()).limit(100)
_ROW = sa.select(messages).where(messages.c.id == sa.bindparam("row"))
_UNANSWERED = sa.select(messages).where(messages.c.answered.is_(False)).order_by(messages.c.id)
_OVERDUE = (
    sa.select(messages.c.id)
    .where(messages.c.put_off.is_(True), messages.c.extracted.is_(False))
    .order_by(messages.c.id)
    .limit(1)
)
_OVERDUE_OF = _OVERDUE.order_by(None).order_by(messages.c.person != sa.bindparam("person"), messages.c.id)
_UNANSWERED_OF = _UNANSWERED.where(messages.c.person == sa.bindparam("person"))


class _Files(TypedDict):
    """The files of a message, and of what it replies to."""

    attachments: tuple[Attachment, ...]
    shows: tuple[Attachment, ...]


def message_of(row: sa.Row[Any]) -> Message:
    """A message of its row."""
    return Message(
        id=row.id,
        channel=row.channel,
        chat=row.chat,
        person=row.person,
        text=row.text,
        **_files(Attachment(**each) for each in row.attachments),
        album=row.album,
        reply_to=row.reply_to,
        quoted=row.quoted,
        forwarded=row.forwarded,
        at=row.at,
        pressed=row.pressed,
        shared=row.shared,
    )


def _files(attachments: Iterable[Attachment]) -> _Files:
    files = tuple(attachments)
    return {
        "attachments": tuple(each for each in files if not each.shown),
        "shows": tuple(each for each in files if each.shown),
    }


def between(message: Message, after: int) -> Values:
    """What fills `HERE`: the message's own chat, up to it."""
    return {
        "channel": message.channel,
        "chat": message.chat,
        "person": message.person,
        "after": after,
        "before": message.id,
    }


class Messages:
    """The person's side of every conversation."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def store(
        self,
        incoming: Incoming,
        attachments: Sequence[Attachment],
        *,
        at: datetime,
        answer: bool,
        extract: bool,
        to_file: Sequence[int],
    ) -> Message | None:
        """Store a message and the filings it makes due in one transaction; None when it was heard before.

        `answer`/`extract`: whether a turn / an extraction is due. `to_file`: indexes of the attachments to file.
        """
        values = {
            "channel": incoming.channel,
            "chat": incoming.chat,
            "outside_id": incoming.id,
            "person": incoming.person,
            "text": incoming.text,
            "attachments": [asdict(each) for each in attachments],
            "album": incoming.album,
            "reply_to": incoming.reply_to,
            "quoted": incoming.quoted,
            "forwarded": incoming.forwarded,
            "pressed": incoming.pressed,
            "shared": incoming.shared,
            "at": at,
            "answered": not answer,
            "extracted": not extract,
        }

        def insert(connection: sa.Connection) -> int:
            result = connection.execute(messages.insert(), values)
            row_id = int(result.inserted_primary_key[0])  # type: ignore[index]
            for place in to_file:
                connection.execute(
                    filings.insert().values(
                        person=incoming.person,
                        message=row_id,
                        place=place,
                        blob=attachments[place].blob,
                        name=attachments[place].name,
                        caption="" if incoming.forwarded else incoming.text,  # others' words are no wish
                        at=at,
                        state="due",
                    )
                )
            return row_id

        try:
            row_id = await self._database.write(insert)
        except IntegrityError:
            if await self.find(incoming.channel, incoming.chat, incoming.id) is None:
                raise
            return None
        return Message(
            id=row_id,
            channel=incoming.channel,
            chat=incoming.chat,
            person=incoming.person,
            text=incoming.text,
            **_files(attachments),
            album=incoming.album,
            reply_to=incoming.reply_to,
            quoted=incoming.quoted,
            forwarded=incoming.forwarded,
            at=at,
            pressed=incoming.pressed,
            shared=incoming.shared,
        )

    async def revise(self, row_id: int, text: str) -> bool:
        """Change the words of a message, and what was wished for its pictures that are not filed yet.

        False when it was answered. Without words there was nothing to answer: those that come to it now are due.
        """

        def revise(connection: sa.Connection) -> bool:
            row = connection.execute(_ROW, {"row": row_id}).one()
            if row.answered and row.text.strip():
                return False
            words = bool(text.strip())
            own = [each for each in row.attachments if not each.get("shown")]
            broken = any(each.get("problem") or each.get("kind", "picture") != "picture" for each in own)
            idle = not words or row.forwarded or is_command(text)
            values = {"text": text, "answered": not (words or broken), "extracted": idle}
            connection.execute(messages.update().where(messages.c.id == row_id).values(values))
            if not row.forwarded:
                due = sa.and_(filings.c.message == row_id, filings.c.state == "due")
                connection.execute(filings.update().where(due).values(caption=text))
            return True

        return await self._database.write(revise)

    async def _row(self, row_id: int) -> sa.Row[Any]:
        return (await self._database.rows(_ROW, {"row": row_id}))[0]

    async def get(self, row_id: int) -> Message:
        """One message by its row id."""
        return message_of(await self._row(row_id))

    async def outside(self, row_id: int) -> str:
        """The channel's own id of a message."""
        return str((await self._row(row_id)).outside_id)

    async def find(self, channel: str, chat: str, outside_id: str) -> sa.Row[Any] | None:
        """The row (with its states) of a channel's message, or None."""
        rows = await self._database.rows(
            sa.select(messages).where(
                messages.c.channel == channel, messages.c.chat == chat, messages.c.outside_id == outside_id
            )
        )
        return rows[0] if rows else None

    async def unanswered(self, person: str | None = None) -> list[Message]:
        """Messages whose turn is due, oldest first."""
        query, values = (_UNANSWERED, None) if person is None else (_UNANSWERED_OF, {"person": person})
        return [message_of(row) for row in await self._database.rows(query, values)]

    async def needed(self, moment: datetime) -> set[str]:
        """Blobs that no filing speaks of: of messages whose turn is due, or that came after `moment`."""
        query = sa.select(messages.c.attachments).where(
            sa.or_(messages.c.answered.is_(False), messages.c.at >= moment),
            sa.cast(messages.c.attachments, sa.Text) != "[]",
        )
        rows = await self._database.rows(query)
        files = [each for row in rows for each in row.attachments]
        unfiled = [each for each in files if each.get("shown") or each.get("kind", "picture") != "picture"]
        return {each["blob"] for each in unfiled}

    async def unextracted(
        self, person: str | None = None, *, before: int | None = None, put_off: bool = True
    ) -> list[Message]:
        """Messages memory has not read yet, oldest first; `put_off`: those too whose reading failed for now."""
        query = sa.select(messages).where(messages.c.extracted.is_(False)).order_by(messages.c.id)
        if person is not None:
            query = query.where(messages.c.person == person)
        if before is not None:
            query = query.where(messages.c.id <= before)
        if not put_off:
            query = query.where(messages.c.put_off.is_(False))
        return [message_of(row) for row in await self._database.rows(query)]

    async def put_off(self, row_id: int, why: str) -> bool:
        """Reading a message failed for now; True when that is news to the person.

        It is none when another message of theirs waits like this one, or when the turn failed and said so.
        """

        def put_off(connection: sa.Connection) -> bool:
            row = connection.execute(sa.select(messages).where(messages.c.id == row_id)).one()
            waits = sa.select(messages.c.id).where(
                messages.c.person == row.person, messages.c.put_off.is_(True), messages.c.extracted.is_(False)
            )
            news = not row.problem and connection.execute(waits).first() is None
            values = {"put_off": True, "problem": row.problem or why}
            connection.execute(messages.update().where(messages.c.id == row_id).values(values))
            return news

        return await self._database.write(put_off)

    async def overdue(self, person: str | None = None) -> int | None:
        """The oldest message whose reading was put off; of one person, or of anybody."""
        query = _OVERDUE if person is None else _OVERDUE.where(messages.c.person == person)
        rows = await self._database.rows(query)
        return int(rows[0].id) if rows else None

    async def next_overdue(self, person: str) -> int | None:
        """The oldest message whose reading was put off: the person's own first, else anybody's."""
        rows = await self._database.rows(_OVERDUE_OF, {"person": person})
        return int(rows[0].id) if rows else None

    async def was_put_off(self, row_id: int) -> bool:
        """Whether reading this message failed before, in an earlier round of tries."""
        return bool((await self._row(row_id)).put_off)

    async def newest(self, person: str) -> int:
        """Row id of the person's newest message, 0 when there is none."""
        rows = await self._database.rows(
            sa.select(sa.func.max(messages.c.id)).where(messages.c.person == person)
        )
        return int(rows[0][0] or 0)

    async def newest_alone(self, person: str) -> Message | None:
        """Their newest message where nobody else reads along: the place to tell them what is only theirs."""
        query = sa.select(messages).where(messages.c.person == person, messages.c.shared.is_(False))
        rows = await self._database.rows(query.order_by(messages.c.id.desc()).limit(1))
        return message_of(rows[0]) if rows else None

    async def unread(self, row_id: int) -> Message | None:
        """A message if memory has yet to read it."""
        row = await self._row(row_id)
        return None if row.extracted else message_of(row)

    async def before(self, message: Message) -> Message | None:
        """The message the same person said right before one, in the same chat."""
        rows = await self._database.rows(_BEFORE, between(message, 0))
        return message_of(rows[0]) if rows else None

    async def last_answered(self, message: Message) -> tuple[Message, tuple[str, ...]] | None:
        """What was said last in the same chat before a message, commands and buttons aside, and the memory lines
        it was answered with ("[id] line").
        """
        rows = await self._database.rows(_LATELY, between(message, 0))
        for row in rows:
            said = message_of(row)
            if row.answered and not said.command:
                return said, tuple(map(str, row.loaded))
        return None

    async def album(self, message: Message) -> list[Message]:
        """The message with all that was sent together with it, in order."""
        if not message.album:
            return [message]
        rows = await self._database.rows(
            sa.select(messages)
            .where(
                messages.c.channel == message.channel,
                messages.c.chat == message.chat,
                messages.c.person == message.person,
                messages.c.album == message.album,
            )
            .order_by(messages.c.id)
        )
        return [message_of(row) for row in rows]

    async def mark_extracted(self, row_ids: Sequence[int]) -> None:
        """Memory has read them."""
        await self._database.do(self.extracting(row_ids))

    @staticmethod
    def extracting(row_ids: Sequence[int]) -> sa.Update:
        """The same as a statement, for a transaction with what is said about it."""
        return messages.update().where(messages.c.id.in_(row_ids)).values(extracted=True)
