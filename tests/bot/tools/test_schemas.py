"""Names and schemas of outside tools: whatever a server sends, every vendor can be offered what comes of it."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Mapping
from typing import Any

import pytest

from bot.tools.schemas import LONGEST, NAME, offered_name, offered_schema


def fits(schema: Mapping[str, Any]) -> bool:
    """What `tests/contracts/test_plugins.py` asks of our own tools, at every level."""
    if schema["type"] == "object":
        inner = schema.get("properties", {})
        return set(schema.get("required", ())) <= set(inner) and all(map(fits, inner.values()))
    return schema["type"] != "array" or fits(schema["items"])


@pytest.mark.parametrize(
    ("server", "tool", "name"),
    [
        ("weather", "get_forecast", "weather_get_forecast"),
        ("weather", "getForecast", "weather_get_forecast"),
        ("Git-Hub", "repos/list.all", "git_hub_repos_list_all"),
        ("w", "v2", "w_v_two"),
        ("w", "查天气", "w_a"),
        ("weather", "查天气", "weather"),
        ("weather", "", "weather"),
        ("files", "x" * 90, f"files_{'x' * 58}"),
    ],
)
def test_names(server: str, tool: str, name: str) -> None:
    assert offered_name(server, tool, ()) == name


def test_no_two_names_are_the_same_and_none_hides_one_of_ours() -> None:
    taken = ["remember", "search_memory"]
    for server, tool in [("search", "memory"), *[("w", "查")] * 60, *[("files", "x" * 99)] * 60]:
        name = offered_name(server, tool, taken)
        assert re.fullmatch(r"[a-z][a-z_]{2,63}", name), name
        assert name not in taken
        taken.append(name)
    assert taken[2] == "search_memory_a"


@pytest.mark.parametrize(
    ("given", "made"),
    [
        ({"type": "string", "description": " a\n b "}, {"type": "string", "description": "a b"}),
        (
            {"$ref": "#/$defs/City", "description": "where"},
            {"type": "string", "enum": ["x"], "description": "where"},
        ),
        ({"$ref": "#/$defs/Loop"}, {"type": "string"}),
        ({"$ref": "https://elsewhere.example/x"}, {"type": "string"}),
        ({"anyOf": [{"type": "null"}, {"type": "integer"}], "default": None}, {"type": "integer"}),
        ({"oneOf": [{"const": "a"}, {"enum": ["b", "c"]}]}, {"type": "string", "enum": ["a", "b", "c"]}),
        ({"type": ["null", "number"], "minimum": 1}, {"type": "number", "minimum": 1}),
        ({"enum": [1, 2, 2]}, {"type": "integer", "enum": [1, 2]}),
        ({"const": True}, {"type": "boolean"}),
        ({"type": "array"}, {"type": "array", "items": {"type": "string"}}),
        (
            {"items": {"type": "object"}},
            {"type": "array", "items": {"type": "object", "properties": {}, "required": []}},
        ),
        ({"type": "tuple"}, {"type": "string"}),
        (
            {"allOf": [{"properties": {"a": {}}}, {"properties": {"b": {}}, "required": ["b", "z"]}]},
            {
                "type": "object",
                "properties": {"a": {"type": "string"}, "b": {"type": "string"}},
                "required": ["b"],
            },
        ),
        (True, {"type": "string"}),
        (None, {"type": "string"}),
        ([], {"type": "string"}),
    ],
)
def test_one_value(given: Any, made: dict[str, Any]) -> None:
    defs = {"City": {"enum": ["x"]}, "Loop": {"$ref": "#/$defs/Loop"}}
    schema = offered_schema(
        {"type": "object", "$defs": defs, "properties": {"v": given}, "required": ["v", "w"]}
    )
    assert schema == {"type": "object", "properties": {"v": made}, "required": ["v"]}


def test_a_schema_as_long_as_a_book_keeps_its_first_level() -> None:
    inner = {
        "type": "object",
        "properties": {f"p{n}": {"type": "string", "description": "x" * 300} for n in range(40)},
    }
    made = offered_schema(
        {"type": "object", "properties": {"a": inner, "b": {"enum": ["x", "y"]}, "c": {"items": inner}}}
    )
    assert made["properties"] == {
        "a": {"type": "object"},
        "b": {"type": "string", "enum": ["x", "y"]},
        "c": {"type": "array", "items": {"type": "object"}},
    }
    assert len(json.dumps(made)) < LONGEST


def test_a_thousand_odd_schemas() -> None:
    pick = random.Random(7)
    keys = (
        "type",
        "$ref",
        "anyOf",
        "oneOf",
        "allOf",
        "properties",
        "items",
        "enum",
        "const",
        "required",
        "description",
    )

    def odd(depth: int) -> Any:
        if depth > 6 or pick.random() < 0.3:
            return pick.choice(
                [None, True, 3, "string", "object", "array", "#/x", [], {}, ["null"], [{}], "属性"]
            )
        if pick.random() < 0.3:
            return [odd(depth + 1) for _ in range(pick.randrange(3))]
        return {pick.choice([*keys, "x", "名"]): odd(depth + 1) for _ in range(pick.randrange(5))}

    for _ in range(1000):
        given = odd(0)
        made = offered_schema(given if isinstance(given, dict) else {"properties": given})
        assert made["type"] == "object"
        assert fits(made), given
        assert all(len(name) <= NAME for name in made["properties"])
