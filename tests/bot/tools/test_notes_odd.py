"""Whatever a model puts into the arguments of the memory tools, it gets a result or an error it can use."""

from __future__ import annotations

from typing import Any

import pytest

from bot.errors import ToolError
from bot.tools import TOOLS
from tests.bot.desks import Rig

ODD: tuple[Any, ...] = (
    None,
    "",
    "  ",
    7,
    7.5,
    True,
    [],
    ["x"],
    {},
    {"a": 1},
    "x" * 3_000,
    "\0",
    "r999",
    "[r1]",
    10**30,
)
TOOLS_OF_MEMORY = ("remember", "revise_memory", "forget", "read_memory", "search_memory")


async def answered(rig: Rig, name: str, arguments: dict[str, Any]) -> str:
    """What the model reads: the result's words, or the error's."""
    desk = rig.desk(await rig.said("keep answers short"))
    try:
        return (await TOOLS[name].run(desk, arguments)).text
    except ToolError as error:
        return str(error)


@pytest.mark.parametrize("name", TOOLS_OF_MEMORY)
async def test_odd_arguments_end_in_a_result_or_a_usable_error(rig: Rig, name: str) -> None:
    fields = list(TOOLS[name].spec.parameters["properties"])
    for field in fields:
        for odd in ODD:
            arguments = dict.fromkeys(fields, "keep answers short") | {field: odd}
            said = await answered(rig, name, arguments)
            assert len(said) > 4, "says what is wrong, or what was found"
    bare = await answered(rig, name, {})
    assert "missing" in bare or name == "read_memory"


async def test_what_a_tool_keeps_counts_at_once_within_the_turn(rig: Rig) -> None:
    words = "keep answers short"
    desk = rig.desk(await rig.said(words))
    await TOOLS["remember"].run(desk, {"text": "Keep answers short.", "quote": words, "kind": "instruction"})
    assert "Keep answers short." in await desk.memory.core()
    assert "Keep answers short." in (await TOOLS["search_memory"].run(desk, {"words": "short answers"})).text
    [line] = [line for _, line in await desk.memory.lines()]
    await TOOLS["forget"].run(desk, {"what": line.id, "quote": words})
    assert await desk.memory.core() == ""
