"""What slow memory has read and is still to do: a cursor a conversation, the notes, and when consolidation is due."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

import sqlalchemy as sa

from bot.storage.database import Database
from bot.storage.records import Said
from bot.storage.tables import consolidations, messages, note_cursors, notes, outbox
from memory.notes import Note

_NEWS = (
    sa.select(
        messages.c.person,
        messages.c.channel,
        messages.c.chat,
        sa.func.max(messages.c.id).label("newest"),
        sa.func.max(messages.c.at, type_=messages.c.at.type).label("newest_at"),
    )
    .where(messages.c.id > sa.bindparam("seen"))
    .group_by(messages.c.person, messages.c.channel, messages.c.chat)
    .order_by(sa.func.max(messages.c.id))
)


@dataclass(frozen=True, slots=True)
class Cursor:
    """How far one conversation has been read."""

    id: int
    person: str
    channel: str
    chat: str
    newest: int  # messages.id of the last message heard there
    newest_at: datetime
    read_to: int  # messages.id up to which all is read or passed over
    tries: int  # readings that failed since the last that did not
    retry_at: datetime | None
    asked: bool  # read it now, quiet or not
    failed: int  # messages that were given up


@dataclass(frozen=True, slots=True)
class Coverage:
    """How much of what a person typed lately has been read."""

    said: int
    read: int
    failed: int  # waiting after a failed reading, or given up


@dataclass(frozen=True, slots=True)
class Due:
    """One person's consolidation."""

    id: int
    person: str
    wanted: datetime | None  # when it is due; None = nothing new
    weighed: int  # notes.id up to which all were new to a consolidation that ended
    tries: int
    problem: str


