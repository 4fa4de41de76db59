"""Whatever a model sends as arguments ends as a result or a `ToolError` it can read, never as a bug."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from bot.desk import Desk
from bot.errors import ToolError
from bot.tools import EMBEDDED_TOOLS, Tool
from bot.tools.tool import flag, needed, whole_number, words_of
from tests.bot.desks import Rig

HOSTILE: list[Any] = [
    None,
    "",
    "   ",
    [],
    ["a"],
    {},
    {"a": 1},
    True,
    False,
    0,
    -1,
    3.5,
    float("nan"),
    float("inf"),
    10**30,
    "x" * 200_000,
    "../../etc/passwd",
    "\0",
    "half \ud83d",
    "²",
    "{0.__class__}",
    "%s%n",
    "'; DROP TABLE messages; --",
    "topics/../CORE.md",
]


async def ended(tool: Tool, desk: Desk, arguments: dict[str, Any]) -> str:
    """How a call ends, in words; anything but a result or a `ToolError` fails the test."""
    try:
        return (await tool.run(desk, arguments)).text
    except ToolError as error:
        return str(error) or pytest.fail("an error without a word")


@pytest.mark.parametrize("value", HOSTILE, ids=range(len(HOSTILE)))
async def test_any_value_in_every_argument(rig: Rig, value: Any) -> None:
    await rig.filed("Trips", "Boarding pass")
    desk = rig.desk(await rig.said("记住：回答都要简短"))
    good = {
        "text": "回答都要简短",
        "quote": "回答都要简短",
        "kind": "instruction",
        "what": "简短",
        "words": "简短",
    }
    for tool in EMBEDDED_TOOLS.values():
        properties = list(tool.spec.parameters["properties"])
        for hostile in [*([each] for each in properties), properties]:
            arguments: dict[str, Any] = {**good, **dict.fromkeys(hostile, value), "unheard of": value}
            assert len(await ended(tool, desk, arguments)) < 5000, "words for the model, not its own back"
    lying = {path.relative_to(rig.home).parts[0] for path in rig.home.rglob("*") if path.is_file()}
    assert lying <= {"me", "blobs", *(f"kairos.sqlite{end}" for end in ("", "-wal", "-shm"))}


@pytest.mark.parametrize("name", EMBEDDED_TOOLS)
async def test_no_arguments_at_all(rig: Rig, name: str) -> None:
    await ended(EMBEDDED_TOOLS[name], rig.desk(await rig.said("hello")), {})


def test_schemas_ask_for_what_they_have() -> None:
    for name, tool in EMBEDDED_TOOLS.items():
        assert tool.spec.name == name
        assert set(tool.spec.parameters["required"]) <= set(tool.spec.parameters["properties"])
        assert 10 < len(tool.spec.description) < 800


@pytest.mark.parametrize(
    ("words", "number"),
    [("3", 3), ("#3", 3), (" 第3张 ", 3), ("３", 3), ("3.", 3), ("999999999", 999999999)]
    + [(each, None) for each in ("", "x", "3.5", "1 2", "²", "9999999999", "r7", "3b")],
)
def test_whole_numbers(words: str, number: int | None) -> None:
    assert whole_number(words) == number


def test_words_and_flags() -> None:
    assert words_of({"a": 7}, "a") == "7"
    assert words_of({"a": 7.0}, "a") == "7"
    assert words_of({"a": " b\0\ud83d "}, "a") == "b?"
    assert words_of({}, "a") == words_of({"a": None}, "a") == ""
    wrong: list[Any] = [True, [], {}, 10**30, "x" * 2001]
    for bad in wrong:
        with pytest.raises(ToolError, match="`a`"):
            words_of({"a": bad}, "a")
    with pytest.raises(ToolError, match="missing"):
        needed({"a": " "}, "a")
    for words, otherwise in itertools.product(("true", "True", 1, "yes"), (True, False)):
        assert flag({"a": words}, "a", otherwise) is True
    assert flag({"a": "false"}, "a", True) is flag({"a": 0}, "a", True) is False
    assert flag({}, "a", True) is flag({"a": None}, "a", True) is True
    with pytest.raises(ToolError):
        flag({"a": "perhaps"}, "a", True)
