"""What is to be done whenever something is sent or looked for is a rule, and files nothing."""

from __future__ import annotations

import pytest

from memory.offline import Offline
from tests.memory.offline.test_offline import Talk, embed, needs_vectors

pytestmark = needs_vectors


@pytest.mark.parametrize(
    ("said", "rule"),
    [
        ("以后我丢歌单链接给你的时候 就列歌名跟歌手就行了", "用户丢歌单链接给你的时候，就列歌名跟歌手"),
        ("我给你发论文链接的时候 先用三句话说结论", "用户给你发论文链接的时候，先用三句话说结论"),
        ("我发购物清单给你的时候 帮我按超市分区排", "用户发购物清单给你的时候，帮用户按超市分区排"),
        ("when i send u a recipe link just list the ingredients",
         "When the user sends you a recipe link just list the ingredients"),
        ("whenever i paste an error tell me the cause first",
         "Whenever the user pastes an error tell the user the cause first"),
        ("if i send a shopping list sort it by aisle pls", "If the user sends a shopping list sort it by aisle"),
        ("whenever u write to my team sign off as Kay",
         "Whenever you write to the user's team sign off as Kay"),
        ("when i ask for the weather use Bergen unless i name another city",
         "When the user asks for the weather use Bergen unless the user names another city"),
        ("查快递默认只看最近一个月的 除非我说别的", "查快递默认只看最近一个月的，除非用户说别的"),
        ("搜文件默认只搜桌面那个文件夹哈", "搜文件默认只搜桌面那个文件夹"),
    ],
)  # fmt: skip
async def test_it_is_a_rule_that_says_when(said: str, rule: str) -> None:
    talk = Talk(Offline(embed))
    await talk.say(said)
    assert [(page, line.text, line.when) for page, line in await talk.memory.lines()] == [
        ("CORE.md", rule, None)
    ]


@pytest.mark.parametrize(
    ("said", "rule"),
    [
        ("以后我发的菜谱截图放到厨房", "菜谱截图归档到「厨房」"),
        ("when i send a photo of a recipe put it in Kitchen", 'File photo of a recipe under "Kitchen"'),
    ],
)
async def test_what_goes_to_a_place_is_filed(said: str, rule: str) -> None:
    talk = Talk(Offline(embed))
    await talk.say(said)
    assert [line.text for _, line in await talk.memory.lines()] == [rule]


@pytest.mark.parametrize(
    "said",
    [
        "quick dinner idea? 20 mins max",
        "need a gift idea. under 30 quid",
        "any good podcast? nothing longer than half an hour",
        "推荐个晚饭 二十分钟以内",
        "帮我找个酒店 三百以内 离地铁近",
        "when i send the next one just say ok",
        "我等下发图给你的时候 看看清不清楚",
    ],
)
async def test_how_much_of_the_thing_at_hand_is_no_rule(said: str) -> None:
    assert await Talk(Offline(embed)).say(said) == []
