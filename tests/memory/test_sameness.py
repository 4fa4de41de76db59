"""Which lines are one, which give way, and which both live. Precision matters both ways."""

from __future__ import annotations

import pytest

from memory.changes import Kind, Origin
from memory.page import Line
from memory.sameness import Relation, relation

SAME, REPLACES, APART = Relation.SAME, Relation.REPLACES, Relation.APART
RULE, FACT, EVENT = Kind.INSTRUCTION, Kind.PERSONA, Kind.EPISODIC

RULES = [
    ("小票截图归档到「报销」", "小票截图归档到「家用」", REPLACES),
    ("小票截图归档到「报销」", "小票的截图归档到「报销」", SAME),
    ("小票截图归档到「报销」", "聊天截图归档到「聊天」", APART),
    ("小票截图归档到「报销」", "超市小票截图归档到「买菜」", APART),
    ('File receipts under "Tax"', 'File receipt photos under "Home"', REPLACES),
    ('File receipts under "Tax"', 'File recipes under "Kitchen"', APART),
    ("称呼用户为阿珍", "叫用户珍姐", REPLACES),
    ("Call the user Jo", "Call the user Joanna", REPLACES),
    ("用英文回答", "用中文回答", REPLACES),
    ("Reply in English", "Answer in German", REPLACES),
    ("写邮件用英文", "回答用中文", APART),
    ("回答时用表格", "回答时用公制单位", APART),
    ("Never use emojis", "Use emojis", REPLACES),
    ("别用感叹号", "可以用感叹号", REPLACES),
    ("Don't use tables", "Don't use bullet points", APART),
    ("每天7点提醒用户吃药", "每天8点提醒用户吃药", REPLACES),
    ("Keep answers short.", "keep answers short", SAME),
    ("Remind the user of bus 12 at the school", "Remind the user of bus 15 at the school", APART),
]
FACTS = [
    ("用户住在苏州", "用户搬到南通了", REPLACES),
    ("The user lives in Bristol", "The user moved to Bath", REPLACES),
    ("The user loves Thai food", "The user hates Thai food", REPLACES),
    ("用户喜欢榴莲", "用户不喜欢榴莲", REPLACES),
    ("Rosa works at Initech", "Rosa runs Initech's wiki", APART),
    ("Imran is on project Delta", "Imran moved to project Omega", REPLACES),
    ("店里用的数据库是 Oracle", "店里已从 Oracle 切到 SQLite", REPLACES),
    ("用户是素食者", "用户又吃肉了", REPLACES),
    ("用户对海鲜过敏", "用户海鲜过敏", SAME),
    ("用户对海鲜过敏", "用户对花粉过敏", APART),
    ("用户的妈妈不吃羊肉", "用户的爸爸不吃羊肉", APART),
    ("用户喜欢爬山", "用户喜欢游泳", APART),
    ("用户有一个儿子", "用户有一个女儿", APART),
    ("用户的猫叫汤圆", "用户的狗叫芝麻", APART),
    ("用户身高 175", "用户身高 176", REPLACES),
    ("用户怕高，不坐过山车", "用户怕高", SAME),
    ("用户怕高", "用户怕高，不坐过山车", REPLACES),
    ("The user plays squash on Mondays", "The user plays chess on Tuesdays", APART),
    ("The user's sister lives in Cork", "The user lives in Cork", APART),
]


def _line(text: str, kind: Kind, when: str | None = None) -> Line:
    return Line("r1", text, kind, Origin.EXPLICIT, when)


@pytest.mark.parametrize(("old", "new", "expected"), RULES)
def test_rules(old: str, new: str, expected: Relation) -> None:
    assert relation(_line(new, RULE), _line(old, RULE)) is expected


@pytest.mark.parametrize(("old", "new", "expected"), FACTS)
def test_facts(old: str, new: str, expected: Relation) -> None:
    assert relation(_line(new, FACT), _line(old, FACT)) is expected


def test_a_rule_for_some_cases_stands_beside_the_general_one() -> None:
    assert relation(_line("用英文回答", RULE, "写邮件"), _line("用中文回答", RULE)) is APART


def test_appointments_on_two_days_are_two() -> None:
    first, second = "2026-03-12 用户去看牙医", "2026-05-12 用户去看牙医"
    assert relation(_line(second, EVENT), _line(first, EVENT)) is APART


def test_a_rule_and_a_fact_in_the_same_words_are_two() -> None:
    assert relation(_line("用户住在苏州", FACT), _line("用户住在苏州附近时报天气", RULE)) is APART
