"""What one person and the assistant said to each other, in every conversation, found again with what stood around it.

The messages are the truth; the index beside them is brought in step before each search, and made anew where the two
disagree. What is found here is data: it is shown with its source, and nothing reads it for memory.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any

import sqlalchemy as sa

from bot.storage.database import Database
from bot.storage.records import HistoryLine
from bot.storage.tables import messages, outbox
from bot.types import is_command
from bot.wording import parted
from memory.dates import Dated
from memory.dict_index import DictIndex
from memory.errors import IndexUnusable
from memory.index import Document, Index, telling
from memory.past_dates import find_past

_AT_ONCE = 64  # messages embedded anew for one search: half a second; the rest are found by their words
_SPEAKS = 0.84  # cosine from which words that share none with the question may answer it
_SELF = 20  # hits beyond those wanted: messages of the very turn that asks are passed over
_MOST_OF_DAYS = 5_000  # messages of a stretch of days that are looked through
LONGEST = 20_000  # characters of one message that are searched
_FRAME = re.compile(  # how one asks for what was said: these words look for nothing
    r"\b(?:what|when|where|which|who)?\s*(?:did|have|had)\s+(?:i|we|you)\s+(?:ever\s+)?"
    r"(?:say|said|tell|told|mention(?:ed)?|write|written|ask(?:ed)?|talk(?:ed)?|chat(?:ted)?|discuss(?:ed)?)"
    r"(?:\s+(?:to\s+)?(?:you|me))?(?:\s+(?:about|of|on|in|around))?\b|"
    r"(?:我|我们|咱们?|你)?(?:之前|以前|上次|曾经?|都|有没有|是不是)*(?:跟|和|对)?(?:你|我)?"
    r"(?:说|提|聊|讲|问|写)(?:过|到|了|起)(?:过|的)?(?:些)?(?:什么|啥|哪些|没有?|吗)?(?:关于|有关)?",
    re.IGNORECASE,
)
_SHORT = 80  # characters of a question that is nothing else
_ASKS = re.compile(r"[?？]\s*$|吗\s*$|什么|哪些|^\s*(?:what|when|where|which|did|have)\b", re.IGNORECASE)
_EDGES = re.compile(  # what is left of it around its subject
    r"^(?:我们?|咱们?|你|在|那天|关于|有关|的|说的?|聊的?|提的?|讲的?|(?:about|on|in|of)\b|[\s\W])+|"
    r"(?:的?(?:事情?|话|内容|时候)|的|吗|呢|了|什么|啥|[\s\W])+$",
    re.IGNORECASE,
)

_SAID = (
    sa.select(messages)
    .where(messages.c.person == sa.bindparam("person"), messages.c.id > sa.bindparam("after"))
    .order_by(messages.c.id)
)
_ANSWERED = (
    sa.select(outbox)
    .where(
        outbox.c.person == sa.bindparam("person"),
        outbox.c.id > sa.bindparam("after"),
        outbox.c.kind == "answer",
    )
    .order_by(outbox.c.id)
)
_COUNTED = [
    sa.select(sa.func.count()).where(
        table.c.person == sa.bindparam("person"), table.c.id <= sa.bindparam("to")
    )
    for table in (messages, outbox)
]


@dataclass(frozen=True, slots=True)
class Passage:
    """Something that was said, with its neighbours."""

    id: str  # of the line found: "m12" a message of theirs, "a34" an answer
    conversation: str  # channel:chat
    lines: tuple[HistoryLine, ...]  # in the order in which they were said
    at: int  # which of them was found

    @property
    def line(self) -> HistoryLine:
        """The one that was found."""
        return self.lines[self.at]


@dataclass(frozen=True, slots=True)
class _Watermark:
    """Up to where an index holds the tables, and how many rows of the person that were."""

    message: int = 0
    answer: int = 0
    messages: int = 0
    answers: int = 0

    @classmethod
    def read(cls, mark: str) -> _Watermark:
        parts = mark.split(":")
        return cls(*map(int, parts)) if len(parts) == 4 else cls()

    def __str__(self) -> str:
        return f"{self.message}:{self.answer}:{self.messages}:{self.answers}"


class Chats:
    """Bound to one person at birth."""

    def __init__(self, database: Database, person: str, index: Index, now: Callable[[], datetime]) -> None:
        """`now`: in the person's zone, in which days are theirs."""
        self._database = database
        self._person = person
        self._index = index
        self._spare = DictIndex()  # where the index cannot be used
        self._now = now
        self._turn = asyncio.Lock()

    async def search(
        self,
        words: str,
        most: int = 8,
        *,
        since: date | None = None,
        until: date | None = None,
        before: int | None = None,
    ) -> list[Passage]:
        """What was said that answers a question, best first; of a stretch of days alone, in the order it was said.

        Args:
            words: of any script. Days named in them ("last week", 5月3日) narrow the search when none are given.
            since, until: first and last day, both included.
            before: only messages before this row, and answers to them: the question itself is no answer.
        """
        days, about = (None, words) if since or until else named_days(words, self._now())
        if days is not None:
            since, until = days.first, days.last
        ids = await self._within(since, until, before)
        if ids is not None and not ids:
            return []
        found: Sequence[str]
        if subject := asked_about(about):
            hits = await self._found(subject, ids, 4 * most + _SELF)
            found = [id for id in hits if _before(id, before)]
        elif ids is not None:
            found = [id for id in ids if id.startswith("m")]
        else:
            return []
        return await self._passages(found, most)

    async def understand(self, most: int | None = None) -> int:
        """Embed what is not embedded yet; returns how much that still is. For idle hours."""
        async with self._turn:
            await self._in_step(self._index)
            return await self._index.understand(most)

    async def _found(self, words: str, ids: Sequence[str] | None, most: int) -> list[str]:
        async with self._turn:
            try:
                hits = await self._asked(self._index, words, ids, most)
            except IndexUnusable:
                hits = await self._asked(self._spare, words, ids, most)
        return hits

    async def _asked(self, index: Index, words: str, ids: Sequence[str] | None, most: int) -> list[str]:
        await self._in_step(index)
        await index.understand(_AT_ONCE)
        hits = await index.find(words, most, among=ids)
        return [hit.id for hit in hits if hit.score > 0 and (hit.worded or hit.cosine >= _SPEAKS)]

    async def _in_step(self, index: Index) -> None:
        """Take in what came since; all of it anew when rows that were taken in are there no more."""
        held = _Watermark.read((await index.marks()).get("", ""))
        counts = [
            int((await self._database.rows(query, {"person": self._person, "to": to}))[0][0])
            for query, to in zip(_COUNTED, (held.message, held.answer), strict=True)
        ]
        if counts != [held.messages, held.answers]:
            await index.clear()
            held = _Watermark()
        said = await self._database.rows(_SAID, {"person": self._person, "after": held.message})
        answers = await self._database.rows(_ANSWERED, {"person": self._person, "after": held.answer})
        newest = await self._newest()
        if newest == held:
            return
        zone = self._now().tzinfo
        idle = {row.id for row in said if is_command(row.text) or asks_back(row.text)}
        lines = [(row.id, 0, row, f"m{row.id}", row.text) for row in said if row.id not in idle]
        lines += [
            (row.about or 0, 1, row, f"a{row.id}", parted(row.text)[0])
            for row in answers
            if row.about not in idle  # such an answer only repeats what was found
        ]
        documents = [
            Document(id, text[:LONGEST], f"{row.channel}:{row.chat}", _dated(row.at.astimezone(zone)))
            for _, _, row, id, text in sorted(lines, key=lambda each: each[:2])
            if text.strip()
        ]
        await index.put(documents, mark=str(newest))

    async def _newest(self) -> _Watermark:
        def look(connection: sa.Connection) -> _Watermark:
            ends = []
            for table in (messages, outbox):
                query = sa.select(sa.func.max(table.c.id), sa.func.count()).where(
                    table.c.person == self._person
                )
                ends.append(connection.execute(query).one())
            return _Watermark(ends[0][0] or 0, ends[1][0] or 0, ends[0][1], ends[1][1])

        return await self._database.read(look)

    async def _within(self, since: date | None, until: date | None, before: int | None) -> list[str] | None:
        """Ids of what was said on these days, oldest first; None = on any."""
        if since is None and until is None:
            return None
        zone = self._now().tzinfo
        start = datetime.combine(since or date.min.replace(year=1970), time(), zone)
        end = datetime.combine((until or date(9000, 1, 1)) + timedelta(days=1), time(), zone)

        def look(connection: sa.Connection) -> list[str]:
            rows: list[tuple[datetime, int, str]] = []
            for kind, table, key in (("m", messages, messages.c.id), ("a", outbox, outbox.c.about)):
                query = sa.select(table.c.id, table.c.at).where(
                    table.c.person == self._person, table.c.at >= start, table.c.at < end
                )
                if before is not None:
                    query = query.where(key < before)
                query = query.order_by(table.c.id.desc()).limit(_MOST_OF_DAYS)
                rows += [(row.at, row.id, kind) for row in connection.execute(query)]
            return [f"{kind}{id}" for _, id, kind in sorted(rows)]

        return await self._database.read(look)

    async def _passages(self, ids: Sequence[str], most: int) -> list[Passage]:
        """The first of them with what stood around each; one that was shown beside a better one is not shown again."""

        def look(connection: sa.Connection) -> list[Passage]:
            found: list[Passage] = []
            shown: set[str] = set()
            for id in ids:
                if len(found) == most:
                    break
                if id not in shown and (around := _around(connection, self._person, id)):
                    at = [other for other, _ in around[1]].index(id)
                    part = around[1][max(0, at - 1) : at + 2]
                    shown.update(other for other, _ in part)
                    lines = tuple(line for _, line in part)
                    found.append(Passage(id, around[0], lines, min(at, 1)))
            return found

        return await self._database.read(look)


