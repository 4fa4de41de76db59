"""The accounts of a home: what was spent on whose day, and when background work waits."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import datetime, timedelta

import pytest

from bot.errors import AllowanceSpent, HomeUnwritable
from bot.meter import Meter
from bot.models.metering import Charge, Took
from tests.bot.desks import NOW, ZONE, Rig, until

ME = Charge("me", "extraction")
MIDNIGHT = datetime(2026, 9, 2, tzinfo=ZONE)


def took(tokens: int) -> Took:
    return Took(tokens, 0, 0, estimated=False)


@pytest.fixture
async def meter(rig: Rig) -> AsyncIterator[Meter]:
    opened = Meter(rig.storage, 1000, rig.clock)
    yield opened
    await opened.close()


async def test_today_and_the_month_on_the_persons_clock(rig: Rig, meter: Meter) -> None:
    rig.clock.now = datetime(2026, 8, 31, 23, 59, tzinfo=ZONE)  # still August here, and in UTC too
    meter.record(ME, "m", took(1))
    rig.clock.now = datetime(2026, 9, 1, 0, 1, tzinfo=ZONE)  # August in UTC
    meter.record(ME, "m", took(20))
    rig.clock.now = datetime(2026, 9, 2, 8, 0, tzinfo=ZONE)
    meter.record(Charge("me", "chat"), "m", took(300))
    found = await meter.spending("me")
    assert [(each.kind.purpose, each.tokens.input) for each in found.today] == [("chat", 300)]
    assert [(each.kind.purpose, each.tokens.input) for each in found.month] == [
        ("chat", 300),
        ("extraction", 20),
    ]
    assert found.now == rig.clock.now


async def test_many_calls_are_one_write_and_none_is_lost_at_the_end(
    rig: Rig, meter: Meter, monkeypatch: pytest.MonkeyPatch
) -> None:
    writes = []
    add = rig.storage.usage.add

    async def counted(found: object) -> None:
        writes.append(found)
        await add(found)  # type: ignore[arg-type]

    monkeypatch.setattr(type(rig.storage.usage), "add", lambda self, found: counted(found))
    for _ in range(50):
        meter.record(ME, "m", took(2))
    await meter.close()
    assert len(writes) == 1
    [used] = await rig.storage.usage.totals("me", MIDNIGHT - timedelta(days=1))
    assert (used.tokens.calls, used.tokens.input) == (50, 100)


async def test_it_is_written_by_itself_after_a_while(
    rig: Rig, meter: Meter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.meter.EVERY", 0.01)
    meter.record(ME, "m", took(5))

    async def written() -> bool:
        return bool(await rig.storage.usage.totals("me", MIDNIGHT - timedelta(days=1)))

    await until(written)


async def test_what_a_full_disk_does_not_take_is_kept(
    rig: Rig, meter: Meter, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def full(self: object, found: object) -> None:
        raise HomeUnwritable

    meter.record(ME, "m", took(5))
    with monkeypatch.context() as broken:
        broken.setattr(type(rig.storage.usage), "add", full)
        await meter.flush()
    meter.record(ME, "m", took(6))
    await meter.flush()
    [used] = (await meter.spending("me")).today
    assert used.tokens.input == 11


async def test_spent_until_midnight_and_said_once(rig: Rig, meter: Meter) -> None:
    await rig.said("你好")
    await meter.allow("me")
    meter.record(Charge("me", "chat"), "m", took(5000))  # chat does not count
    meter.record(ME, "m", took(999))
    await meter.allow("me")
    meter.record(ME, "m", took(1))
    for _ in range(3):
        with pytest.raises(AllowanceSpent) as caught:
            await meter.allow("me")
    assert caught.value.retry_after == (MIDNIGHT - NOW).total_seconds()
    assert "1,000" in str(caught.value)
    await meter.allow("ann")
    assert await meter.paused("me") == MIDNIGHT
    [notice] = await rig.storage.outbox.unsent("fake")
    assert notice.text.startswith("后台今天的 1,000 tokens 用完了，停到 00:00 再继续。聊天照常")
    assert (notice.kind, notice.reply_to) == ("notice", "")
    rig.clock.now = MIDNIGHT
    await meter.allow("me")
    assert await meter.paused("me") is None


async def test_a_restart_knows_what_was_spent_and_does_not_say_it_again(rig: Rig, meter: Meter) -> None:
    await rig.said("hello")
    meter.record(ME, "m", took(1000))
    with pytest.raises(AllowanceSpent):
        await meter.allow("me")
    await meter.close()
    again = Meter(rig.storage, 1000, rig.clock)
    with pytest.raises(AllowanceSpent):
        await again.allow("me")
    assert len(await rig.storage.outbox.unsent("fake")) == 1
    rig.clock.now = MIDNIGHT + timedelta(hours=1)
    again.record(ME, "m", took(1000))
    with pytest.raises(AllowanceSpent):
        await again.allow("me")
    assert len(await rig.storage.outbox.unsent("fake")) == 2, "another day, another word"
    await again.close()


async def test_zero_is_no_limit(rig: Rig) -> None:
    meter = Meter(rig.storage, 0, rig.clock)
    meter.record(ME, "m", took(10**9))
    await meter.allow("me")
    assert await meter.paused("me") is None
    await meter.close()


async def test_who_was_refused_is_told_of_at_their_midnight(
    rig: Rig, meter: Meter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.meter.LOOK", 0.01)
    waiting = asyncio.create_task(meter.renewed())
    meter.record(ME, "m", took(1000))
    with pytest.raises(AllowanceSpent):
        await meter.allow("me")
    await asyncio.sleep(0.05)
    assert not waiting.done()
    rig.clock.now = MIDNIGHT
    assert await asyncio.wait_for(waiting, 5) == ["me"]


async def test_a_model_that_has_just_answered_is_there_until_it_fails(rig: Rig, meter: Meter) -> None:
    assert not meter.heard("m")
    meter.record(ME, "m", took(1))
    assert meter.heard("m")
    meter.failed("m")
    assert not meter.heard("m")
    meter.record(ME, "m", took(1))
    rig.clock.later(minutes=6)
    assert not meter.heard("m"), "that was long ago"
