"""What people said: stored once, due until it is done, and told again as history."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from bot.types import Answered, Incoming, Message, Upload, Words
from tests.bot.desks import Rig


async def answered(rig: Rig, message: Message, *texts: str) -> None:
    await rig.storage.outbox.answer([message], Answered(tuple(Words(text) for text in texts)))


async def test_heard_once_however_often_and_at_once_it_comes(rig: Rig) -> None:
    incoming = Incoming("fake", "me", "663", "me", "hello")

    async def store() -> Message | None:
        return await rig.storage.messages.store(
            incoming, [], at=rig.clock.now, answer=True, extract=True, to_file=[]
        )

    stored = await asyncio.gather(*(store() for _ in range(5)))
    assert sum(each is not None for each in stored) == 1
    assert len(await rig.storage.messages.unanswered()) == 1


async def test_the_same_id_in_another_chat_is_another_message(rig: Rig) -> None:
    await rig.said("one", id="1")
    await rig.said("two", id="1", person="bob")
    assert [each.text for each in await rig.storage.messages.unanswered()] == ["one", "two"]


async def test_a_message_comes_back_as_it_went_in(rig: Rig) -> None:
    message = await rig.said(
        "看\x00这个 😀\ud83d",
        Upload(b"x", "a/../b.png"),
        album="al",
        reply_to="r",
        quoted="q",
        forwarded=True,
    )
    again = await rig.storage.messages.get(message.id)
    assert again.text == "看?这个 😀?"
    assert (again.album, again.reply_to, again.quoted, again.forwarded) == ("al", "r", "q", True)
    assert again.attachments == message.attachments
    assert again.at == message.at


async def test_a_message_and_its_filings_come_together(rig: Rig) -> None:
    message = await rig.said("to Trips", Upload(b"a", "1"), Upload(b"b", "2"))
    rows = await rig.storage.filings.of_message(message.id)
    assert [(row.place, row.caption, row.state) for row in rows] == [
        (0, "to Trips", "due"),
        (1, "to Trips", "due"),
    ]


async def test_the_caption_of_a_forwarded_picture_is_nobodys_wish(rig: Rig) -> None:
    message = await rig.said("put it into Trash", Upload(b"a"), forwarded=True)
    [row] = await rig.storage.filings.of_message(message.id)
    assert row.caption == ""


async def test_album_is_what_was_sent_together_by_the_same_person(rig: Rig) -> None:
    one = await rig.said("both to Trips", Upload(b"1"), album="a")
    two = await rig.said("", Upload(b"2"), album="a")
    await rig.said("", Upload(b"3"), album="b")
    await rig.said("", Upload(b"4"), album="a", person="bob")
    alone = await rig.said("", Upload(b"5"))
    assert [each.id for each in await rig.storage.messages.album(two)] == [one.id, two.id]
    assert [each.id for each in await rig.storage.messages.album(alone)] == [alone.id]


async def test_the_message_before_is_the_same_persons(rig: Rig) -> None:
    mine = await rig.said("mine", chat="group")
    await rig.said("bob's", person="bob", chat="group")
    here = await rig.said("here", chat="group")
    before = await rig.storage.messages.before(here)
    assert before is not None
    assert before.id == mine.id
    assert await rig.storage.messages.before(mine) is None


async def test_what_is_put_off_is_news_once(rig: Rig) -> None:
    messages = rig.storage.messages
    one, two = await rig.said("one", extract=True), await rig.said("two", extract=True)
    bobs = await rig.said("three", extract=True, person="bob")
    assert await messages.put_off(one.id, "busy")
    assert not await messages.put_off(one.id, "busy")
    assert not await messages.put_off(two.id, "busy"), "the person knows by now"
    assert await messages.put_off(bobs.id, "busy")
    assert [each.id for each in await messages.unextracted("me")] == [one.id, two.id]
    assert await messages.unextracted("me", put_off=False) == []
    await messages.mark_extracted([one.id, two.id])
    three = await rig.said("later", extract=True)
    assert await messages.put_off(three.id, "busy"), "a new trouble is news again"


async def test_nothing_is_said_of_memory_when_the_turn_itself_failed(rig: Rig) -> None:
    message = await rig.said("one", extract=True)
    await rig.storage.outbox.answer([message], Answered((Words("no model"),), problem="no model"))
    assert not await rig.storage.messages.put_off(message.id, "no model")


async def test_an_answer_tells_what_memory_has_yet_to_read(rig: Rig) -> None:
    one = await rig.said("one", extract=True)
    two = await rig.said("two", extract=True)
    waiting = await rig.said("three", extract=True)
    await rig.said("four", extract=True, person="bob")
    assert await rig.storage.outbox.answer([one], Answered((), read=())) == [one.id]
    assert await rig.storage.outbox.answer([two], Answered((), read=(two.id,))) == [one.id]
    assert [each.id for each in await rig.storage.messages.unanswered("me")] == [waiting.id]


async def test_times_sort_across_zones(rig: Rig) -> None:
    one = await rig.said("one")
    rig.clock.later(hours=1)
    two = await rig.said("two", at=rig.clock.now)
    assert two.at - one.at == timedelta(hours=1)
    assert (await rig.storage.messages.get(two.id)).at == two.at


@pytest.mark.parametrize("text", ["", "   ", "\n\t"])
async def test_blank_words_were_not_typed(rig: Rig, text: str) -> None:
    assert (await rig.said(text)).typed == ""
