"""All that a person has said in their conversations, for those who read them afterwards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa

from bot.storage.database import Database
from bot.storage.messages import message_of
from bot.storage.tables import messages, outbox
from bot.types import Message, is_command

_AT_ONCE = 400  # ids in one query
_HEAD = 100  # characters by which a command is known


@dataclass(frozen=True, slots=True)
class Said:
    """Where one message lies."""

    id: int
    conversation: str  # channel:chat
    at: datetime


class Talks:
    """The finished part of a person's conversations: what was answered, without commands, buttons and bare files."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def outline(self, person: str) -> list[Said]:
        """Every message with words, oldest first: light, so that all of years can be looked through."""
        query = (
            sa.select(
                messages.c.id,
                messages.c.channel,
                messages.c.chat,
                messages.c.at,
                messages.c.forwarded,
                sa.func.substr(messages.c.text, 1, _HEAD).label("head"),
            )
            .where(
                messages.c.person == person,
                messages.c.answered.is_(True),
                messages.c.pressed == "",
                messages.c.text != "",
            )
            .order_by(messages.c.id)
        )
        return [
            Said(row.id, f"{row.channel}:{row.chat}", row.at)
            for row in await self._database.rows(query)
            if row.head.strip() and (row.forwarded or not is_command(row.head))
        ]

    async def messages(self, person: str, ids: Sequence[int]) -> list[Message]:
        """Those of these messages that are this person's, oldest first."""
        found: list[Message] = []
        for start in range(0, len(ids), _AT_ONCE):
            query = sa.select(messages).where(
                messages.c.person == person, messages.c.id.in_(ids[start : start + _AT_ONCE])
            )
            found += [message_of(row) for row in await self._database.rows(query.order_by(messages.c.id))]
        return sorted(found, key=lambda each: each.id)

    async def answers(self, ids: Sequence[int]) -> dict[int, list[str]]:
        """What was answered to these messages. Receipts and notices are the app's own record, and are left out."""
        answers: dict[int, list[str]] = {}
        for start in range(0, len(ids), _AT_ONCE):
            query = sa.select(outbox.c.about, outbox.c.text).where(
                outbox.c.about.in_(ids[start : start + _AT_ONCE]), outbox.c.kind == "answer"
            )
            for row in await self._database.rows(query.order_by(outbox.c.id)):
                answers.setdefault(int(row.about), []).append(str(row.text))
        return answers
