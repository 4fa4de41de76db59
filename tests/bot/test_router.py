"""Stored first: what a message makes due, and whom it wakes."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from bot.errors import DatabaseUnusable, HomeUnwritable, PersonRefused
from bot.router import Router
from bot.types import Answered, Incoming, Message, Upload, Words
from tests.bot.desks import Rig
from tests.bot.servers import take_no_more


class Listening:
    """A router that keeps whom it woke and what it had filed."""

    def __init__(self, rig: Rig) -> None:
        self.woken: list[Message] = []
        self.filed: list[Message] = []
        storage = rig.storage
        self.router = Router(
            storage.messages, storage.blobs, wake=self.woken.append, file=self._file, now=rig.clock
        )

    async def _file(self, message: Message) -> None:
        self.filed.append(message)


async def due(rig: Rig, **message: Any) -> tuple[bool, bool, int]:
    """(an answer, an extraction, how many filings) that a message makes due."""
    listening = Listening(rig)
    await listening.router.receive(Incoming("fake", "me", "1", "me", **message))
    answer = await rig.storage.messages.unanswered()
    assert bool(answer) == bool(listening.woken)
    filings = await rig.storage.filings.due()
    assert bool(filings) == bool(listening.filed)
    return bool(answer), bool(await rig.storage.messages.unextracted()), len(filings)


PICTURE = Upload(b"png", "a.png")
BROKEN = Upload(b"", "big.png", "too large")


@pytest.mark.parametrize(
    ("message", "makes_due"),
    [
        ({"text": "hello"}, (True, True, 0)),
        ({"text": ""}, (False, False, 0)),
        ({"text": " \n\t "}, (False, False, 0)),
        ({"text": "/help"}, (True, False, 0)),
        ({"text": " /help me"}, (True, False, 0)),
        ({"text": "/etc/hosts 是什么"}, (True, True, 0)),
        ({"text": "theirs", "forwarded": True}, (True, False, 0)),
        ({"text": "/forget 1", "forwarded": True}, (True, False, 0)),
        ({"pressed": "undo:1"}, (True, False, 0)),
        ({"uploads": (PICTURE,)}, (False, False, 1)),
        ({"uploads": (Upload(b"# Plan", "plan.md"),)}, (True, False, 0)),
        ({"uploads": (Upload(b"PK\x03\x04", "a.docx"), PICTURE), "text": "these"}, (True, True, 1)),
        ({"uploads": (Upload(b"%PDF-1.7", "a.pdf"),)}, (False, False, 1)),
        ({"uploads": (PICTURE, Upload(b"2"), PICTURE)}, (False, False, 3)),
        ({"text": "what is it?", "uploads": (PICTURE,)}, (True, True, 1)),
        ({"uploads": (BROKEN,)}, (True, False, 0)),
        ({"uploads": (BROKEN, PICTURE)}, (True, False, 1)),
        ({"uploads": (Upload(b"", "empty.png"),)}, (False, False, 1)),
    ],
)
async def test_what_a_message_makes_due(rig: Rig, message: Any, makes_due: Any) -> None:
    assert await due(rig, **message) == makes_due


async def test_long_messages_are_kept_whole(rig: Rig) -> None:
    text = "很长" * 50_000
    assert await due(rig, text=text) == (True, True, 0)
    [message] = await rig.storage.messages.unanswered()
    assert message.text == text


async def test_heard_before_wakes_nobody(rig: Rig) -> None:
    listening = Listening(rig)
    incoming = Incoming("fake", "me", "1", "me", "hello", (PICTURE,))
    heard = await asyncio.gather(*(listening.router.receive(incoming) for _ in range(4)))
    assert sorted(heard) == [False, False, False, True]
    assert ([each.person for each in listening.woken], len(listening.filed)) == (["me"], 1)


@pytest.mark.parametrize(
    "person",
    [
        "",
        " ",
        ".",
        "..",
        "../x",
        "a/b",
        "a\\b",
        "me\0",
        "me\n",
        "logs",
        "Blobs",
        "con",
        "x" * 80,
        "a ",
        "😀",
        "~",
    ],
)
async def test_a_name_that_can_be_nobodys_folder_is_refused_and_nothing_is_stored(
    rig: Rig, person: str
) -> None:
    listening = Listening(rig)
    with pytest.raises(PersonRefused):
        await listening.router.receive(Incoming("fake", "c", "1", person, "hello", (PICTURE,)))
    assert listening.woken == []
    assert await rig.storage.messages.unanswered() == []
    assert not (rig.home / "blobs").exists()


@pytest.mark.parametrize("person", ["me", "老李", "ann.b@example.com", "tg-12345", "Ann Lee", "a+b"])
async def test_names_of_people(rig: Rig, person: str) -> None:
    assert await Listening(rig).router.receive(Incoming("fake", "c", "1", person, "hello"))


async def test_a_full_disk_stores_nothing_and_says_so(rig: Rig) -> None:
    await rig.storage.database.read(take_no_more)
    listening = Listening(rig)
    with pytest.raises(HomeUnwritable):
        await listening.router.receive(Incoming("fake", "me", "1", "me", "x" * 100_000))
    assert listening.woken == []
    assert await rig.storage.messages.find("fake", "me", "1") is None


async def test_blobs_that_cannot_be_kept_store_no_message(rig: Rig) -> None:
    (rig.home / "blobs").write_bytes(b"")
    with pytest.raises(HomeUnwritable):
        await Listening(rig).router.receive(Incoming("fake", "me", "1", "me", "look", (PICTURE,)))
    assert await rig.storage.messages.find("fake", "me", "1") is None, (
        "so that the channel may bring it again"
    )


async def test_the_rest_of_a_message_is_put_to_it_once_and_stands_alone_where_that_is_too_late(
    rig: Rig,
) -> None:
    messages = rig.storage.messages

    async def revise(message: Message, text: str) -> bool:
        return await messages.revise(message.id, text)

    router = Router(
        messages,
        rig.storage.blobs,
        wake=lambda message: None,
        file=Listening(rig)._file,
        now=rig.clock,
        revise=revise,
    )
    first = Incoming("fake", "me", "1", "me", "x" * 4096)
    assert await router.receive(first)
    rest = Incoming("fake", "me", "2", "me", "xx", continues="1")
    assert await router.receive(rest)
    assert not await router.receive(rest), "delivered twice"
    [whole] = await messages.unanswered()
    assert whole.text == "x" * 4098
    assert not await router.receive(replace(first, text="only this", edited=True)), (
        "a part alone changes nothing"
    )
    assert (await messages.get(whole.id)).text == "x" * 4098
    await rig.storage.outbox.answer([whole], Answered((Words("done"),)))
    late = Incoming("fake", "me", "3", "me", "\nthe end", continues="1")
    assert await router.receive(late)
    assert not await router.receive(late)
    assert [each.text for each in await messages.unanswered()] == ["the end"]


async def test_what_was_stored_though_that_was_not_told_is_answered_when_it_comes_again(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The connection to a server's database may be lost between its commit and our hearing of it."""
    plain = rig.storage.messages.store

    async def lost(*given: Any, **more: Any) -> Message | None:
        await plain(*given, **more)
        raise DatabaseUnusable

    listening = Listening(rig)
    incoming = Incoming("fake", "me", "1", "me", "hello", (PICTURE,))
    with monkeypatch.context() as patched:
        patched.setattr(rig.storage.messages, "store", lost)
        with pytest.raises(DatabaseUnusable):
            await listening.router.receive(incoming)
    assert await listening.router.receive(incoming)
    assert [each.text for each in listening.woken] == ["hello"]
    assert len(listening.filed) == 1
    assert not await listening.router.receive(incoming), "from now on it was heard before"
    assert len(listening.woken) == 1
