"""A model that waits out trouble, within a budget, and then asks another one."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable

import structlog

from bot.errors import ModelError, ModelRefused, ModelUnavailable
from bot.models.around import Around, Ask
from bot.models.model import Model, Prompt, Reply

log = structlog.get_logger(__name__)

FIRST_WAIT = 0.5  # seconds; doubled after each try
_OTHERS_MAY = {"wrong_key", "not_found", "quota"}  # refusals of the endpoint, not of the request


class Retrying(Around):
    """`model`, tried again while it is unavailable, then `fallback`, then the error.

    A turn must end in words within ten seconds, so what counts is the *time since the first try*, waits
    and slow failures together: no wait begins that would end after the budget.
    """

    def __init__(
        self,
        model: Model,
        fallback: Model | None = None,
        *,
        tries: int = 3,
        budget: float = 8.0,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`tries` counts calls of one model; `budget` is seconds."""
        super().__init__(model)
        self._fallback = fallback
        self._tries = tries
        self._budget = budget
        self._sleep = sleep
        self._clock = clock

    async def _ask(self, ask: Ask, prompt: Prompt) -> Reply:
        """Raises the *first* model's error when nobody has an answer."""
        try:
            return await self._persist(ask)
        except ModelRefused as error:
            if self._fallback is None or error.code not in _OTHERS_MAY:
                raise
            return await self._instead(ask, error)
        except ModelUnavailable as error:
            if self._fallback is None:
                raise
            return await self._instead(ask, error)

    async def _persist(self, ask: Ask) -> Reply:
        began = self._clock()
        wait = FIRST_WAIT
        for left in range(self._tries - 1, -1, -1):
            try:
                return await ask(self._model)
            except ModelUnavailable as error:
                pause = max(wait, error.retry_after or 0.0)
                spent = self._clock() - began
                if not left or error.code == "quota" or spent + pause > self._budget:
                    raise
                log.info("model unavailable, waiting", action="model_retry", model=self.name, seconds=pause)
                await self._sleep(pause)
                wait *= 2
        raise ModelUnavailable(code="unreachable")  # only with tries < 1

    async def _instead(self, ask: Ask, error: ModelError) -> Reply:
        assert self._fallback is not None
        log.warning(
            "asking the other model", action="model_fallback", model=self._fallback.name, instead_of=self.name
        )
        try:
            return await ask(self._fallback)
        except ModelError:
            raise error from None
