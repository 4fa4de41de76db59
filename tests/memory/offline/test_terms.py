"""What the person means by a word of theirs."""

from __future__ import annotations

import pytest

from memory.offline.terms import Term, defined


@pytest.mark.parametrize(
    ("text", "term", "sense"),
    [
        ("以后我说小仓就是城东那个地下室哈", "小仓", "城东那个地下室"),
        ("我说“老大”都是指我们组长", "老大", "我们组长"),
        ("记住，“那边”就是指苏州分公司", "那边", "苏州分公司"),
        ("if I say trains with no date I mean this Friday's", "trains with no date", "this Friday's"),
        ('by "the shed" I always mean the studio', "the shed", "the studio"),
        ("the pit is what I call the archive room", "the pit", "the archive room"),
    ],
)
def test_a_word_gets_its_meaning(text: str, term: str, sense: str) -> None:
    assert defined(text) == Term(term, sense)


@pytest.mark.parametrize(
    "text",
    [
        "我说的是下周三",
        "我说过了就是这样",
        "我说他就是懒",
        "我讲的课都是指标类的",
        "我说小仓是指哪儿？",
        "when you say soon do you mean today?",
        "if I say no I mean no, what is so hard?",
    ],
)
def test_what_only_says_what_was_said_gives_none(text: str) -> None:
    assert defined(text) is None


def test_it_becomes_an_instruction_of_its_own() -> None:
    assert Term("小仓", "地下室").line("zh") == "我说“小仓”时，指地下室"
    assert Term("the pit", "the archive").line("en") == "When I say “the pit”, I mean the archive"
