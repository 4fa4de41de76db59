"""How far an album has come: one message that counts up while its pictures are filed, and becomes their one receipt.

Where a channel shows no drafts nothing is said before the receipt. A count that cannot be shown is left out: it is
the receipt that must arrive.
"""

from __future__ import annotations

import asyncio
import time

import structlog

from bot.channels.channel import HasDrafts
from bot.drafts import Drafts
from bot.errors import HomeUnwritable, SendDelayed, SendRefused
from bot.types import Message

log = structlog.get_logger(__name__)

PACE = 1.0  # seconds between two counts in one album
PATIENCE = 2.0  # seconds that a picture's end waits for its count to arrive


class Counting:
    """Shows counts, one at a time an album."""

    def __init__(self, drafts: Drafts) -> None:
        self._drafts = drafts
        self._last: dict[int, float] = {}  # album (its first message) → when it last counted
        self._showing: dict[int, asyncio.Task[None]] = {}

    async def __call__(self, first: Message, words: str) -> None:
        """Show these words for the album that begins with this message, unless it counted just now."""
        channel = self._drafts.channel_of(first)
        now = time.monotonic()
        if channel is None or first.id in self._showing:
            return
        if now - self._last.get(first.id, -PACE) < PACE:
            return
        self._last[first.id] = now
        task = asyncio.create_task(self._show(channel, first, words), name=f"count-{first.id}")
        self._showing[first.id] = task
        task.add_done_callback(lambda _: self._showing.pop(first.id, None))
        await asyncio.wait({task}, timeout=PATIENCE)  # what is on its way keeps its place before the receipt

    async def _show(self, channel: HasDrafts, first: Message, words: str) -> None:
        try:
            await self._drafts.show(channel, first, words, beside=True)
        except (SendDelayed, SendRefused, HomeUnwritable) as error:
            log.info("not counted", action="count_refused", message=first.id, error=str(error))
