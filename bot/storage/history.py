"""One conversation as it went: both sides in order, and what stood in the pictures that were sent in it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sqlalchemy as sa

from bot.storage.database import Database, Values
from bot.storage.messages import HERE, between
from bot.storage.records import HistoryLine, PictureText
from bot.storage.tables import filings, messages, outbox
from bot.types import Message

_COUNT = sa.select(sa.func.count()).where(HERE)
_SAID = (
    sa.select(
        messages.c.id,
        messages.c.text,
        messages.c.at,
        messages.c.forwarded,
        messages.c.pressed,
        messages.c.attachments,
    )
    .where(HERE)
    .order_by(messages.c.id)
    .offset(sa.bindparam("skip", type_=sa.Integer))
)
_ANSWERS = (
    sa.select(outbox.c.about, outbox.c.text, outbox.c.at, outbox.c.kind)
    .where(
        outbox.c.channel == sa.bindparam("channel"),
        outbox.c.chat == sa.bindparam("chat"),
        outbox.c.person == sa.bindparam("person"),
        outbox.c.about >= sa.bindparam("first"),
        outbox.c.about < sa.bindparam("before"),
    )
    .order_by(outbox.c.id)
)
_PICTURES = (
    sa.select(filings.c.message, filings.c.number, filings.c.text)
    .where(
        filings.c.person == sa.bindparam("person"),
        filings.c.message >= sa.bindparam("first"),
        filings.c.message < sa.bindparam("before"),
        filings.c.number.is_not(None),
        filings.c.state != "deleted",
    )
    .order_by(filings.c.message, filings.c.place)
)


class History:
    """Reads messages, answers and filings; writes nothing."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def before(self, here: Message, *, after: int, block: int = 20) -> list[HistoryLine]:
        """The person's conversation in a message's chat, from after a row (exclusive) to that message (exclusive).

        At least `block` and less than twice as many of the person's messages. Its start moves by whole blocks, so
        that most requests to a model repeat the one before from the first word on.
        """
        return await self._database.read(
            lambda connection: read_before(connection, here, after=after, block=block)
        )

    async def stretch(
        self, channel: str, chat: str, person: str, *, after: int, to: int, most: int
    ) -> list[HistoryLine]:
        """A conversation from after a row to another, included; the newest `most` of the person's messages in it."""
        place = {"channel": channel, "chat": chat, "person": person, "after": after, "before": to + 1}

        def skipped(count: int) -> int:
            return max(0, count - most)

        return await self._database.read(lambda connection: _lines(connection, place, skipped))


def read_before(
    connection: sa.Connection, here: Message, *, after: int, block: int = 20
) -> list[HistoryLine]:
    """`History.before`, for somebody who reads more at the same moment."""

    def skipped(count: int) -> int:
        return max(0, count // block - 1) * block

    return _lines(connection, between(here, after), skipped)


def _lines(connection: sa.Connection, place: Values, skipped: Callable[[int], int]) -> list[HistoryLine]:
    count = connection.execute(_COUNT, place).scalar_one()
    said = list(connection.execute(_SAID, {**place, "skip": skipped(count)}))
    if not said:
        return []
    stretch = {**place, "first": said[0].id}
    pictures = _pictures(connection, stretch) if any(row.attachments for row in said) else {}
    lines = [
        HistoryLine(
            False,
            _heard(row),
            row.at,
            row.id,
            bool(row.forwarded),
            bool(row.attachments),
            pictures=tuple(pictures.get(row.id, ())),
        )
        for row in said
    ]
    lines += [
        HistoryLine(True, row.text, row.at, row.about, shown=row.kind != "answer")
        for row in connection.execute(_ANSWERS, stretch)
    ]
    return sorted(lines, key=lambda line: line.message or 0)


def _pictures(connection: sa.Connection, stretch: Values) -> dict[int, list[PictureText]]:
    found: dict[int, list[PictureText]] = {}
    for row in connection.execute(_PICTURES, stretch):
        found.setdefault(int(row.message), []).append(PictureText(int(row.number), row.text))
    return found


def _heard(row: sa.Row[*tuple[Any, ...]]) -> str:
    """A message as a line of history: its words, and what came with them where no words tell."""
    papers = [each["name"] for each in row.attachments if each.get("kind") == "paper"]
    if papers:  # what they say is shown for a while only
        told = f"[📎 {', '.join(papers)}: shown again when the user replies to it]"
        return f"{row.text}\n{told}".strip()
    if row.text or row.pressed:
        return str(row.text or f"[{row.pressed}]")
    return f"[{len(row.attachments)} 📎]"