class SlowRows:
    """Rows of `note_cursors`, `notes` and `consolidations`."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._seen = 0

    # ---- how far each conversation is read

    async def look(self) -> None:
        """Take in what was said since the last look."""

        def take_in(connection: sa.Connection) -> int:
            seen = (
                self._seen or connection.execute(sa.select(sa.func.max(note_cursors.c.newest))).scalar() or 0
            )
            for row in connection.execute(_NEWS, {"seen": seen}).all():
                here = sa.and_(
                    note_cursors.c.person == row.person,
                    note_cursors.c.channel == row.channel,
                    note_cursors.c.chat == row.chat,
                )
                values = {"newest": row.newest, "newest_at": row.newest_at}
                if not connection.execute(note_cursors.update().where(here).values(values)).rowcount:
                    where = {"person": row.person, "channel": row.channel, "chat": row.chat}
                    connection.execute(note_cursors.insert().values(**where, **values, read_to=0))
                seen = max(seen, row.newest)
            return int(seen)

        self._seen = await self._database.write(take_in)

    async def cursors(self, person: str | None = None) -> list[Cursor]:
        """Conversations with something unread, those that went quiet first coming first."""
        query = sa.select(note_cursors).where(note_cursors.c.newest > note_cursors.c.read_to)
        if person is not None:
            query = query.where(note_cursors.c.person == person)
        rows = await self._database.rows(query.order_by(note_cursors.c.newest_at, note_cursors.c.id))
        return [_cursor(row) for row in rows]

    async def cursor(self, id: int) -> Cursor:
        """One by its id."""
        return _cursor((await self._database.rows(sa.select(note_cursors).where(note_cursors.c.id == id)))[0])

    async def talk(self, cursor: Cursor, since: datetime) -> list[Said]:
        """Both sides of a conversation from a moment on, in order; what was said in other chats stays out."""
        mine = sa.and_(
            messages.c.person == cursor.person,
            messages.c.channel == cursor.channel,
            messages.c.chat == cursor.chat,
            messages.c.at >= since,
        )

        def read(connection: sa.Connection) -> list[Said]:
            said = connection.execute(sa.select(messages).where(mine).order_by(messages.c.id)).all()
            if not said:
                return []
            ours = connection.execute(
                sa.select(outbox.c.about, outbox.c.text, outbox.c.at)
                .where(
                    outbox.c.about >= said[0].id,
                    outbox.c.about <= said[-1].id,
                    outbox.c.kind == "answer",
                    outbox.c.channel == cursor.channel,
                    outbox.c.chat == cursor.chat,
                    outbox.c.person == cursor.person,
                )
                .order_by(outbox.c.id)
            ).all()
            rows = [Said(row.id, False, row.text, row.at, row.forwarded, row.pressed) for row in said]
            rows += [Said(row.about, True, row.text, row.at) for row in ours]
            return sorted(rows, key=lambda each: each.message)

        return await self._database.read(read)

    async def keep(
        self, cursor: Cursor, found: Sequence[Note], read_to: int, at: datetime, weigh: datetime
    ) -> None:
        """Store notes, move the cursor past what they were read from and have them weighed: one transaction."""
        values = [
            {
                "person": cursor.person,
                "conversation": note.conversation,
                "message": int(note.message),
                "sitting": note.sitting,
                "content": note.content,
                "situation": note.situation,
                "quote": note.quote,
                "at": note.at,
                "until": note.until.isoformat(),
                "made": at,
            }
            for note in found
        ]

        def write(connection: sa.Connection) -> None:
            here = sa.and_(note_cursors.c.id == cursor.id, note_cursors.c.read_to < read_to)
            moved = note_cursors.update().where(here).values(read_to=read_to, tries=0, retry_at=None)
            if connection.execute(moved).rowcount and values:  # else another hand has read it already
                connection.execute(notes.insert(), values)
                _want(connection, cursor.person, weigh)

        await self._database.write(write)

    async def pass_over(self, cursor: Cursor, read_to: int, failed: int = 0) -> None:
        """Nothing up to there is to be read (any more); `failed` messages could not be in time."""
        here = note_cursors.update().where(note_cursors.c.id == cursor.id)
        gone = note_cursors.c.failed + failed
        await self._database.do(
            here.values(read_to=read_to, tries=0, retry_at=None, asked=False, failed=gone)
        )

    async def unread(self, cursor: Cursor, before: datetime) -> int:
        """How many of the person's own messages from before a moment were never read."""
        query = sa.select(messages).where(
            messages.c.person == cursor.person,
            messages.c.channel == cursor.channel,
            messages.c.chat == cursor.chat,
            messages.c.id > cursor.read_to,
            messages.c.at < before,
        )
        rows = await self._database.rows(query)
        return sum(Said(row.id, False, row.text, row.at, row.forwarded, row.pressed).own for row in rows)

    async def put_off(self, cursor: Cursor, until: datetime, *, unreadable: bool = False) -> None:
        """Reading failed: the cursor stays where it is, and it is tried again later."""
        here = note_cursors.update().where(note_cursors.c.id == cursor.id)
        tries = note_cursors.c.tries + int(unreadable)
        await self._database.do(here.values(tries=tries, retry_at=until, asked=False))

    async def ask(self, person: str) -> None:
        """Read what is unread of a person's conversations now."""
        unread = note_cursors.c.newest > note_cursors.c.read_to
        here = note_cursors.update().where(note_cursors.c.person == person, unread)
        await self._database.do(here.values(asked=True, retry_at=None))

    async def give_up(self, cursor: Cursor, message: int) -> None:
        """Nobody could read this message in many tries: the ones after it are read, and it counts as failed."""
        here = note_cursors.update().where(note_cursors.c.id == cursor.id)
        await self._database.do(
            here.values(read_to=message, tries=0, retry_at=None, failed=note_cursors.c.failed + 1)
        )

    async def coverage(self, person: str, since: datetime) -> Coverage:
        """Of what the person typed since a moment: how much is read."""
        where = sa.and_(
            messages.c.person == note_cursors.c.person,
            messages.c.channel == note_cursors.c.channel,
            messages.c.chat == note_cursors.c.chat,
        )
        query = (
            sa.select(messages, note_cursors.c.read_to, note_cursors.c.retry_at)
            .outerjoin(note_cursors, where)
            .where(messages.c.person == person, messages.c.at >= since)
        )
        rows = await self._database.rows(query)
        own = [row for row in rows if Said(row.id, False, row.text, row.at, row.forwarded, row.pressed).own]
        read = sum(1 for row in own if row.id <= (row.read_to or 0))
        waits = sum(1 for row in own if row.id > (row.read_to or 0) and row.retry_at)
        lost = await self._database.rows(
            sa.select(sa.func.sum(note_cursors.c.failed)).where(note_cursors.c.person == person)
        )
        gone = int(lost[0][0] or 0)
        return Coverage(len(own), max(0, read - gone), waits + gone)

    # ---- notes

    async def notes(self, person: str, today: date) -> list[Note]:
        """All that still hold, in the order they were said."""
        query = (
            sa.select(notes)
            .where(notes.c.person == person, notes.c.until >= today.isoformat())
            .order_by(notes.c.at, notes.c.id)
        )
        return [
            Note(
                content=row.content,
                situation=row.situation,
                at=row.at,
                quote=row.quote,
                conversation=row.conversation,
                message=str(row.message),
                sitting=row.sitting,
                until=date.fromisoformat(row.until),
                id=row.id,
            )
            for row in await self._database.rows(query)
        ]

    # ---- consolidation

    async def want(self, person: str, at: datetime) -> None:
        """Consolidation is due then, whenever it was due before."""

        await self._database.write(lambda connection: _want(connection, person, at))

    async def wanted(self, person: str | None = None) -> list[Due]:
        """Consolidations that are due at some time, the next one first; a person's, due or not."""
        query = sa.select(consolidations).order_by(consolidations.c.wanted, consolidations.c.id)
        if person is None:
            query = query.where(consolidations.c.wanted.is_not(None))
        else:
            query = query.where(consolidations.c.person == person)
        return [_due(row) for row in await self._database.rows(query)]

    async def consolidation(self, id: int) -> Due:
        """One by its id."""
        query = sa.select(consolidations).where(consolidations.c.id == id)
        return _due((await self._database.rows(query))[0])

    async def weighed(self, due: Due, up_to: int) -> None:
        """It ended well. Where it was wanted again meanwhile, it stays due."""
        mine = consolidations.update().where(consolidations.c.id == due.id)
        await self._database.do(
            mine.values(weighed=up_to, tries=0, problem=""),
            mine.where(consolidations.c.wanted == due.wanted).values(wanted=None),
        )

    async def failed(self, due: Due, why: str, again: datetime) -> None:
        """It did not; everything is weighed again then."""
        mine = consolidations.update().where(consolidations.c.id == due.id)
        await self._database.do(mine.values(wanted=again, tries=due.tries + 1, problem=why))


def later(tries: int) -> timedelta:
    """How long to wait after so many failures: an hour, then twice as long each time, a day at most."""
    return timedelta(hours=min(2**tries, 24))


def _want(connection: sa.Connection, person: str, at: datetime) -> None:
    mine = consolidations.c.person == person
    if not connection.execute(consolidations.update().where(mine).values(wanted=at, tries=0)).rowcount:
        connection.execute(consolidations.insert().values(person=person, wanted=at))


def _cursor(row: sa.Row[Any]) -> Cursor:
    return Cursor(
        row.id,
        row.person,
        row.channel,
        row.chat,
        row.newest,
        row.newest_at,
        row.read_to,
        row.tries,
        row.retry_at,
        row.asked,
        row.failed,
    )


def _due(row: sa.Row[Any]) -> Due:
    return Due(row.id, row.person, row.wanted, row.weighed, row.tries, row.problem)
