"""Polling: nothing is confirmed before it is stored, and a bad network loses nothing."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress

import pytest
from structlog.testing import capture_logs

from bot.channels.telegram import TelegramChannel
from bot.errors import HomeUnwritable, SendDelayed
from bot.types import Incoming
from tests.bot.channels.telegram.rig import OWNER, PEOPLE, PNG, QUICK, out, rig
from tests.fakes.telegram_server import FakeTelegram


async def test_update_is_confirmed_only_after_it_is_stored() -> None:
    async with rig() as r:
        r.storing_takes = 0.2
        update = r.tg.say(OWNER, "hi")
        await asyncio.sleep(0.1)
        assert r.tg.confirmed <= update["update_id"]
        await r.hear(1)
        await r.tg.wait(lambda: r.tg.confirmed == update["update_id"] + 1)


async def test_what_cannot_be_stored_is_not_confirmed_and_tried_again() -> None:
    async with rig() as r:
        left = 3

        def full(_: Incoming) -> None:
            nonlocal left
            left -= 1
            if left > 0:
                raise HomeUnwritable("The disk is full.")

        r.before_storing = full
        with capture_logs() as logs:
            update = r.tg.photo(OWNER, PNG, caption="hi")
            second = r.tg.say(OWNER, "and")
            await r.tg.wait(lambda: r.channel.health() == "The disk is full.")
            assert r.tg.confirmed <= update["update_id"]
            assert [h.text for h in await r.hear(2)] == ["hi", "and"]
            await r.tg.wait(lambda: r.tg.confirmed > second["update_id"])
        assert r.channel.health() == ""
        assert r.tg.count("getFile") == 1, "what was fetched is kept"
        assert sum(entry["action"] == "store_failed" for entry in logs) == 1
        [told] = [sent.text for sent in r.tg.sent(OWNER) if "disk" in sent.text.lower()]
        assert told.endswith("I will answer when there is room."), "the person is told, once"


async def test_killed_while_storing_it_comes_again() -> None:
    async with FakeTelegram() as tg:
        update = tg.say(OWNER, "hi")
        channel = TelegramChannel(tg.token, tg.root, people=PEOPLE, timings=QUICK)
        begun = asyncio.Event()

        async def never(_: Incoming) -> bool:
            begun.set()
            await asyncio.sleep(3600)
            return True

        task = asyncio.create_task(channel.listen(never))
        await begun.wait()
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        await channel.close()
        assert tg.confirmed <= update["update_id"]


async def test_same_update_three_times_reaches_the_router_under_one_id() -> None:
    async with rig() as r:
        update = r.tg.say(OWNER, "hi")
        await r.hear(1)
        seen: list[str] = []
        r.before_storing = lambda incoming: seen.append(incoming.id)
        for _ in range(2):
            r.tg.redeliver(update)
            await r.tg.wait(lambda: not r.tg.waiting)
        r.tg.say(OWNER, "next")
        assert [h.text for h in await r.hear(2)] == ["hi", "next"]
        assert seen[:-1] == [r.heard[0].id] * 2


async def test_stops_at_once_in_the_middle_of_a_long_poll() -> None:
    async with FakeTelegram() as tg:
        channel = TelegramChannel(tg.token, tg.root, people=PEOPLE)

        async def receive(_: Incoming) -> bool:
            return True

        task = asyncio.create_task(channel.listen(receive))
        await tg.wait(lambda: tg.polls > 0)
        began = time.monotonic()
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        await channel.close()
        assert time.monotonic() - began < 0.5


# ---- the network is bad


@pytest.mark.parametrize("kind", ["502", "500", "drop_before", "garbage", "429"])
async def test_bad_polls_are_waited_out_and_logged_once(kind: str) -> None:
    async with rig() as r:
        with capture_logs() as logs:
            r.tg.fault("getUpdates", kind, times=6, retry_after=0)
            r.tg.say(OWNER, "hi")
            await r.hear(1)
        assert sum(entry["log_level"] == "warning" for entry in logs) <= 2
        assert sum(entry["action"] == "poll_works" for entry in logs) == 1


async def test_unreachable_server_is_said_and_health_recovers() -> None:
    async with FakeTelegram() as tg:
        channel = TelegramChannel(tg.token, tg.root, people=PEOPLE, language="zh", timings=QUICK)
        tg.fault("getUpdates", "drop_before", times=None)
        with capture_logs() as logs:
            task = asyncio.create_task(channel.listen(_ignore))
            await tg.wait(lambda: "连不上" in channel.health())
            await asyncio.sleep(0.3)
            tg.heal()
            await tg.wait(lambda: channel.health() == "")
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        await channel.close()
        assert sum(entry["action"] == "poll_failed" for entry in logs) <= 2


async def test_another_poller_turns_health_red_at_once_and_stays_red() -> None:
    async with rig() as r:
        r.tg.fault("getUpdates", "409", times=None)
        await r.tg.wait(lambda: "same token" in r.channel.health(), 1.0)
        polls = r.tg.count("getUpdates")
        await asyncio.sleep(0.2)
        assert "same token" in r.channel.health()
        assert r.tg.count("getUpdates") - polls < 20, "it does not fight"
        r.tg.heal()
        r.tg.say(OWNER, "hi")
        await r.hear(1)
        assert "same token" in r.channel.health(), "one good poll proves nothing"
        await asyncio.sleep(0.35)
        r.tg.say(OWNER, "still there?")
        await r.tg.wait(lambda: r.channel.health() == "")


async def test_webhook_that_is_in_the_way_is_removed() -> None:
    async with FakeTelegram() as tg:
        tg.webhook = "https://old.example"
        tg.say(OWNER, "hi")
        channel = TelegramChannel(tg.token, tg.root, people=PEOPLE, timings=QUICK)
        task = asyncio.create_task(channel.listen(_ignore))
        await tg.wait(lambda: tg.confirmed > 700)
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        await channel.close()


async def test_refused_token_turns_health_red_and_is_never_shown() -> None:
    async with rig() as r:
        with capture_logs() as logs:
            r.tg.fault("getUpdates", "401", times=None)
            await r.tg.wait(lambda: "refuses the token" in r.channel.health(), 1.0)
        assert r.tg.token not in repr(logs)
        assert r.tg.token not in r.channel.health()


async def test_proxy_that_cannot_be_used_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALL_PROXY", "gopher://nowhere:1")
    channel = TelegramChannel("1:x", "http://192.0.2.1", people=PEOPLE, timings=QUICK)
    task = asyncio.create_task(channel.listen(_ignore))
    await FakeTelegram().wait(lambda: "ALL_PROXY" in channel.health())
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task
    with pytest.raises(SendDelayed):
        await channel.send(out("hi"))
    await channel.close()


async def _ignore(_: Incoming) -> bool:
    return True
