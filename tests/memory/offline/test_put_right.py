"""A stored line is found and put right; what is said of memory itself is no part of it."""

from __future__ import annotations

import pytest

from memory import Source
from memory.changes import Learn, Origin
from memory.offline import Offline
from tests.memory.conftest import NOW
from tests.memory.offline.test_offline import Talk, embed, needs_vectors

pytestmark = needs_vectors


async def said_of(held: str, said: str) -> list[str]:
    """The lines after it was said beside one that was held, and another of no concern."""
    talk = Talk(Offline(embed))
    for text in (held, "用户血型是 O" if any(c >= "一" for c in held) else "The user's blood type is O"):
        source = Source("t", "0", NOW, text, text)
        await talk.memory.apply([Learn(text, origin=Origin.EXPLICIT)], source)
    await talk.say(said)
    return [
        line.text
        for _, line in await talk.memory.lines()
        if "血型" not in line.text and "blood" not in line.text
    ]


@pytest.mark.parametrize(
    ("held", "said", "now"),
    [
        ("用户住在上海浦东", "你记的那个地址改一下哈 我不住浦东了 搬闵行七宝了", "用户搬闵行七宝了"),
        ("用户吃素", "你那条说我吃素的要改啦 我现在吃鱼了 肉还是不吃", "用户现在吃鱼了，肉还是不吃"),
        ("用户养了一只猫", "你不是记了我家有只猫嘛 补充下 它叫年糕 三岁了", "用户养了一只猫，叫年糕，三岁了"),
        ("用户有一个儿子", "之前记的我儿子那条 加一下 他叫小北 上二年级", "用户有一个儿子，叫小北，上二年级"),
        ("用户是素食者", "我不是素食者了 你改一下", "用户不是素食者了"),
        ("The user lives in Leeds", "oh i dont live in leeds anymore, moved to york last month. fix that pls",
         "The user moved to york 2026-02"),
        ("The user works at Tesco", "u have me down as working at Tesco, thats old. im at Aldi now",
         "The user is at Aldi now"),
        ("The user has a son", "u know how i said i have a son? his name is Leo, hes 4, add that",
         "The user has a son; his name is Leo, he's 4"),
        ("The user is vegan", "im not vegan anymore, eat eggs again. update that",
         "The user is not vegan anymore, eats eggs again"),
        ("The user's sister is called Maria", "you've got my sister's name wrong btw, its Marta not Maria",
         "The user's sister is called Marta"),
        ("The user works night shifts", "no longer on night shifts btw!! days now",
         "The user is no longer on night shifts, days now"),
        ("The user drives a Seat", "my car thing is wrong, its a skoda not a seat", "The user drives a skoda"),
        ("用户是右撇子", "诶 你记错啦 我是左撇子不是右撇子", "用户是左撇子"),
        ("用户养了一只猫", "补充哈 我那只猫是橘猫 六岁", "用户养了一只猫，是橘猫，六岁"),
        ("用户有一个儿子", "我儿子那条再加个 他现在上初一了", "用户有一个儿子，现在上初一了"),
        ("用户在字节跳动上班", "我换公司了 现在在美团 之前那个字节的可以改了", "用户现在在美团"),
        ("The user's boss is called Karen", "my boss isnt karen anymore its dmitri, update pls",
         "The user's boss is called Dmitri"),
        ("The user is allergic to tomatoes", "re my allergy: its only raw tomatoes, cooked is fine. add that",
         "The user is allergic to tomatoes; its only raw tomatoes, cooked is fine"),
        ("The user has a bad knee", "that note abt my knee.. its the left one, add that pls",
         "The user has a bad knee; its the left one"),
    ],
)  # fmt: skip
async def test_the_line_says_what_is_so_now(held: str, said: str, now: str) -> None:
    assert await said_of(held, said) == [now]


@pytest.mark.parametrize(
    ("held", "said"),
    [
        ("用户吃素", "帮我把这段改一下"),
        ("用户住在北京", "这个价格不对 改一下"),
        ("用户住在北京", "我妈不住这边了"),
        ("The user lives in Leeds", "update the deck pls, the numbers are old"),
        ("The user lives in Leeds", "fix that typo, it says leeds"),
        ("The user eats fish", "im not hungry anymore"),
    ],
)
async def test_other_things_to_be_put_right_are_no_lines(held: str, said: str) -> None:
    assert await said_of(held, said) == [held]
