"""The local socket: what is said is heard once; what the bot says reaches the right terminal, or waits."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import stat
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bot.channels import terminal as channel_module
from bot.channels.terminal import TerminalChannel
from bot.channels.terminal_wire import (
    LINE,
    Done,
    Garbled,
    Heard,
    Hello,
    Say,
    Working,
    encode,
    event,
    places,
    request,
)
from bot.errors import HomeBusy, HomeError, HomeUnwritable, KairosError, SendDelayed
from bot.terminal.client import LocalClient, NotRunning
from bot.types import Button, Incoming, Outgoing, Upload, Words
from tests.fakes.app import FakeApp, eventually, running


async def until_done(client: LocalClient) -> list[Heard | Working | Done]:
    """Everything up to the end of the first message."""
    told: list[Heard | Working | Done] = []
    async for each in client.events():
        told.append(each)
        if isinstance(each, Done):
            break
    return told


@asynccontextmanager
async def client_of(home: Path, person: str = "me", *, follow: bool = False) -> AsyncIterator[LocalClient]:
    client = await LocalClient.connect(home, person, follow=follow)
    try:
        yield client
    finally:
        await client.close()


async def test_a_message_is_answered_and_its_end_told(tmp_path: Path) -> None:
    async with running(TerminalChannel(tmp_path)) as app, client_of(tmp_path) as client:
        said = await client.say("你好", [Upload(b"\x89PNG", "图 1.png")])
        heard, done = await until_done(client)
    assert heard == Heard(number=1, kind="answer", text="heard 你好 ['图 1.png']", about=said)
    assert done == Done(said, ok=True)
    assert client.brain == "fake-1"
    assert app.heard[0] == Incoming("terminal", "me", said, "me", "你好", (Upload(b"\x89PNG", "图 1.png"),))


async def test_saying_it_again_under_the_same_id_is_heard_once(tmp_path: Path) -> None:
    async with running(TerminalChannel(tmp_path)) as app:
        for _ in range(3):
            async with client_of(tmp_path) as client:
                await client.say("once", id_="5d0c")
                await until_done(client)
    assert len(app.heard) == 1


async def test_words_wait_until_a_terminal_opens_and_are_marked_earlier(tmp_path: Path) -> None:
    gate = asyncio.Event()

    async def slow(incoming: Incoming, out: Callable[[Words], None]) -> None:
        if incoming.text == "first":
            await gate.wait()
        out(Words(f"answer to {incoming.text}"))

    async with running(TerminalChannel(tmp_path), slow) as app:
        async with client_of(tmp_path) as client:
            await client.say("first", id_="1")
            await eventually(lambda: app.heard)
        gate.set()
        await asyncio.sleep(0.05)
        async with client_of(tmp_path) as client:
            await client.say("second", id_="2")
            told = [each for each in await until_done(client) if isinstance(each, Heard)]
    assert [(each.text, each.earlier) for each in told] == [
        ("answer to first", True),
        ("answer to second", False),
    ]
    assert app.woken >= 2


async def test_each_say_gets_only_its_own_words_and_a_chat_the_rest(tmp_path: Path) -> None:
    async with (
        running(TerminalChannel(tmp_path)) as app,
        client_of(tmp_path, follow=True) as chat,
        client_of(tmp_path) as one,
        client_of(tmp_path) as other,
    ):
        await one.say("one")
        await other.say("other")
        app.notice("me", "reminder")
        follow = chat.events()
        followed = await anext(follow)
        rest = asyncio.ensure_future(anext(follow))  # asking on is the receipt
        first, second = await asyncio.gather(until_done(one), until_done(other))
        rest.cancel()
    assert [each.text for each in first if isinstance(each, Heard)] == ["heard one []"]
    assert [each.text for each in second if isinstance(each, Heard)] == ["heard other []"]
    assert isinstance(followed, Heard)
    assert (followed.text, followed.earlier) == ("reminder", False)


async def test_people_do_not_hear_each_other(tmp_path: Path) -> None:
    async with running(TerminalChannel(tmp_path)) as app, client_of(tmp_path, "anna", follow=True) as anna:
        app.notice("me", "only for me")
        await anna.say("hello")
        told = await until_done(anna)
    assert [each.text for each in told if isinstance(each, Heard)] == ["heard hello []"]


async def test_words_without_a_receipt_count_as_unsent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A terminal that is suspended takes the bytes and shows nothing."""
    monkeypatch.setattr(channel_module, "_RECEIPT", 0.05)
    local = TerminalChannel(tmp_path)
    async with running(local):
        reader, writer = await asyncio.open_unix_connection(str(tmp_path / "kairos.sock"))
        writer.write(encode(Hello("me", follow=True)))
        await reader.readline()
        with pytest.raises(SendDelayed):
            await local.send(Outgoing(id=7, channel="terminal", chat="me", text="lost?"))
        with pytest.raises(SendDelayed):  # at once: nobody waits for a stuck terminal twice
            await asyncio.wait_for(
                local.send(Outgoing(id=7, channel="terminal", chat="me", text="lost?")), 0.04
            )
        async with client_of(tmp_path, follow=True) as chat:
            sending = asyncio.create_task(
                local.send(Outgoing(id=7, channel="terminal", chat="me", text="lost?"))
            )
            events = chat.events()
            assert (await anext(events)) == Heard(7, "answer", "lost?")
            rest = asyncio.ensure_future(anext(events))  # asking on is the receipt
            assert await sending == "7"
            rest.cancel()
        writer.close()


