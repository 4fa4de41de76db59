"""How full the rules are, and which of them say nearly the same."""

from __future__ import annotations

import pytest

from memory import Memory
from memory.changes import Instruct
from memory.fullness import Fullness
from memory.store import DictStore
from tests.memory.conftest import NOW, Say


@pytest.mark.parametrize(("tokens", "level"), [(0, 0), (1799, 0), (1800, 1), (2000, 1), (2001, 2)])
def test_levels(tokens: int, level: int) -> None:
    assert Fullness(1, tokens, 2000).level == level


async def test_only_what_holds_takes_room_and_all_of_it_is_carried(say: Say) -> None:
    memory = Memory(DictStore(), person="me", now=lambda: NOW, core_budget=30)
    words = ["回答用中文", "周报写成表格", "叫我老周", "不要用表情符号", "日期写成年月日"]
    for text in words:
        await memory.apply([Instruct(text)], say(text))
    full = await memory.fullness()
    assert (full.rules, full.level) == (5, 2)
    assert full.tokens > full.budget
    rendered = (await memory.snapshot()).render(10)
    assert all(text in rendered for text in words)
    core = await memory.core()
    assert all(text in core for text in words)


async def test_near_twins_are_named_within_their_scope(memory: Memory, store: DictStore) -> None:
    store.texts["CORE.md"] = (
        "- 周报要写成三段，开头先写结论\n- 周报写成三段，先写结论\n- 叫我老周\n"
        "- 周报要写成三段，开头先写结论 (when: 写月报)\n"
    )
    assert [(a.text, b.text) for a, b in await memory.alike()] == [
        ("周报要写成三段，开头先写结论", "周报写成三段，先写结论")
    ]
