"""Facts that are lasting by what they say."""

from __future__ import annotations

import pytest

from memory.offline.lasting import lasts, lasts_of_another
from memory.wording import Language


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("我对花粉过敏，帮我看看这个", "zh"),
        ("我是做会计的", "zh"),
        ("我住在绵阳", "zh"),
        ("我不吃香菜", "zh"),
        ("我家有俩娃", "zh"),
        ("any tips? im a paramedic so I sleep late", "en"),
        ("I'm allergic to wasps", "en"),
        ("I live in Hull", "en"),
        ("we're late, i have two kids", "en"),
    ],
)
def test_plain_and_lasting(text: str, language: Language) -> None:
    assert lasts(text, language)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("我不吃了", "zh"),
        ("我在找工作", "zh"),
        ("我是老师吗", "zh"),
        ("他说“我对花粉过敏”", "zh"),
        ("I can't eat this", "en"),
        ("I'm tired", "en"),
        ('write "I live in Hull" in French', "en"),
    ],
)
def test_passing_asked_or_quoted(text: str, language: Language) -> None:
    assert not lasts(text, language)


def test_one_s_people_too() -> None:
    assert lasts("my brother's vegan, what can I cook", "en")
    assert lasts_of_another("my brother's vegan, what can I cook", "en")
    assert not lasts("my boss is a nightmare", "en")
    assert lasts_of_another("婆婆吃素", "zh")
    assert not lasts_of_another("我吃素", "zh")


def test_in_dialect_and_of_things_of_one_s_own() -> None:
    assert lasts_of_another("俺奶奶耳背", "zh")
    assert lasts_of_another("我家老大虾过敏", "zh")
    assert lasts("俺那拖拉机车是手摇的，路上慢", "zh")
    assert not lasts("我那车是谁的", "zh")
    assert lasts_of_another("孩子他妈牛奶过敏", "zh")
    assert lasts("我在写毕业论文，给点灵感", "zh")
    assert lasts("im writing my thesis on moss, any sources", "en")
    assert lasts_of_another("My daughter Ida wears glasses", "en")
    assert lasts_of_another("my uncle uses a wheelchair", "en")
    assert not lasts_of_another("my uncle wears a hat today", "en")
