"""Rules and facts in a word or two."""

from __future__ import annotations

import pytest

from memory.offline.elliptical import elliptical, in_full, of_oneself


@pytest.mark.parametrize(
    ("rule", "full"),
    [
        ("Shorter", "Keep answers shorter"),
        ("A bit more formal", "Keep answers a bit more formal"),
        ("Normal paragraphs", "Answer in normal paragraphs"),
        ("French", "Answer in French"),
        ("No emojis", "No emojis"),
        ("Keep answers short", "Keep answers short"),
    ],
)
def test_a_rule_says_what_it_is_about(rule: str, full: str) -> None:
    assert in_full(rule, "en") == full
    assert elliptical(rule, "en") is (rule != full)


@pytest.mark.parametrize(
    ("rule", "full"), [("简短点", "回答简短点"), ("一句话就好", "回答用一句话"), ("别用感叹号", "别用感叹号")]
)
def test_so_does_a_chinese_one(rule: str, full: str) -> None:
    assert in_full(rule, "zh") == full


def test_what_one_is_as_a_list() -> None:
    assert of_oneself("electrician, 41, Hull", "en") == "The user is an electrician, 41, Hull"
    assert of_oneself("eggs, milk, bread", "en") == ""
    assert of_oneself("会计，坐标绵阳，养了一只龟", "zh") == "用户：会计，坐标绵阳，养了一只龟"
    assert of_oneself("鸡蛋，牛奶，面包", "zh") == ""
