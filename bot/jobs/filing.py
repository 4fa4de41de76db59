"""The job that files one picture: classify it by the rules of this moment, and send the receipt."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta
from weakref import WeakValueDictionary

import structlog

from bot.agent.eyes import Kept, nothing_kept
from bot.agent.trouble import explain
from bot.errors import HomeUnwritable, KairosError
from bot.jobs.receipts import receipt, receipt_of_album, told
from bot.models.metering import charge
from bot.storage.blobs import Blobs
from bot.storage.filings import Filings
from bot.storage.messages import Messages
from bot.storage.outbox import OutboxRows
from bot.storage.records import FilingRow
from bot.types import Language, Message, Words
from bot.wording import say
from classifiers.types import Ended, Filed
from classifiers.wishes import calls_off, points_ahead
from memory.errors import MemoryProblem, StoreUnwritable

log = structlog.get_logger(__name__)

Classify = Callable[[FilingRow, bytes, str, Language, str], Awaitable[Filed]]
"""File one picture of a person: (row, bytes, what they said about it, their language, the category they wish for
this one, or "")."""


async def nothing_binned(row: FilingRow) -> None:
    """For those who have no bin."""


async def nobody_hears(about: Message, text: str) -> None:
    """For those who have nobody to speak to."""


async def no_rules(person: str) -> str:
    """For those who have no rules that could change."""
    return ""


COUNTED = 4  # pictures from which it is told how far an album has come
ALBUM = 1.5  # seconds without another picture after which an album is whole
JUDGED = 3  # times at most that one hand judges a picture whose rules keep changing
PICTURE_LIMIT = 240.0  # reading may take 60 and the model 30: what needs more never ends
ONCE_IN = 600.0  # seconds until it is worth saying again that a model is silent
BEFORE = timedelta(minutes=10)  # how long words said before a picture may be about it
_BACK = 10  # messages at most that are looked at for such words


@dataclass(frozen=True, slots=True)
class FilingJob:
    """Everything the job needs; one for the whole app."""

    rows: Filings
    messages: Messages
    outbox: OutboxRows
    blobs: Blobs
    classify: Classify
    wish: Callable[[str], Awaitable[str]]  # words → the category that they wish for one picture only, else ""
    language: Callable[[str], Awaitable[Language]]
    kept: Kept = nothing_kept
    version: Callable[[str], Awaitable[str]] = no_rules  # of the rules that hold for a person now
    # now, past an outbox that cannot be written
    speak: Callable[[Message, str], Awaitable[None]] = nobody_hears
    count: Callable[[Message, str], Awaitable[None]] = nobody_hears  # shows how far an album has come
    homeless: dict[int, str] = field(default_factory=dict)  # rows that the home cannot take in yet → why
    # seconds of silence before we say that we wait for the model; None = there is none
    first_word: float | None = None
    limit: float = PICTURE_LIMIT  # seconds one picture may take, whatever it is that takes them
    _spoke: dict[str, float] = field(default_factory=dict, init=False)  # person → when we last said so
    restore: Callable[[FilingRow], Awaitable[None]] = nothing_binned  # what was sent again, from the bin
    _albums: WeakValueDictionary[tuple[str, str, str], asyncio.Lock] = field(
        default_factory=WeakValueDictionary, init=False
    )
    _copies: WeakValueDictionary[tuple[str, str], asyncio.Lock] = field(
        default_factory=WeakValueDictionary, init=False
    )

    async def run(self, row_id: int) -> None:
        """File row `row_id`, unless that is done already.

        A row that was filed before is judged again because rules changed; only a move is worth a word.

        Raises:
            HomeUnwritable: the disk, or a file of the person's memory, is of no use now; said once, it stays due.
        """
        try:
            await self._run(row_id)
        except (HomeUnwritable, MemoryProblem) as error:
            await self._put_off(row_id, error)
            raise HomeUnwritable(self.homeless[row_id]) from error
        self.homeless.pop(row_id, None)

    async def _put_off(self, row_id: int, error: Exception) -> None:
        if row_id in self.homeless:
            return
        row = await self.rows.get(row_id)
        language = await self.language(row.person)
        disk = isinstance(error, HomeUnwritable | StoreUnwritable)
        self.homeless[row_id] = say(
            language, "filing.disk" if disk else "filing.memory", what=explain(error, language)
        )
        if not told(row):
            await self.speak(await self.messages.get(row.message), self.homeless[row_id])

    async def _run(self, row_id: int) -> None:
        row = await self.rows.get(row_id)
        charge(row.person, "filing")
        copies = self._copies.setdefault((row.person, row.blob), asyncio.Lock())
        async with copies:  # of one picture sent twice at once, the second is to find the first
            for left in reversed(range(JUDGED)):
                row = await self.rows.get(row_id)
                if row.state == "due":
                    await self._file(row, again=left > 0)

    async def _file(self, row: FilingRow, *, again: bool) -> None:
        """Judge, shelve, tell; the row stays due when the rules have changed meanwhile and it may be judged `again`."""
        await self.rows.update(row.id, attempt=row.attempt + 1)
        message = await self.messages.get(row.message)
        language = await self.language(row.person)
        data = await self._bytes(row)
        if data is None:
            log.error("picture is gone", action="blob_missing", row=row.id)
            await self.give_up(row.id, say(language, "filed.gone"))
            return
        caption = row.caption or await self._said_with(message)
        wish = await (self.wish(caption) if caption else self._wished_before(message))
        filed = await self._patiently(message, row, self.classify(row, data, caption, language, wish))
        now = await self.version(row.person)
        changed = "" not in (now, filed.rules_seen) and now != filed.rules_seen
        wished = (await self.rows.get(row.id)).caption != row.caption  # while it was judged
        stale = again and (changed or wished)
        several = bool(message.album) or len(message.attachments) > 1
        # the next judgement is the first that the person hears of
        quiet = stale and (wished or several) and not told(row)
        values: dict[str, object] = {
            "state": "due" if stale else filed.ended.value,
            "problem": filed.sentence,
            "rules_seen": row.rules_seen if quiet else filed.rules_seen or row.rules_seen,
            "leaving": [],
        }
        stays = told(row) and filed.filing is not None and filed.filing.category == row.category
        silent = quiet or (stays and not row.leaving)
        await self._end(row, None if silent else await self._receipt(row, filed, language), values)
        log.info(
            "filed",
            action="picture_filed",
            row=row.id,
            ended=filed.ended.value,
            number=filed.number,
            **filed.timings,
        )

    async def _patiently(self, message: Message, row: FilingRow, filing: Awaitable[Filed]) -> Filed:
        """Wait for it; after some silence say so, once however many pictures wait for the same model."""
        task = asyncio.ensure_future(filing)
        try:
            async with asyncio.timeout(self.limit) as time_limit:
                return await self._spoken_of(message, row, task)
        except TimeoutError as error:
            if not time_limit.expired():
                raise
            log.warning("picture took too long", action="picture_slow", row=row.id, seconds=self.limit)
            words = say(await self.language(row.person), "filing.slow", seconds=round(self.limit))
            raise KairosError(words) from error
        finally:
            task.cancel()

    async def _spoken_of(self, message: Message, row: FilingRow, task: asyncio.Future[Filed]) -> Filed:
        await asyncio.wait({task}, timeout=self.first_word)
        now = time.monotonic()
        if not task.done() and not told(row) and now - self._spoke.get(row.person, -ONCE_IN) >= ONCE_IN:
            self._spoke[row.person] = now
            words = Words(say(await self.language(row.person), "trouble.silent"), "notice")
            await self.outbox.add(message, words)
        return await task

    async def _bytes(self, row: FilingRow) -> bytes | None:
        try:
            return await self.blobs.get(row.blob)
        except FileNotFoundError:  # filed days ago: from then on the archive alone keeps it
            return await self.kept(row)

    async def _said_with(self, message: Message) -> str:
        """The words of its album."""
        if message.forwarded:
            return ""
        album = await self.messages.album(message)
        return next((each.text for each in album if each.text and not each.forwarded), "")

    async def _wished_before(self, message: Message) -> str:
        """A one-off wish typed before the picture ("just this once, put the next one in Misc").

        Words right before it may be about it; words further back only where they point ahead themselves and no
        picture came since. Words that follow another picture are about that one, unless they point ahead.
        """
        if message.forwarded:
            return ""
        said = await self._earlier(message, message)
        for back in range(_BACK):
            if said is None or said.attachments:
                return ""
            earlier = await self._earlier(message, said)
            ahead = points_ahead(said.text)
            follows = earlier is not None and bool(earlier.attachments) and said.at - earlier.at <= BEFORE
            may_be = not said.forwarded and (ahead or (not back and not follows))
            if may_be and (wish := await self.wish(said.text)):
                return wish
            if calls_off(said.text):
                return ""
            said = earlier
        return ""

    async def _earlier(self, message: Message, than: Message) -> Message | None:
        """What was said before `than` and soon enough before `message`; what was sent together with it aside."""
        said = await self.messages.before(than)
        while said is not None and message.album and said.album == message.album:
            said = await self.messages.before(said)
        return said if said is not None and message.at - said.at <= BEFORE else None

    async def _receipt(self, row: FilingRow, filed: Filed, language: Language) -> Words:
        if filed.ended is not Ended.DUPLICATE:
            return receipt(row, filed, None, language)
        known = await self.rows.numbered(row.person, filed.duplicate_of or 0)
        binned = None if known else await self.rows.binned_number(row.person, filed.duplicate_of or 0)
        if binned is not None:
            await self.restore(binned)
        return receipt(row, filed, known or binned, language, restored=binned is not None)

    async def _end(self, row: FilingRow, words: Words | None, values: Mapping[str, object]) -> None:
        """End a row and tell of it in one transaction: both or neither. `words`: None where there is nothing to say.

        What was sent together is told together, by the last of it to end.
        """
        message = await self.messages.get(row.message)
        if words is None or told(row):
            ended = self.rows.updating(row.id, **values)
            await self.outbox.add(message, *([words] if words else []), also=(ended,))
            return
        place = (message.channel, message.chat, message.album or str(message.id))
        async with self._albums.setdefault(place, asyncio.Lock()):
            album, rows = await self._together(message, row)
            alone = len(rows) == 1
            ended = self.rows.updating(row.id, **values, receipt="" if alone else words.text)
            waiting = sum(each.state == "due" and each.id != row.id for each in rows)
            if waiting:
                await self.outbox.add(message, also=(ended,))
                if len(rows) >= COUNTED:
                    language = await self.language(row.person)
                    done = say(language, "filed.counting", done=len(rows) - waiting, count=len(rows))
                    await self.count(album[0], done)
                return
            if not alone:
                now = [
                    replace(each, state=str(values["state"])) if each.id == row.id else each for each in rows
                ]
                lines = [words.text if each.id == row.id else each.receipt for each in now]
                told_now = [(each, line) for each, line in zip(now, lines, strict=True) if line]
                language = await self.language(row.person)
                words = receipt_of_album(
                    [each for each, _ in told_now], [line for _, line in told_now], album[0].id, language
                )
            await self.outbox.add(album[0] if not alone else message, words, also=(ended,), counted=not alone)

    async def _together(self, message: Message, row: FilingRow) -> tuple[list[Message], list[FilingRow]]:
        """The messages and pictures that were sent with it; the rest of an album, which may be still on its way, is
        waited for, unless another one of them is due anyhow."""
        for left in (1, 0):
            album = await self.messages.album(message)
            rows = [each for one in album for each in await self.rows.of_message(one.id)]
            if (
                not left
                or not message.album
                or any(each.state == "due" and each.id != row.id for each in rows)
            ):
                break
            await asyncio.sleep(ALBUM)
        return album, rows

    async def give_up(self, row_id: int, why: str) -> None:
        """Mark it failed and say so; the bytes stay. A picture that lies in the archive already stays there."""
        row = await self.rows.get(row_id)
        if row.state != "due":
            return
        if told(row):
            log.warning("not judged again", action="picture_stays", row=row_id, why=why)
            await self.rows.update(row_id, state="filed")
            return
        language = await self.language(row.person)
        why = why or say(language, "filing.unknown")
        words = Words(say(language, "filed.failed", why=why), "receipt")
        await self._end(row, words, {"state": "failed", "problem": why})

    async def put_aside(self, row_id: int) -> None:
        """It ended the process each time it was begun: mark it failed, and say that."""
        row = await self.rows.get(row_id)
        await self.give_up(row_id, say(await self.language(row.person), "filing.deadly"))
