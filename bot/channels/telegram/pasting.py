"""A long text that the sender's app cut at Telegram's limit is one message again.

The app sends its parts right behind each other. Whoever hears the first cannot know whether another one follows, so
a text that may be a part waits for a moment.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from itertools import pairwise

from bot.channels.chunks import TEXT_LIMIT, units
from bot.channels.telegram.reading import Heard

# UTF-16 units of a part that is not the last: apps cut at a nice place behind the half
SHORTEST = TEXT_LIMIT // 2
TOGETHER = 2.0  # seconds between the parts by Telegram's clock, which counts whole ones


class Paste:
    """A text as far as it has come. `waits`: its next part, if there is one, is awaited before it is stored."""

    def __init__(self, first: Heard, *, waits: bool) -> None:
        self._parts = [first]
        self._moved = asyncio.Event()
        self.waits = waits
        self.task: asyncio.Task[None] | None = None  # stores it

    def takes(self, heard: Heard) -> bool:
        """Whether it is the next part, which is added then."""
        before, next_ = self._parts[-1], heard.incoming
        last = before.incoming
        apart = (next_.at - last.at).total_seconds() if next_.at and last.at else 0.0
        follows = (
            may_be_cut(before)
            and _is_words(heard)
            and not next_.command
            and next_.person == last.person
            and next_.reply_to in ("", self._parts[0].incoming.reply_to)
            and 0 <= apart <= TOGETHER
        )
        if follows:
            self._parts.append(heard)
        self.waits = self.waits and follows and may_be_cut(heard)
        self._moved.set()
        return follows

    async def whole(self, patience: float) -> Heard:
        """All of it, once nothing has come for `patience` seconds or nothing can."""
        while self.waits:
            self._moved.clear()
            try:
                await asyncio.wait_for(self._moved.wait(), patience)
            except TimeoutError:
                self.waits = False
        first = self._parts[0]
        text = first.incoming.text
        for before, part in pairwise(self._parts):
            text += _joint(before) + part.incoming.text
        return replace(first, incoming=replace(first.incoming, text=text))

    def further(self) -> Heard:
        """Its last part, which came when the rest was stored."""
        *_, before, last = self._parts
        told = replace(
            last.incoming,
            text=_joint(before) + last.incoming.text,
            continues=self._parts[0].incoming.id,
        )
        return replace(last, incoming=told)


class Pastes:
    """The last long text of each chat, for as long as nothing else came."""

    def __init__(self) -> None:
        self._last: dict[str, Paste] = {}

    def begin(self, first: Heard, *, waits: bool) -> Paste:
        """A text that may be the first part of one."""
        self._last[first.incoming.chat] = Paste(first, waits=waits)
        return self._last[first.incoming.chat]

    def taking(self, heard: Heard) -> tuple[Paste | None, bool]:
        """(the text it is the next part of, whether that still waits to be stored)."""
        paste = self._last.get(heard.incoming.chat)
        waited = paste is not None and paste.waits
        if paste is None or paste.takes(heard):
            return paste, waited
        del self._last[heard.incoming.chat]
        return None, False


def may_be_cut(heard: Heard) -> bool:
    """Whether another part may follow."""
    return _is_words(heard) and not heard.incoming.command and units(heard.incoming.text) > SHORTEST


def _is_words(heard: Heard) -> bool:
    said = heard.incoming
    plain = not (said.edited or said.forwarded or said.pressed or said.album)
    return plain and heard.file is None and heard.shows is None and bool(said.text)


def _joint(before: Heard) -> str:
    """What stood between a part and the next: nothing where the limit fell, else a blank, which Telegram drops."""
    return "" if units(before.incoming.text) >= TEXT_LIMIT - 1 else "\n"
