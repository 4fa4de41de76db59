"""Out of the outbox: in order a chat, each row once, nobody held up by another's trouble."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

from structlog.testing import capture_logs

from bot.channels.outbox import Outbox
from bot.errors import DatabaseUnusable, HomeUnwritable, SendDelayed, SendError, SendRefused
from bot.storage.outbox import OutboxRows
from bot.types import Answered, Outgoing, Words
from tests.bot.desks import Rig, until
from tests.fakes.app import eventually
from tests.fakes.channel import FakeChannel


@asynccontextmanager
async def running(rig: Rig, channel: FakeChannel, rows: OutboxRows | None = None) -> AsyncIterator[Outbox]:
    rows = rows or rig.storage.outbox
    outbox = Outbox(rows, {channel.name: channel}, lambda: None)
    rows.stored = outbox.wake
    task = asyncio.create_task(outbox.run())
    try:
        yield outbox
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def unsent(rig: Rig) -> list[str]:
    return [each.text for each in await rig.storage.outbox.unsent("fake")]


async def settled(rig: Rig) -> None:
    async def empty() -> bool:
        return not await unsent(rig)

    await until(empty)


class Slow(FakeChannel):
    """Takes its time to send."""

    async def send(self, outgoing: Outgoing) -> str:
        await asyncio.sleep(0.003)
        return await super().send(outgoing)


async def test_each_row_once_and_in_order_while_more_keep_coming(rig: Rig) -> None:
    channel = Slow()
    people = ("ann", "bob", "cy")
    about = {person: await rig.said("x", person=person) for person in people}
    async with running(rig, channel) as outbox:
        for i in range(25):
            for person in people:
                await rig.storage.outbox.add(about[person], Words(f"{i}"))
                outbox.wake("fake")
            await asyncio.sleep(0.001 * (i % 3))
        await settled(rig)
    for person in people:
        assert channel.texts(person) == [str(i) for i in range(25)]


async def test_a_row_that_waits_is_not_sent_twice_when_others_come(rig: Rig) -> None:
    failing = [SendDelayed("busy", retry_after=0.05)] * 3

    def fail(outgoing: Outgoing) -> SendError | None:
        return failing.pop() if failing and outgoing.text == "first" else None

    channel = FakeChannel(failing=fail)
    about = await rig.said("x")
    async with running(rig, channel):
        await rig.storage.outbox.add(about, Words("first"))
        for i in range(5):
            await asyncio.sleep(0.02)
            await rig.storage.outbox.add(about, Words(f"later {i}"))
        await settled(rig)
    assert channel.texts() == ["first", *(f"later {i}" for i in range(5))]


async def test_one_chats_trouble_is_no_others(rig: Rig) -> None:
    channel = FakeChannel(failing=lambda out: SendDelayed("blocked") if out.chat == "bob" else None)
    async with running(rig, channel) as outbox:
        await rig.storage.outbox.add(await rig.said("x", person="bob"), Words("to bob"))
        for i in range(3):
            await rig.storage.outbox.add(await rig.said("x"), Words(f"to me {i}"))
        await eventually(lambda: len(channel.sent) == 3)
        assert await unsent(rig) == ["to bob"]
        channel._failing = lambda out: None
        outbox.again("fake")  # somebody connected: no need to wait out the pause
        await eventually(lambda: channel.texts("bob") == ["to bob"])


async def test_trouble_that_lasts_is_logged_when_it_begins_and_when_it_ends(rig: Rig) -> None:
    failing = [SendDelayed("no network", retry_after=0.001)] * 50
    channel = FakeChannel(failing=lambda out: failing.pop() if failing else None)
    with capture_logs() as logs:
        async with running(rig, channel):
            await rig.storage.outbox.add(await rig.said("x"), Words("words"))
            await settled(rig)
    assert channel.texts() == ["words"]
    assert [entry["action"] for entry in logs if entry["action"].startswith("send_")] == [
        "send_delayed",
        "send_works",
    ]
    assert logs[-1]["delays"] == 50


async def test_what_is_refused_is_marked_and_holds_up_nothing(rig: Rig) -> None:
    channel = FakeChannel(failing=lambda out: SendRefused("too long") if out.text == "bad" else None)
    about = await rig.said("x")
    async with running(rig, channel):
        for text in ("bad", "good"):
            await rig.storage.outbox.add(about, Words(text))
        await settled(rig)
    assert channel.texts() == ["good"]
    assert await rig.storage.outbox.states(about.id) == ["refused", "sent"]


async def test_a_bug_in_a_channel_costs_one_row_not_the_chat(rig: Rig) -> None:
    class Broken(FakeChannel):
        async def send(self, outgoing: Outgoing) -> str:
            if outgoing.text == "bad":
                raise ZeroDivisionError
            return await super().send(outgoing)

    channel, about = Broken(), await rig.said("x")
    with capture_logs() as logs:
        async with running(rig, channel):
            for text in ("bad", "good"):
                await rig.storage.outbox.add(about, Words(text))
            await settled(rig)
    assert channel.texts() == ["good"]
    assert [each["action"] for each in logs if each["log_level"] == "error"] == ["send_failed"]


async def test_what_others_have_written_goes_out_with_what_is_handed_over(rig: Rig) -> None:
    """Another process tells us in the next moment, or nobody does: who wrote it was cut before they could."""
    channel, about = FakeChannel(), await rig.said("x")
    async with running(rig, channel) as outbox:
        await outbox.drain()
        await OutboxRows(rig.storage.database, rig.clock).add(about, Words("from elsewhere"))
        await rig.storage.outbox.answer([about], Answered((Words("answer"),)))
        outbox.wake("fake")
        await settled(rig)
    assert channel.texts() == ["from elsewhere", "answer"]


class Unreadable(OutboxRows):
    """Cannot be read for the next `times`."""

    times = 0

    async def unsent(self, channel: str, after: int = 0) -> list[Outgoing]:
        if self.times > 0:
            self.times -= 1
            raise DatabaseUnusable
        return await super().unsent(channel, after)


async def test_a_database_that_is_away_for_a_while_ends_nothing(rig: Rig, quick: Callable[[], None]) -> None:
    quick()
    rows, channel = Unreadable(rig.storage.database, rig.clock), FakeChannel()
    with capture_logs() as logs:
        async with running(rig, channel, rows) as outbox:
            await outbox.drain()
            rows.times = 3
            await rows.add(await rig.said("x"), Words("words"))
            await settled(rig)
    assert channel.texts() == ["words"]
    assert [each["action"] for each in logs if each["log_level"] == "error"] == ["outbox_unread"]


class FullDisk(OutboxRows):
    """Cannot mark rows for the first `times`."""

    times = 2

    async def mark(self, row_id: int, state: str, *, sent_id: str = "", problem: str = "") -> None:
        if self.times > 0:
            self.times -= 1
            raise HomeUnwritable
        await super().mark(row_id, state, sent_id=sent_id, problem=problem)


async def test_sent_on_a_full_disk_is_not_sent_again(rig: Rig, quick: Callable[[], None]) -> None:
    quick()
    rows = FullDisk(rig.storage.database, rig.clock)
    channel, about = FakeChannel(), await rig.said("x")
    async with running(rig, channel, rows) as outbox:
        await rows.add(about, Words("first"))
        await eventually(lambda: channel.sent)
        await rows.add(about, Words("second"))
        outbox.wake("fake")
        await settled(rig)
    assert channel.texts() == ["first", "second"]


async def test_stopping_lets_what_is_being_sent_end(rig: Rig) -> None:
    channel, begun = FakeChannel(), asyncio.Event()

    class Halting(FakeChannel):
        async def send(self, outgoing: Outgoing) -> str:
            begun.set()
            await asyncio.sleep(0.05)
            return await channel.send(outgoing)

    async with running(rig, Halting()):
        await rig.storage.outbox.add(await rig.said("x"), Words("hello"))
        await begun.wait()
    assert channel.texts() == ["hello"]
    assert await unsent(rig) == []


async def test_stopping_does_not_wait_for_a_channel_that_hangs(rig: Rig, quick: Callable[[], None]) -> None:
    quick()
    begun = asyncio.Event()

    class Hanging(FakeChannel):
        async def send(self, outgoing: Outgoing) -> str:
            begun.set()
            await asyncio.sleep(60)
            return ""

    async with asyncio.timeout(5):
        async with running(rig, Hanging()):
            await rig.storage.outbox.add(await rig.said("x"), Words("hello"))
            await begun.wait()
    assert await unsent(rig) == ["hello"]


async def test_what_was_unsent_at_the_start_is_sent(rig: Rig) -> None:
    await rig.storage.outbox.add(await rig.said("x"), Words("from before"))
    channel = FakeChannel()
    async with running(rig, channel):
        await settled(rig)
    assert channel.texts() == ["from before"]


async def test_draining_waits_for_what_can_be_sent_and_for_nothing_else(rig: Rig) -> None:
    """What is put off stays for the next start."""
    channel = Slow(failing=lambda out: SendDelayed("later", retry_after=60) if out.chat == "ann" else None)
    ann, bob = await rig.said("x", person="ann"), await rig.said("x", person="bob")
    async with running(rig, channel) as outbox:
        for i in range(20):
            await rig.storage.outbox.add(bob, Words(f"{i}"))
        await rig.storage.outbox.add(ann, Words("never"))
        began = time.monotonic()
        await outbox.drain()
        assert channel.texts("bob") == [f"{i}" for i in range(20)]
        assert await unsent(rig) == ["never"]
        assert time.monotonic() - began < 1.5
