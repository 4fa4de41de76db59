"""What the person means by a word of theirs."""

from __future__ import annotations

import pytest

from memory.offline.terms import Term, defined, defined_before


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


@pytest.mark.parametrize(
    ("said", "before", "term"),
    [
        (
            "any time i say the hut thats what i mean",
            "mate the boat shed on Quay Rd.",
            Term("the hut", "the boat shed on Quay Rd."),
        ),
        (
            "when I say home base, that's where I mean",
            "The office in Lund.",
            Term("home base", "The office in Lund"),
        ),
        ("我说老窝就是指那儿", "河边的旧仓库", Term("老窝", "河边的旧仓库")),
        ("河边的旧仓库，我说老窝就是指那儿", "", Term("老窝", "河边的旧仓库")),
    ],
)
def test_a_word_may_mean_what_was_said_just_before(said: str, before: str, term: Term) -> None:
    assert defined_before(said, before) == term


def test_with_nothing_said_before_it_means_nothing() -> None:
    assert defined_before("any time i say the hut thats what i mean", "") is None
    assert defined_before("any time i say the hut thats what i mean", "where is it?") is None


def test_a_wish_in_the_same_breath_is_no_part_of_the_meaning() -> None:
    assert defined("以后我说老窝就是河边那个旧仓库你别给我指到新仓库去") == Term("老窝", "河边那个旧仓库")
