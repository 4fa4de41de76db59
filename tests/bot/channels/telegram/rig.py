"""A channel between the fake server and a list that stands for the router."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from itertools import count

from bot.channels.telegram import TelegramChannel
from bot.channels.telegram.timings import Timings
from bot.errors import SendDelayed
from bot.types import Button, Incoming, Outgoing
from tests.fakes.telegram_server import FakeTelegram

OWNER, FRIEND, STRANGER = 7, 8, 99
PEOPLE = {OWNER: "me", FRIEND: "tg-8"}
QUICK = Timings(
    poll=2.0,
    first_wait=0.01,
    longest_wait=0.05,
    contested=0.02,
    settled=0.3,
    token=0.05,
    answer=1.0,
    file=2.0,
    slow=0.02,
    look=0.05,
    paste=0.4,
)
PNG = (
    b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + (40).to_bytes(4) + (30).to_bytes(4) + b"\x08\x02\x00\x00\x00rest"
)

_rows = count(1)


class Rig:
    """What a test holds."""

    def __init__(self, tg: FakeTelegram, channel: TelegramChannel) -> None:
        self.tg = tg
        self.channel = channel
        self.heard: list[Incoming] = []
        self.before_storing: Callable[[Incoming], None] = lambda _: None
        self.storing_takes = 0.0

    async def receive(self, incoming: Incoming) -> bool:
        """The router's part: store it, or raise."""
        await asyncio.sleep(self.storing_takes)
        self.before_storing(incoming)
        known = not incoming.edited and any(
            (i.chat, i.id) == (incoming.chat, incoming.id) for i in self.heard
        )
        if not known:
            self.heard.append(incoming)
        return not known

    async def hear(self, n: int, timeout: float = 5.0) -> list[Incoming]:
        """Wait until `n` messages are stored."""
        await self.tg.wait(lambda: len(self.heard) >= n, timeout, lambda: f"{n} wanted: {self.heard}")
        return self.heard

    async def said(self, text: str) -> Incoming:
        """What the router gets when the owner writes."""
        self.tg.say(OWNER, text)
        return (await self.hear(len(self.heard) + 1))[-1]

    async def deliver(self, outgoing: Outgoing, tries: int = 10) -> str:
        """Send as the outbox does: again after each delay."""
        for _ in range(tries):
            try:
                return await self.channel.send(outgoing)
            except SendDelayed as delayed:
                await asyncio.sleep(min(delayed.retry_after or 0.01, 0.05))
        raise AssertionError("never delivered")


@asynccontextmanager
async def rig(*, listening: bool = True, root: str = "", timings: Timings = QUICK) -> AsyncIterator[Rig]:
    """A fake server and a channel that listens to it."""
    async with FakeTelegram() as tg:
        channel = TelegramChannel(tg.token, root or tg.root, people=PEOPLE, language="en", timings=timings)
        made = Rig(tg, channel)
        for user in (OWNER, FRIEND):
            tg.know(user)
        task = asyncio.create_task(channel.listen(made.receive)) if listening else None
        if task is not None:
            await tg.wait(lambda: tg.count("getUpdates") > 1)  # what is written from now on is new
        try:
            yield made
        finally:
            if task is not None:
                task.cancel()
                with suppress(asyncio.CancelledError):
                    await task
            await channel.close()


def out(text: str, chat: str = str(OWNER), *, buttons: tuple[Button, ...] = (), **more: str) -> Outgoing:
    """A row of the outbox."""
    return Outgoing(
        next(_rows),
        "telegram",
        chat,
        text,
        buttons=buttons,
        picture=more.get("picture", ""),
        reply_to=more.get("reply_to", ""),
    )
