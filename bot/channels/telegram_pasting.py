"""A long text that the sender's app cut at Telegram's limit is one message again.

The app sends its parts right behind each other. Whoever hears the first cannot know whether another one follows, so
a text that may be a part waits for a moment.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from itertools import pairwise

from bot.channels.chunks import TEXT_LIMIT, units
from bot.channels.telegram_reading import Heard

SHORTEST = (
    TEXT_LIMIT // 2
)  # UTF-16 units of a part that is not the last: apps cut at a nice place behind the half
TOGETHER = 2.0  # seconds between the parts by Telegram's clock, which counts whole ones


class Paste:
    """A text as far as it has come."""

    def __init__(self, first: Heard) -> None:
        self._parts = [first]
        self._moved = asyncio.Event()
        self._closed = False

    def takes(self, heard: Heard) -> bool:
        """Add what is its next part; False, and nothing more is awaited, when it is something else."""
        last, next_ = self._parts[-1].incoming, heard.incoming
        apart = (next_.at - last.at).total_seconds() if next_.at and last.at else 0.0
        follows = (
            not self._closed
            and _is_words(heard)
            and not next_.command
            and next_.person == last.person
            and next_.reply_to in ("", self._parts[0].incoming.reply_to)
            and 0 <= apart <= TOGETHER
        )
        if follows:
            self._parts.append(heard)
        self._closed = not follows or not may_be_cut(heard)
        self._moved.set()
        return follows

    async def whole(self, patience: float) -> Heard:
        """All of it, once nothing has come for `patience` seconds or nothing can."""
        while not self._closed:
            self._moved.clear()
            try:
                await asyncio.wait_for(self._moved.wait(), patience)
            except TimeoutError:
                self._closed = True
        first = self._parts[0].incoming
        if len(self._parts) == 1:
            return self._parts[0]
        text = first.text
        for before, part in pairwise(self._parts):
            text += ("" if _is_full(before) else "\n") + part.incoming.text
        return replace(self._parts[0], incoming=replace(first, text=text, album=f"paste-{first.id}"))


def may_be_cut(heard: Heard) -> bool:
    """Whether another part may follow."""
    return _is_words(heard) and not heard.incoming.command and units(heard.incoming.text) > SHORTEST


def _is_words(heard: Heard) -> bool:
    said = heard.incoming
    plain = not (said.edited or said.forwarded or said.pressed or said.album)
    return plain and heard.file is None and heard.shows is None and bool(said.text)


def _is_full(part: Heard) -> bool:
    """Whether it was cut where the limit fell; else at a blank, which Telegram drops at both ends."""
    return units(part.incoming.text) >= TEXT_LIMIT - 1
