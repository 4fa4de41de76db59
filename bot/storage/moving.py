"""A chat that goes by another name from now on, and numbers its messages anew: what was said there stays said."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from bot.storage.database import Database
from bot.storage.tables import fresh_starts, messages, metadata, note_cursors, outbox, summaries


async def move_chat(database: Database, channel: str, old: str, new: str) -> None:
    """Keep everything of it under its new name. Raises `HomeUnwritable`."""
    former = f"{old}:"  # else a new message with an old one's number would have been heard already
    renumbered: tuple[sa.Executable, ...] = (
        messages.update()
        .where(messages.c.channel == channel, messages.c.chat == old)
        .values(outside_id=former + messages.c.outside_id, reply_to=""),
        outbox.update().where(outbox.c.channel == channel, outbox.c.chat == old).values(reply_to=""),
        outbox.update()  # of what is yet to be sent, it tells how many parts have arrived
        .where(outbox.c.channel == channel, outbox.c.chat == old, outbox.c.state != "unsent")
        .values(sent_id=sa.case((outbox.c.sent_id == "", ""), else_=former + outbox.c.sent_id)),
    )
    named = [
        table.update().where(table.c.channel == channel, table.c.chat == old).values(chat=new)
        for table in metadata.sorted_tables
        if {"channel", "chat", "person"} <= set(table.c.keys())
    ]
    await database.do(*renumbered, *_one_of_two(channel, old, new), *named)


def _one_of_two(channel: str, old: str, new: str) -> tuple[sa.Executable, ...]:
    """Something was said under the new name before we heard of it: of what a conversation has once, one stays."""

    def at(table: sa.Table, chat: str) -> sa.ColumnElement[bool]:
        return sa.and_(table.c.channel == channel, table.c.chat == chat)

    def also_at(table: sa.Table, chat: str, *names: str) -> sa.Select[Any]:
        """The row of the same person there, or these columns of it."""
        there = table.alias()
        same = sa.and_(there.c.person == table.c.person, there.c.channel == channel, there.c.chat == chat)
        return sa.select(*(there.c[name] for name in names or there.c.keys())).where(same)

    return (
        # the later `/new` counts
        fresh_starts.delete().where(at(fresh_starts, old), also_at(fresh_starts, new).exists()),
        # what tells of earlier talk, and what has yet to read it: all that came later is still to be told and read
        summaries.delete().where(at(summaries, new), also_at(summaries, old).exists()),
        note_cursors.update()
        .where(at(note_cursors, old), also_at(note_cursors, new).exists())
        .values(
            {name: also_at(note_cursors, new, name).scalar_subquery() for name in ("newest", "newest_at")}
        ),
        note_cursors.delete().where(at(note_cursors, new), also_at(note_cursors, old).exists()),
    )
