"""What is to be said: stored, then sent, then marked; a crash in between sends it again and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from bot.storage.database import Database
from bot.storage.drafts import DraftRows, apart
from bot.storage.tables import messages, outbox
from bot.types import Answered, Button, Message, Outgoing, Words

_OUTSIDE = sa.select(messages.c.outside_id).where(messages.c.id == sa.bindparam("row"))
_INSERT = outbox.insert().values(reply_to=_OUTSIDE.scalar_subquery())
_ANSWERED = (
    messages.update()
    .where(messages.c.id == sa.bindparam("row"), messages.c.answered.is_(False))
    .values(answered=True, problem=sa.bindparam("why"), loaded=sa.bindparam("lines"))
)
_READ = messages.update().where(messages.c.id == sa.bindparam("row")).values(extracted=True)
_UNREAD = (
    sa.select(messages.c.id)
    .where(
        messages.c.person == sa.bindparam("person"),
        messages.c.answered.is_(True),  # what waits for its turn is read after it
        messages.c.extracted.is_(False),
        messages.c.put_off.is_(False),  # these follow when a reading has ended well
    )
    .order_by(messages.c.id)
)
_UNSENT = (
    sa.select(outbox)
    .where(
        outbox.c.channel == sa.bindparam("channel"),
        outbox.c.state == "unsent",
        outbox.c.id > sa.bindparam("after"),
    )
    .order_by(outbox.c.id)
)
_IN_LANE = sa.select(messages.c.id).where(
    messages.c.id.in_(sa.bindparam("rows", expanding=True)),
    messages.c.person == sa.bindparam("person"),
    messages.c.channel == sa.bindparam("channel"),
    messages.c.chat == sa.bindparam("chat"),
)
_SAID_HERE = (
    sa.select(outbox)
    .where(
        outbox.c.channel == sa.bindparam("channel"),
        outbox.c.chat == sa.bindparam("chat"),
        outbox.c.person == sa.bindparam("person"),
    )
    .order_by(outbox.c.id.desc())
    .limit(1)
)
_REPLIED = _SAID_HERE.where(outbox.c.sent_id == sa.bindparam("sent_id"))
_LAST_SAID = _SAID_HERE.with_only_columns(outbox.c.text).where(outbox.c.kind == "answer")
_LAST_ANSWER = _SAID_HERE.where(outbox.c.kind == "answer", outbox.c.at >= sa.bindparam("since"))


_DROP = "drop:"  # how the data of a button begin that closes a question

Conversation = tuple[str, str, str]
"""(channel, chat, person)"""


def _conversation(message: Message) -> Conversation:
    return message.channel, message.chat, message.person


Stored = Callable[[str, Sequence[Outgoing]], None]
"""Hears that there is something new to send: (channel, the new rows where they are known, else nothing)."""


def nobody_sends(channel: str, fresh: Sequence[Outgoing]) -> None:
    """For those who only store."""


def _whole(words: Sequence[Words]) -> int:
    """Which of an answer's words its draft becomes: without a picture and an answer where there are such, the last."""
    places = range(len(words))
    return max(places, key=lambda place: (not words[place].picture, words[place].kind == "answer", place))


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
        person=row.person,
        shown=row.sent_id if row.state == "unsent" else "",
    )


