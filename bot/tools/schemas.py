"""Names and schemas of outside tools, made such that any vendor's model can be offered them.

What vendors agree on is small: an object of properties that each have a type. References, alternatives and keywords
that some refuse are resolved to the nearest such thing; the server still checks what it is sent.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from itertools import count
from typing import Any

NAME = 64  # letters that a name may have
DEEPEST = 5  # levels of a schema that are kept
LONGEST = 6_000  # characters of one schema; of a longer one only the first level is offered
WORDS = 300  # characters of a description inside a schema
CHOICES = 60  # of an enum

_TYPES = frozenset({"string", "number", "integer", "boolean", "object", "array"})
_KEPT = ("minimum", "maximum", "minItems", "maxItems", "minLength", "maxLength")
_NUMERALS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def offered_name(server: str, tool: str, taken: Collection[str]) -> str:
    """`weather_get_forecast`: the server's name, then the tool's, in small letters; unlike any that is `taken`."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", f"{server}_{tool}").lower()
    words = re.sub(r"[0-9]", lambda digit: f"_{_NUMERALS[int(digit[0])]}_", words)
    name = re.sub(r"[^a-z]+", "_", words).strip("_")[:NAME].rstrip("_") or "tool"
    if name not in taken and len(name) > 2:
        return name
    endings = (_letters(number) for number in count())
    return next(
        made for ending in endings if (made := f"{name[: NAME - 1 - len(ending)]}_{ending}") not in taken
    )


def _letters(number: int) -> str:
    """a, b, … z, ba, bb …"""
    head, last = divmod(number, 26)
    return (_letters(head) if head else "") + chr(ord("a") + last)


def offered_schema(schema: Mapping[str, Any]) -> dict[str, Any]:
    """A schema of an object whose properties each have a type, as near to the given one as that goes."""
    made = _Cleaner(schema).object(schema, 0)
    if len(json.dumps(made, ensure_ascii=False)) <= LONGEST:
        return made
    return {**made, "properties": {name: _flat(each) for name, each in made["properties"].items()}}


def _flat(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Without what lies in it."""
    flat = {key: schema[key] for key in ("type", "enum") if key in schema}
    if flat.get("type") == "array":
        flat["items"] = {"type": schema["items"]["type"]}
    return flat


class _Cleaner:
    """Cleans the schemas of one tool; knows where its references lead."""

    def __init__(self, root: Mapping[str, Any]) -> None:
        self._root = root

    def object(self, schema: Mapping[str, Any], depth: int) -> dict[str, Any]:
        """An object schema; of one that is none, an object without properties."""
        schema = self._whole(schema)
        given = schema.get("properties")
        properties = {
            str(name)[:NAME]: self.value(each, depth + 1)
            for name, each in (given.items() if isinstance(given, Mapping) else ())
        }
        wanted = schema.get("required")
        named = (
            dict.fromkeys(each for each in wanted if isinstance(each, str))
            if isinstance(wanted, list)
            else ()
        )
        required = [each for each in named if each in properties]
        return {"type": "object", "properties": properties, "required": required}

    def value(self, schema: Any, depth: int) -> dict[str, Any]:
        """The schema of one value."""
        whole = self._whole(schema) if isinstance(schema, Mapping) else {}
        kind = _kind(whole)
        made: dict[str, Any] = {"type": kind}
        if kind == "object" and depth < DEEPEST:
            made = self.object(whole, depth)
        elif kind == "array":
            items = whole.get("items")
            inner = self.value(items, depth + 1) if depth < DEEPEST else {"type": "string"}
            made["items"] = inner
        if choices := _choices(whole):
            made["enum"] = choices
        if isinstance(words := whole.get("description"), str) and words.strip():
            made["description"] = " ".join(words.split())[:WORDS]
        made |= {key: whole[key] for key in _KEPT if isinstance(whole.get(key), int | float)}
        return made

    def _whole(self, schema: Mapping[str, Any]) -> dict[str, Any]:
        """With references followed, parts put together, and the first alternative that is something chosen."""
        whole = dict(schema)
        for _ in range(2 * DEEPEST):  # a reference may lead to another, or to itself
            parts = self._parts(whole)
            if not parts:
                return whole
            rest = {
                key: value for key, value in whole.items() if key not in ("$ref", "allOf", "anyOf", "oneOf")
            }
            whole = {}
            for part in parts:
                whole = _joined(whole, part)
            whole = _joined(whole, rest)
        return {key: value for key, value in whole.items() if key not in ("$ref", "allOf", "anyOf", "oneOf")}

    def _parts(self, schema: Mapping[str, Any]) -> list[Mapping[str, Any]]:
        if isinstance(ref := schema.get("$ref"), str):
            return [self._at(ref)]
        if isinstance(all_of := schema.get("allOf"), list) and all_of:
            return _tables(all_of)
        for key in ("anyOf", "oneOf"):
            if isinstance(options := schema.get(key), list) and options:
                real = [each for each in _tables(options) if each.get("type") != "null"]
                if real and all("const" in each or "enum" in each for each in real):
                    return [{"enum": [choice for each in real for choice in _given_choices(each)]}]
                return real[:1] or _tables([])
        return []

    def _at(self, ref: str) -> Mapping[str, Any]:
        found: Any = self._root
        for part in ref.removeprefix("#").strip("/").split("/"):
            found = found.get(part) if isinstance(found, Mapping) else None
        return found if isinstance(found, Mapping) else {}


def _joined(left: Mapping[str, Any], right: Mapping[str, Any]) -> dict[str, Any]:
    both = {**left, **right}
    if isinstance(old := left.get("properties"), dict) and isinstance(new := right.get("properties"), dict):
        both["properties"] = {**old, **new}
    if isinstance(old := left.get("required"), list) and isinstance(new := right.get("required"), list):
        both["required"] = [*old, *new]
    return both


def _tables(schemas: list[Any]) -> list[Mapping[str, Any]]:
    """Those that are tables at all; an empty one where none is: anything goes."""
    found: list[Mapping[str, Any]] = [each for each in schemas if isinstance(each, Mapping)]
    return found or [{}]


def _given_choices(schema: Mapping[str, Any]) -> list[Any]:
    if "const" in schema:
        return [schema["const"]]
    given = schema.get("enum")
    return list(given) if isinstance(given, list) else []


def _choices(schema: Mapping[str, Any]) -> list[Any]:
    """Values of the schema's own type that may be chosen; none where they are not that simple."""
    python: dict[str, tuple[type, ...]] = {"string": (str,), "integer": (int,), "number": (int, float)}
    wanted = python.get(_kind(schema), ())
    found = [
        each for each in _given_choices(schema) if isinstance(each, wanted) and not isinstance(each, bool)
    ]
    return list(dict.fromkeys(found))[:CHOICES]


def _kind(schema: Mapping[str, Any]) -> str:
    given = schema.get("type")
    kinds = [given] if isinstance(given, str) else given if isinstance(given, list) else []
    for kind in kinds:
        if kind in _TYPES:
            return str(kind)
    for value in _given_choices(schema):
        if isinstance(value, bool):
            return "boolean"
        if isinstance(value, int | float):
            return "integer" if isinstance(value, int) else "number"
    if "properties" in schema:
        return "object"
    return "array" if "items" in schema else "string"
