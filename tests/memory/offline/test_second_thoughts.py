"""What is said instead right after a rule takes its place; there is never a second line."""

from __future__ import annotations

import pytest

from memory.offline import Offline
from tests.memory.offline.test_offline import Talk, embed, needs_vectors

pytestmark = needs_vectors


@pytest.mark.parametrize(
    ("first", "then", "rule"),
    [
        (
            "receipts go in Money from now on",
            "wait no. Budget. money is for smth else",
            'File receipts under "Budget"',
        ),
        ("file recipes under Food from now on", "oh wait i meant Kitchen", 'File recipes under "Kitchen"'),
        (
            "put screenshots of train tickets in Trips from now on",
            "scratch that, make it Commute Log",
            'File screenshots of train tickets under "Commute Log"',
        ),
        ("pls always answer in english", "hm no. spanish instead", "Always answer in spanish"),
        (
            "以后快递单的截图都放「生活」",
            "等下等下 还是放「包裹」吧 刚那个不用了",
            "快递单的截图归档到「包裹」",
        ),
        ("以后菜谱截图归到「厨房」", "啊不对 应该是「下厨」", "菜谱截图归档到「下厨」"),
        ("以后发票都放报销", "算了 改成「2026报销」吧", "发票归档到「2026报销」"),
        ("代码截图以后都放开发", "哎不 放「代码笔记」 开发那个我有别的用", "代码截图归档到「代码笔记」"),
        ("以后叫我老王", "别 还是叫小王吧", "叫用户小王"),
        (
            "save lecture slides in Uni",
            "wait, make that Semester 2",
            'File lecture slides under "Semester 2"',
        ),
        ("以后回我都用英文", "等等 还是日语吧", "回用户都用日语"),
    ],
)
async def test_what_is_said_instead_takes_its_place(first: str, then: str, rule: str) -> None:
    talk = Talk(Offline(embed))
    await talk.say(first)
    await talk.say(first, "OK.", then)
    assert [line.text for _, line in await talk.memory.lines()] == [rule]


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("receipts go in Money from now on", "wait no. where did the last one go"),
        ("receipts go in Money from now on", "oh wait I have to run"),
        ("以后快递单的截图都放「生活」", "等下 我去拿个快递"),
    ],
)
async def test_other_talk_that_opens_so_changes_nothing(first: str, then: str) -> None:
    talk = Talk(Offline(embed))
    [outcome] = await talk.say(first)
    assert await talk.say(first, "OK.", then) == []
    assert [line.text for _, line in await talk.memory.lines()] == [outcome.after]
