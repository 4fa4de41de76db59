"""A filing corrected on a phone, by buttons and by replies, with no model configured."""

from __future__ import annotations

import asyncio
from pathlib import Path

from tests.fakes.telegram_chats import Sent
from tests.flows.phone import OWNER, telegram
from tests.flows.quick_eyes import QuickEyes, quick_eyes

__all__ = ["quick_eyes"]  # a fixture

CODE = "def unpack(row):\n    a, b = row\n    return a + b\nprint(unpack((1, 2)))"


def label(sent: Sent, text: str) -> int:
    """Which of its buttons says so."""
    return [button["text"] for row in sent.buttons for button in row].index(text)


def _offers(sent: list[Sent]) -> list[Sent]:
    return [each for each in sent if "按新规则" in each.text]


async def test_moved_renamed_deleted_and_taken_back_by_replies(home: Path, quick_eyes: QuickEyes) -> None:
    async with telegram(home) as phone:
        [receipt] = await phone.photo(quick_eyes.draw(CODE), language="zh-hans")
        [moved] = await phone.say("放到「课程代码」", reply_to=receipt.id)
        assert moved.text.startswith("已移动 #1：【")
        assert [file.split("/")[0] for file in phone.pictures()] == ["课程代码"]
        [renamed] = await phone.say("改名为 解包练习", reply_to=moved.id)
        assert "《解包练习》" in renamed.text
        assert "解包练习 #1" in phone.pictures()[0]
        [gone] = await phone.say("删掉", reply_to=receipt.id)
        assert gone.text.startswith("已删除 #1")
        assert phone.pictures() == []
        [back] = await phone.press(gone)
        assert "已恢复 #1【课程代码】《解包练习》" in back.text
        assert phone.core() == "", "none of it is a rule"


async def test_moved_by_its_button_to_a_name_that_is_typed(home: Path, quick_eyes: QuickEyes) -> None:
    async with telegram(home) as phone:
        [receipt] = await phone.photo(quick_eyes.draw(CODE), language="zh-hans")
        [offered] = await phone.press(receipt, label(receipt, "移动…"))
        [asked] = await phone.press(offered, label(offered, "其他…"))
        assert "分类" in asked.text
        [moved] = await phone.say("爬虫项目")
        assert "→【爬虫项目】" in moved.text
        [undone] = await phone.say("撤销", reply_to=receipt.id)
        assert undone.text.startswith("↩︎ 已移回 #1")


async def test_named_in_words_and_shown(home: Path, quick_eyes: QuickEyes) -> None:
    async with telegram(home) as phone:
        await phone.photo(quick_eyes.draw(CODE), language="zh-hans")
        [renamed] = await phone.say("把 #1 改名为 解包练习")
        assert "《解包练习》" in renamed.text
        shown = await phone.say("把 #1 发给我看看")
        assert any("解包练习" in each.text for each in shown)


async def test_a_new_rule_offers_to_move_what_was_filed_before(home: Path, quick_eyes: QuickEyes) -> None:
    async with telegram(home) as phone:
        await phone.photo(quick_eyes.draw(CODE), language="zh-hans")
        [before] = phone.pictures()
        await phone.say("以后代码截图都归到「开发备忘」")
        async with asyncio.timeout(20):
            while not (offers := _offers(phone.tg.sent(OWNER))):  # noqa: ASYNC110 - nobody tells us
                await asyncio.sleep(0.05)
        assert "#1" in offers[0].text
        assert phone.pictures() == [before], "nothing moves unasked"
        [moved] = await phone.press(offers[0])
        assert moved.text.startswith("已移动 #1")
        assert phone.pictures()[0].startswith("开发备忘/")
        await phone.press(moved)
        assert phone.pictures() == [before]
