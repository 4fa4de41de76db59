"""Bare lines that send a kind of thing to a place, and lines that only look like it."""

from __future__ import annotations

import pytest

from classifiers.rules import read_rules

RULES = [
    ("Train tickets go to Trips", "Trips"),
    ("- Boarding passes go to Journeys ^r4", "Journeys"),
    ("receipts go in Money", "Money"),
    ("invoices belong under tax papers", "tax papers"),
    ("Concert tickets live in Nights out.", "Nights out"),
    ("Put parking tickets in Car", "Car"),
    ("keep recipes in 厨房", "厨房"),
    ("Error logs should go to Incidents", "Incidents"),
    ("My receipts are kept in Household", "Household"),
    ("登机牌放到旅途", "旅途"),
    ("菜谱都放进厨房", "厨房"),
    ("发票一律存到报销", "报销"),
    ("报错放到 Incidents", "Incidents"),
]


@pytest.mark.parametrize(("line", "where"), RULES)
def test_a_bare_line_is_a_rule_before_its_category_exists(line: str, where: str) -> None:
    assert [(rule.where, rule.forbids) for rule in read_rules(line)] == [(where, False)]


@pytest.mark.parametrize(
    "line",
    [
        "I keep receipts in a shoebox",
        "Meetings go in my calendar",
        "Keep chats in Chinese",
        "Move meetings to Friday",
        "Put code in brackets",
        "Put tables in answers",
        "Keep receipts in mind",
        "My kids go to St Mary's",
        "I go to the gym on Mondays",
        "代码放到代码块里",
        "表格放在最后面",
        "我把发票放在抽屉里",
        "发票放到这里",
        "会议记录放在邮件附件里",
    ],
)
def test_what_only_looks_like_one_is_none(line: str) -> None:
    assert read_rules(line) == []
