"""Undo takes back what was done last, whatever it was."""

from __future__ import annotations

from typing import Any

from bot.tools import TOOLS, Result
from tests.bot.desks import Rig


async def run(rig: Rig, name: str, /, words: str = "x", person: str = "me", **arguments: Any) -> Result:
    return await TOOLS[name].run(rig.desk(await rig.said(words, person=person)), arguments)


async def remember(rig: Rig, text: str) -> None:
    assert (await run(rig, "remember", text, text=text, quote=text, kind="instruction")).deed


async def test_the_last_deed_is_taken_back_first(rig: Rig) -> None:
    row = await rig.filed("Trips", "Boarding pass")
    await remember(rig, "Answer in French.")
    rig.clock.later(minutes=1)
    assert (await run(rig, "move_picture", category="Work")).deed
    assert (await rig.storage.filings.get(row.id)).category == "Work"

    first = await run(rig, "undo")
    assert first.deed
    assert (await rig.storage.filings.get(row.id)).category == "Trips"
    assert (rig.home / "me" / (await rig.storage.filings.get(row.id)).file).parent.name == "Trips"
    assert [line.text for _, line in await rig.memory().lines()] == ["Answer in French."]

    assert (await run(rig, "undo")).deed
    assert await rig.memory().lines() == []
    assert not (await run(rig, "undo")).deed


async def test_a_rule_said_after_a_move_is_taken_back_before_it(rig: Rig) -> None:
    row = await rig.filed("Trips", "Boarding pass")
    await run(rig, "move_picture", category="Work")
    rig.clock.later(minutes=1)
    await remember(rig, "Answer in French.")
    await run(rig, "undo")
    assert await rig.memory().lines() == []
    assert (await rig.storage.filings.get(row.id)).category == "Work"


async def test_a_picture_that_moved_on_is_left_where_it_is(rig: Rig) -> None:
    row = await rig.filed("Trips", "Boarding pass")
    first = await run(rig, "move_picture", category="Work")
    await run(rig, "move_picture", category="Play")
    number = int(first.buttons[0].data.removeprefix("unmove:"))
    assert await rig.library().edit.undo(number) is None
    assert (await rig.storage.filings.get(row.id)).category == "Play"


async def test_nobody_takes_back_another_persons_move(rig: Rig) -> None:
    row = await rig.filed("Trips", "Boarding pass", person="ann")
    moved = await run(rig, "move_picture", person="ann", category="Work")
    number = int(moved.buttons[0].data.removeprefix("unmove:"))
    assert await rig.library("bob").edit.undo(number) is None
    assert not (await run(rig, "undo", person="bob")).deed
    assert (await rig.storage.filings.get(row.id)).category == "Work"


async def test_a_second_undo_leaves_a_hand_typed_line(rig: Rig) -> None:
    await remember(rig, "Answer in French.")
    core = rig.home / "me" / "CORE.md"
    core.write_text(core.read_text(encoding="utf-8") + "- Never phone before ten\n", encoding="utf-8")
    assert (await run(rig, "undo")).deed
    assert not (await run(rig, "undo")).deed
    assert [line.text for _, line in await rig.memory().lines()] == ["Never phone before ten"]


async def test_a_hand_edit_in_between_does_not_turn_a_redo_into_an_undo(rig: Rig) -> None:
    await remember(rig, "Answer in French.")
    await remember(rig, "Use Celsius.")
    await run(rig, "undo")
    core = rig.home / "me" / "CORE.md"
    core.write_text(core.read_text(encoding="utf-8") + "- Never phone before ten\n", encoding="utf-8")
    assert (await run(rig, "undo", redo=True)).deed
    assert {line.text for _, line in await rig.memory().lines()} == {
        "Answer in French.",
        "Use Celsius.",
        "Never phone before ten",
    }
