"""A channel without a network: what is said into it is received, what is sent is kept."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from itertools import count

from bot.channels.channel import Receive
from bot.errors import SendDelayed, SendError
from bot.types import Incoming, Outgoing, Upload


class FakeChannel:
    """Implements `Channel`. `failing` may raise for an outgoing message; it is asked before each sending."""

    def __init__(
        self, name: str = "fake", failing: Callable[[Outgoing], SendError | None] | None = None
    ) -> None:
        self._name = name
        self._failing = failing or (lambda outgoing: None)
        self._ids = count(1)
        self._receive: Receive | None = None
        self._listening = asyncio.Event()
        self._changed = asyncio.Event()
        self.sent: list[Outgoing] = []

    @property
    def name(self) -> str:
        """As given."""
        return self._name

    async def listen(self, receive: Receive) -> None:
        """Take messages from `say` until cancelled."""
        self._receive = receive
        self._listening.set()
        await asyncio.Event().wait()

    async def say(
        self,
        text: str = "",
        *pictures: bytes,
        person: str = "me",
        id: str = "",
        chat: str = "",
        **more: object,
    ) -> tuple[str, str, str]:
        """Say something; returns what names it: (channel, chat, id)."""
        await self._listening.wait()
        assert self._receive is not None
        uploads = tuple(Upload(data, f"picture{i}.png") for i, data in enumerate(pictures, 1))
        name = id or f"m{next(self._ids)}"
        place = chat or person
        incoming = Incoming(self._name, place, name, person, text, uploads, **more)  # type: ignore[arg-type]
        await self._receive(incoming)
        return self._name, place, name

    async def send(self, outgoing: Outgoing) -> str:
        """Keep it."""
        trouble = self._failing(outgoing)
        if trouble is not None:
            raise trouble
        self.sent.append(outgoing)
        self._changed.set()
        return f"s{outgoing.id}"

    async def typing(self, chat: str) -> None:
        """Nothing to show."""

    def health(self) -> str:
        """Always well."""
        return ""

    def texts(self, person: str = "me") -> list[str]:
        """All that was sent to a person."""
        return [each.text for each in self.sent if each.chat == person]


def once(error: SendError | None = None) -> Callable[[Outgoing], SendError | None]:
    """A failure for the first sending only."""
    left = [error or SendDelayed("not now", retry_after=0.01)]

    def fail(outgoing: Outgoing) -> SendError | None:
        return left.pop() if left else None

    return fail
