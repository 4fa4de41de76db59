"""Keeps the accounts of model calls: what each person's chat and background work took, and whether it may go on.

A call is only counted when it ends; the counts are written a few seconds later, many at once, so that no message waits
for them. A process that is killed loses those seconds of counting and nothing else.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, time, timedelta

import structlog

from bot.errors import AllowanceSpent, HomeUnwritable
from bot.models.metering import BACKGROUND, Charge, Took
from bot.storage import Storage
from bot.storage.usage import Kind, Spending, Tokens, Used, quarter
from bot.types import Words
from bot.wording import say

log = structlog.get_logger(__name__)

EVERY = 5.0  # seconds after a call until it is written down
LOOK = 60.0  # seconds between two looks at the clock: a machine that sleeps stops our waiting, not the time
FRESH = timedelta(minutes=5)  # how long a model that has answered counts as reachable


class Meter:
    """One for the whole home."""

    def __init__(self, storage: Storage, allowance: int, now: Callable[[], datetime]) -> None:
        """`allowance`: tokens that a person's background work may take a day; 0 = as many as it likes."""
        self.allowance = allowance
        self._storage = storage
        self._now = now
        self._pending: dict[tuple[datetime, Kind], Tokens] = {}
        self._writing: asyncio.Task[None] | None = None
        self._unwritten = False  # the home did not take the counts when it was last tried
        self._closing = asyncio.Event()
        self._days: dict[str, tuple[datetime, int]] = {}  # person → their midnight, background tokens since
        self._refused: dict[str, datetime] = {}  # person → when their background work may go on
        self._refusing = asyncio.Event()
        self._heard: dict[str, datetime] = {}  # model → when it answered last, unless it failed since

    # ---- what calls report

    def record(self, charged: Charge, model: str, took: Took) -> None:
        """A call has ended well."""
        now = self._now()
        self._heard[model] = now
        place = quarter(now), Kind(charged.person, charged.purpose, model, took.estimated)
        tokens = Tokens(1, took.input, took.cached, took.output)
        self._pending[place] = self._pending.get(place, Tokens()) + tokens
        if charged.background and charged.person in self._days:
            midnight, spent = self._days[charged.person]
            self._days[charged.person] = midnight, spent + tokens.all
        if self._writing is None or self._writing.done():
            self._writing = asyncio.create_task(self._write_soon(), name="meter")

    def failed(self, model: str) -> None:
        """A call has not ended well."""
        self._heard.pop(model, None)

    def heard(self, model: str) -> bool:
        """Whether a model has just answered, and did not fail since."""
        at = self._heard.get(model)
        return at is not None and self._now() - at < FRESH

    # ---- the allowance

    async def allow(self, person: str) -> None:
        """Let background work go on. Raises `AllowanceSpent` until the person's midnight once it is spent."""
        until = await self.paused(person)
        if until is None:
            return
        language = await self._storage.people.language(person)
        words = say(language, "usage.spent", allowance=f"{self.allowance:,}")
        if self._refused.get(person) != until:
            log.info("background work paused", action="allowance_spent", person=person)
            await self._tell(person, until)
        self._refused[person] = until
        self._refusing.set()
        raise AllowanceSpent(words, retry_after=(until - self._now()).total_seconds())

    async def paused(self, person: str) -> datetime | None:
        """Until when background work waits, where the allowance is spent."""
        if not self.allowance or await self._today(person) < self.allowance:
            return None
        return _next_midnight(self._here(person))

    async def renewed(self) -> list[str]:
        """Wait until a new day has begun for somebody whose background work was refused; who they are."""
        while True:
            now = self._now()
            over = [person for person, until in self._refused.items() if until <= now]
            if over:
                for person in over:
                    del self._refused[person]
                return over
            if not self._refused:
                self._refusing.clear()
                await self._refusing.wait()
            await asyncio.sleep(LOOK)

    async def _tell(self, person: str, until: datetime) -> None:
        """Say it, once a day."""
        day = (until - timedelta(days=1)).date().toordinal()
        with suppress(HomeUnwritable):
            about = await self._storage.messages.newest_alone(person)
            if about is not None and await self._storage.told.risen(person, "allowance", day):
                language = await self._storage.people.language(person)
                words = say(language, "usage.paused", allowance=f"{self.allowance:,}", time=f"{until:%H:%M}")
                await self._storage.outbox.add(about, Words(words, "notice"), unasked=True)

    async def _today(self, person: str) -> int:
        """Tokens of background work since the person's midnight."""
        midnight = _midnight(self._here(person))
        known = self._days.get(person)
        if known is None or known[0] != midnight:
            await self.flush()
            found = await self._storage.usage.totals(person, midnight)
            tokens = sum(each.tokens.all for each in found if each.kind.purpose in BACKGROUND)
            self._days[person] = known = midnight, tokens
        return known[1]

    # ---- what people ask

    async def spending(self, person: str) -> Spending:
        """What a person's calls took, today and this month, on their own clock."""
        await self.flush()
        here = self._here(person)
        midnight = _midnight(here)
        return Spending(
            here,
            await self._storage.usage.totals(person, midnight),
            await self._storage.usage.totals(person, _midnight(here.replace(day=1))),
            self.allowance,
            await self.paused(person),
        )

    def _here(self, person: str) -> datetime:
        return self._storage.preferences.here(person, self._now())

    # ---- writing down

    async def _write_soon(self) -> None:
        while self._pending and not self._closing.is_set():
            with suppress(TimeoutError):
                async with asyncio.timeout(EVERY):
                    await self._closing.wait()
            await self.flush()

    async def flush(self) -> None:
        """Write down what was counted; what the home does not take now is kept for the next time."""
        pending, self._pending = self._pending, {}
        if not pending:
            return
        try:
            await self._storage.usage.add(
                [(slot, Used(kind, each)) for (slot, kind), each in pending.items()]
            )
            self._unwritten = False
        except HomeUnwritable as error:
            if not self._unwritten:
                log.warning("usage not written", action="usage_unwritten", error=str(error))
            self._unwritten = True
            for place, tokens in pending.items():
                self._pending[place] = self._pending.get(place, Tokens()) + tokens

    async def close(self) -> None:
        """Write down what is left."""
        self._closing.set()
        if self._writing is not None:
            await self._writing
        await self.flush()


def _midnight(here: datetime) -> datetime:
    """The beginning of a day, on the clock that tells it."""
    return datetime.combine(here.date(), time(), here.tzinfo)


def _next_midnight(here: datetime) -> datetime:
    return datetime.combine(here.date() + timedelta(days=1), time(), here.tzinfo)