class OutboxRows:
    """The rows of the outbox."""

    def __init__(
        self, database: Database, now: Callable[[], datetime], drafts: DraftRows | None = None
    ) -> None:
        self._database = database
        self._drafts = drafts or DraftRows(database)
        self._now = now
        self.stored: Stored = nobody_sends
        # by conversation: whether the last answer in it asks something that may be answered in words; see `waiting`
        self._asks: dict[Conversation, bool] = {}
        self._taken: dict[str, int] = {}  # by channel: the newest row that whoever sends there has

    async def answer(self, burst: Sequence[Message], answered: Answered) -> list[int]:
        """Store what a turn says, mark its messages answered, and those that need no reading for memory as read.

        One transaction. Returns the rows of this person that memory has yet to read, without those put off.
        """
        lines = [line for each in answered.words for line in each.loaded]
        said = [self._values(burst[-1], each) for each in answered.words]
        cut = answered.cut or [each.id for each in burst]
        marked = [
            {"row": each.id, "why": answered.problem if each.id in cut else "", "lines": lines}
            for each in burst
        ]

        drafted = self._drafts.of(burst)
        halves = list(drafted.values())
        if halves and said:
            said[_whole(answered.words)]["sent_id"] = halves.pop(0)
        # what was begun and comes to nothing (a `/stop` between the turns of a burst) is taken back
        nothing = self._said(burst[-1].channel, burst[-1].chat, burst[-1].person, Words("", "notice"))
        taken_back = [{**nothing, "sent_id": each} for each in halves]
        lane = {"person": burst[-1].person, "channel": burst[-1].channel, "chat": burst[-1].chat}

        taken = self._taken.get(burst[-1].channel)
        later = self._drafts.behind(burst[-1].id)

        def write(connection: sa.Connection) -> tuple[list[int], list[Outgoing]]:
            # a burst that is answered one by one after all: what was shown of its end would stand above this
            early = (
                connection.execute(_IN_LANE, {**lane, "rows": list(later)}).scalars().all() if later else []
            )
            for row in early:
                connection.execute(outbox.insert(), {**nothing, "sent_id": later[row]})
                drafted[row] = later[row]
            # not for the first time: that it was stored did not reach us
            first = connection.execute(_ANSWERED, marked).rowcount != 0
            for each in said if first else ():
                connection.execute(_INSERT, each)
            for each in taken_back if first else ():
                connection.execute(outbox.insert(), each)
            if drafted:
                connection.execute(self._drafts.ending(drafted))
            if answered.read:
                connection.execute(_READ, [{"row": row} for row in answered.read])
            here = {"channel": burst[-1].channel, "after": taken}
            fresh = [_outgoing(row) for row in connection.execute(_UNSENT, here)] if taken is not None else []
            unread = [int(row.id) for row in connection.execute(_UNREAD, {"person": burst[-1].person})]
            return unread, fresh

        unread, fresh = await self._database.write(write)
        self._drafts.ended(drafted)
        self._heard(burst[-1], answered.words)
        # what grows out of a draft is read with what has arrived before it, by `unsent`
        self.stored(burst[-1].channel, () if any(row.shown for row in fresh) else fresh)
        return unread

    async def add(
        self,
        about: Message,
        *words: Words,
        also: Sequence[sa.Executable] = (),
        unasked: bool = False,
        counted: bool = False,
    ) -> None:
        """Store what is to be said outside a turn (a receipt, a notice), in one transaction with what ends by it.

        `unasked`: it is no reply to the message, which only tells where to say it. `counted`: the message that showed
        how far this had come becomes the first of the words.
        """
        key = replace(about, id=apart(about.id))
        shown = self._drafts.of([key]).get(key.id, "") if counted and words else ""
        statements = [*also, *(self._insert(about, each, unasked) for each in words)]
        if shown:
            statements[len(also)] = self._insert(about, words[0], unasked).values(sent_id=shown)
            statements.append(self._drafts.ending([key.id]))
        if statements:
            await self._database.do(*statements)
        if shown:
            self._drafts.ended([key.id])
        if words:
            self._heard(about, words)
            self.stored(about.channel, ())

    async def post(self, channel: str, chat: str, person: str, words: Words) -> None:
        """Store what is to be said to somebody though no message of theirs is the reason."""
        values = self._said(channel, chat, person, words)
        await self._database.do(outbox.insert().values(**values))
        self._asks.pop((channel, chat, person), None)
        self.stored(channel, ())

    async def offered(self, message: Message) -> bool:
        """Whether the button that was pressed was put to this person in this chat."""
        query = sa.select(outbox.c.buttons).where(
            outbox.c.channel == message.channel,
            outbox.c.chat == message.chat,
            outbox.c.person == message.person,
            sa.cast(outbox.c.buttons, sa.Text) != "[]",
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

    async def last_said(self, message: Message) -> str:
        """The last answer that stands in a message's conversation; "" where there is none."""
        here = {"channel": message.channel, "chat": message.chat, "person": message.person}
        rows = await self._database.rows(_LAST_SAID, here)
        return str(rows[0].text) if rows else ""

    async def replied(self, message: Message) -> Outgoing | None:
        """What of ours a message replies to, if it was said to this person."""
        if not message.reply_to:
            return None
        query = sa.select(outbox).where(
            outbox.c.channel == message.channel,
            outbox.c.chat == message.chat,
            outbox.c.person == message.person,
            outbox.c.sent_id == message.reply_to,
        )
        rows = await self._database.rows(query)
        return _outgoing(rows[0]) if rows else None

    async def waiting(self, message: Message, since: datetime) -> str:
        """What a question of ours waits to be told, as the rest of its `drop:` button's data; "" when none does.

        The question is the one replied to, or the last answer we gave in this conversation, if it is no older than
        `since`.
        """
        if not message.reply_to and self._asks.get(_conversation(message)) is False:
            return ""
        here = {"channel": message.channel, "chat": message.chat, "person": message.person}
        query, which = (
            (_REPLIED, {"sent_id": message.reply_to})
            if message.reply_to
            else (_LAST_ANSWER, {"since": since})
        )
        rows = await self._database.rows(query, {**here, **which})
        data = [str(each["data"]) for row in rows for each in row.buttons]
        return next((each.removeprefix(_DROP) for each in data if each.startswith(_DROP)), "")

    def _heard(self, about: Message, words: Sequence[Words]) -> None:
        """Know whether the last answer asks something, so that most messages need not look for it."""
        for each in words:
            if each.kind == "answer":
                asks = any(button.data.startswith(_DROP) for button in each.buttons)
                self._asks[_conversation(about)] = asks

    def _insert(self, about: Message, words: Words, unasked: bool) -> sa.Insert:
        values = self._values(about, words)
        row = values.pop("row")
        if unasked:
            return outbox.insert().values(**values)
        reply_to = sa.select(messages.c.outside_id).where(messages.c.id == row)
        return outbox.insert().values(**values, reply_to=reply_to.scalar_subquery())

    def _values(self, about: Message, words: Words) -> dict[str, Any]:
        """What fills `_INSERT`."""
        said = self._said(about.channel, about.chat, about.person, words)
        return {"row": about.id, "about": about.id, **said}

    def _said(self, channel: str, chat: str, person: str, words: Words) -> dict[str, Any]:
        return {
            "channel": channel,
            "chat": chat,
            "person": person,
            "text": words.text,
            "kind": words.kind,
            "buttons": [asdict(button) for button in words.buttons],
            "picture": words.picture,
            "at": self._now(),
            "state": "unsent",
        }

    def taken(self, channel: str, row_id: int) -> None:
        """Who sends in a channel has every row up to this one: what they are handed next begins right behind it,
        whoever wrote it. Another process may have, or somebody who was cut before they could tell.
        """
        self._taken[channel] = row_id

    async def unsent(self, channel: str, after: int = 0) -> list[Outgoing]:
        """What waits to be sent in a channel, oldest first; only rows newer than `after`."""
        values = {"channel": channel, "after": after}
        rows = [_outgoing(row) for row in await self._database.rows(_UNSENT, values)]
        arrived = self._drafts.arrived
        return [
            replace(row, arrived=await arrived(row.channel, row.chat)) if row.shown else row for row in rows
        ]

    async def mark(self, row_id: int, state: str, *, sent_id: str = "", problem: str = "") -> None:
        """It was sent, or refused for good."""
        await self._database.do(
            outbox.update().where(outbox.c.id == row_id).values(state=state, sent_id=sent_id, problem=problem)
        )

    async def part(self, row_id: int, shown: str) -> None:
        """Its first parts have arrived; nothing when all of it is marked meanwhile."""
        unsent = sa.and_(outbox.c.id == row_id, outbox.c.state == "unsent")
        await self._database.do(outbox.update().where(unsent).values(sent_id=shown))

    async def states(self, about: int) -> list[str]:
        """The states of everything said about one message."""
        query = sa.select(outbox.c.state).where(outbox.c.about == about).order_by(outbox.c.id)
        rows = await self._database.rows(query)
        return [row.state for row in rows]

    async def about(self, channel: str, chat: str, sent_id: str) -> tuple[int | None, str] | None:
        """The message that one of our sent messages was about, and our words; None when it is not ours."""
        rows = await self._database.rows(
            sa.select(outbox.c.about, outbox.c.text).where(
                outbox.c.channel == channel, outbox.c.chat == chat, outbox.c.sent_id == sent_id
            )
        )
        return (rows[0].about, rows[0].text) if rows else None