async def test_a_terminal_that_closes_in_the_middle_loses_nothing(tmp_path: Path) -> None:
    local = TerminalChannel(tmp_path)
    async with running(local):
        chat = await LocalClient.connect(tmp_path, "me", follow=True)
        await asyncio.sleep(0.02)
        sending = asyncio.create_task(local.send(Outgoing(id=1, channel="terminal", chat="me", text="x")))
        await asyncio.sleep(0.02)
        await chat.close()
        with pytest.raises(SendDelayed):
            await sending


async def test_a_socket_left_by_a_killed_bot_is_replaced(tmp_path: Path) -> None:
    stale = socket.socket(socket.AF_UNIX)
    stale.bind(str(tmp_path / "kairos.sock"))
    stale.close()
    with pytest.raises(NotRunning):
        await LocalClient.connect(tmp_path, "me", follow=False)
    async with running(TerminalChannel(tmp_path)), client_of(tmp_path) as client:
        await client.say("hi")
        assert len(await until_done(client)) == 2
    assert not (tmp_path / "kairos.sock").exists()


async def test_a_second_bot_on_the_same_socket_is_refused(tmp_path: Path) -> None:
    async with running(TerminalChannel(tmp_path)):
        with pytest.raises(HomeBusy):
            await TerminalChannel(tmp_path).listen(lambda incoming: asyncio.sleep(0, True))
        async with client_of(tmp_path) as client:
            await client.say("still there")
            assert len(await until_done(client)) == 2


async def test_only_the_owner_may_speak(tmp_path: Path) -> None:
    async with running(TerminalChannel(tmp_path)):
        assert stat.S_IMODE((tmp_path / "kairos.sock").stat().st_mode) == 0o600


async def test_a_home_with_a_long_path_has_its_socket_elsewhere(tmp_path: Path) -> None:
    home = tmp_path / ("很长的目录" * 8) / ("x" * 60)
    home.mkdir(parents=True)
    (place,) = places(home)
    assert len(os.fsencode(place)) < 100
    async with running(TerminalChannel(home)), client_of(home) as client:
        assert stat.S_IMODE(place.parent.stat().st_mode) == 0o700
        await client.say("hi")
        assert len(await until_done(client)) == 2
    place.parent.rmdir()


async def test_a_folder_that_others_can_enter_is_not_used(tmp_path: Path) -> None:
    home = tmp_path / ("x" * 120)
    home.mkdir()
    (place,) = places(home)
    place.parent.mkdir(mode=0o777)
    place.parent.chmod(0o777)
    try:
        with pytest.raises(HomeError, match="private"):
            await TerminalChannel(home).listen(lambda incoming: asyncio.sleep(0, True))
    finally:
        place.parent.rmdir()


