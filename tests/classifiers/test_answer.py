"""What models say is read forgivingly and believed only after a check."""

from __future__ import annotations

import pytest

from classifiers.answer import check, read_answer, sentence
from classifiers.titles import clean_title
from classifiers.types import Category

LIST = [Category("c1", "代码笔记"), Category("c2", "Receipts", aliases=("invoices",))]


@pytest.mark.parametrize(
    "words",
    [
        '{"category": "c1"}',
        '<think>perhaps {"category": "c2"}</think>\n```json\n{"category": "c1"}\n```',
        'First I thought {"category":"c2"}, but: {"category":"c1","title":"a {brace} \\" in it"}',
        'Sure!\n```\n{"category": "代码笔记"}\n```\nDone.',
        '[{"category": "c1"}]',
        '{"category": {"id": "c1", "name": "x"}, "tags": null, "confidence": "high", "rule": 7, "extra": []}',
        '{"category": "c1", "title": "two\nlines"}',
    ],
)
def test_the_last_object_counts_however_it_is_wrapped(words: str) -> None:
    answer = read_answer(words)
    assert answer is not None
    assert check(answer, LIST).category is LIST[0]


@pytest.mark.parametrize(
    "words", ["", "I cannot help with that.", "{", '{"category": ', "[]", "42", '{"x": 1}', "<think>{"]
)
def test_no_object_is_no_answer(words: str) -> None:
    assert read_answer(words) is None


def test_unknown_categories_are_none_and_new_ones_are_cleaned() -> None:
    answer = read_answer('{"category": "", "new_category": "工作/生活 🎉"}')
    assert answer is not None
    checked = check(answer, LIST)
    assert checked.category is None
    assert checked.new == "工作／生活"


def test_a_new_category_that_exists_is_the_existing_one() -> None:
    answer = read_answer('{"category": "", "new_category": "INVOICES"}')
    assert answer is not None
    assert check(answer, LIST).category is LIST[1]


@pytest.mark.parametrize(
    ("said", "confidence"), [(0.4, 0.4), (85, 0.85), ("70%", 0.7), ("sure", 0.8), (-3, 0.0)]
)
def test_confidence_in_any_form(said: object, confidence: float) -> None:
    import json

    answer = read_answer(json.dumps({"category": "c1", "confidence": said}))
    assert answer is not None
    assert answer.confidence == confidence


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("# **Row** unpacking", "Row unpacking"),
        ("python_row *args [x](http://y)", "python_row args x"),
        ("a/b\\c", "a-b-c"),
        ("word " * 80, "word word word word word word word word"),
        ("字" * 300, "字" * 40),
        ("🎉", ""),
    ],
)
def test_titles_are_plain_and_short(said: str, shown: str) -> None:
    assert clean_title(said) == shown


def test_sentences_are_one_line() -> None:
    assert sentence("**a**\n\nb") == "a b"
    assert len(sentence("x" * 999)) == 200
