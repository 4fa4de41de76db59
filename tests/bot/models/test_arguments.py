"""Arguments and calls as models write them."""

from __future__ import annotations

from typing import Any

import pytest

from bot.models.arguments import calls_in_text, read_arguments

OFFERED = {"note", "search"}


@pytest.mark.parametrize(
    ("raw", "arguments"),
    [
        ("", {}),
        ("  ", {}),
        (None, {}),
        ("null", {}),
        ("{}", {}),
        ("[]", {}),
        ('""', {}),
        ({"a": 1}, {"a": 1}),
        ('{"a": 1}', {"a": 1}),
        ('[{"a": 1}]', {"a": 1}),
        ('"{\\"a\\": 1}"', {"a": 1}),
        ('"\\"{\\\\\\"a\\\\\\": 1}\\""', {"a": 1}),
        ('```json\n{"a": 1}\n```', {"a": 1}),
        ('{}{"a": 1}', {"a": 1}),
        ('{"a": "two\nlines"}', {"a": "two\nlines"}),
        ('{"a": "牛奶"}', {"a": "牛奶"}),
    ],
)
def test_arguments_that_can_be_read(raw: object, arguments: dict[str, Any]) -> None:
    assert read_arguments(raw) == (arguments, "")


@pytest.mark.parametrize(
    "raw", ['{"a": ', "note the milk", '[{"a": 1}, {"b": 2}]', "7", True, 3.5, '{"a": 1} and so on']
)
def test_arguments_that_cannot_be_read_come_back_as_a_problem(raw: object) -> None:
    arguments, problem = read_arguments(raw)
    assert arguments == {}
    assert "JSON" in problem


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ('{"name": "note", "arguments": {"text": "x"}}', ""),
        ('```json\n{"name": "note", "arguments": {"text": "x"}}\n```', ""),
        ('```\n{"name": "note", "parameters": {"text": "x"}}\n```', ""),
        ('I will note it.\n```json\n{"name": "note", "arguments": {"text": "x"}}\n```\n', "I will note it."),
        ('<tool_call>\n{"name": "note", "arguments": {"text": "x"}}\n</tool_call>', ""),
        ('<tool_call>{"name": "note", "arguments": {"text": "x"}}', ""),
        ('[{"name": "note", "arguments": {"text": "x"}}]', ""),
        ('{"tool_calls": [{"function": {"name": "note", "arguments": "{\\"text\\": \\"x\\"}"}}]}', ""),
        ('{"type": "function", "function": {"name": "note", "arguments": {"text": "x"}}}', ""),
        ('{"tool": "note", "args": {"text": "x"}}', ""),
    ],
)
def test_a_call_written_into_the_text_is_a_call(text: str, left: str) -> None:
    rest, calls = calls_in_text(text, OFFERED)
    assert [(call.name, call.arguments) for call in calls] == [("note", {"text": "x"})]
    assert rest == left
    assert calls[0].id


@pytest.mark.parametrize(
    "text",
    [
        '{"name": "delete_all", "arguments": {}}',  # was not offered
        '{"name": "note", "arguments": {}, "price": 3}',  # something else that has a name
        'Like this:\n```json\n{"name": "note", "arguments": {}}\n```\nDoes that help?',  # an explanation
        '{"name": "note"}',
        "```json\n{broken\n```",
        "no braces at all",
    ],
)
def test_what_only_looks_like_a_call_stays_text(text: str) -> None:
    assert calls_in_text(text, OFFERED) == (text, ())


def test_no_tools_no_calls() -> None:
    text = '{"name": "note", "arguments": {}}'
    assert calls_in_text(text, ()) == (text, ())


@pytest.mark.parametrize("tag", ["tool_call", "tool_calls", "tools", "tool", "function_call"])
def test_calls_in_any_tag(tag: str) -> None:
    """Qwen's coder models close a call in the tag that their template opens the list of tools with."""
    said = f'<{tag}>\n{{"name": "note", "arguments": {{"text": "x"}}}}\n</{tag}>'
    text, [call] = calls_in_text(f"One moment.\n{said}", {"note"})
    assert (text, call.name, call.arguments) == ("One moment.", "note", {"text": "x"})
    assert calls_in_text(f"Write {said} to call it.", {"note"})[1] == ()


@pytest.mark.parametrize(
    "said",
    [
        "<function=note>\n<parameter=text>\nx\n</parameter>\n</function>",
        "<tool_call>\n<function=note>\n<parameter=text>x</parameter>\n</function>\n</tool_call>",
        """<tools>\n  <function name="note" arguments='{"text": "x"}'/>\n</tools>""",
        '<function name="note">{"text": "x"}</function>',
        '<function=note>{"text": "x"}</function>',
    ],
)
def test_calls_in_xml(said: str) -> None:
    text, [call] = calls_in_text(f"One moment.\n{said}", OFFERED)
    assert (text, call.name, call.arguments, call.problem) == ("One moment.", "note", {"text": "x"}, "")
    assert calls_in_text(f"Say {said} for that.", OFFERED)[1] == ()
    assert calls_in_text(said.replace("note", "rm"), OFFERED)[1] == ()


@pytest.mark.parametrize(
    "said",
    [
        '{{"name": "note", "arguments": {"text": "x"}}}',
        '```json\n{{"name": "note", "arguments": {"text": "x"}}}\n```',
    ],
)
def test_a_call_in_doubled_braces(said: str) -> None:
    text, [call] = calls_in_text(said, OFFERED)
    assert (text, call.arguments) == ("", {"text": "x"})