@pytest.mark.parametrize(
    "line",
    [
        b"\n",
        b"not json\n",
        b"[]\n",
        b'{"op": "dance"}\n',
        b'{"op": "say"}\n',
        b'{"op": "say", "id": "1", "images": [{"name": "a", "data": "***"}]}\n',
        b"\xff\xfe\n",
        b"[" * 5000 + b"\n",
    ],
)
async def test_garbage_is_refused_and_the_next_client_served(tmp_path: Path, line: bytes) -> None:
    async with running(TerminalChannel(tmp_path)) as app:
        reader, writer = await asyncio.open_unix_connection(str(tmp_path / "kairos.sock"))
        writer.write(encode(Hello("me", follow=False)))
        await reader.readline()
        writer.write(line)
        assert json.loads(await reader.readline())["event"] == "refused"
        assert await reader.read() == b""
        writer.close()
        async with client_of(tmp_path) as client:
            await client.say("hi")
            assert len(await until_done(client)) == 2
    assert len(app.heard) == 1


async def test_a_client_that_is_refused_is_told(tmp_path: Path) -> None:
    async with running(TerminalChannel(tmp_path)), client_of(tmp_path) as client:
        await client._write(b"nonsense\n")
        with pytest.raises(KairosError):
            await until_done(client)


async def test_a_home_that_cannot_store_it_says_so(tmp_path: Path) -> None:
    class Full(FakeApp):
        async def receive(self, incoming: Incoming) -> bool:
            raise HomeUnwritable("磁盘满了")

    local = TerminalChannel(tmp_path)
    app = Full([local])
    local.attach(finished=app.finished)
    ears = asyncio.create_task(app.listen())
    await local.opened()
    async with client_of(tmp_path) as client:
        said = await client.say("hi")
        assert await until_done(client) == [Done(said, ok=False, problem="磁盘满了")]
    ears.cancel()


async def test_a_message_of_many_megabytes_arrives_whole(tmp_path: Path) -> None:
    picture = os.urandom(12 * 1024 * 1024)
    async with running(TerminalChannel(tmp_path)) as app, client_of(tmp_path) as client:
        await client.say("big", [Upload(picture, "big.png"), Upload(picture[:1000], "small.png")])
        await until_done(client)
    assert [len(each.data) for each in app.heard[0].uploads] == [len(picture), 1000]
    assert 4 * len(picture) < LINE


async def test_leaving_waits_for_messages_of_others(tmp_path: Path) -> None:
    gate = asyncio.Event()

    async def slow(incoming: Incoming, out: Callable[[Words], None]) -> None:
        await gate.wait()
        out(Words("late"))

    local = TerminalChannel(tmp_path)
    async with running(local, slow), client_of(tmp_path) as client:
        await client.say("slow")
        await asyncio.sleep(0.02)
        draining = asyncio.create_task(local.drained())
        await asyncio.sleep(0.05)
        assert not draining.done()
        with pytest.raises(NotRunning):
            await LocalClient.connect(tmp_path, "me", follow=False)
        gate.set()
        assert len(await until_done(client)) == 2
        await asyncio.wait_for(draining, 1)


async def test_typing_names_the_oldest_open_message(tmp_path: Path) -> None:
    gate = asyncio.Event()

    async def slow(incoming: Incoming, out: Callable[[Words], None]) -> None:
        await gate.wait()

    local = TerminalChannel(tmp_path)
    async with running(local, slow), client_of(tmp_path) as client:
        await client.say("a", id_="a")
        await client.say("b", id_="b")
        await asyncio.sleep(0.02)
        await local.typing("me")
        await local.typing("nobody")
        events = client.events()
        assert await anext(events) == Working("a")
        gate.set()


@pytest.mark.parametrize(
    "told",
    [
        Heard(3, "receipt", "已存档\u2028 #1", (Button("撤销", "undo:1"),), "/a b.png", "id", earlier=True),
        Done("id", ok=False, loaded=("规则一",), problem="坏了"),
        Working("id"),
    ],
)
def test_events_survive_the_wire(told: Heard | Done | Working) -> None:
    assert event(encode(told)) == told
    assert encode(told).count(b"\n") == 1


def test_requests_survive_the_wire() -> None:
    said = Say("id", "一\n二 \ud800", (Upload(b"\x00\xff", "a.png"),), "undo:1")
    back = request(encode(said))
    assert isinstance(back, Say)
    assert (back.text, back.images, back.pressed) == ("一\n二 ?", said.images, "undo:1")
    with pytest.raises(Garbled):
        event(b'{"event": "words"}')


async def test_health(tmp_path: Path) -> None:
    local = TerminalChannel(tmp_path, language="zh")
    assert "套接字" in local.health()
    async with running(local):
        assert local.health() == ""
