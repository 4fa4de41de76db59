"""Whether the person said a relation at all, or a line only has their words."""

from __future__ import annotations

import pytest

from memory.asserting import unasserted
from memory.offline.banks import names, read
from memory.phrasing import fact
from tests.memory.conftest import NOW


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("用户住在昆明", "帮我查下昆明的房价走势"),
        ("用户住在昆明", "昆明明天下雨吗"),
        ("用户对虾过敏", "推荐一家做虾的馆子"),
        ("The user lives in Turin", "what's the weather in Turin"),
        ("The user is allergic to wasps", "My sister photographs wasps"),
        ("The user's birthday is on 3 May", "book a table for me on 3 May"),
    ],
)
def test_true_words_in_a_sentence_nobody_said(line: str, words: str) -> None:
    assert unasserted(line, words)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("用户住在昆明", "我在昆明，帮我看看天气"),
        ("用户住在昆明", "刚搬到昆明"),
        ("用户是护士", "我是护士，怎么倒时差"),
        ("The user lives in Turin", "I moved to Turin, what's the weather"),
        ("The user is allergic to wasps", "I react badly to wasps, what helps?"),
        ("The user plays the cello", "any exercises for my cello lessons?"),
    ],
)
def test_what_was_said_in_any_way_stands(line: str, words: str) -> None:
    assert not unasserted(line, words)


def test_hardly_a_fact_of_the_banks_is_refused() -> None:
    told, refused = 0, []
    for message in read(*names(), *names(held_out=True)):
        for part in message.parts:
            if part.label in ("fact_self", "fact_other") and part.keep:
                told += 1
                line = fact(message.text[slice(*part.keep)], NOW, message.language, about_self=True)
                if unasserted(line, message.text):
                    refused.append(line)
    assert len(refused) <= told / 500, refused
