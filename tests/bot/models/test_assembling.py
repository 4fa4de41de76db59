"""The fragments of a stream, as each vendor sends them, in the smallest form that shows it."""

from __future__ import annotations

from typing import Any

from bot.models.model import Reply
from bot.models.parsing import Heard

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


def test_parallel_calls_that_share_an_index_go_on_by_their_ids() -> None:
    reply = streamed(
        piece(0, "a", "search", '{"q":'),
        piece(0, "b", "note", '{"text":'),
        piece(0, "a", arguments='"1"}'),
        piece(0, "b", arguments='"2"}'),
    )
    assert summary(reply) == [("search", {"q": "1"}), ("note", {"text": "2"})]


def test_two_calls_on_one_index_with_objects_for_arguments() -> None:
    reply = streamed(
        piece(id="a", name="note", arguments={"text": "1"}),
        piece(id="b", name="note", arguments={"text": "2"}),
    )
    assert summary(reply) == [("note", {"text": "1"}), ("note", {"text": "2"})]


def test_one_id_for_all_calls() -> None:
    reply = streamed(piece(0, "x", "search", '{"q":"1"}'), piece(1, "x", "search", '{"q":"2"}'))
    assert summary(reply) == [("search", {"q": "1"}), ("search", {"q": "2"})]
    assert len({call.id for call in reply.calls}) == 2


def test_a_name_that_comes_late() -> None:
    reply = streamed(piece(0, "a", arguments=""), piece(0, name="search"), piece(0, arguments='{"q":"1"}'))
    assert summary(reply) == [("search", {"q": "1"})]


def test_a_name_that_grows() -> None:
    assert summary(streamed(piece(id="a", name="sea"), piece(name="search", arguments="{}"))) == [
        ("search", {})
    ]
    both = {"search", "search_chats"}
    reply = streamed(piece(id="a", name="search"), piece(name="_chats", arguments="{}"), offered=both)
    assert summary(reply) == [("search_chats", {})]


def test_the_whole_arguments_once_more_at_the_end() -> None:
    reply = streamed(
        piece(id="a", name="search", arguments='{"q":'), piece(arguments='"x"}'), piece(arguments='{"q":"x"}')
    )
    assert summary(reply) == [("search", {"q": "x"})]


def test_a_call_without_any_name_says_so_and_keeps_its_place() -> None:
    reply = streamed(piece(0, "a", None, "{}"), piece(1, "b", "note", '{"text":"1"}'))
    assert [bool(call.problem) for call in reply.calls] == [True, False]
