"""What is told after a line and resembles it: in its place, or beside it where both hold."""

from __future__ import annotations

import pytest

from memory.offline import Offline
from tests.memory.offline.test_offline import Talk, embed, needs_vectors


@needs_vectors
@pytest.mark.parametrize(
    ("first", "then", "lines"),
    [
        ("用中文回答", "周末可以用英文", ["用中文回答", "周末可以用英文"]),
        ("Answer in English", "Actually use French for poems", ["Answer in English", "Use French for poems"]),
        ("Use a formal tone in emails", "Use a friendly tone in chats",
         ["Use a formal tone in emails", "Use a friendly tone in chats"]),
        ("我对花生过敏", "我对虾过敏", ["用户对花生过敏", "用户对虾过敏"]),
        ("My dad is 70", "My dad lives in Graz", ["The user's dad is 70", "The user's dad lives in Graz"]),
        ("发票放「报销」", "车票还是单独放「出行」", ["发票归档到「报销」", "车票归档到「出行」"]),
        ("发票放「报销」", "发票不归档", ["发票不归档"]),
        ("每周四给我出周报", "周报改成周五出", ["周报改成周五出"]),
        ("Answer in English", "Answer in French", ["Answer in French"]),
        ("代码截图放到「代码笔记」", "代码截图还是放开发备忘吧", ["代码截图归档到「开发备忘」"]),
    ],
)  # fmt: skip
async def test_what_both_holds_stands_on_two_lines(first: str, then: str, lines: list[str]) -> None:
    talk = Talk(Offline(embed))
    await talk.say(first)
    await talk.say(then)
    assert [line.text for _, line in await talk.memory.lines()] == lines
