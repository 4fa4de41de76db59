"""A category's name in full, whichever part of it the tagger was sure of."""

from __future__ import annotations

import pytest

from memory.offline.names import whole_name
from memory.offline.tokens import tokenise


@pytest.mark.parametrize(
    ("said", "sure", "name"),
    [
        ("code screenshots go to 工程备忘", "备", "工程备忘"),
        ("code screenshots go to 工程备忘 now", "备忘", "工程备忘"),
        ("code screenshots should be in 工程备忘吧", "备忘", "工程备忘"),
        ("maps go in 旅行 Travel", "Travel", "旅行 Travel"),
        ("maps go in Travel 旅行, thanks", "Travel", "Travel 旅行"),
        ("tickets belong under 高铁·出差", "出差", "高铁·出差"),
        ("chats → 聊天/工作", "工", "聊天/工作"),
        ("receipts go to 2026 年报销", "报销", "2026 年报销"),
        ("put it in 「家庭 Family」 please", "Family", "家庭 Family"),
        ("截图放进 旅行 Travel 分类", "Travel", "旅行 Travel"),
        ("代码截图改放到代码片段", "代码片", "代码片段"),
        ("照片放到健康那个分类", "健康", "健康"),
        ("照片放到健康就行了", "健康", "健康"),
        ("照片放到健康别放日程", "健康", "健康"),
        ("照片都放到会议纪要", "会议", "会议纪要"),
        ("receipts 放到家庭账单", "家庭账单", "家庭账单"),
        ("tickets go to Travel Plans", "Travel", "Travel Plans"),
        ("logs go to dev-notes", "dev", "dev-notes"),
    ],
)
def test_a_name_is_whole(said: str, sure: str, name: str) -> None:
    tokens = tokenise(said)
    start = said.rindex(sure)
    held = [i for i, token in enumerate(tokens) if start <= token.start and token.end <= start + len(sure)]
    first, last = whole_name(tokens, held[0], held[-1])
    assert said[tokens[first].start : tokens[last].end] == name
