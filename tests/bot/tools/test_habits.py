"""The third identical correction offers a rule, once, and only a yes makes it one."""

from __future__ import annotations

from typing import Any

import pytest

from bot.commands.buttons import press
from bot.tools import TOOLS, Result
from bot.types import Language
from classifiers import topics
from classifiers.rules import read_rules
from tests.bot.desks import Rig


async def move(rig: Rig, number: int, category: str, language: Language = "zh") -> Result:
    desk = rig.desk(await rig.said("x"), language=language)
    return await TOOLS["move_picture"].run(desk, {"number": number, "category": category})


async def pressed(rig: Rig, data: str) -> str:
    return (await press(rig.desk(await rig.said("", pressed=data)), data)).text


async def rules(rig: Rig) -> list[str]:
    return [line.text for _, line in await rig.memory().lines("CORE.md")]


async def filed(rig: Rig, many: int, old: str = "Misc", **values: Any) -> None:
    for n in range(many):
        await rig.filed(old, f"{old} {n}", **values)


def ids(result: Result) -> list[str]:
    return [button.data.partition(":")[0] for button in result.buttons]


async def test_the_third_offers_a_rule_for_their_kind_and_a_yes_makes_it(rig: Rig) -> None:
    await filed(rig, 4, tags=["票据"])
    for number in (1, 2):
        assert ids(await move(rig, number, "报税")) == ["unmove"]
    third = await move(rig, 3, "报税")
    assert third.receipt.split("\n\n") == [
        "已移动 #3：【Misc】→【报税】",
        "你已经 3 次把图从【Misc】移到【报税】了。要定成规则吗：票据归档到「报税」",
    ]
    assert ids(third) == ["unmove", "yes", "no"]
    assert await rules(rig) == [], "not before a yes"
    assert "记住了" in await pressed(rig, third.buttons[1].data)
    [rule] = await rules(rig)
    assert rule == "票据归档到「报税」"
    [read] = read_rules(rule)
    assert read.where == "报税"
    assert ids(await move(rig, 4, "报税")) == ["unmove"], "it is a rule already"


async def test_a_no_is_not_asked_again(rig: Rig) -> None:
    await filed(rig, 5, tags=["Receipts"])
    for number in (1, 2):
        await move(rig, number, "Tax", "en")
    third = await move(rig, 3, "Tax", "en")
    assert 'Shall I make it a rule? File Receipts under "Tax"' in third.receipt
    await pressed(rig, third.buttons[2].data)
    assert await rules(rig) == []
    for number in (4, 5):
        assert ids(await move(rig, number, "Tax", "en")) == ["unmove"]


async def test_pictures_of_no_common_kind_are_named_by_their_titles(rig: Rig) -> None:
    await filed(rig, 3)
    for number in (1, 2):
        await move(rig, number, "车队")
    third = await move(rig, 3, "车队")
    assert "像《Misc 0》《Misc 1》《Misc 2》这样的图片归档到「车队」" in third.receipt
    await topics.ready()
    assert [rule.where for rule in read_rules("像《Misc 0》《Misc 1》这样的图片归档到「车队」")] == ["车队"]


@pytest.mark.parametrize("what", ["other", "undone", "from elsewhere"])
async def test_three_that_are_not_the_same(rig: Rig, what: str) -> None:
    await filed(rig, 2)
    await filed(rig, 1, "Else" if what == "from elsewhere" else "Misc")
    first = await move(rig, 1, "A")
    if what == "undone":
        await pressed(rig, first.buttons[0].data)
    await move(rig, 2, "B" if what == "other" else "A")
    assert ids(await move(rig, 3, "A")) == ["unmove"]


async def test_a_bulk_move_is_one_correction(rig: Rig) -> None:
    await filed(rig, 5)
    desk = rig.desk(await rig.said("x"))
    moved = await TOOLS["move_picture"].run(desk, {"numbers": [1, 2, 3, 4, 5], "category": "A"})
    assert ids(moved) == ["unmove"]
