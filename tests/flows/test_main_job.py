"""The main job with no model: a rule is said once and background filing obeys it from that moment on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.fakes.drawing import CODE, RECEIPT, drawn

pytestmark = [pytest.mark.slow, pytest.mark.timeout(180)]


@pytest.mark.parametrize(
    "said", ["以后我发的代码截图都归到「代码笔记」里", "如果我截的图是代码的话，给它放到代码笔记分类"]
)
async def test_a_rule_said_in_chinese_files_the_next_code_screenshot(
    open_talk: Any, home: Path, said: str
) -> None:
    async with open_talk(home) as talk:
        [answer] = await talk.say(said)
        assert "代码笔记" in answer
        assert "代码笔记" in talk.core()
        [receipt] = await talk.say("", drawn(CODE))
        assert receipt.startswith("已存档 #1【代码笔记】《")
        assert "规则" in receipt
        [other] = await talk.say("", drawn(RECEIPT))
        assert "#2【" in other
        assert "#2【代码笔记】" not in other  # as a second guess it may be named
        [rules] = await talk.say("你都记住了我哪些规矩？")
        assert "代码笔记" in rules


async def test_a_changed_mind_replaces_the_rule_and_undo_brings_it_back(open_talk: Any, home: Path) -> None:
    async with open_talk(home) as talk:
        await talk.say("Screenshots of code go into Snippets from now on")
        assert "Snippets" in talk.core()
        await talk.say("Code screenshots should go to Dev log instead")
        assert "Dev log" in talk.core()
        assert "Snippets" not in talk.core()
        [receipt] = await talk.say("", drawn(CODE, ground="#1e1e1e", ink="#d4d4d4"))
        assert "[Dev log]" in receipt
        await talk.say("/undo")
        assert "Snippets" in talk.core()
        assert "Dev log" not in talk.core()


async def test_a_rule_and_a_picture_at_once_end_obeyed(open_talk: Any, home: Path) -> None:
    async with open_talk(home) as talk:
        rule = await talk.channel.say("超市小票以后统一放「家庭开支」")
        picture = await talk.channel.say("", drawn(RECEIPT))
        await talk.done(rule)
        await talk.done(picture)
        assert any("【家庭开支】" in text for text in talk.channel.texts())


async def test_just_this_once_is_obeyed_and_not_stored(open_talk: Any, home: Path) -> None:
    async with open_talk(home) as talk:
        await talk.say("代码截图归到「代码笔记」")
        rules = talk.core()
        [receipt] = await talk.say("这张先放到「杂项」，就这一次", drawn(CODE))
        assert "【杂项】" in receipt
        assert talk.core() == rules


async def test_forgetting_is_said_and_can_be_undone(open_talk: Any, home: Path) -> None:
    async with open_talk(home) as talk:
        await talk.say("Boarding passes belong in Trips from now on")
        assert "Trips" in talk.core()
        [answer] = await talk.say("forget the rule about boarding passes")
        assert "Trips" in answer
        assert "Trips" not in talk.core()
        await talk.say("/undo")
        assert "Trips" in talk.core()


async def test_a_fact_is_kept_and_what_was_never_said_is_not_known(open_talk: Any, home: Path) -> None:
    async with open_talk(home) as talk:
        await talk.say("我女儿叫小满，今年上二年级")
        [answer] = await talk.say("我女儿叫什么名字来着？")
        assert "小满" in answer
        [unknown] = await talk.say("我的鞋码是多少来着？")
        assert "不知道" in unknown
        [task] = await talk.say("帮我写一首关于秋天的诗")
        assert "kairos setup" in task


async def test_what_readme_shows_and_a_second_rule_beside_it(open_talk: Any, home: Path) -> None:
    async with open_talk(home) as talk:
        [kept] = await talk.say("如果我截的图是代码的话，给它放到代码笔记分类")
        assert kept == "✓ 记住了：代码截图归档到「代码笔记」"
        [beside] = await talk.say("如果我截的图是菜谱的话，给它放到厨房分类")
        assert beside == "✓ 记住了：菜谱截图归档到「厨房」"
        [moved] = await talk.say("代码截图还是放开发备忘吧")
        assert moved.startswith("✓ 改好了：代码截图归档到「开发备忘」")
        assert talk.core().count("归档到") == 2


async def test_what_readme_shows_in_english(open_talk: Any, home: Path) -> None:
    async with open_talk(home) as talk:
        [kept] = await talk.say("Screenshots of code go in Code notes.")
        assert kept == '✓ Saved: File Screenshots of code under "Code notes"'
        [beside] = await talk.say("When I send screenshots of recipes, put them in Kitchen")
        assert beside == '✓ Saved: File screenshots of recipes under "Kitchen"'
        [moved] = await talk.say("Actually, put code screenshots under Dev memos instead")
        assert moved.startswith('✓ Changed: File code screenshots under "Dev memos" (was: ')
        assert "Kitchen" in talk.core()
