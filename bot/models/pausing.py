"""A model whose provider is left alone for as long as it asked to be.

A server that answers 429 with a time to wait is not called again before that time, by anybody in this process: turns
and background work are told at once, and ask another model or do without. Hammering it would only make the wait longer.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from urllib.parse import urlsplit

import structlog

from bot.errors import ModelUnavailable
from bot.models.around import Around, Ask
from bot.models.model import Model, Prompt, Reply
from bot.models.problems import SENTENCES

log = structlog.get_logger(__name__)

LONGEST = 3600.0  # seconds that one answer of a server may silence us for
# seconds of pause after `STRIKES` refusals in a row that name no time; doubles up to five minutes
UNSAID = 30.0
STRIKES = 3
_MOST_UNSAID = 300.0

Noted = Callable[[str, datetime], Awaitable[None]]
"""Told that one model of a provider, `host (model)`, is not asked before a moment."""


async def unnoted(whom: str, until: datetime) -> None:
    """For those who need not know."""


class Providers:
    """Until when each model of a provider is left alone; one for all models of a process."""

    def __init__(
        self, now: Callable[[], datetime] = lambda: datetime.now().astimezone(), noted: Noted = unnoted
    ) -> None:
        self.now = now
        self._noted = noted
        self._until: dict[str, datetime] = {}
        self._strikes: dict[str, int] = {}

    def restore(self, whom: str, until: datetime) -> None:
        """What an earlier process was told."""
        self._until[whom] = until

    def left(self, whom: str) -> float:
        """Seconds until it may be asked; 0 = now."""
        until = self._until.get(whom)
        return max(0.0, (until - self.now()).total_seconds()) if until else 0.0

    def well(self, whom: str) -> None:
        """It has answered."""
        self._strikes.pop(whom, None)

    async def busy(self, whom: str, seconds: float | None) -> None:
        """It had no time for us; `seconds`: how long it wants to be left alone, None when it did not say."""
        if seconds is None:
            self._strikes[whom] = strikes = self._strikes.get(whom, 0) + 1
            if strikes < STRIKES:
                return
            seconds = min(UNSAID * 2 ** (strikes - STRIKES), _MOST_UNSAID)
        until = self.now() + timedelta(seconds=min(seconds, LONGEST))
        if until > self._until.get(whom, self.now()):
            self._until[whom] = until
            log.warning("provider left alone", action="provider_paused", whom=whom, seconds=round(seconds))
            await self._noted(whom, until)


class Pausing(Around):
    """`model`, not asked while its provider is left alone."""

    def __init__(self, model: Model, base_url: str, providers: Providers) -> None:
        super().__init__(model)
        host = urlsplit(base_url).netloc.rpartition("@")[2] or "api.openai.com"
        # what one model is refused, another at the same server may have
        self._whom = f"{host} ({model.name})"
        self._providers = providers

    async def _ask(self, ask: Ask, prompt: Prompt) -> Reply:
        """Raises `ModelUnavailable` at once while the provider is left alone."""
        if left := self._providers.left(self._whom):
            raise ModelUnavailable(
                SENTENCES["busy"]["en"], retry_after=left, code="busy", detail=f"left alone for {left:.0f} s"
            )
        try:
            reply = await ask(self._model)
        except ModelUnavailable as error:
            if error.code == "busy":
                await self._providers.busy(self._whom, error.retry_after)
            raise
        self._providers.well(self._whom)
        return reply
