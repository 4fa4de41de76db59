"""The one way out: rows of the outbox, sent in order a chat, marked when a channel took them."""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from functools import partial

import structlog

from bot.channels.channel import Channel, HasDrafts, MayRecover, SendsParts
from bot.errors import HomeError, SendDelayed, SendError, SendRefused
from bot.storage.outbox import OutboxRows
from bot.types import Outgoing

log = structlog.get_logger(__name__)

FIRST_WAIT = 1.0  # seconds after a first failed sending; doubles up to a minute
GRACE = 2.0  # seconds that what is being sent has to arrive when we stop


def nobody(outgoing: Outgoing) -> bool:
    """For those whom nobody is kept from."""
    return False


class Outbox:
    """Sends what is unsent. One chat's trouble never holds up another's."""

    def __init__(
        self,
        rows: OutboxRows,
        channels: Mapping[str, Channel],
        ring: Callable[[], None],
        barred: Callable[[Outgoing], bool] = nobody,
    ) -> None:
        """`barred`: it is for somebody who may not talk with us any more, whatever was begun for them before."""
        self._barred = barred
        self._rows = rows
        self._channels = channels
        self._ring = ring
        self._wake = {name: asyncio.Event() for name in channels}
        self._again = {name: asyncio.Event() for name in channels}
        self._fresh: dict[str, Sequence[Outgoing]] = {}  # by channel: all that is new, where that is known
        self._sending: set[asyncio.Task[SendDelayed | None]] = set()
        self._looks = 0  # into the rows, right now
        self._chats: set[asyncio.Task[None]] = set()  # that have something to send
        self._pausing = 0  # of those, how many wait to try again
        for name, channel in channels.items():
            if isinstance(channel, MayRecover):
                channel.on_recovery(partial(self.again, name))
            if isinstance(channel, SendsParts):
                channel.on_part(self._part)

    def wake(self, channel: str, fresh: Sequence[Outgoing] = ()) -> None:
        """There is something new to send in a channel. `fresh`: all rows behind those we have taken, for whoever knows
        them; they need not be read again then, unless there was other news before or comes after.
        """
        if channel not in self._wake:
            return
        if fresh and not self._wake[channel].is_set():
            self._fresh[channel] = fresh
        else:
            self._fresh.pop(channel, None)
        self._wake[channel].set()

    def again(self, channel: str) -> None:
        """The channel can send again: what it put off is tried at once."""
        if channel in self._again:
            self._again[channel].set()
            self._again[channel] = asyncio.Event()

    async def run(self) -> None:
        """Send until cancelled."""
        async with asyncio.TaskGroup() as group:
            for name, channel in self._channels.items():
                group.create_task(self._serve(channel), name=f"outbox-{name}")

    async def drain(self) -> None:
        """Wait until everything has been sent that can be sent now; not for ever."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(GRACE):
                while self._busy():  # noqa: ASYNC110 - once in a process's life
                    await asyncio.sleep(0.02)

    def _busy(self) -> bool:
        awake = any(event.is_set() for event in self._wake.values())
        return awake or self._looks > 0 or len(self._chats) > self._pausing

    async def _serve(self, channel: Channel) -> None:
        queues: dict[str, deque[Outgoing]] = {}  # of chats that are being sent to
        seen = 0  # the newest row that is in a queue or was in one: rows are read once
        try:
            while True:
                for outgoing in await self._look(channel.name, seen):
                    if outgoing.id <= seen:
                        continue
                    seen = outgoing.id
                    if outgoing.chat in queues:
                        queues[outgoing.chat].append(outgoing)
                        continue
                    queues[outgoing.chat] = deque([outgoing])
                    task = asyncio.create_task(self._send_all(channel, outgoing.chat, queues))
                    self._chats.add(task)
                    task.add_done_callback(self._chats.discard)
                self._rows.taken(channel.name, seen)
                await self._wake[channel.name].wait()
        finally:
            sending = tuple(self._chats)
            for task in sending:
                task.cancel()
            await asyncio.gather(*sending, return_exceptions=True)
            await self._let_end()

    async def _look(self, channel: str, seen: int) -> Sequence[Outgoing]:
        """What is new, as soon as the database can be read."""
        wait = FIRST_WAIT
        while True:
            self._looks += 1
            try:
                self._wake[channel].clear()
                return self._fresh.pop(channel, ()) or await self._rows.unsent(channel, after=seen)
            except HomeError as error:
                if wait == FIRST_WAIT:  # trouble may last for hours
                    log.error("not read", action="outbox_unread", channel=channel, error=str(error))
            finally:
                self._looks -= 1
            await asyncio.sleep(wait)
            wait = min(wait * 2, 60)

    async def _send_all(self, channel: Channel, chat: str, queues: dict[str, deque[Outgoing]]) -> None:
        try:
            while queues[chat]:
                await self._send(channel, queues[chat].popleft())
        finally:
            del queues[chat]

    async def _send(self, channel: Channel, outgoing: Outgoing) -> None:
        wait, delays = FIRST_WAIT, 0
        while True:
            task = asyncio.create_task(self._once(channel, outgoing), name=f"send-{outgoing.id}")
            self._sending.add(task)
            task.add_done_callback(self._sending.discard)
            delayed = await asyncio.shield(task)
            if delayed is None:
                if delays > 1:
                    log.info("sending works again", action="send_works", row=outgoing.id, delays=delays)
                return
            pause = wait if delayed.retry_after is None else delayed.retry_after
            delays += 1
            if delays == 1:  # trouble may last for days
                log.info(
                    "sending waits", action="send_delayed", row=outgoing.id, seconds=pause, error=str(delayed)
                )
            await self._pause(channel.name, pause)
            wait = min(wait * 2, 60)

    async def _once(self, channel: Channel, outgoing: Outgoing) -> SendDelayed | None:
        """Send and write down that it is sent; what was begun is not cut, or it would be sent again."""
        try:
            if self._barred(outgoing):
                await self._withhold(channel, outgoing)
            if outgoing.taken_back and isinstance(channel, HasDrafts):
                await channel.withdraw(outgoing)
                sent_id = ""
            else:
                sent_id = await channel.send(outgoing)
        except SendDelayed as error:
            return error
        except SendError as error:
            log.warning("sending refused", action="send_refused", row=outgoing.id, error=str(error))
            await self._mark(outgoing.id, "refused", problem=str(error))
        except Exception as error:  # a bug in a channel: this row must not hold up all that come after it
            log.exception("sending broke", action="send_failed", row=outgoing.id)
            await self._mark(outgoing.id, "refused", problem=type(error).__name__)
        else:
            await self._mark(outgoing.id, "sent", sent_id=sent_id)
        self._ring()
        return None

    @staticmethod
    async def _withhold(channel: Channel, outgoing: Outgoing) -> None:
        """Its beginning, if that was shown, goes too. Raises `SendRefused`, or `SendDelayed`."""
        if outgoing.shown and isinstance(channel, HasDrafts):
            await channel.withdraw(outgoing)
        raise SendRefused("its person may not talk with us any more")

    async def _part(self, outgoing: Outgoing, shown: str) -> None:
        """A part has arrived. Where that cannot be written down, a crash before the last part sends it again."""
        try:
            await self._rows.part(outgoing.id, shown)
        except HomeError as error:
            log.error("not written down", action="part_unmarked", row=outgoing.id, error=str(error))

    async def _mark(self, row: int, state: str, *, sent_id: str = "", problem: str = "") -> None:
        """Until it is written down: a row that was sent and looks unsent would be sent again."""
        wait = FIRST_WAIT
        while True:
            try:
                return await self._rows.mark(row, state, sent_id=sent_id, problem=problem)
            except HomeError as error:
                log.error("not written down", action="send_unmarked", row=row, state=state, error=str(error))
            await asyncio.sleep(wait)
            wait = min(wait * 2, 60)

    async def _let_end(self) -> None:
        """What is being sent right now may end."""
        if self._sending:
            await asyncio.wait(self._sending, timeout=GRACE)
        for task in list(self._sending):
            task.cancel()

    async def _pause(self, channel: str, seconds: float) -> None:
        self._pausing += 1
        try:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._again[channel].wait(), seconds)
        finally:
            self._pausing -= 1
