"""Updates that Telegram brings: stored before they are answered, from nobody else, and looked after."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from bot.channels.telegram import TelegramChannel
from bot.channels.telegram.webhook import Webhook
from bot.errors import HomeUnwritable
from bot.types import Incoming
from tests.bot.channels.telegram.rig import FRIEND, OWNER, PEOPLE, PNG, QUICK, Rig, out
from tests.fakes.telegram_bringing import Bringing, post
from tests.fakes.telegram_server import FakeTelegram


def free_port() -> int:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return int(sock.getsockname()[1])


@asynccontextmanager
async def brought(*, waits: bool = True) -> AsyncIterator[tuple[Rig, str]]:
    """A channel with a webhook, and its address."""
    port = free_port()
    url = f"http://127.0.0.1:{port}/hook"
    async with FakeTelegram() as tg:
        hook = Webhook(url, port=port)
        channel = TelegramChannel(tg.token, tg.root, people=PEOPLE, timings=QUICK, webhook=hook)
        made = Rig(tg, channel)
        for user in (OWNER, FRIEND):
            tg.know(user)
        task = asyncio.create_task(channel.listen(made.receive))
        try:
            if waits:
                await tg.wait(lambda: tg.webhook == url)
            yield made, url
        finally:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
            await channel.close()


def bringing(r: Rig) -> Bringing:
    assert r.tg.bringing is not None
    return r.tg.bringing


async def test_what_people_do_is_brought_and_answered() -> None:
    async with brought() as (r, _):
        r.tg.say(OWNER, "hello")
        r.tg.photo(OWNER, PNG, caption="look")
        await r.hear(2)
        assert [each.text for each in r.heard] == ["hello", "look"]
        assert r.heard[1].uploads[0].data == PNG
        await r.deliver(out("hi"))
        assert [sent.text for sent in r.tg.sent(OWNER)] == ["hi"]
        assert r.tg.count("getUpdates") == 0
        await r.tg.wait(lambda: not r.tg.waiting_updates())
        assert set(bringing(r).brought.statuses) == {200}


async def test_a_paste_is_brought_part_by_part_and_each_continues_the_first() -> None:
    async with brought() as (r, _):
        parts = r.tg.paste(OWNER, "🎩" * 5000)
        first, *rest = await r.hear(len(parts))
        assert "".join(each.text for each in (first, *rest)) == "🎩" * 5000
        assert first.continues == ""
        assert {each.continues for each in rest} == {first.id}
        await r.tg.wait(lambda: not r.tg.waiting_updates())


async def test_it_is_answered_only_after_it_is_stored() -> None:
    async with brought() as (r, _):
        full = True

        def storing(_: Incoming) -> None:
            if full:
                raise HomeUnwritable("no room")

        r.before_storing = storing
        r.tg.say(OWNER, "hello")
        await r.tg.wait(lambda: "no room" in r.channel.health())
        assert bringing(r).brought.statuses == []
        full = False
        await r.hear(1)
        await r.tg.wait(lambda: bringing(r).brought.statuses == [200])
        assert r.channel.health() == ""


async def test_who_does_not_know_the_secret_is_refused() -> None:
    async with brought() as (r, url):
        update = json.dumps(
            {"update_id": 1, "message": {"message_id": 1, "date": 1, "chat": {"id": OWNER}, "text": "rm"}}
        )
        for secret in (None, "", "wrong"):
            assert await post(url, secret, update.encode()) == 403
        assert await post(url.replace("/hook", "/other"), bringing(r).brought.secret, update.encode()) == 403
        assert await post(url, bringing(r).brought.secret, b"nonsense") == 400
        assert r.heard == []
        assert r.tg.token not in bringing(r).brought.secret


async def test_what_is_brought_again_while_it_is_being_stored_is_taken_once() -> None:
    async with brought() as (r, url):
        r.storing_takes = 0.2
        update = r.tg.say(OWNER, "hello")
        r.tg.taken(update)
        secret, body = bringing(r).brought.secret, json.dumps(update).encode()
        assert await asyncio.gather(*(post(url, secret, body) for _ in range(3))) == [200] * 3
        assert [each.text for each in r.heard] == ["hello"]


async def test_a_slow_file_keeps_other_chats_waiting_for_nothing() -> None:
    async with brought() as (r, _):
        r.tg.fault("getFile", "hang", seconds=1.0)
        r.tg.photo(OWNER, PNG)
        r.tg.say(FRIEND, "hello")
        assert [each.text for each in await r.hear(1, 0.8)] == ["hello"]


async def test_a_webhook_that_was_taken_away_is_set_again() -> None:
    async with brought() as (r, url):
        r.tg.webhook = "https://somebody.else.example"
        await r.tg.wait(lambda: r.tg.webhook == url)


async def test_trouble_of_telegram_with_the_address_is_said() -> None:
    async with brought() as (r, url):
        bringing(r).brought.url = url.replace("/hook", "/gone")
        r.tg.say(OWNER, "hello")
        await r.tg.wait(lambda: "cannot bring messages: Wrong response" in r.channel.health())
        bringing(r).brought.url = url
        await r.hear(1)
        await r.tg.wait(lambda: r.channel.health() == "")


async def test_a_refused_token_is_said_and_heals() -> None:
    async with brought() as (r, _):
        r.tg.fault("getWebhookInfo", "401", times=20)
        await r.tg.wait(lambda: "refuses the token" in r.channel.health())
        r.tg.heal()
        await r.tg.wait(lambda: r.channel.health() == "")


async def test_a_port_that_is_taken_is_said() -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = int(other.getsockname()[1])
        async with FakeTelegram() as tg:
            hook = Webhook(f"http://127.0.0.1:{port}/hook", port=port)
            channel = TelegramChannel(tg.token, tg.root, people=PEOPLE, timings=QUICK, webhook=hook)
            task = asyncio.create_task(channel.listen(Rig(tg, channel).receive))
            await tg.wait(lambda: f"port 127.0.0.1:{port} cannot be used" in channel.health())
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
            await channel.close()


async def test_leaving_leaves_the_webhook_and_what_waits() -> None:
    """A restart hears what came meanwhile."""
    async with brought() as (r, url):
        pass
    assert r.tg.webhook == url
