"""Every oddity of answers that has been seen at a vendor, in the smallest form that shows it."""

from __future__ import annotations

from typing import Any

import pytest

from bot.models.model import Reply
from bot.models.parsing import Heard, events_of, heard, without_thinking

TOOLS = {"search", "note"}
Piece = dict[str, Any]


def streamed(*pieces: Piece, offered: set[str] = TOOLS) -> Reply:
    """The reply from chunks that each hold these fragments of tool calls."""
    result = Heard()
    for piece in pieces:
        result.add({"choices": [{"delta": {"tool_calls": [piece]}}]}, offered)
    return result.reply(offered)


def piece(
    index: int | None = 0, id: str | None = None, name: str | None = None, arguments: Any = None
) -> Piece:
    """A fragment with only what is given."""
    function = {key: value for key, value in (("name", name), ("arguments", arguments)) if value is not None}
    outer = {key: value for key, value in (("index", index), ("id", id)) if value is not None}
    return {**outer, "function": function}


def summary(reply: Reply) -> list[tuple[str, dict[str, Any]]]:
    return [(call.name, call.arguments) for call in reply.calls]


def test_the_usual_stream() -> None:
    reply = streamed(
        piece(id="a", name="search", arguments=""), piece(arguments='{"q":'), piece(arguments='"x"}')
    )
    assert summary(reply) == [("search", {"q": "x"})]
    assert reply.calls[0].id == "a"


def test_a_name_repeated_in_every_chunk() -> None:  # A37
    reply = streamed(*(piece(name="search", arguments=part) for part in ('{"q"', ':"x"', "}")))
    assert summary(reply) == [("search", {"q": "x"})]


def test_an_id_that_changes_in_every_chunk() -> None:  # A38
    first = piece(id="c0", name="search", arguments="")
    rest = [piece(id=f"c{number}", arguments=part) for number, part in enumerate('{"q":"xyz"}', 1)]
    assert summary(streamed(first, *rest)) == [("search", {"q": "xyz"})]
    without_index = [{**one, "index": None} for one in [first, *rest]]
    assert summary(streamed(*without_index)) == [("search", {"q": "xyz"})]


def test_name_and_id_both_repeated_with_new_ids() -> None:
    pieces = [
        piece(id=f"c{number}", name="search", arguments=part) for number, part in enumerate(('{"q":', '"x"}'))
    ]
    assert summary(streamed(*pieces)) == [("search", {"q": "x"})]


def test_a_name_in_two_pieces() -> None:
    reply = streamed(piece(id="a", name="sea"), piece(name="rch"), piece(arguments="{}"))
    assert summary(reply) == [("search", {})]


def test_parallel_calls_on_one_index() -> None:
    reply = streamed(
        piece(id="a", name="search", arguments='{"q":"1"}'),
        piece(id="b", name="search", arguments='{"q":"2"}'),
        piece(id="c", name="note", arguments='{"text":"3"}'),
    )
    assert summary(reply) == [("search", {"q": "1"}), ("search", {"q": "2"}), ("note", {"text": "3"})]


def test_parallel_calls_interleaved_by_index() -> None:
    reply = streamed(
        piece(0, "a", "search", ""),
        piece(1, "b", "note", ""),
        piece(0, arguments='{"q":"1"}'),
        piece(1, arguments='{"text":"2"}'),
    )
    assert summary(reply) == [("search", {"q": "1"}), ("note", {"text": "2"})]


def test_parallel_calls_with_neither_index_nor_id() -> None:
    reply = streamed(piece(None, None, "note", '{"text":"1"}'), piece(None, None, "note", '{"text":"2"}'))
    assert summary(reply) == [("note", {"text": "1"}), ("note", {"text": "2"})]


def test_arguments_as_an_object_in_a_stream() -> None:
    assert summary(streamed(piece(id="a", name="note", arguments={"text": "x"}))) == [("note", {"text": "x"})]


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


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("<think>hm</think>\n\nHello", "Hello"),
        ("<think>a</think><think>b</think>Hello", "Hello"),
        ("<think>never closed", ""),
        ("hm, so\n</think>\nHello", "Hello"),
        ("Hello\n<think>hm</think>\nthere", "Hello\nthere"),
        ("<THINK>hm</THINK>Hello", "Hello"),
        ("I think so", "I think so"),
        ("Use `<think>` to open it", "Use `<think>` to open it"),
        ("So:\n```html\n<think>x</think>\n```", "So:\n```html\n<think>x</think>\n```"),
    ],
)
def test_thinking_in_tags_is_not_the_answer(text: str, left: str) -> None:
    assert without_thinking(text) == left


def test_broken_events_are_skipped() -> None:
    body = 'data: {"a": 1}\n\n: comment\ndata: {"b"\ndata: [DONE]\n'
    assert list(events_of(body)) == [{"a": 1}]
