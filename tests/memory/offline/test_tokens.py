"""Tokens of a message: each Han character, each word, each sign."""

from __future__ import annotations

from memory.offline.tokens import quoted, shape, tokenise


def test_tokens_stand_where_they_stood() -> None:
    assert [(t.start, t.text) for t in tokenise("放到 dev-notes 吧")] == [
        (0, "放"), (1, "到"), (3, "dev"), (6, "-"), (7, "notes"), (13, "吧"),
    ]  # fmt: skip


def test_shapes() -> None:
    assert [shape(word) for word in ("好", "-", "7", "Ops", "ops")] == ["han", "sign", "digit", "Cap", "low"]


def test_a_mark_that_is_never_closed_opens_nothing() -> None:
    assert quoted(["in", "「", "家", "」", "now"]) == [0, 0, 1, 0, 0]
    assert quoted(["in", "「", "家", "now"]) == [0, 0, 0, 0]
