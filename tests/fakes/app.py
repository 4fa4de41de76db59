"""An app without a brain: what it says to a message is a function. Stores nothing."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

from bot.channels.channel import Channel
from bot.channels.terminal import TerminalChannel
from bot.channels.terminal_wire import Welcome
from bot.errors import SendDelayed
from bot.types import Incoming, Outgoing, Words

Brain = Callable[[Incoming, Callable[[Words], None]], Awaitable[None]]
"""Handles a message; calls the function for everything it has to say."""


async def eventually(condition: Callable[[], object]) -> None:
    """Wait until it holds. Raises `TimeoutError` after 5 s."""
    async with asyncio.timeout(5):
        while not condition():  # noqa: ASYNC110 - nobody tells us
            await asyncio.sleep(0.01)


@dataclass(frozen=True, slots=True)
class Finished:
    """As `bot.app.Finished`."""

    ok: bool
    loaded: tuple[str, ...] = ()
    problem: str = ""


@dataclass(eq=False, slots=True)
class Handling:
    """One message."""

    incoming: Incoming
    outbox: list[Outgoing] = field(default_factory=list)
    finished: Finished = Finished(ok=True)
    answered: bool = False


async def echo(incoming: Incoming, out: Callable[[Words], None]) -> None:
    """Says what it heard."""
    out(Words(f"heard {incoming.text or incoming.pressed} {[each.name for each in incoming.uploads]}"))


class FakeApp:
    """Only what channels and commands use of an app."""

    def __init__(self, channels: Sequence[Channel], brain: Brain = echo) -> None:
        self.brain = ""
        self._channels = channels
        self._brain = brain
        self._number = 0
        self._sending = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()
        self.changed = asyncio.Condition()
        self.handled: dict[tuple[str, str, str], Handling] = {}
        self.woken = 0
        self.wound_up_for: list[str] = []  # messages after which what was left before them was waited for

    @property
    def heard(self) -> list[Incoming]:
        """Everything it received, in order."""
        return [each.incoming for each in self.handled.values()]

    async def receive(self, incoming: Incoming) -> bool:
        key = (incoming.channel, incoming.chat, incoming.id)
        if key in self.handled:
            return False
        self.handled[key] = Handling(incoming)
        self._spawn(self._handle(self.handled[key]))
        return True

    def notice(self, chat: str, text: str) -> None:
        """Say something that is about no message (a reminder)."""
        incoming = Incoming("terminal", chat, "", chat)
        handling = Handling(incoming, answered=True)
        self.handled["terminal", chat, f"notice-{self._number}"] = handling
        self._say(handling, Words(text, kind="notice"))
        self.wake("terminal")

    async def finished(self, channel: str, chat: str, id_: str) -> Finished:
        handling = self.handled[channel, chat, id_]
        async with self.changed:
            await self.changed.wait_for(lambda: handling.answered and not handling.outbox)
        return handling.finished

    def troubles(self) -> dict[str, str]:
        """All is well."""
        return {}

    async def owners_code(self) -> str:
        """Nobody knocks here."""
        return ""

    def look(self) -> None:
        """Another process stored something to be said; nothing is stored here."""

    async def wound_up(self, channel: str, chat: str, id_: str) -> Finished:
        self.wound_up_for.append(id_)
        return await self.finished(channel, chat, id_)

    def wake(self, channel: str) -> None:
        self.woken += 1
        self._spawn(self._send())

    async def listen(self) -> None:
        await asyncio.gather(*(each.listen(self.receive) for each in self._channels))

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _handle(self, handling: Handling) -> None:
        await self._brain(handling.incoming, lambda words: self._say(handling, words))
        handling.answered = True
        await self._send()

    def _say(self, handling: Handling, words: Words) -> None:
        self._number += 1
        incoming = handling.incoming
        handling.outbox.append(
            Outgoing(
                id=self._number,
                channel=incoming.channel,
                chat=incoming.chat,
                text=words.text,
                kind=words.kind,
                reply_to=incoming.id,
                buttons=words.buttons,
                picture=words.picture,
            )
        )
        self._spawn(self._send())

    async def _send(self) -> None:
        async with self._sending:
            for handling in list(self.handled.values()):
                while handling.outbox:
                    channel = next(each for each in self._channels if each.name == handling.incoming.channel)
                    try:
                        await channel.send(handling.outbox[0])
                    except SendDelayed:
                        break
                    handling.outbox.pop(0)
        async with self.changed:
            self.changed.notify_all()

    def _spawn(self, work: Awaitable[None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


@asynccontextmanager
async def running(local: TerminalChannel, brain: Brain = echo) -> AsyncIterator[FakeApp]:
    """A fake app that listens on the local channel."""
    app = FakeApp([local], brain)
    local.attach(finished=app.finished, woke=lambda: app.wake(local.name), welcome=lambda: Welcome("fake-1"))
    ears = asyncio.create_task(app.listen())
    try:
        opened = asyncio.create_task(local.opened())
        await asyncio.wait({ears, opened}, return_when=asyncio.FIRST_COMPLETED)
        opened.cancel()
        if ears.done():
            await ears
        yield app
    finally:
        ears.cancel()
        with suppress(asyncio.CancelledError):
            await ears
        await app.close()
