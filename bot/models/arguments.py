"""Tool calls as models really write them → `Call`.

Arguments come as `""`, `null`, a list of one, a string encoded twice, inside a Markdown fence, twice in a
row (`{}{"a": 1}`), with raw newlines in strings, or cut in the middle. Small local models write the whole
call into their text. What can be read without guessing is read; the rest becomes `Call.problem`, which
goes back to the model.
"""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Collection, Iterable
from typing import Any, cast

from bot.models.model import Call

_FENCE = re.compile(r"^\s*```[\w-]*\s*\n?(.*?)\n?\s*```\s*$", re.DOTALL)
_DECODER = json.JSONDecoder(strict=False)
_LAYERS = 4  # how often arguments may be wrapped (string in a string, list of one …) before we give up

_CALL_IN_TEXT = re.compile(
    r"```(?:json|tool_call|tool_code|tool)?[ \t]*\n(?P<fenced>.*?)\n?[ \t]*```"
    r"|<(?P<tag>tool_calls?|tools?|function_calls?)>\s*(?P<tagged>.*?)\s*(?:</(?P=tag)>|\Z)"
    r"|(?P<bare><function[=\s][^>]*/>|<function[=\s][^>]*>.*?</function>)",
    re.DOTALL,
)
# Qwen's coder models, when their server does not read it: attributes, or <parameter=name> in the body.
_CALL_IN_XML = re.compile(
    r"<function(?:=|\s+name=[\"'])(?P<name>[\w.:-]+)[\"']?(?:\s+arguments=(?P<quote>[\"'])(?P<given>\{.*?\})(?P=quote))?"
    r"\s*(?:/>|>(?P<body>.*?)</function>)",
    re.DOTALL,
)
_DOUBLED = re.compile(r"\A\{(\{.*\})\}\Z", re.DOTALL)  # {{…}}, as a template wrote it for them
_PARAMETER = re.compile(r"<parameter(?:=|\s+name=[\"'])([\w-]+)[\"']?>\s*(.*?)\s*</parameter>", re.DOTALL)
_ARGUMENT_KEYS = ("arguments", "parameters", "args", "input")
_CALL_KEYS = {"name", "tool", "tool_name", "id", "type", "function", *_ARGUMENT_KEYS}


def read_arguments(raw: object) -> tuple[dict[str, Any], str]:
    """(arguments, problem): an object, or `{}` and what is wrong with `raw` in words for the model."""
    value = raw
    for _ in range(_LAYERS):
        if value is None or value in ("", []):
            return {}, ""
        if isinstance(value, dict):
            return {str(key): item for key, item in value.items()}, ""
        if isinstance(value, list) and len(value) == 1:
            value = value[0]
        elif isinstance(value, str):
            unfenced = _FENCE.sub(r"\1", value).strip()
            if not unfenced:
                return {}, ""
            try:
                value = _decode(unfenced)
            except ValueError as error:
                return {}, f"The arguments are not valid JSON ({error}). Send one JSON object."
        else:
            break
    return {}, f"The arguments must be one JSON object, not {_kind(value)}."


def is_complete(arguments: str) -> bool:
    """Whether streamed `arguments` are a whole JSON value already."""
    try:
        json.loads(arguments, strict=False)
    except ValueError:
        return False
    return True


def _decode(text: str) -> object:
    """One JSON value; of several objects in a row, the last that says anything."""
    values: list[object] = []
    at = 0
    while at < len(text):
        value, at = _DECODER.raw_decode(text, at)
        values.append(value)
        at += len(text[at:]) - len(text[at:].lstrip())
    if len(values) == 1:
        return values[0]
    if not all(isinstance(value, dict) for value in values):
        raise ValueError("extra text after the first value")
    return next((value for value in reversed(values) if value), values[0])


def _kind(value: object) -> str:
    names: dict[type, str] = {
        bool: "true/false",
        int: "a number",
        float: "a number",
        list: "a list",
        str: "a string",
    }
    return names.get(type(value), "that")


def offered_name(name: str, offered: Collection[str]) -> str:
    """`name` as it was offered, where only a vendor's decoration differs (`functions.search:0`)."""
    name = name.strip()
    if name in offered:
        return name
    bare = re.sub(r":\d+$", "", name).rsplit(".", 1)[-1].removeprefix("functions_")
    return bare if bare in offered else name


def calls_in_text(text: str, offered: Collection[str]) -> tuple[str, tuple[Call, ...]]:
    """(text without them, calls) that a small model wrote into its text instead of calling.

    Only a call to a tool that was offered counts, and only at the end of the text: a block in the middle
    of an explanation is an explanation.
    """
    if not offered or ("{" not in text and "<function" not in text):
        return text, ()
    whole = _calls_of(text, offered)
    if whole:
        return "", whole
    calls: list[Call] = []
    kept, last = [], 0
    for match in _CALL_IN_TEXT.finditer(text):
        found = _calls_of(match["fenced"] or match["tagged"] or match["bare"] or "", offered)
        if found:
            calls += found
            kept.append(text[last : match.start()])
            last = match.end()
    if not calls or text[last:].strip():
        return text, ()
    return "".join(kept).strip(), tuple(calls)


def _calls_of(block: str, offered: Collection[str]) -> tuple[Call, ...]:
    """The calls a block of JSON or XML spells, all of them to offered tools, or none."""
    try:
        value = json.loads(_DOUBLED.sub(r"\1", block.strip()), strict=False)
    except ValueError:
        value = _xml_calls(block)
    if isinstance(value, dict) and set(value) == {"tool_calls"}:
        value = value["tool_calls"]
    items = value if isinstance(value, list) else [value]
    calls = [_call_of(item, offered) for item in items]
    return tuple(call for call in calls if call) if calls and all(calls) else ()


def _xml_calls(block: str) -> list[dict[str, Any]]:
    """The calls of a block that holds nothing else, as the JSON that spells them."""
    if _CALL_IN_XML.sub("", block).strip():
        return []
    return [
        {
            "name": call["name"],
            "arguments": call["given"] or dict(_PARAMETER.findall(call["body"] or "")) or call["body"] or "",
        }
        for call in _CALL_IN_XML.finditer(block)
    ]


def _call_of(item: object, offered: Collection[str]) -> Call | None:
    if not isinstance(item, dict) or not set(item) <= _CALL_KEYS:
        return None
    inner = item.get("function")
    item = cast(dict[str, Any], inner if isinstance(inner, dict) else item)
    name = next((item[key] for key in ("name", "tool", "tool_name", "function") if key in item), None)
    given = [key for key in _ARGUMENT_KEYS if key in item]
    if not isinstance(name, str) or offered_name(name, offered) not in offered or len(given) != 1:
        return None
    arguments, problem = read_arguments(item[given[0]])
    return Call(new_id(), offered_name(name, offered), arguments, problem)


def new_id() -> str:
    """A call id for vendors that give none, unlike any other in the conversation."""
    return f"call_{uuid.uuid4().hex[:16]}"


def with_own_ids(calls: Iterable[Call]) -> tuple[Call, ...]:
    """The same calls, each with an id of its own (some vendors send none, or one for all)."""
    seen: set[str] = set()
    result = []
    for call in calls:
        unique = call.id if call.id and call.id not in seen else new_id()
        seen.add(unique)
        result.append(call if unique == call.id else Call(unique, call.name, call.arguments, call.problem))
    return tuple(result)
