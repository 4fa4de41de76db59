"""Whom a model call is made for, and what it took.

A call is charged to the person and the purpose of the task that makes it. That is said once, where a turn or a job
begins (`charge`), and goes along with the task: nobody in between has to hand it on.
"""

from __future__ import annotations

import asyncio
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Protocol

from bot.errors import ModelError
from bot.models.around import Around, Ask
from bot.models.model import Model, Prompt, Reply, Said
from bot.models.tokens import prompt_tokens, said_tokens
from bot.settings import OWNER

CHAT, CHECK, VOICE = "chat", "check", "voice"
BACKGROUND = ("extraction", "filing", "notes", "consolidation", "cultivation", "summary")
"""Purposes of work that nobody waits for."""


@dataclass(frozen=True, slots=True)
class Charge:
    """Whom and what a call is for."""

    person: str
    purpose: str  # CHAT, CHECK, VOICE or one of BACKGROUND

    @property
    def background(self) -> bool:
        """Whether the daily allowance of background work counts it."""
        return self.purpose in BACKGROUND


_charged: ContextVar[Charge] = ContextVar("charge")
_LOOKING = Charge(OWNER, CHECK)  # of whoever tries a model outside turns and jobs


def charge(person: str, purpose: str) -> None:
    """Charge the model calls of this task, and of those that it starts from here on."""
    _charged.set(Charge(person, purpose))


def charged_for_voice() -> Charge:
    """Who pays for what is heard in this task."""
    charged = _charged.get(_LOOKING)
    return charged if charged.purpose == CHECK else Charge(charged.person, VOICE)


@dataclass(frozen=True, slots=True)
class Took:
    """What one call took, in tokens."""

    input: int  # those from the cache included
    cached: int
    output: int
    estimated: bool  # the server did not say


class Meter(Protocol):
    """Who keeps the accounts."""

    async def allow(self, person: str) -> None:
        """Before a call of background work. Raises `AllowanceSpent`."""
        ...

    def record(self, charged: Charge, model: str, took: Took) -> None:
        """A call has ended, and took this. Cheap: it is written down later."""
        ...

    def failed(self, model: str) -> None:
        """A call has not ended well."""
        ...


class Unmetered:
    """Keeps none."""

    async def allow(self, person: str) -> None:
        """Always."""

    def record(self, charged: Charge, model: str, took: Took) -> None:
        """Not kept."""

    def failed(self, model: str) -> None:
        """Not kept."""


class Metered(Around):
    """`model`, whose calls are counted; background work stops where its allowance is spent."""

    def __init__(self, model: Model, meter: Meter) -> None:
        super().__init__(model)
        self._meter = meter

    async def _ask(self, ask: Ask, prompt: Prompt) -> Reply:
        """Raises `AllowanceSpent`, and what the model raises."""
        charged = _charged.get(_LOOKING)
        if charged.background:
            await self._meter.allow(charged.person)
        try:
            reply = await ask(self._model)
        except asyncio.CancelledError:  # stopped, or too slow: what was sent may be paid for all the same
            self._meter.record(charged, self.name, Took(prompt_tokens(prompt), 0, 0, estimated=True))
            raise
        except ModelError as error:
            if error.used:
                self._meter.record(charged, self.name, Took(*error.used, estimated=False))
            self._meter.failed(self.name)
            raise
        self._meter.record(charged, self.name, took(prompt, reply))
        return reply


def took(prompt: Prompt, reply: Reply) -> Took:
    """What a call took, as its server counted; estimated where it did not."""
    usage = reply.usage
    if usage:
        return Took(usage.input, min(usage.cached, usage.input), usage.output, estimated=False)
    return Took(
        prompt_tokens(prompt),
        0,
        said_tokens(Said("assistant", reply.text, calls=reply.calls)),
        estimated=True,
    )
