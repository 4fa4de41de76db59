"""Correcting a filing in one move, by a button or in reply, with no model."""

from __future__ import annotations

from typing import Any

import pytest

from bot.commands.buttons import press
from bot.commands.receipts import typed_at_receipt
from bot.storage.records import FilingRow
from bot.tools.receipts import receipt_buttons
from bot.types import Language, Words
from tests.bot.desks import Rig


async def pressed(rig: Rig, data: str, person: str = "me") -> Words:
    """Press, and have the answer sent."""
    message = await rig.said("", pressed=data, person=person)
    words = await press(rig.desk(message), data)
    await sent(rig, message.id, words)
    return words


async def sent(rig: Rig, about: int, words: Words) -> str:
    """Send words; returns what they are replied to by."""
    await rig.storage.outbox.add(await rig.storage.messages.get(about), words)
    row = (await rig.storage.outbox.unsent("fake"))[-1]
    await rig.storage.outbox.mark(row.id, "sent", sent_id=f"s{row.id}")
    return f"s{row.id}"


async def receipt(rig: Rig, row: FilingRow, language: Language = "zh") -> str:
    """The receipt of a picture; returns what it is replied to by."""
    words = Words(f"filed #{row.number}", "receipt", receipt_buttons(language, row.number or 0))
    return await sent(rig, row.message, words)


async def typed(rig: Rig, text: str, **more: Any) -> Words | None:
    message = await rig.said(text, **more)
    words = await typed_at_receipt(rig.desk(message), message, rig.storage.outbox)
    if words is not None:
        await sent(rig, message.id, words)
    return words


async def now(rig: Rig, number: int = 1, person: str = "me") -> FilingRow:
    row = await rig.library(person).numbered(number)
    assert row is not None
    return row


def labels(words: Words) -> list[str]:
    return [button.label for button in words.buttons]


def data(words: Words, label: str) -> str:
    return next(button.data for button in words.buttons if button.label == label)


async def test_move_offers_six_categories_and_another(rig: Rig) -> None:
    row = await rig.filed("A", "one", runner_up="H")
    for name in "BCDEFGH":
        await rig.filed(name, f"in {name}")
    await rig.filed("D", "second in D")
    offered = await pressed(rig, f"place:{row.number}")
    assert "#1 现在在【A】" in offered.text
    assert labels(offered)[:2] == ["H", "D"], "the one it nearly went to, then the fullest"
    assert len(labels(offered)) == 7
    assert "A" not in labels(offered)
    assert all(len(button.data.encode()) <= 64 for button in offered.buttons)
    moved = await pressed(rig, data(offered, "D"))
    assert moved.text == "已移动 #1：【A】→【D】"
    assert (await now(rig)).category == "D"
    await pressed(rig, data(moved, "撤销"))
    assert (await now(rig)).category == "A"


@pytest.mark.parametrize(
    ("name", "lies"), [("旅行计划", "旅行计划"), ("放到 b", "B"), ("**x/y**", "x-y"), ("B", "B")]
)
async def test_another_category_is_the_next_thing_typed(rig: Rig, name: str, lies: str) -> None:
    await rig.filed("A", "one")
    await rig.filed("B", "two")
    offered = await pressed(rig, "place:1")
    asked = await pressed(rig, data(offered, "其他…"))
    assert "分类名" in asked.text
    moved = await typed(rig, name)
    assert moved is not None
    assert (await now(rig)).category == lies
    assert await typed(rig, "C") is None, "it is asked once"


async def test_a_new_title_is_the_next_thing_typed_or_a_reply_to_the_question(rig: Rig) -> None:
    await rig.filed("A", "IMG 1")
    await pressed(rig, "title:1")
    renamed = await typed(rig, "春节的*车票*")
    assert renamed is not None
    assert (await now(rig)).title == "春节的 车票"
    message = await rig.said("", pressed="title:1")
    question = await sent(rig, message.id, await press(rig.desk(message), "title:1"))
    await sent(rig, message.id, Words("something else"))
    assert await typed(rig, "车票") is None, "we spoke of something else since"
    assert await typed(rig, "改名为车票", reply_to=question) is not None
    assert (await now(rig)).title == "车票"


@pytest.mark.parametrize("text", ["what is in it?", "line\nline", "x" * 90, "/help"])
async def test_what_is_hardly_a_name_is_not_taken_for_one(rig: Rig, text: str) -> None:
    await rig.filed("A", "one")
    await pressed(rig, "title:1")
    if text != "/help":  # a command never comes this way
        assert await typed(rig, text) is None
    assert (await now(rig)).title == "one"


async def test_the_name_is_waited_for_a_quarter_of_an_hour_and_can_be_declined(rig: Rig) -> None:
    await rig.filed("A", "one")
    asked = await pressed(rig, "title:1")
    assert (await pressed(rig, data(asked, "算了"))).text == "好，不动。"
    assert await typed(rig, "two") is None
    await pressed(rig, "title:1")
    rig.clock.later(minutes=16)
    assert await typed(rig, "two") is None


