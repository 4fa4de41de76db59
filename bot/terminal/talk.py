"""A conversation with the bot of a home that outlives its connections: what was said and not yet settled is
said again when the bot went away, under the same id, so that it is heard once."""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, suppress
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Protocol, Self

from bot.channels.terminal_wire import Done, Heard
from bot.errors import KairosError
from bot.terminal.client import LocalClient, NotRunning
from bot.types import Upload

Reach = Callable[[], AbstractAsyncContextManager[LocalClient]]
"""Reach the bot of the home, starting one if none runs (`bot.service.reach`, with its arguments bound)."""

_AGAIN = 0.2  # seconds before a lost bot is looked for
_LOSSES = 3  # bots lost one after the other without a word from any: it is no use


class Unreachable(KairosError):
    """Kairos keeps going away before it answers; its log says why. Kairos 一直在回答之前退出，原因在日志里。"""


class Screen(Protocol):
    """Who shows what is heard."""

    def words(self, heard: Heard) -> None:
        """The bot said something."""
        ...

    def done(self, done: Done, *, said: bool) -> None:
        """A message has ended with all its work; `said` tells whether the bot had a word about it."""
        ...

    def lost(self) -> None:
        """The bot that we talked to went away; another one has been started or found."""
        ...


@dataclass(eq=False, slots=True)
class Pending:
    """A message whose work goes on."""

    id: str
    text: str
    images: Sequence[Upload]
    pressed: str
    since: float = field(default_factory=time.monotonic)
    answered: bool = False  # the bot had a word about it
    end: asyncio.Event = field(default_factory=asyncio.Event)


class Talk:
    """Use as an async context manager: entered when the bot is reached."""

    def __init__(self, reach: Reach, screen: Screen) -> None:
        self._reach = reach
        self._screen = screen
        self._client: LocalClient | None = None
        self._reached = asyncio.Event()
        self._leaving = False
        self._held: asyncio.Task[None] | None = None
        self.brain = ""
        self.pending: dict[str, Pending] = {}
        self.ok = True  # everything so far ended well

    async def __aenter__(self) -> Self:
        self._held = asyncio.create_task(self._hold(), name="talk")
        try:
            await self.until(self._reached.wait())
        except BaseException as problem:
            await self.__aexit__(type(problem), problem, None)
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._leaving = True
        assert self._held is not None, "entered first"
        if problem is None and self._client is not None:
            await self._client.close()  # ends the reading, then the bot if it was ours, in good order
            await self._held
            return
        self._held.cancel()
        with suppress(asyncio.CancelledError):
            await self._held

    async def say(self, text: str, images: Sequence[Upload] = (), *, pressed: str = "") -> Pending:
        """Say something; returns at once, its end is `Pending.end`."""
        pending = Pending(str(uuid.uuid4()), text, images, pressed)
        self.pending[pending.id] = pending
        if self._client is not None:
            await self._send(self._client, pending)
        return pending

    async def settled(self) -> None:
        """Wait until all that was said has ended with all its work."""
        while self.pending:
            await self.until(next(iter(self.pending.values())).end.wait())

    async def until(self, wanted: Awaitable[Any]) -> None:
        """Wait for it. Raises what makes the conversation impossible meanwhile (`KairosError`)."""
        assert self._held is not None, "entered first"
        waiting = asyncio.ensure_future(wanted)
        try:
            await asyncio.wait({waiting, self._held}, return_when=asyncio.FIRST_COMPLETED)
            if not waiting.done():
                await self._held
            else:
                waiting.result()
        finally:
            waiting.cancel()

    async def _hold(self) -> None:
        losses = 0
        while not self._leaving:
            if losses == _LOSSES and self.pending:
                raise Unreachable
            losses += 1
            async with self._reach() as client:
                self.brain = client.brain
                if self._reached.is_set():
                    self._screen.lost()
                for pending in list(self.pending.values()):
                    await self._send(client, pending)
                self._client = client
                self._reached.set()
                async for event in client.events():
                    losses = 0
                    self._take(event)
                self._client = None
            if not self._leaving:
                await asyncio.sleep(_AGAIN)

    def _take(self, event: object) -> None:
        match event:
            case Heard():
                if pending := self.pending.get(event.about):
                    pending.answered = True
                self._screen.words(event)
            case Done():
                self.ok = self.ok and event.ok
                pending = self.pending.pop(event.id, None)
                if pending is not None:
                    self._screen.done(event, said=pending.answered)
                    pending.end.set()

    async def _send(self, client: LocalClient, pending: Pending) -> None:
        with suppress(NotRunning):  # then it is said again when the bot is back
            await client.say(pending.text, pending.images, pressed=pending.pressed, id_=pending.id)
