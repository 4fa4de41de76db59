"""Telegram accounts that nobody has let in: what they hear, and how rarely."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Iterator, Mapping

import structlog

from bot.channels.telegram.reading import NAME, Stranger
from bot.door import Knock
from bot.errors import HomeError
from bot.wording import say

log = structlog.get_logger(__name__)

MOST = 1000  # remembered
TRIES = 5  # codes that one of them may try in an hour; then not even the right one is looked at

Knocking = Callable[[Knock], Awaitable[str]]
"""What is said back to somebody unknown, "" for nothing. Raises `HomeError`."""


class Numbered(Mapping[int, str]):
    """People by Telegram's numbers, over a door's accounts, which are names in any channel."""

    def __init__(self, known: Mapping[str, str]) -> None:
        self._known = known

    def __getitem__(self, number: int) -> str:
        return self._known[str(number)]

    def __iter__(self) -> Iterator[int]:
        return map(int, self._known)

    def __len__(self) -> int:
        return len(self._known)


async def turned_away(knock: Knock) -> str:
    """Where there is no door to knock at."""
    return say(knock.language, "door.private", user=knock.user)


class Strangers:
    """Each hears one sentence an hour, and an answer to each of the few codes they may try."""

    def __init__(self, answer: Callable[[int, str], None], every: float) -> None:
        self.knocking: Knocking = turned_away
        self._answer = answer
        self._every = every  # seconds
        self._told: dict[int, tuple[float, int]] = {}  # when first in this hour, and how often

    async def heard(self, stranger: Stranger) -> None:
        """One of them wrote; nothing of it is kept but what the door keeps."""
        user = str(stranger.user)
        knock = Knock(NAME, user, user, stranger.name, stranger.text, stranger.language)
        now = time.monotonic()
        since, often = self._told.get(stranger.user, (float("-inf"), 0))
        if now - since >= self._every:
            since, often = now, 0
        if often >= (TRIES if knock.code else 1):
            return
        if len(self._told) >= MOST:
            del self._told[next(iter(self._told))]
        self._told.pop(stranger.user, None)
        self._told[stranger.user] = (since, often + 1)
        try:
            said = await self.knocking(knock)
        except HomeError as error:
            log.warning("a knock was not noted", action="knock_failed", error=str(error))
            return
        log.info("somebody unknown wrote", action="stranger", user=stranger.user)
        if said:
            self._answer(stranger.user, said)
