"""A chat that goes by another name from now on, and numbers its messages anew: what was said there stays said."""

from __future__ import annotations

import sqlalchemy as sa

from bot.storage.database import Database
from bot.storage.tables import messages, metadata, outbox


async def move_chat(database: Database, channel: str, old: str, new: str) -> None:
    """Keep everything of it under its new name. Raises `HomeUnwritable`."""
    former = f"{old}:"  # else a new message with an old one's number would have been heard already
    renumbered: tuple[sa.Executable, ...] = (
        messages.update()
        .where(messages.c.channel == channel, messages.c.chat == old)
        .values(outside_id=former + messages.c.outside_id, reply_to=""),
        outbox.update()
        .where(outbox.c.channel == channel, outbox.c.chat == old)
        .values(reply_to="", sent_id=sa.case((outbox.c.sent_id == "", ""), else_=former + outbox.c.sent_id)),
    )
    named = [
        table.update().where(table.c.channel == channel, table.c.chat == old).values(chat=new)
        for table in metadata.sorted_tables
        if {"channel", "chat", "person"} <= set(table.c.keys())
    ]
    await database.do(*renumbered, *named)
