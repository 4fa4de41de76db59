"""Both sides of a conversation in order, and what stood in its pictures."""

from __future__ import annotations

from bot.storage.records import HistoryLine, PictureText
from bot.types import Answered, Message, Upload, Words
from tests.bot.desks import Rig


async def answered(rig: Rig, message: Message, *texts: str) -> None:
    await rig.storage.outbox.answer([message], Answered(tuple(Words(text) for text in texts)))


async def heard(rig: Rig, here: Message, after: int = 0, block: int = 20) -> list[str]:
    lines = await rig.storage.history.before(here, after=after, block=block)
    return [("> " if line.ours else "") + line.text for line in lines]


async def test_history_is_in_order_with_our_answers_behind_what_they_answer(rig: Rig) -> None:
    one = await rig.said("one")
    two = await rig.said("two")
    await answered(rig, two, "2")
    await answered(rig, one, "1", "1b")
    here = await rig.said("here")
    await rig.said("later")
    assert await heard(rig, here) == ["one", "> 1", "> 1b", "two", "> 2"]
    assert await heard(rig, here, after=one.id) == ["two", "> 2"]


async def test_history_says_what_was_no_text(rig: Rig) -> None:
    await rig.said("", Upload(b"x"), Upload(b"y"))
    await rig.said("", pressed="undo:3")
    await rig.said("somebody's", forwarded=True)
    here = await rig.said("here")
    lines: list[HistoryLine] = await rig.storage.history.before(here, after=0)
    assert [line.text for line in lines] == ["[2 📎]", "[undo:3]", "somebody's"]
    assert [line.forwarded for line in lines] == [False, False, True]


async def test_history_tells_answers_from_what_the_app_showed(rig: Rig) -> None:
    first = await rig.said("one")
    await answered(rig, first, "1")
    await rig.storage.outbox.add(first, Words("✓ kept", "receipt"), Words("wait", "notice"))
    here = await rig.said("here")
    lines = await rig.storage.history.before(here, after=0)
    assert [(line.text, line.shown) for line in lines if line.ours] == [
        ("1", False),
        ("✓ kept", True),
        ("wait", True),
    ]


async def test_history_is_one_persons_in_one_chat(rig: Rig) -> None:
    other = await rig.said("bob's secret", person="bob", chat="group")
    await answered(rig, other, "to bob")
    await rig.said("elsewhere")
    await rig.said("mine", chat="group")
    here = await rig.said("here", chat="group")
    assert await heard(rig, here) == ["mine"]


async def test_history_starts_move_by_whole_blocks(rig: Rig) -> None:
    """So that most requests repeat the one before from the first word on."""
    starts = []
    for i in range(17):
        here = await rig.said(f"m{i}")
        history = await heard(rig, here, block=4)
        assert history == [f"m{n}" for n in range(i - len(history), i)]
        assert len(history) < 8
        assert len(history) >= min(i, 4)
        starts.append(history[0] if history else "")
    assert len(set(starts[1:])) == 4, "the start moves only every fourth message"


async def test_a_picture_is_its_text_once_it_is_filed(rig: Rig) -> None:
    """And nothing of it once it is deleted; the bytes are no part of history at any time."""
    sent = await rig.said("what is this?", Upload(b"a", "1"), Upload(b"b", "2"))
    first, second = await rig.storage.filings.of_message(sent.id)
    here = await rig.said("here")

    async def pictures() -> tuple[PictureText, ...]:
        [line] = await rig.storage.history.before(here, after=0)
        assert line.text == "what is this?"
        return line.pictures

    assert await pictures() == ()
    await rig.storage.filings.update(first.id, number=7, state="filed", text="MENU")
    await rig.storage.filings.update(second.id, number=8, state="kept_unread", text="")
    assert await pictures() == (PictureText(7, "MENU"), PictureText(8, ""))
    await rig.storage.filings.update(first.id, state="deleted")
    assert await pictures() == (PictureText(8, ""),)


async def test_a_stretch_is_cut_at_its_start(rig: Rig) -> None:
    said = [await rig.said(f"m{number}") for number in range(6)]
    await answered(rig, said[1], "a1")
    await answered(rig, said[5], "a5")

    async def stretch(after: int, to: int, most: int = 100) -> list[str]:
        lines = await rig.storage.history.stretch("fake", "me", "me", after=after, to=to, most=most)
        return [line.text for line in lines]

    assert await stretch(said[0].id, said[4].id) == ["m1", "a1", "m2", "m3", "m4"]
    assert await stretch(said[0].id, said[4].id, most=2) == ["m3", "m4"]
    assert await stretch(said[4].id, said[5].id) == ["m5", "a5"]
    assert await stretch(said[5].id, said[5].id) == []
