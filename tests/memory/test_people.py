"""What is plainly told of the person's own people and pets, by form alone."""

from __future__ import annotations

import pytest

from memory.people import introduces_oneself, names_somebody, tells_of_somebody
from memory.phrasing import of_others, trimmed
from memory.wording import Language
from memory.words import has_han


@pytest.mark.parametrize(
    "said",
    [
        "My cousin is called Freya",
        "my flatmate's name is Otis",
        "btw our hamster's called Pepper",
        "My boss is Ingrid.",
        "my wife's brother is called Marco",
        "my nephew is named rufus",
        "My landlady is Mrs Okafor",
        "我表妹叫知夏",
        "我们房东姓郭",
        "我外婆的名字是秀兰。",
        "我家猫叫雪球",
        "我室友名叫阿杰",
    ],
)
def test_a_name_is_plain(said: str) -> None:
    language: Language = "zh" if has_han(said) else "en"
    assert names_somebody(said, language)
    assert of_others(trimmed(said, language))


@pytest.mark.parametrize(
    "said",
    [
        "My cousin is called up for jury duty",
        "My sister is called in at six every day",
        "my boss is furious",
        "is my brother called Tom?",
        "my dog is called Rex, draft an ad for him",
        "我表妹叫我去接她",
        "我哥叫了车",
        "我妈叫什么",
        "我弟叫醒了我",
        "我爸姓什么来着",
    ],
)
def test_other_callings_are_none(said: str) -> None:
    assert not names_somebody(said, "zh" if has_han(said) else "en")


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("My aunt is a midwife", True),
        ("our daughter plays the viola", True),
        ("My boss is a nightmare", False),
        ("my brother needs a lift", False),
        ("我舅舅喜欢钓鱼", True),
        ("我堂哥是牙医", True),
        ("我姐是护士", True),
        ("我姐喜欢得不得了，帮我写句祝福", False),
    ],
)
def test_a_plain_sentence_on_somebody(said: str, told: bool) -> None:
    assert tells_of_somebody(said, "zh" if has_han(said) else "en") is told


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("my name is Rosa", "Rosa"),
        ("Hi, I'm Rosa Diaz, nice to meet you", "Rosa Diaz"),
        ("I'm Rosa", ""),
        ("I'm tired, nice to meet you", ""),
        ("my name is on the list", ""),
    ],
)
def test_giving_one_s_name(said: str, name: str) -> None:
    assert introduces_oneself(said) == name