async def test_delete_and_undo_are_a_press_each(rig: Rig) -> None:
    await rig.filed("A", "one")
    gone = await pressed(rig, "delete:1")
    assert "已删除 #1《one》" in gone.text
    assert "没有 #1" in (await pressed(rig, "place:1")).text
    await pressed(rig, data(gone, "撤销"))
    assert (await now(rig)).category == "A"
    await pressed(rig, "to:1:999")  # a category that has gone since: offered anew
    assert (await now(rig)).category == "A"


async def test_undo_takes_back_the_last_thing_done_to_it_and_then_its_filing(rig: Rig) -> None:
    row = await rig.filed("A", "one")
    await rig.filed("B", "two")
    reply = await receipt(rig, row)
    await typed(rig, "→ B", reply_to=reply)
    await pressed(rig, "unfile:1")
    assert (await now(rig)).category == "A"
    await pressed(rig, "unfile:1")
    assert await rig.library().numbered(1) is None
    assert [each.number for each in await rig.library().binned()] == [1]


@pytest.mark.parametrize(
    ("text", "category", "title"),
    [
        ("放到代码笔记", "代码笔记", "one"),
        ("→ Receipts", "Receipts", "one"),
        ("应该是 receipts 才对", "Receipts", "one"),
        ("改名为「爸妈的票」", "A", "爸妈的票"),
        ("rename it to My ticket", "A", "My ticket"),
    ],
)
async def test_a_reply_to_the_receipt_corrects(rig: Rig, text: str, category: str, title: str) -> None:
    row = await rig.filed("A", "one")
    await rig.filed("Receipts", "two")
    reply = await receipt(rig, row)
    await rig.filed("A", "newer")  # not this one
    words = await typed(rig, text, reply_to=reply)
    assert words is not None
    assert labels(words) == ["撤销"]
    assert ((await now(rig)).category, (await now(rig)).title) == (category, title)
    assert (await now(rig, 3)).category == "A"


async def test_a_reply_to_ones_own_picture_or_to_a_correction_means_the_same_picture(rig: Rig) -> None:
    row = await rig.filed("A", "one")
    await rig.filed("A", "newer")
    theirs = await rig.said("", id="own", answer=False)
    assert theirs.attachments == ()
    assert await typed(rig, "→ B", reply_to="own") is None, "it brought no picture"
    moved = await typed(rig, "→ B", reply_to=await receipt(rig, row))
    assert moved is not None
    last = (await rig.storage.outbox.unsent("fake"))[-1:] or None
    assert last is None, "all was sent"
    deleted = await typed(rig, "delete it", reply_to=f"s{await newest_row(rig)}")
    assert deleted is not None
    assert "#1" in deleted.text
    assert await rig.library().numbered(1) is None


async def newest_row(rig: Rig) -> int:
    """Row of what was said last."""
    message = await rig.said("x", answer=False)
    await rig.storage.outbox.add(message, Words("probe"))
    [row] = await rig.storage.outbox.unsent("fake")
    await rig.storage.outbox.mark(row.id, "refused")
    return row.id - 1


@pytest.mark.parametrize(
    "text", ["谢谢", "以后这种都放到代码笔记", "这张的总价是多少？", "what does it say?"]
)
async def test_talk_and_rules_are_left_to_the_conversation(rig: Rig, text: str) -> None:
    row = await rig.filed("A", "one")
    assert await typed(rig, text, reply_to=await receipt(rig, row)) is None
    assert (await now(rig)).category == "A"


async def test_nobody_else_reaches_it(rig: Rig) -> None:
    row = await rig.filed("A", "hers", person="ann")
    reply = await receipt(rig, row)
    assert await typed(rig, "→ B", reply_to=reply, person="bob") is None
    assert await typed(rig, "→ B", reply_to=reply, person="bob", chat="ann") is None
    for button in (f"m{row.message}", "1"):
        assert "没有 #" in (await pressed(rig, f"delete:{button}", person="bob")).text
    assert (await now(rig, person="ann")).category == "A"


async def test_an_albums_buttons_mean_all_of_it(rig: Rig) -> None:
    first = await rig.filed("A", "one")
    await rig.filed("A", "two")
    message = await rig.storage.messages.get(first.message)
    assert message.album == ""
    offered = await pressed(rig, f"place:m{first.message}")
    assert "#1 现在在" in offered.text, "a message of one picture"


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_receipt_has_four_buttons(language: Language) -> None:
    four = [button.label for button in receipt_buttons(language, 7)]
    assert four == (
        ["移动…", "改名", "删除", "撤销"] if language == "zh" else ["Move…", "Rename", "Delete", "Undo"]
    )
