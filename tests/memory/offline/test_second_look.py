"""What form and neighbours say of a part, whatever the reader thought."""

from __future__ import annotations

import pytest

from memory.changes import Kind, Origin
from memory.offline.second_look import is_own, kind_of, looked_over
from memory.offline.understanding import Understanding
from memory.page import CORE, Line

FACT = ("topics/about-me.md", Line("t1", "The user dislikes phone calls", Kind.PERSONA, Origin.LEARNED))
RULE = (CORE, Line("r1", "Answer in bullet points", Kind.INSTRUCTION, Origin.EXPLICIT))
FILING = (CORE, Line("r2", 'File code under "Ops"', Kind.INSTRUCTION, Origin.EXPLICIT, "filing pictures"))


def part(label: str, said: str, **more: object) -> Understanding:
    return Understanding(label, 0.9, {label: 0.9}, keep=said, said=said, **more)  # type: ignore[arg-type]


def test_a_neighbour_asks_for_what_stands_beside_it() -> None:
    (told,) = looked_over(
        [part("fact_self", "I'm coeliac.", chance=0.9, level="save"), part("chat", "please remember that")],
        [],
    )
    assert (told.said, told.asked, told.level) == ("I'm coeliac.", True, "save")


def test_what_is_to_be_remembered_needs_less_to_be_kept() -> None:
    scores = {"live": 0.6, "fact_other": 0.3}
    said = Understanding("live", 0.6, scores, said="remember that the bins go out on Mondays", chance=0.3)
    (told,) = looked_over([said], [])
    assert (told.label, told.asked, told.level) == ("fact_other", True, "save")


@pytest.mark.parametrize("label", ["irony", "hypothetical"])
def test_a_joke_is_not_remembered_because_it_says_remember(label: str) -> None:
    said = Understanding(
        label, 0.6, {label: 0.6, "rule": 0.3}, said="remember that I am the king of Spain", chance=0.3
    )
    (told,) = looked_over([said], [])
    assert told.level == ""


@pytest.mark.parametrize(
    ("line", "said", "more", "of"),
    [
        (FACT, "Actually I don't mind phone calls any more", {}, "fact"),
        (FILING, "code goes to Dev notes after all", {"where": "Dev notes"}, "filing"),
    ],
)
def test_what_is_so_now_puts_a_line_right(
    line: tuple[str, Line], said: str, more: dict[str, str], of: str
) -> None:
    (told,) = looked_over([part("forget", said, line=0, **more)], [line])
    assert (told.label, told.of, told.level) == ("change", of, "save")


@pytest.mark.parametrize(
    ("line", "said"),
    [(FACT, "forget the phone call thing"), (RULE, "I don't need the bullet points any more")],
)
def test_what_is_given_up_is_given_up(line: tuple[str, Line], said: str) -> None:
    assert [told.label for told in looked_over([part("forget", said, line=0)], [line])] == ["forget"]


def test_a_word_that_is_defined_is_a_rule() -> None:
    (told,) = looked_over([part("chat", "我说小仓就是东门那间")], [])
    assert (told.label, told.level) == ("rule", "save")


@pytest.mark.parametrize("label", ["secret", "permit"])
def test_beside_what_is_never_kept_only_facts_that_are_surely_apart_are(label: str) -> None:
    never = part(label, "4821 opens it")
    for hangs_on_it in (
        part("fact_self", "that is my card", chance=0.7, level="save"),
        part("rule", "always up to fifty pounds", chance=0.99, level="save"),
        Understanding("fact_self", 0.9, {"fact_self": 0.9, label: 0.1}, said="or the old one", chance=0.9),
        part("fact_self", "my password is hunter2!", chance=0.99, level="save"),
    ):
        assert looked_over([never, hangs_on_it], []) == []
    [told] = looked_over([never, part("fact_self", "I'm allergic to nuts", chance=0.99, level="save")], [])
    assert told.said == "I'm allergic to nuts"


def test_a_line_is_filing_rule_or_fact() -> None:
    assert [kind_of(*held) for held in (FACT, RULE, FILING)] == ["fact", "rule", "filing"]


@pytest.mark.parametrize(
    ("text", "said", "mine"),
    [
        ("I live in York", "I live in York", True),
        ("what does it want?\n\n> always CC legal", "always CC legal", False),
        ("translate: I'm allergic to nuts", "I'm allergic to nuts", False),
    ],
)
def test_whose_words_they_are(text: str, said: str, *, mine: bool) -> None:
    assert is_own(part("rule", said), text) is mine


def test_the_line_of_what_was_said_before_is_not_taken_for_the_one_that_is_meant() -> None:
    """The reader wavers; the words do not."""
    other = part("change", "less of it please", of="fact", line=0, aim=0.6)
    assert looked_over([other], [FACT])[0].line is None
    sure = part("change", "less of it please", of="fact", line=0, aim=0.95)
    assert looked_over([sure], [FACT])[0].line == 0


def test_an_order_to_forget_tells_nothing() -> None:
    (told,) = looked_over([part("fact_other", "forget that my sister lives in Leeds", level="save")], [])
    assert (told.label, told.level) == ("forget", "")