def named_days(words: str, now: datetime) -> tuple[Dated | None, str]:
    """The days that a question names, all of them together, and the question without them."""
    found = find_past(words, now)
    if not found:
        return None, words
    rest = words
    for each in reversed(found):
        rest = f"{rest[: each.start]} {rest[each.end :]}"
    first, last = min(each.first for each in found), max(each.last for each in found)
    return Dated(found[0].start, found[-1].end, first, last, "day"), rest


def asks_back(text: str) -> bool:
    """Whether it asks for what was said: it says nothing itself, and would be the best answer to its like."""
    return len(text) <= _SHORT and _ASKS.search(text) is not None and _FRAME.search(text) is not None


def asked_about(words: str) -> str:
    """A question without the words that only ask ("what did I say about")."""
    rest = _EDGES.sub("", " ".join(_FRAME.sub(" ", words).split()))
    return rest if telling(rest) else ""


def _before(id: str, row: int | None) -> bool:
    return row is None or id.startswith("a") or int(id[1:]) < row


def _dated(at: datetime) -> str:
    """A day in the words that people may ask with."""
    return f"{at:%Y-%m-%d} {at.day} {at:%B %Y} {at.month}月{at.day}日"


def _around(
    connection: sa.Connection, person: str, id: str
) -> tuple[str, list[tuple[str, HistoryLine]]] | None:
    """(conversation, lines by id in order) of the message before a line, its own, the one after, and their answers."""
    row_id = int(id[1:])
    if id.startswith("a"):
        answer = connection.execute(sa.select(outbox).where(outbox.c.id == row_id)).first()
        if answer is None or answer.about is None:
            return None if answer is None else (_place(answer), [(id, _ours(answer))])
        row_id = answer.about
    own = connection.execute(sa.select(messages).where(messages.c.id == row_id)).first()
    if own is None or own.person != person:
        return None
    here = sa.and_(
        messages.c.person == person, messages.c.channel == own.channel, messages.c.chat == own.chat
    )
    query = sa.select(messages).where(here)
    before = connection.execute(
        query.where(messages.c.id < row_id).order_by(messages.c.id.desc()).limit(1)
    ).all()
    after = connection.execute(query.where(messages.c.id > row_id).order_by(messages.c.id).limit(1)).all()
    said = [*before, own, *after]
    answers = connection.execute(
        sa.select(outbox)
        .where(
            outbox.c.person == person,
            outbox.c.kind == "answer",
            outbox.c.about.in_([row.id for row in said]),
        )
        .order_by(outbox.c.id)
    ).all()
    lines = [(row.id, 0, f"m{row.id}", _theirs(row)) for row in said if row.text.strip()]
    lines += [(row.about, 1, f"a{row.id}", _ours(row)) for row in answers if parted(row.text)[0].strip()]
    found = [(other, line) for _, _, other, line in sorted(lines, key=lambda each: each[:3])]
    return (_place(own), found) if any(other == id for other, _ in found) else None


def _place(row: sa.Row[Any]) -> str:
    return f"{row.channel}:{row.chat}"


def _theirs(row: sa.Row[Any]) -> HistoryLine:
    return HistoryLine(False, row.text, row.at, row.id, forwarded=bool(row.forwarded))


def _ours(row: sa.Row[Any]) -> HistoryLine:
    return HistoryLine(True, parted(row.text)[0], row.at, row.about)
