"""What was said, remembered and filed gets its sentence vectors while nobody waits, so that a search need not.

A few lines are left to the search that wants them: for those alone the encoder (60 MB) would stay in memory.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import structlog

from bot.storage.chats import Chats
from bot.storage.gallery import Gallery
from memory import Memory
from memory.errors import IndexUnusable

log = structlog.get_logger(__name__)

LEFT = 32  # lines that a search embeds by itself, in a quarter of a second
STEP = 64  # lines embedded between two looks whether somebody waits
LONGEST = 10.0  # seconds of one round: the next one comes within a minute

Understand = Callable[[int], Awaitable[int]]
"""Embeds up to so many lines; how many lack their vectors yet."""


@dataclass(frozen=True, slots=True)
class Understanding:
    """One for the whole home."""

    memory: Callable[[str], Memory]
    chats: Callable[[str], Chats]
    gallery: Callable[[str], Gallery]
    waiting: Callable[[], Awaitable[object]]  # messages that are not answered yet

    async def round(self, person: str) -> None:
        """Bring one person's indexes in step with what they index, and catch up for at most `LONGEST` seconds."""
        until = time.monotonic() + LONGEST
        for index in (self.memory(person), self.chats(person), self.gallery(person)):
            try:
                await self._catch_up(index.understand, until)
            except IndexUnusable as error:  # searching goes on without it, and makes it anew
                log.info("not caught up", action="index_unusable", person=person, error=str(error))

    async def _catch_up(self, understand: Understand, until: float) -> None:
        lacking = await understand(0)
        if lacking <= LEFT:
            return
        while lacking and time.monotonic() < until and not await self.waiting():
            left = await understand(STEP)
            if left >= lacking:  # no encoder here, or it fails
                return
            lacking = left
