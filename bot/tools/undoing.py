"""Taking back: the last deed, whether it was a change of memory or of the archive.

A deed is what the person had the assistant do. Lines that they typed into their files by hand are no deed of ours: a
bare "undo" passes over them, and never writes over a line that was edited since; by number each can be taken back.
"""

from __future__ import annotations

from typing import Any

from bot.desk import Desk
from bot.tools.notes import restored
from bot.tools.rearranging import undo_edit
from bot.tools.tool import Result, Tool, flag, tool
from bot.types import Button
from bot.wording import say
from memory.changes import Did


async def undo_last(desk: Desk, arguments: dict[str, Any]) -> Result:
    """Take back whatever was done last; with `redo`, the last undo itself."""
    if flag(arguments, "redo", False):
        return await redo_last(desk)
    entry, edit = await desk.memory.undoable(), await desk.pictures.edit.last()
    if edit is not None and (entry is None or edit.at >= entry.at):
        return await undo_edit(desk, edit.id)
    return await undo_entry(desk, None)


async def redo_last(desk: Desk) -> Result:
    """Bring back what an undo took away, if that undo was the last thing done to memory."""
    last = next((entry for entry in await desk.memory.log() if entry.op != "edit"), None)
    if last is None or last.op != "undo":
        return await undo_last(desk, {})
    return await undo_entry(desk, last.part_of or last.n)


async def undo_entry(desk: Desk, number: int | None) -> Result:
    """Take back one change of memory; None = the last one."""
    outcome = await desk.memory.undo(number)
    if outcome.did is Did.REFUSED:
        reason = outcome.reason or say(desk.language, "undo.nothing")
        return Result(text=reason, receipt=reason)
    line = restored(desk, outcome)
    undo = (Button(say(desk.language, "undo"), f"undo:{outcome.entry}"),) if outcome.entry else ()
    return Result(text=f"done: {line}", receipt=line, buttons=undo, deed=True)


TOOLS: tuple[Tool, ...] = (
    tool(
        "undo",
        "Take back what was done last: a change of memory or of the archive of pictures.",
        undo_last,
        redo={"type": "boolean", "description": "take back the last undo instead"},
    ),
)
