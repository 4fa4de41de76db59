"""With no model, questions about pictures are answered from the filings."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.flows.quick_eyes import QuickEyes, quick_eyes  # noqa: F401 - a fixture

pytestmark = [pytest.mark.slow, pytest.mark.timeout(120)]

SHOP = "禾苗超市\n收银员 07 单号 3391\n数量 单价 小计\n牛奶 2 12.00 24.00\n合计 24.00\n实付 24.00"
PASS = "BOARDING PASS\nNAME MAREK NOVAK\nFROM PRAGUE TO LISBON\nGATE B4 SEAT 9A\nBOARDING 07:10"


async def test_in_chinese(open_talk: Any, home: Path, quick_eyes: QuickEyes) -> None:  # noqa: F811
    async with open_talk(home) as talk:
        [receipt] = await talk.say("", quick_eyes.draw(SHOP))
        assert "【票据】" in receipt
        assert "#1【票据】" in (await talk.say("为什么放那里？"))[0]
        assert "禾苗超市" in (await talk.say("这张是哪家店的？"))[0]
        assert "牛奶 2 12.00 24.00" in (await talk.say("这张图里牛奶多少钱"))[0]
        for asked in ("最近存了什么图", "找一下小票", "那张收据在哪", "我今天发了哪些截图"):
            assert "#1【票据】" in (await talk.say(asked))[0], asked
        assert "没有找到" in (await talk.say("昨天存了什么图"))[0]
        await talk.say("把刚才那张挪到「家用」")
        assert (await talk.say("你把它放哪了"))[0].startswith("#1【家用】")
        assert "是你把它放到这里的" in (await talk.say("为什么在这个分类里"))[0]
        assert "#1【家用】" in (await talk.say("找一下小票"))[0]  # wherever it lies, it is one
        [unknown] = await talk.say("我的护照放哪儿了？")
        assert "不知道" in unknown or "没有找到" in unknown
        assert (await talk.say("有没有和 #1 相似的图"))[0] == "没有和 #1 相似的图。"
        await talk.say("", quick_eyes.draw(SHOP.replace("07", "08").replace("24.00", "36.00")))
        seen = await talk.say("给我看看小票")
        assert seen[0] == "#2 #1"
        assert talk.channel.sent[-2].picture.endswith(".jpg"), "one picture of both"
        assert (await talk.say("找和 #1 类似的图"))[0].startswith("和 #1 相似的：\n#2【票据】")


async def test_in_english(open_talk: Any, home: Path, quick_eyes: QuickEyes) -> None:  # noqa: F811
    async with open_talk(home) as talk:
        await talk.say("hello there")
        [receipt] = await talk.say("", quick_eyes.draw(PASS))
        assert receipt.startswith("Filed #1 [")
        assert (await talk.say("what does it say?"))[0].count("GATE B4 SEAT 9A") == 1
        for asked in ("Why is it in that category?", "Where did you put it?", "what did you file lately?"):
            assert "#1 [" in (await talk.say(asked))[0], asked
        await talk.say("", quick_eyes.draw(SHOP))
        [many] = await talk.say("How many screenshots did I send you?")
        assert [line[:3] for line in many.splitlines()] == ["#2 ", "#1 "]
        [found] = await talk.say("find the boarding pass")
        assert found.startswith("#1 [")
        assert "\n" not in found
        assert "No picture" in (await talk.say("find the map"))[0]
        assert (await talk.say("find the screenshot about the Lisbon gate from today"))[0].startswith("#1 [")
