"""Work over which a process died is begun again with care: counted, then alone, then later, and in the end not at all.

A message or a picture that ends the process each time (a native crash, no memory left) would else do so at every start,
for ever, and nobody would be answered any more. Only what a start finds undone is counted, so usual work costs nothing.
A machine that is killed again and again for reasons of its own looks the same for a while: what waits was not begun,
and is not counted.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from itertools import takewhile

import structlog

from bot.errors import HomeUnwritable
from bot.storage.beginnings import Beginnings, Work

log = structlog.get_logger(__name__)

TURN = "turn"  # the kind of work that a message's answer is

MOST_DEATHS = 5  # over one piece of work; then it is put aside
_ALONE_FROM = 2  # deaths; what it ends from here on should not count against others
HELD_BACK = {3: 5.0, 4: 15.0}  # seconds after which it is begun, by deaths: the rest is done until then
MOST_TURNS = 10  # of one message, whatever cut them short: it may be that which asks for a stop each time
PATIENCE = 20.0  # seconds that a turn waits to be alone: the model of another one may be silent


class Care:
    """What is in hand, and what of it was in the hands of those who died. One for the whole app."""

    def __init__(self, rows: Beginnings | None = None) -> None:
        """`rows`: None for those who find nothing undone."""
        self._rows = rows
        self._left: dict[Work, int] = {}  # what the start found undone → deaths
        self._deadly: set[Work] = set()
        self._waited: set[Work] = set()  # those held back that have been so for long enough
        self._in_hand: set[Work] = set()
        self._alone = asyncio.Lock()
        self._next_job = asyncio.Lock()  # one job at most stands between a turn and `_alone`

    async def take_up(self, undone: Iterable[Work]) -> None:
        """At start, before any of it is begun."""
        assert self._rows is not None
        for work, begun in (await self._rows.left(set(undone))).items():
            self._left[work] = begun.deaths
            if begun.deaths >= MOST_DEATHS or (work[0] == TURN and begun.times >= MOST_TURNS):
                self._deadly.add(work)

    def deadly(self, work: Work) -> bool:
        """It ended the process each time it was begun: not again."""
        return work in self._deadly

    def apart(self, works: Sequence[Work]) -> int:
        """How many of these, from the first on, may be done in one: what is suspected is done by itself."""
        return max(1, len(list(takewhile(lambda work: not self._suspected(work), works))))

    def _suspected(self, work: Work) -> bool:
        return work in self._deadly or self._left.get(work, 0) >= _ALONE_FROM

    @asynccontextmanager
    async def begun(self, *works: Work) -> AsyncIterator[None]:
        """They are in hand. What is cancelled in it stays so, for `close`."""
        counted = [work for work in works if work in self._left]
        async with AsyncExitStack() as stack:
            await self._hold_back(works)
            if any(map(self._suspected, works)):
                await self._be_alone(stack, works)
            self._in_hand.update(works)
            await self._count(counted, 1)
            try:
                yield
            except Exception:
                await self._survived(works, counted)
                raise
            await self._survived(works, counted)

    async def _hold_back(self, works: Sequence[Work]) -> None:
        """Once: who looked at it again meanwhile has waited."""
        held = [
            HELD_BACK.get(self._left[work], 0.0) for work in works if work in self._left.keys() - self._waited
        ]
        if any(held):
            await asyncio.sleep(max(held))
            self._waited.update(works)

    async def _survived(self, works: Sequence[Work], counted: Sequence[Work]) -> None:
        self._in_hand.difference_update(works)
        await self._count(counted, -1)

    async def _be_alone(self, stack: AsyncExitStack, works: Sequence[Work]) -> None:
        if works[0][0] != TURN:
            await stack.enter_async_context(self._next_job)
            await stack.enter_async_context(self._alone)
            return
        with suppress(TimeoutError):
            await asyncio.wait_for(self._alone.acquire(), PATIENCE)
            stack.callback(self._alone.release)

    async def _count(self, works: Sequence[Work], by: int) -> None:
        if works and self._rows is not None:
            try:
                await self._rows.again(works, by)
            except HomeUnwritable as error:  # work that cannot be counted is done all the same
                log.warning("not counted", action="beginning_uncounted", works=works, error=str(error))

    async def close(self) -> None:
        """A clean stop: what it cuts short did not end the process."""
        if self._rows is not None:
            with suppress(HomeUnwritable):
                await self._rows.stopped(self._in_hand)
