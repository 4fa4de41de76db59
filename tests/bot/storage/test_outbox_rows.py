"""What is to be said, what was offered, and which question stands open."""

from __future__ import annotations

import pytest

from bot.types import Answered, Button, Words
from tests.bot.desks import Rig


async def test_an_answer_and_the_mark_on_its_messages_are_one(rig: Rig) -> None:
    message = await rig.said("hello")
    words = Words("hi \ud83d", loaded=("- rule",), buttons=(Button("Undo", "undo:1"),))
    await rig.storage.outbox.answer([message], Answered((words,), problem="half well"))
    assert await rig.storage.messages.unanswered() == []
    row = await rig.storage.messages.find("fake", "me", "m1")
    assert row is not None
    assert (row.loaded, row.problem) == (["- rule"], "half well")
    [outgoing] = await rig.storage.outbox.unsent("fake")
    assert (outgoing.text, outgoing.reply_to, outgoing.buttons) == ("hi ?", "m1", (Button("Undo", "undo:1"),))


async def test_an_answer_that_was_stored_though_that_was_not_told_is_stored_once(rig: Rig) -> None:
    """The connection to a server's database may be lost between its commit and our hearing of it."""
    message = await rig.said("hello")
    for _ in range(2):
        await rig.storage.outbox.answer([message], Answered((Words("hi"),)))
    assert [each.text for each in await rig.storage.outbox.unsent("fake")] == ["hi"]


async def test_what_was_shown_of_a_later_answer_does_not_stand_above_an_earlier_one(rig: Rig) -> None:
    """A burst whose messages are tried one by one after all; what is said elsewhere is not touched."""
    first, last = await rig.said("one"), await rig.said("two")
    elsewhere = await rig.said("three", chat="group")
    drafts = rig.storage.drafts
    await drafts.begin(last, "17")
    await drafts.begin(elsewhere, "18")
    await rig.storage.outbox.answer([first], Answered((Words("to one"),)))
    gone, answer = await rig.storage.outbox.unsent("fake")
    assert (gone.taken_back, gone.shown, gone.chat) == (True, "17", "me")
    assert (answer.text, answer.shown) == ("to one", "")
    assert drafts.of([last, elsewhere]) == {elsewhere.id: "18"}


async def test_a_receipt_and_what_it_ends_are_one(rig: Rig) -> None:
    message, outbox = await rig.said("x", extract=True), rig.storage.outbox
    await outbox.add(
        message, Words("saved", "receipt"), also=(rig.storage.messages.extracting([message.id]),)
    )
    assert await rig.storage.messages.unextracted() == []
    assert [each.text for each in await outbox.unsent("fake")] == ["saved"]
    await outbox.add(message)  # nothing to say, nothing to end
    assert len(await outbox.unsent("fake")) == 1


async def test_a_button_counts_only_for_whom_and_where_it_was_shown(rig: Rig) -> None:
    mine = await rig.said("rule", chat="group")
    button = Button("Undo", "undo:12")
    await rig.storage.outbox.answer([mine], Answered((Words("saved", buttons=(button,)),)))

    async def press(data: str, **more: str) -> bool:
        return await rig.storage.outbox.offered(await rig.said("", pressed=data, **more))

    assert await press("undo:12", chat="group")
    assert not await press("undo:12", chat="group", person="bob")
    assert not await press("undo:12")
    assert not await press("undo:13", chat="group")
    assert not await press("undo:1", chat="group")


QUESTION = Words("Shall I?", "receipt", (Button("Yes", "yes:7"), Button("No", "no:7")))


@pytest.mark.parametrize(
    ("said", "open_"),
    [
        ([Words("Hello!"), QUESTION], [7]),
        ([QUESTION, Words("Filed #1", "receipt"), Words("Still waiting", "notice")], [7]),
        ([QUESTION, Words("Shall I order pizza?")], []),
        ([Words("Hello!")], []),
        ([], []),
        ([Words("Both?", buttons=(*QUESTION.buttons, Button("Yes", "yes:8")))], [7, 8]),
    ],
)
async def test_which_question_a_bare_yes_is_for(rig: Rig, said: list[Words], open_: list[int]) -> None:
    about = await rig.said("something")
    for words in said:
        await rig.storage.outbox.add(about, words)
    assert await rig.storage.outbox.asked(await rig.said("yes")) == open_
    assert await rig.storage.outbox.asked(await rig.said("yes", person="bob")) == []
    assert await rig.storage.outbox.asked(await rig.said("yes", chat="elsewhere")) == []


async def test_what_was_said_last_is_the_last_answer_here(rig: Rig) -> None:
    about, outbox = await rig.said("something"), rig.storage.outbox
    for words in (Words("Hello!"), Words("What should I call you?"), Words("Filed #1", "receipt")):
        await outbox.add(about, words)
    assert await outbox.last_said(await rig.said("Jo")) == "What should I call you?"
    assert await outbox.last_said(await rig.said("Jo", person="bob")) == ""
    assert await outbox.last_said(await rig.said("Jo", chat="elsewhere")) == ""


async def test_what_nobody_asked_for_is_no_reply(rig: Rig) -> None:
    message = await rig.said("/cultivate on", id="m7")
    await rig.storage.outbox.add(message, Words("a"))
    await rig.storage.outbox.add(message, Words("b"), unasked=True)
    rows = await rig.storage.outbox.unsent("fake")
    assert [(each.text, each.reply_to, each.about) for each in rows] == [
        ("a", "m7", message.id),
        ("b", "", message.id),
    ]
