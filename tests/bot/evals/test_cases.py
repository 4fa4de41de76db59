"""Cases of dialogues as files hold them: what cannot be read is said in one sentence."""

from __future__ import annotations

from typing import Any

import pytest

from bot.evals.cases import CaseUnreadable, parsed


@pytest.mark.parametrize(
    ("raw", "sentence"),
    [
        ({}, "Case “#4” cannot be read: field id is missing."),
        (
            {"id": "a7", "turns": [{"text": "hi"}, "no"]},
            "Case “a7” cannot be read: field turns[1] must be a JSON object.",
        ),
        (
            {"id": "a7", "now": "yesterday"},
            "Case “a7” cannot be read: field now must be a date or time such as 2026-03-11 or "
            "2026-03-11T21:00+08:00.",
        ),
        (
            {"id": "a7", "expect": [{"op": "add", "source_turn": "two"}]},
            "Case “a7” cannot be read: field expect[0].source_turn must be a whole number.",
        ),
        ({"id": "a7", "existing": 3}, "Case “a7” cannot be read: field existing must be a JSON object."),
        (
            {"id": "a7", "expect": [{"scope": [1]}]},
            "Case “a7” cannot be read: field expect[0].scope must be text.",
        ),
    ],
)
def test_one_sentence_names_the_case_and_the_field(raw: dict[str, Any], sentence: str) -> None:
    with pytest.raises(CaseUnreadable) as caught:
        parsed(raw, 4)
    assert str(caught.value) == sentence


def test_it_is_said_in_chinese_too() -> None:
    with pytest.raises(CaseUnreadable) as caught:
        parsed({"id": "丙", "existing": {"core": [{"expires": "soon"}]}}, 1, "zh")
    assert str(caught.value) == (
        "用例「丙」读不了：字段 existing.core[0].expires 要是日期或时间，例如 2026-03-11 或 2026-03-11T21:00+08:00。"
    )


def test_lines_that_name_their_topic_are_its_page() -> None:
    """Such a file was read as one with empty pages, and what its cases expect could not happen."""
    flat = [
        {"id": "t1", "topic": "pets", "text": "The user has a goat."},
        {"id": "t2", "topic": "commute", "text": "The user rows to work."},
        {"id": "t3", "topic": "pets", "text": "The goat is called Ox."},
        {"title": "home", "items": [{"id": "t4", "text": "The user lives on a boat."}]},
    ]
    pages = parsed({"id": "a7", "existing": {"topics": flat}}, 1).existing.topics
    assert [(page.title, [line.id for line in page.items]) for page in pages] == [
        ("home", ["t4"]),
        ("pets", ["t1", "t3"]),
        ("commute", ["t2"]),
    ]
