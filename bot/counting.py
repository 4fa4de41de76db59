"""How far an album has come: one message that counts up while its pictures are filed, and becomes their one receipt.

Where a channel shows no drafts nothing is said before the receipt. A count that cannot be shown is left out: it is
the receipt that must arrive.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from dataclasses import replace

import structlog

from bot.channels.channel import Channel, HasDrafts
from bot.errors import HomeUnwritable, SendDelayed, SendRefused
from bot.storage.drafts import DraftRows, apart
from bot.storage.messages import Messages
from bot.types import Message, Outgoing

log = structlog.get_logger(__name__)

PACE = 1.0  # seconds between two counts in one album
PATIENCE = 2.0  # seconds that a picture's end waits for its count to arrive


class Counting:
    """Shows counts, one at a time an album."""

    def __init__(self, messages: Messages, rows: DraftRows, channels: Mapping[str, Channel]) -> None:
        self._messages = messages
        self._rows = rows
        self._channels = channels
        self._last: dict[int, float] = {}  # album (its first message) → when it last counted
        self._showing: dict[int, asyncio.Task[None]] = {}

    async def __call__(self, first: Message, words: str) -> None:
        """Show these words for the album that begins with this message, unless it counted just now."""
        channel = self._channels.get(first.channel)
        now = time.monotonic()
        if not isinstance(channel, HasDrafts) or first.id in self._showing:
            return
        if now - self._last.get(first.id, -PACE) < PACE:
            return
        self._last[first.id] = now
        task = asyncio.create_task(self._show(channel, first, words), name=f"count-{first.id}")
        self._showing[first.id] = task
        task.add_done_callback(lambda _: self._showing.pop(first.id, None))
        await asyncio.wait({task}, timeout=PATIENCE)  # what is on its way keeps its place before the receipt

    async def _show(self, channel: HasDrafts, first: Message, words: str) -> None:
        key = replace(first, id=apart(first.id))
        shown = self._rows.of([key]).get(key.id, "")
        try:
            asked = await self._messages.outside(first.id)
            draft = Outgoing(key.id, first.channel, first.chat, words, reply_to=asked, about=first.id)
            if not shown:
                shown = channel.place(draft)
                if not shown:
                    return
                await self._rows.begin(key, shown)
            name = await channel.show(replace(draft, shown=shown))
            if name != shown:
                await self._rows.found(key, name)
        except (SendDelayed, SendRefused, HomeUnwritable) as error:
            log.info("not counted", action="count_refused", message=first.id, error=str(error))
