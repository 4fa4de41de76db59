"""From a part as it was read to what it means for memory."""

from __future__ import annotations

import pytest

from memory.offline.reader import Part
from memory.offline.understanding import Understanding, together, understood


def read(text: str, label: str, chance: float = 0.9, **more: object) -> Part:
    start = more.pop("start", 0)
    return Part(start, len(text), label, {label: chance}, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("label", "chance", "level"),
    [
        ("rule", 0.9, "save"),
        ("rule", 0.72, "ask"),
        ("fact_other", 0.72, "save"),
        ("fact_self", 0.62, "ask"),
        ("rule", 0.3, ""),
        ("task", 0.9, ""),
        ("same", 0.9, ""),
    ],
)
def test_how_sure_it_must_be(label: str, chance: float, level: str) -> None:
    assert understood(read("x", label, chance), "x", []).level == level


def test_what_may_be_a_secret_is_one_whatever_else_it_is() -> None:
    part = Part(0, 4, "fact_self", {"fact_self": 0.7, "secret": 0.25})
    found = understood(part, "4821", [])
    assert (found.label, found.level) == ("secret", "")
    assert found.wished().level == ""


def test_several_chances_of_keeping_add_up() -> None:
    scores = {"chat": 0.2, "fact_self": 0.3, "fact_other": 0.28, "rule": 0.22}
    found = understood(Part(0, 1, "chat", scores), "x", [])
    assert (found.label, found.level) == ("fact_self", "save")


def test_a_part_begins_where_its_words_do() -> None:
    text = "ok\n\n  answer in French"
    found = understood(read(text, "rule", start=2), text, [])
    assert (found.said, text[found.start :]) == ("answer in French", "answer in French")


def test_a_name_reaches_to_the_ends_of_its_words_and_quotation_marks() -> None:
    text = "petrol receipts go in “Car costs”"
    part = read(text, "filing", what=(0, 12), where=(23, 26))
    found = understood(part, text, [])
    assert (found.what, found.where) == ("petrol receipts", "Car costs")
    han = "recipes go in 周末食谱 from now on"
    assert understood(read(han, "filing", where=(14, 16)), han, []).where == "周末食谱"


@pytest.mark.parametrize(
    ("text", "kinds", "lines", "of", "line"),
    [
        ("start with the background again", ["fact", "rule"], (0.1, 0.8), "rule", 1),
        ("that goes to Money now", ["filing", "rule"], (0.8, 0.1), "filing", 0),
        ("I don't work there any more", [], (), "fact", None),
        ("no more tables", ["fact"], (0.2,), "rule", None),
    ],
)
def test_what_a_change_is_about(
    text: str, kinds: list[str], lines: tuple[float, ...], of: str, line: int | None
) -> None:
    found = understood(read(text, "change", lines=lines, of={"rule": 0.6, "fact": 0.4}), text, kinds)  # type: ignore[arg-type]
    assert (found.of, found.line) == (of, line)


def test_to_sort_a_list_is_no_filing() -> None:
    text = "if I send a shopping list sort it by aisle"
    assert understood(read(text, "filing"), text, []).label == "rule"


def test_a_message_is_what_its_weightiest_part_is() -> None:
    task = Understanding("task", 0.9, said="sum this up in five lines")
    rule = Understanding("rule", 0.9, chance=0.9, level="save", said="risks first")
    gone = Understanding("forget", 0.7, said="forget the tea")
    assert together([task, rule]).label == "rule"
    assert together([task, gone]).label == "forget"
    assert together([Understanding("chat", 0.9, said="thanks so much for all of it"), task]).label == "task"
    assert together([]).label == "chat"


@pytest.mark.parametrize(
    ("text", "kept", "whole"),
    [
        ("I'm not vegan, fish is fine", "vegan, fish is fine", "not vegan, fish is fine"),
        ("不是不吃香菜，我是不吃葱", "不吃香菜，我是不吃葱", "不是不吃香菜，我是不吃葱"),
        ("我特别喜欢甜食", "喜欢甜食", "喜欢甜食"),
        ("你要不要去爬山", "去爬山", "去爬山"),
        ("“口述史”资料集里保留原话", "口述史”资料集里保留原话", "“口述史”资料集里保留原话"),
    ],
)
def test_what_belongs_to_the_words_to_keep_stays_with_them(text: str, kept: str, whole: str) -> None:
    start = text.index(kept)
    found = understood(read(text, "fact_self", keep=(start, start + len(kept))), text, [])
    assert found.keep == whole


def test_what_was_said_before_is_not_taken_for_the_line_that_is_meant() -> None:
    text = "发票还是放「财务」吧"
    part = read(text, "change", what=(0, 2), where=(6, 8), of={"filing": 0.9}, lines=(0.6,))
    found = understood(part, text, ["fact"])
    assert (found.line, found.of) == (None, "filing")


def test_what_says_more_of_a_line_is_a_change_that_leaves_it_true() -> None:
    found = understood(read("the left one", "more", lines=(0.9,)), "the left one", ["fact"])
    assert (found.label, found.more, found.line) == ("change", True, 0)
