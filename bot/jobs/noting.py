"""The job on a conversation that has gone quiet: what is new in it, distilled into notes by the extract model."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog

from bot.models.metering import charge
from bot.settings.values import Learning
from bot.storage.records import Said
from bot.storage.slow import Cursor, SlowRows, later
from bot.wording import parted
from memory import Utterance
from memory.changes import Speaker
from memory.errors import ExtractionFailed
from memory.notes import NoteTaker, Spoken

log = structlog.get_logger(__name__)

Learns = Callable[[str], Awaitable[Learning]]
"""What may be learned of a person unasked: all that is borne out, nothing before a yes, or nothing."""

LATELY = timedelta(days=7)  # what was said before that is not read any more
_BESIDE = timedelta(days=1)  # neighbours from before that
_ROUNDS = 5  # readings of one message that end in nothing readable before it is passed over
DEBOUNCE = timedelta(minutes=5)  # after new notes, so that several conversations are weighed at once


@dataclass(frozen=True, slots=True)
class NotesJob:
    """Everything the job needs; one for the whole app."""

    rows: SlowRows
    taker: NoteTaker
    learns: Learns
    now: Callable[[str], datetime]  # on a person's clock
    quiet: timedelta  # silence after which a conversation is read

    def due(self, cursor: Cursor) -> datetime:
        """When a conversation is to be read."""
        quiet = cursor.newest_at if cursor.asked else cursor.newest_at + self.quiet
        return max(quiet, cursor.retry_at or quiet)

    async def run(self, row_id: int) -> None:
        """Read one conversation, stretch by stretch; each is stored with the cursor behind it.

        Raises `ModelUnavailable` and what else the model layer raises; nothing that was read is read again.
        """
        cursor = await self.rows.cursor(row_id)
        now = self.now(cursor.person)
        if cursor.newest <= cursor.read_to or self.due(cursor) > now:
            return None
        charge(cursor.person, "notes")
        if await self.learns(cursor.person) == "off":  # what is said while it is off is never learned from
            return await self.rows.pass_over(cursor, cursor.newest)
        said = await self.rows.talk(cursor, now - LATELY - _BESIDE)
        talk = spoken(said, cursor, now, self.quiet)
        try:
            async for notes, read_to in self.taker.distil(talk, now):
                await self.rows.keep(cursor, notes, int(read_to), now, now + DEBOUNCE)
        except ExtractionFailed as error:
            await self._unreadable(cursor, said, str(error))
        else:
            late = await self.rows.unread(cursor, now - LATELY) if cursor.retry_at is not None else 0
            await self.rows.pass_over(cursor, max([cursor.newest, *(each.message for each in said)]), late)
        return None

    async def _unreadable(self, was: Cursor, said: Sequence[Said], why: str) -> None:
        """Later once more; after many tries the one message that nobody can read is passed over, and counted."""
        cursor = await self.rows.cursor(was.id)
        stuck = next((e.message for e in said if e.own and e.message > cursor.read_to), cursor.newest)
        log.warning("not distilled", action="notes_failed", row=cursor.id, message=stuck, error=why)
        if cursor.tries + 1 >= _ROUNDS:
            return await self.rows.give_up(cursor, stuck)
        return await self.rows.put_off(cursor, self.now(cursor.person) + later(cursor.tries), unreadable=True)

    async def give_up(self, row_id: int, why: str) -> None:
        """The model is away: the cursor stays, and it is tried again later."""
        cursor = await self.rows.cursor(row_id)
        log.warning("notes wait", action="notes_wait", row=row_id, why=why)
        await self.rows.put_off(cursor, self.now(cursor.person) + later(0))


def spoken(said: Sequence[Said], cursor: Cursor, now: datetime, quiet: timedelta) -> list[Spoken]:
    """A conversation as notes are taken from it: what is new of the person's own, the rest as neighbours."""
    out: list[Spoken] = []
    sitting, before = "", None
    for each in said:
        if before is None or each.at - before >= quiet:
            sitting = str(each.message)
        before = each.at if before is None else max(before, each.at)
        text = parted(each.text)[0] if each.ours else each.text
        if each.pressed or not text.strip() or not (each.ours or each.forwarded or each.own):
            continue
        role = Speaker.ASSISTANT if each.ours else Speaker.TOOL if each.forwarded else Speaker.PERSON
        utterance = Utterance(
            role,
            text,
            each.at.astimezone(now.tzinfo),
            str(each.message),
            f"{cursor.channel}:{cursor.chat}",
        )
        new = each.own and each.message > cursor.read_to and each.at >= now - LATELY
        out.append(Spoken(utterance, new, sitting))
    return out
