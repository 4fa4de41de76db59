"""What is one thing and what is several: a condition belongs to what follows it, a rule of its own to nobody."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memory.offline import Offline
from memory.offline.spreading import spread
from memory.offline.understanding import Understanding
from tests.memory.offline.test_offline import Talk, embed, needs_vectors

pytestmark = needs_vectors


async def lines(*said: str) -> list[str]:
    """The lines after all of it was said."""
    talk = Talk(Offline(embed))
    for each in said:
        await talk.say(each)
    return [line.text for _, line in await talk.memory.lines()]


@pytest.mark.parametrize(
    ("said", "rules"),
    [
        ("如果我截的图是代码的话，给它放到代码笔记分类", ["代码截图归档到「代码笔记」"]),
        ("如果我截的图是代码的话给它放到代码笔记分类", ["代码截图归档到「代码笔记」"]),
        ("要是我发的是机票呢，就放旅行里", ["机票归档到「旅行」"]),
        ("当我截的是聊天记录时，把它存到聊天", ["聊天记录截图归档到「聊天」"]),
        ("当我发发票时，存到报销", ["发票归档到「报销」"]),
        ("If I screenshot code, put it in Dev notes", ['File code screenshots under "Dev notes"']),
        ("if it's a receipt then file it under Money", ['File receipt under "Money"']),
        ("如果是小票的话就放账本，机票放旅行", ["小票归档到「账本」", "机票归档到「旅行」"]),
        (
            "If I send code, put it in Dev notes, and keep receipts in Money",
            ['File code under "Dev notes"', 'File receipts under "Money"'],
        ),
    ],
)
async def test_a_condition_and_what_follows_it_are_one_rule(said: str, rules: list[str]) -> None:
    assert await lines(said) == rules


@pytest.mark.parametrize(
    "said",
    [
        ("机票放旅行", "发票放报销"),
        ("当我发机票时，存到旅行", "当我发发票时，存到报销"),
        ("boarding passes go in Trips from now on", "train passes go in Commute from now on"),
        ("车票放出行", "门票放玩"),
    ],
)
async def test_kinds_that_share_half_their_name_have_rules_of_their_own(said: tuple[str, str]) -> None:
    assert len(await lines(*said)) == 2


async def test_a_kind_named_more_shortly_is_still_the_one_that_moves() -> None:
    assert await lines("代码截图放代码笔记", "代码还是放开发备忘吧") == ["代码归档到「开发备忘」"]


async def test_a_fact_that_is_to_be_remembered_is_no_reason_for_the_wish_beside_it() -> None:
    kept = await lines("记一下我乳糖不耐 以后推荐饮品都别带奶")
    assert sorted(kept) == sorted(["用户乳糖不耐", "推荐饮品都别带奶"])


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("I'm coeliac. please remember that", ["The user is coeliac"]),
        ("我对虾过敏。记一下", ["用户对虾过敏"]),
    ],
)
async def test_asking_to_remember_it_is_no_line_of_its_own(said: str, kept: list[str]) -> None:
    assert await lines(said) == kept


async def test_what_a_neighbour_asks_to_remember_was_asked_for() -> None:
    talk = Talk(Offline(embed))
    await talk.say(
        "somewhere for dinner",
        "Bella Pasta has a table.",
        "no good for me, I'm coeliac. please remember that",
    )
    assert [(line.text, line.origin.value) for _, line in await talk.memory.lines()] == [
        ("The user is coeliac", "explicit")
    ]


def part(label: str, said: str) -> Understanding:
    return Understanding(label, 0.9, {label: 0.9}, keep=said, chance=0.95, level="save", said=said)


def test_two_filing_rules_of_one_part() -> None:
    found = spread(part("filing", "发票归报销，车票归出行"), "zh")
    assert [(one.what, one.where) for one in found] == [("发票", "报销"), ("车票", "出行")]


def test_facts_of_two_people_are_two() -> None:
    found = spread(part("fact_self", "I live in York and my sister is called Rosa"), "en")
    assert [one.keep for one in found] == ["I live in York", "my sister is called Rosa"]


def test_what_says_one_thing_is_left_as_it_is() -> None:
    for one in (part("rule", "answer in French"), part("fact_self", "I live in York"), part("task", "do it")):
        assert spread(one, "en") == [one]


@pytest.mark.parametrize("said", ["receipts shouldn't go to Expenses anymore", "照片不要再放厨房了"])
def test_what_is_no_name_is_no_rule(said: str) -> None:
    told = replace(part("filing", said), what=said[:12], where=said[-8:])
    assert spread(told, "en" if said.isascii() else "zh") == []
