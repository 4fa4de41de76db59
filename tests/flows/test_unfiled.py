"""“Don't file …” through the whole assistant: the picture is in no category, kept, and its receipt names the rule."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.flows.quick_eyes import QuickEyes, quick_eyes  # noqa: F401 - a fixture

pytestmark = [pytest.mark.slow, pytest.mark.timeout(120)]

CHAT = "小林\n明天几点到？\n大概九点半\n好的 我在门口等你\n[表情]\n按住说话"
OTHER = '阿贵\n车停哪了\n地下二层 B区\n我下来了\n[语音] 6"\n按住说话'


async def test_a_picture_that_is_not_to_be_filed_is_kept_and_the_rule_is_named(
    open_talk: Any,
    home: Path,
    quick_eyes: QuickEyes,  # noqa: F811
) -> None:
    core = home / "me" / "CORE.md"
    async with open_talk(home) as talk:
        [first] = await talk.say("", quick_eyes.draw(CHAT))
        assert "【聊天】" in first
        core.write_text("- 聊天截图不归档 (when: 归档图片)\n", encoding="utf-8")
        [second] = await talk.say("", quick_eyes.draw(OTHER))
        assert second.startswith("没有归档 #2《")
        assert second.endswith("，原图留在【未归档】（规则：聊天截图不归档）")
        kept = list((home / "me" / "archive" / "未归档").glob("*#2.png"))
        assert len(kept) == 1
        why = (await talk.say("为什么 #2 在那里？"))[-1]
        assert "聊天截图不归档" in why
        core.write_text("", encoding="utf-8")
        third = (await talk.say("", quick_eyes.draw("Rosa\n" + CHAT)))[-1]
        assert "【聊天】" in third  # the place for what is not filed is no category to choose
