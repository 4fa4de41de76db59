"""What a message does to a rule that is there, or that was spoken of just before."""

from __future__ import annotations

from datetime import date

import pytest

from memory.changes import Change, Instruct, Retire, Revise, Speaker
from memory.offline.amending import addition, amended, holds_elsewhere, narrowed_line, narrows, stands_beside
from memory.offline.at_hand import answered, just_made, spoken_line, withdraws
from memory.page import CORE, Line
from memory.utterance import Utterance
from tests.memory.conftest import NOW

TABLES = (CORE, Line("c1", "表格里的重量以公斤为单位。"))
NEWS = (CORE, Line("c2", "每天晚上发一份新闻摘要。"))
CASUAL = (CORE, Line("c3", "Use slang in drafts."))


def _turns(*said: str) -> list[Utterance]:
    """Alternating, the assistant speaks last."""
    roles = [Speaker.ASSISTANT, Speaker.PERSON]
    return [Utterance(roles[(len(said) - 1 - i) % 2], text, NOW) for i, text in enumerate(said)]


def _amended(text: str, *before: str) -> Change | None:
    return amended(Utterance(Speaker.PERSON, text, NOW), _turns(*before), [TABLES, NEWS, CASUAL], "zh")


@pytest.mark.parametrize(
    "text",
    [
        "scratch that, leave it as it was",
        "hmm no, never mind",
        "算了，还是照旧",
        "刚才说的不算",
        "ok ignore that",
    ],
)
def test_taking_back_what_was_just_asked_for(text: str) -> None:
    assert withdraws(text)


@pytest.mark.parametrize(
    "text",
    [
        "forget that my sister lives in Leeds",
        "never mind the typos, what does it mean for my contract next year?",
        "我收到了",
        "leave it on the table",
    ],
)
def test_other_talk_takes_nothing_back(text: str) -> None:
    assert not withdraws(text)


def test_what_is_taken_back_is_the_rule_just_made() -> None:
    assert _amended("算了，还是照旧", "以后每天晚上发一份新闻摘要给我", "好的") == Retire("c2")
    assert _amended("算了，还是照旧", "今天好热", "是的") is None
    assert just_made(_turns("今天好热", "是的"), [TABLES, NEWS]) is None


def test_an_end_for_the_rule_spoken_of() -> None:
    told = _amended("挺好，到4月20号就行", "晚上那个是你自己发的吧", "是的，每天晚上发新闻摘要")
    assert isinstance(told, Revise)
    assert (told.target, told.text, told.until) == ("c2", "每天晚上发一份新闻摘要。", date(2026, 4, 20))
    assert _amended("到4月20号就行", "合同什么时候签", "月底前") is None


def test_one_thing_more_of_a_rule_that_is_named() -> None:
    told = _amended("重量用公斤这个不变，再加一条，都写到整数")
    assert isinstance(told, Instruct)
    assert (told.target, told.text) == ("c1", "表格里的重量以公斤为单位，都写到整数")
    assert addition("购物清单再加一条，买牛奶", [TABLES, NEWS], "zh") is None


def test_narrowing_down_finds_its_rule_and_what_holds_elsewhere_needs_no_scope() -> None:
    assert narrows("slang only in texts to my mates")
    assert not narrows("use slang in texts")
    line = narrowed_line("slang only in texts to my mates", [TABLES, NEWS, CASUAL])
    assert line is not None
    assert line.id == "c3"
    assert holds_elsewhere("slang for mates only, everything else plain")
    assert not holds_elsewhere("slang for mates only")


def test_nothing_is_at_hand_where_two_lines_are_as_near() -> None:
    twins = [(CORE, Line("a", "周二写周报。")), (CORE, Line("b", "周五写周报。"))]
    assert spoken_line(Utterance(Speaker.PERSON, "删了吧", NOW), _turns("写周报那条？"), twins) is None


def test_a_bare_answer_is_about_whom_was_asked_of() -> None:
    rex = ("topics/pets.md", Line("t1", "The user has a dog called Rex."))
    utterance = Utterance(Speaker.PERSON, "spaniel. forgot to say", NOW)
    asked = _turns("how much should he eat", "It depends. What breed is Rex?")
    assert answered(utterance, asked, [rex, NEWS]) == (
        rex[1],
        "The user has a dog called Rex; Rex's breed is spaniel",
    )
    assert answered(Utterance(Speaker.PERSON, "no idea", NOW), asked, [rex]) is None
    assert answered(utterance, _turns("he eats a lot", "It depends."), [rex]) is None
    assert answered(utterance, asked, [NEWS]) is None


def test_what_comes_on_top_says_so() -> None:
    assert stands_beside("Separately, answer emails in French")
    assert stands_beside("另外，邮件用英文")
    assert not stands_beside("answer emails in French")
