"""Every oddity of answers that has been seen at a vendor, in the smallest form that shows it."""

from __future__ import annotations

from typing import Any

import pytest

from bot.models.model import Reply
from bot.models.parsing import heard

TOOLS = {"search", "note"}


def summary(reply: Reply) -> list[tuple[str, dict[str, Any]]]:
    return [(call.name, call.arguments) for call in reply.calls]


def test_ids_are_made_where_they_are_missing_or_shared() -> None:
    call = {"id": "", "function": {"name": "note", "arguments": "{}"}}
    body = {"choices": [{"message": {"tool_calls": [call, {**call, "id": "x"}, {**call, "id": "x"}]}}]}
    ids = [call.id for call in heard(body).reply(TOOLS).calls]
    assert all(ids)
    assert len(set(ids)) == 3


def message(**fields: Any) -> Reply:
    return heard({"choices": [{"message": fields, "finish_reason": fields.pop("finish", "stop")}]}).reply(
        TOOLS
    )


def test_the_old_function_call_field() -> None:
    reply = message(content=None, function_call={"name": "note", "arguments": '{"text":"x"}'})
    assert summary(reply) == [("note", {"text": "x"})]


def test_decorated_and_missing_names() -> None:
    named = [
        {"id": str(at), "function": {"name": name, "arguments": "{}"}}
        for at, name in enumerate(("functions.note:0", ""))
    ]
    reply = message(tool_calls=named)
    assert reply.calls[0].name == "note"
    assert "name a tool" in reply.calls[1].problem


def test_calls_that_are_no_objects_are_survived() -> None:
    assert [call.problem != "" for call in message(tool_calls=["note", None]).calls] == [True, True]


def test_a_cut_call_says_so() -> None:
    cut = [{"id": "a", "function": {"name": "note", "arguments": '{"text": "long'}}]
    assert "cut off" in message(tool_calls=cut, finish="length").calls[0].problem


def test_a_cut_answer_is_cut_even_where_its_calls_read_well() -> None:
    whole = [{"id": "a", "function": {"name": "note", "arguments": '{"text": "long"}'}}]
    assert message(tool_calls=whole, finish="length").finish == "length"
    assert message(tool_calls=whole, finish="tool_calls").finish == "calls"


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}], "ab"),
        ([{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "a"}], "a"),
        (
            [
                {"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]},
                {"type": "text", "text": "a"},
            ],
            "a",
        ),
        (["a", "b"], "ab"),
        ({"text": "a"}, ""),
        (7, ""),
        (None, ""),
    ],
)
def test_content_of_any_shape(content: Any, text: str) -> None:
    assert message(content=content).text == text


def test_a_refusal_is_said() -> None:
    assert message(content=None, refusal="I can't do that.").text == "I can't do that."


@pytest.mark.parametrize("reason", ["content_filter", "SAFETY", "sensitive"])
def test_filters_by_any_name(reason: str) -> None:
    assert message(content="", finish=reason).finish == "filtered"
