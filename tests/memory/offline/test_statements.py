"""A message that says two things is two statements; what leans on its neighbour stays with it."""

from __future__ import annotations

import pytest

from memory.offline.statements import Statement, statements
from memory.words import has_han


@pytest.mark.parametrize(
    ("said", "apart"),
    [
        (
            "My aunt is called Rosa and my uncle is called Pepe",
            ["My aunt is called Rosa", "my uncle is called Pepe"],
        ),
        ("I live in York and I'm a joiner.", ["I live in York", "I'm a joiner."]),
        ("I don't eat fish, my partner hates mushrooms", ["I don't eat fish", "my partner hates mushrooms"]),
        ("My son is Kofi. He's allergic to eggs.", ["My son is Kofi", "My son is allergic to eggs."]),
        ("my wife is Mei and her birthday is 4 June", ["my wife is Mei", "my wife's birthday is 4 June"]),
        ("我是上海人，我老婆是成都人", ["我是上海人", "我老婆是成都人"]),
        ("我叫周野，住在厦门", ["我叫周野", "住在厦门"]),
        ("我弟叫周航，在深圳上班", ["我弟叫周航", "我弟在深圳上班"]),
        ("我妈退休了，她喜欢养花", ["我妈退休了", "我妈喜欢养花"]),
        ("我不吃姜；我对虾过敏。我有高血压", ["我不吃姜", "我对虾过敏", "我有高血压"]),
    ],
)
def test_independent_clauses(said: str, apart: list[str]) -> None:
    assert [one.text for one in statements(said, "zh" if has_han(said) else "en")] == apart


@pytest.mark.parametrize(
    "said",
    [
        "I have two rabbits and they're both white",
        "I like my tea and my toast burnt",
        "If I'm late, my sister picks the kids up",
        "I quit because my boss moved and I hated it there",
        "I work at the bakery my sister owns",
        "My brother lives with my mum and he is her carer",  # her and he: of two people
        "我养了条狗，喜欢啃鞋",
        "我不喝酒，因为我要开车",
        "如果我加班，我老公去接孩子",
        "我买了辆车，它是蓝色的",
    ],
)
def test_what_leans_stays(said: str) -> None:
    assert statements(said, "zh" if has_han(said) else "en") == [Statement(said, said)]


def test_each_keeps_the_words_that_said_it() -> None:
    found = statements("My wife is Lotte and she works nights", "en")
    assert found[1] == Statement("My wife works nights", "she works nights")


def test_what_leans_joins_the_one_before() -> None:
    found = statements("I'm a cook, I work at the harbour and it's noisy", "en")
    assert [one.text for one in found] == ["I'm a cook", "I work at the harbour and it's noisy"]
