"""Who said it, when, in which words, what it replaced, where it was used: of lines, pictures and answers."""

from __future__ import annotations

import pytest

from bot.tools import TOOLS
from bot.tools.notes import source_for
from bot.types import Answered, Words
from classifiers import kinds
from memory.changes import Instruct, Learn, Revise
from memory.speech_acts import asks_how_known
from tests.bot.commands.test_commands import keep
from tests.bot.desks import Rig

CODE = "代码截图归档到「代码笔记」"


async def why(rig: Rig, what: str, **said: str) -> str:
    desk = rig.desk(await rig.said(what, **said))
    return (await TOOLS["explain_memory"].run(desk, {"what": what})).text


async def filed(rig: Rig, where: str) -> None:
    message = await rig.said(f"代码截图放到{where}")
    text = f"代码截图归档到「{where}」"
    source = source_for(rig.desk(message), message.text)
    await rig.memory().apply([Instruct(text, "归档图片")], source)


async def test_a_rule_tells_what_it_replaced_and_which_pictures_it_filed(rig: Rig) -> None:
    await filed(rig, "代码笔记")
    await rig.filed("代码笔记", "retry", rule=f"{CODE} (when: 归档图片)")
    rig.clock.later(days=1)
    await filed(rig, "开发备忘")
    await rig.filed("开发备忘", "loop", rule="代码截图归档到「开发备忘」 (when: 归档图片)")
    await rig.filed("账单", "电费", rule="账单归档到「账单」")
    told = (await why(rig, "r1")).split("\n")
    assert told == [
        "「代码截图归档到「开发备忘」（仅限：归档图片）」",
        "　你说过，2026-09-02 20:05，Fake；原话：「代码截图放到开发备忘」",
        "　之前是：「代码截图归档到「代码笔记」（仅限：归档图片）」"
        "（你说过，2026-09-01 20:05，Fake；原话：「代码截图放到代码笔记」）",
        "　归档时用过：#2【开发备忘】《loop》、#1【代码笔记】《retry》",
    ]


@pytest.mark.parametrize(
    "what", ["为什么放到这里？", "why is this filed here?", "为啥把这张归到代码笔记", "#1"]
)
async def test_a_picture_tells_its_rule_and_where_that_is_from(rig: Rig, what: str) -> None:
    await filed(rig, "代码笔记")
    await rig.filed("代码笔记", "retry", rule=f"{CODE} (when: 归档图片)")
    told = await why(rig, what)
    assert "#1【代码笔记】《retry》：按你的规则" in told
    assert "原话：「代码截图放到代码笔记」" in told


async def test_a_picture_without_a_rule_says_so(rig: Rig) -> None:
    await rig.filed("账单", "电费", why="图里是电费账单。")
    assert await why(rig, "为什么放到这里？") == "#1【账单】《电费》：图里是电费账单。"
    await rig.filed("杂项", "猫", corrected=True)
    assert await why(rig, "为什么放到这里？") == "#2【杂项】《猫》：是你把它放到这里的"
    assert "电费" in await why(rig, "#1")


@pytest.mark.parametrize(
    "words",
    [
        "你怎么知道的？", "你怎么知道", "为什么这么说", "凭什么这么认为？", "你从哪儿知道的呀",
        "why do you think that?", "how do you know?", "How do you know that", "why?", "what makes you think so?",
    ],
)  # fmt: skip
async def test_what_was_just_answered_is_meant_where_nothing_is_named(rig: Rig, words: str) -> None:
    assert asks_how_known(words)
    await keep(rig, "回答都要简短")
    message = await rig.said("我住在苏州")
    desk = rig.desk(message)
    await TOOLS["remember"].run(desk, {"text": "用户住在苏州", "quote": "我住在苏州", "kind": "fact"})
    question = await rig.said("我住在哪？")
    loaded = ("[t1] 用户住在苏州", "[r1] 回答都要简短")
    await rig.storage.outbox.answer([question], Answered((Words("苏州", loaded=loaded),)))
    told = await why(rig, words)
    assert "「用户住在苏州」\n　你说过，2026-09-01 20:05，Fake；原话：「我住在苏州」" in told
    assert "简短" not in told


@pytest.mark.parametrize("words", ["你怎么知道我住在苏州", "why do you think I'm vegan", "凭什么" * 30])
def test_what_is_named_is_looked_for(words: str) -> None:
    assert not asks_how_known(words)


async def test_what_is_not_known_is_not_explained(rig: Rig) -> None:
    await keep(rig, "回答都要简短")
    desk = rig.desk(await rig.said("为什么说我养猫"))
    result = await TOOLS["explain_memory"].run(desk, {"what": "为什么说我养猫"})
    assert not result.found
    assert "没跟我说过" in result.text


async def test_a_paused_line_reaches_no_tool_of_the_model_but_can_be_explained(rig: Rig) -> None:
    await keep(rig, "回答都要简短")
    message = await rig.said("/memory pause 1")
    source = source_for(rig.desk(message), "")
    await rig.memory().apply([Revise("r1", "回答都要简短", paused=True)], source)
    desk = rig.desk(await rig.said("看看"))
    for name, arguments in (
        ("read_memory", {}),
        ("read_memory", {"page": "CORE.md"}),
        ("search_memory", {"words": "简短"}),
    ):
        result = await TOOLS[name].run(desk, arguments)
        assert "简短" not in result.text, name
        assert result.loaded == ()
    assert "（暂停）" in await why(rig, "r1")


async def test_what_a_look_up_read_is_kept_with_its_name(rig: Rig) -> None:
    source = source_for(rig.desk(await rig.said("我住在苏州")), "")
    await rig.memory().apply([Learn("用户住在苏州")], source)
    desk = rig.desk(await rig.said("我住在哪"))
    assert (await TOOLS["search_memory"].run(desk, {"words": "住在"})).loaded == ("[t1] 用户住在苏州",)


async def test_the_kinds_of_picture_are_read_off_the_loop(rig: Rig) -> None:
    """The first question of a process, before any picture was filed in it."""
    kinds.load.cache_clear()
    kinds._patterns.cache_clear()
    await rig.filed("收据", "午饭", rule="收据归档到「收据」")
    assert await why(rig, "why are receipts filed under Bills?")
