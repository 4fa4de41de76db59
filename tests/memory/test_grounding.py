"""What a model proposes against what was said: small models copy, slip and fill in."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from memory.answers import misquoted, proposals
from memory.changes import Instruct, Kind, Learn, Origin, Retire, Revise, Source
from memory.extraction import Extraction
from memory.grounding import ending, only_asks, quoted, scoped, too_wide
from memory.page import CORE, Line

NOW = datetime(2026, 3, 10, 9, tzinfo=UTC)  # a Tuesday
RULE = Line("r1", "代码截图归档到「代码笔记」", Kind.INSTRUCTION, Origin.EXPLICIT, "归档图片")
SON = Line("t1", "用户的儿子叫乐乐，对牛奶过敏", Kind.PERSONA, Origin.EXPLICIT)
LINES = [(CORE, RULE), ("topics/family.md", SON)]


def said(words: str, quote: str = "") -> Source:
    return Source("terminal:me", "7", NOW, words, quote or words)


def proposed(words: str, **row: object) -> Extraction:
    return proposals([{"quote": words, **row}], said(words), LINES, shown="… (写周报时, in work emails) …")


@pytest.mark.parametrize(
    ("quote", "words", "text", "found"),
    [
        (
            "回答尽量简短，不超过三句",
            "回答都尽量简短，别超过三句。谢谢",
            "回答简短",
            "回答都尽量简短，别超过三句。",
        ),
        ("用户的儿子对牛奶过敏", "乐乐其实是对鸡蛋过敏", "乐乐对鸡蛋过敏", "乐乐其实是对鸡蛋过敏"),
        ("never use tables", "Nice weather. Never use table, ok?", "Never use tables", "Never use table,"),
        ("以后收据放家用", "谢谢", "收据归档到「家用」", "以后收据放家用"),  # nobody said it
        ("Pay into account 42", "what does the letter say?", "Pay into account 42", "Pay into account 42"),
    ],
)
def test_a_quote_with_a_slip_is_mended_and_an_invented_one_is_not(
    quote: str, words: str, text: str, found: str
) -> None:
    assert quoted(quote, words, text) == found


def test_what_the_old_line_says_need_not_be_said_again() -> None:
    words = "乐乐改成对鸡蛋过敏了"
    assert quoted(SON.text, words, "用户的儿子叫乐乐，对鸡蛋过敏", SON.text) == words
    assert misquoted([{"op": "revise", "target": "t1", "quote": SON.text, "text": "用户有车"}], words, LINES)


@pytest.mark.parametrize(
    ("text", "when", "words", "expected"),
    [
        ("称呼用户老周", "归档图片", "喊我老周", ("称呼用户老周", None)),
        ("代码截图归档到「甲」", None, "代码截图放甲", ("代码截图归档到「甲」", "归档图片")),
        ("菜谱的图都放进「厨房」", "归档图片", "菜谱的图都放进厨房", ("菜谱的图归档到「厨房」", "归档图片")),
        (
            "put tickets under Travel",
            "filing pictures",
            "ticket screenshots go under Travel",
            ('File tickets screenshots under "Travel"', "filing pictures"),
        ),
        (
            "Keep all answers in English",
            None,
            "Keep all answers in English",
            ("Keep all answers in English", None),
        ),
        ("称呼用户老何", "写周报时", "喊我老何", ("称呼用户老何", None)),  # copied from the prompt
        ("不用表格", "写周报时", "周报别用表格", ("不用表格", "写周报时")),
        ("落款写全名", "发邮件给客户时", "落款写全名", ("落款写全名", "发邮件给客户时")),  # inferred: kept
        ("回答用英文", "用英文回答", "以后用英文回答", ("回答用英文", None)),
        ("回答用英文", "2026-03-10", "以后用英文回答", ("回答用英文", None)),
        ("Call the user Sam", "now", "just Sam is fine", ("Call the user Sam", None)),
        ("回答用英文", "以后", "以后用英文回答", ("回答用英文", None)),
    ],
)
def test_scopes(text: str, when: str | None, words: str, expected: tuple[str, str | None]) -> None:
    assert scoped(text, when, said(words), "… (写周报时, in work emails) …") == expected


@pytest.mark.parametrize(
    ("until", "words", "expected"),
    [
        (date(2026, 3, 13), "until Friday keep it short", date(2026, 3, 13)),
        (date(2026, 3, 15), "until Friday keep it short", date(2026, 3, 13)),  # reckoned wrong
        (date(2026, 10, 1), "国庆节前别提醒我", date(2026, 10, 1)),
        (date(2026, 3, 11), "我女儿对花生过敏", None),
        (date(2026, 3, 9), "until Friday keep it short", None),
        (None, "until Friday keep it short", None),
    ],
)
def test_ends(until: date | None, words: str, expected: date | None) -> None:
    assert ending(until, said(words)) == expected


@pytest.mark.parametrize(
    ("quote", "asks"),
    [
        ("我儿子对什么过敏来着？", True),
        ("对了，我住哪儿？", True),
        ("where does she live?", True),
        ("我不吃辣，这个行吗？", False),
    ],
)
def test_questions_state_nothing(quote: str, asks: bool) -> None:
    assert only_asks(quote) is asks


def test_a_question_is_no_fact_but_may_be_a_wish() -> None:
    assert proposed("乐乐对什么过敏来着？", op="learn", text="乐乐对牛奶过敏") == Extraction()
    wish = proposed("能不能以后都叫我老周？", op="instruct", text="称呼用户老周")
    assert [change for change, _ in wish.changes] == [Instruct("称呼用户老周")]


def test_a_revision_of_something_else_does_not_cost_that_line() -> None:
    moved = proposed("代码截图改放开发备忘", op="revise", target="t1", text="代码截图归档到「开发备忘」")
    [(change, _)] = moved.changes
    # the check at write finds the rule it replaces
    assert change == Instruct("代码截图归档到「开发备忘」", "归档图片")
    unclear = proposed("跑步改到周三", op="revise", target="t1", text="用户周三跑步", kind="persona")
    assert unclear.changes == ()
    assert [change for change, _ in unclear.questions] == [Learn("用户周三跑步")]


def test_a_revision_of_nothing_known_is_new() -> None:
    fact = proposed("我会弹吉他", op="revise", target=None, text="用户会弹吉他", topic="音乐")
    assert [change for change, _ in fact.changes] == [Learn("用户会弹吉他", "音乐")]
    rule = proposed("别用感叹号", op="revise", target="r9", text="不用感叹号")
    assert [change for change, _ in rule.changes] == [Instruct("不用感叹号")]


def test_a_revision_keeps_its_line() -> None:
    for text in (
        "用户的儿子叫乐乐，对鸡蛋过敏",
        "The user's son is called Lele",
    ):  # another language may be the same
        [(change, _)] = proposed("乐乐对鸡蛋过敏 Lele", op="revise", target="t1", text=text).changes
        assert isinstance(change, Revise)
        assert change.target == "t1"


def test_forgetting_what_the_message_does_not_speak_of_is_asked_first() -> None:
    assert [c for c, _ in proposed("把乐乐过敏的事忘了", op="retire", target="t1").changes] == [Retire("t1")]
    other = proposed("把乐乐过敏的事忘了", op="retire", target="r1")
    assert other.changes == ()
    assert [change for change, _ in other.questions] == [Retire("r1")]
    misquoting = proposals(
        [{"op": "retire", "target": "t1", "quote": SON.text}], said("把乐乐过敏的事忘了"), LINES
    )
    assert [(change, source.quote) for change, source in misquoting.questions] == [
        (Retire("t1"), "把乐乐过敏的事忘了")
    ]


@pytest.mark.parametrize(
    ("text", "words", "wide"),
    [
        ("截的图归档到「代码笔记」", "如果我截的图是代码的话，给它放到代码笔记分类", True),
        ('File screenshots under "Notes"', "code screenshots go under Notes from now on", True),
        ("截图归档到「收件箱」", "以后截图都直接放进收件箱", False),
        ("截图归档到「收件箱」", "不管什么截图，一律放收件箱", False),
        ('File screenshots under "Inbox"', "put my screenshots in the Inbox from now on please", False),
        ("代码截图归档到「代码笔记」", "如果我截的图是代码的话，给它放到代码笔记分类", False),
        ("回答简短", "以后回答简短", False),
    ],
)
def test_rules_on_all_pictures(text: str, words: str, wide: bool) -> None:
    assert too_wide(text, "归档图片", words) is wide


def test_a_rule_on_all_pictures_that_was_said_of_some_is_asked_first() -> None:
    found = proposed(
        "截的图是代码就放代码笔记", op="instruct", text="截的图归档到「代码笔记」", when="归档图片"
    )
    assert (found.changes, len(found.questions)) == ((), 1)


def test_a_fact_has_no_invented_circumstance() -> None:
    [(fact, _)] = proposed("我对牛奶过敏", op="learn", text="用户对牛奶过敏", when="在早先的谈话里").changes
    assert fact == Learn("用户对牛奶过敏")
    [(fact, _)] = proposed("我早上只喝茶", op="learn", text="用户只喝茶", when="早上").changes
    assert fact == Learn("用户只喝茶", when="早上")
