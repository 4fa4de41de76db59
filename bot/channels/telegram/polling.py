"""Polling: the next updates, and what is wrong when none can be had."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from typing import Any

import structlog

from bot.channels.telegram.calls import Contested, Flooded, TokenRefused, Unusable
from bot.channels.telegram.reading import Json
from bot.channels.telegram.timings import Timings
from bot.errors import SendError
from bot.types import Language
from bot.wording import say

log = structlog.get_logger(__name__)


class Polls:
    """Asks for updates, one call after the other. `trouble` says what is wrong with that, "" when nothing is."""

    def __init__(
        self,
        call: Callable[..., Awaitable[Any]],
        soon: Callable[[str, dict[str, Any]], None],
        kinds: str,
        language: Language,
        timings: Timings,
    ) -> None:
        """`soon`: calls something beside, for which nobody waits. `kinds`: of updates, as JSON."""
        self._call = call
        self._soon = soon
        self._kinds = kinds
        self._language: Language = language
        self._timings = timings
        self._failures = 0  # in a row
        self._contested_at = float("-inf")
        self.trouble = ""
        self.recovered: Callable[[], None] = lambda: None  # called when a streak of failures has ended

    async def next(self, offset: int | None, seconds: float) -> list[Json]:
        """The next updates. Waits trouble out; a streak of it is logged when it begins and when it ends."""
        parameters: dict[str, Any] = {"timeout": int(seconds), "allowed_updates": self._kinds}
        if offset is not None:
            parameters["offset"] = offset
        while True:
            try:
                updates: list[Json] = await self._call(
                    "getUpdates", dict(parameters), seconds + self._timings.answer
                )
            except SendError as error:
                await asyncio.sleep(self._failed(error) * random.uniform(0.75, 1.25))
                if isinstance(error, Contested) and "webhook" in str(error).lower():
                    self._soon("deleteWebhook", {})
            else:
                self._recovered()
                return updates

    def _failed(self, error: SendError) -> float:
        """Note a failed poll; returns how long to wait."""
        self._failures += 1
        before = self.trouble
        backoff = min(self._timings.first_wait * 2 ** min(self._failures - 1, 16), self._timings.longest_wait)
        if isinstance(error, Contested):
            self._contested_at = time.monotonic()
            self.trouble, wait = say(self._language, "telegram.conflict"), self._timings.contested
        elif isinstance(error, TokenRefused):
            self.trouble, wait = say(self._language, "telegram.token"), self._timings.token
        elif isinstance(error, Unusable):
            self.trouble, wait = str(error), self._timings.token
        else:
            if self._failures >= 3:
                self.trouble = say(self._language, "telegram.network", count=self._failures)
            wait = max(backoff, (error.retry_after or 0.0) if isinstance(error, Flooded) else 0.0)
        if self._failures == 1 or (self.trouble and not before):
            log.warning(
                "Telegram gives no updates", action="poll_failed", kind=type(error).__name__, error=str(error)
            )
        return wait

    def _recovered(self) -> None:
        """A poll went well. With another poller about, that proves nothing until it has been quiet."""
        if self._failures == 0 or time.monotonic() - self._contested_at < self._timings.settled:
            return
        log.info("Telegram gives updates again", action="poll_works", failures=self._failures)
        self._failures = 0
        self.trouble = ""
        self.recovered()
