"""Two rules typed by hand that cannot both be obeyed."""

from __future__ import annotations

import pytest

from memory import Memory
from memory.changes import Did, Instruct, Kind, Origin
from memory.contradictions import Contradiction
from memory.page import Line
from memory.sameness import Clash, clash
from memory.store import DictStore
from tests.memory.conftest import Say


def _typed(store: DictStore, *rows: str) -> None:
    store.texts["CORE.md"] = "# 规矩\n\n" + "".join(f"- {row}\n" for row in rows)


async def _in_force(memory: Memory) -> list[str]:
    return [line.text for _, line in await memory.lines()]


@pytest.mark.parametrize(
    ("upper", "lower"),
    [
        ("收据截图归档到「报销」", "收据截图归档到「家用」"),
        ('File receipts under "Tax"', 'File receipts under "Home"'),
        ("用英文回答", "用中文回答"),
        ("Never use emojis", "Use emojis"),
    ],
)
async def test_the_lower_one_holds_and_the_upper_one_stays_in_the_file(
    memory: Memory, store: DictStore, upper: str, lower: str
) -> None:
    _typed(store, upper, "周报写三段", lower)
    assert await _in_force(memory) == ["周报写三段", lower]
    [found] = memory.contradictions()
    assert found == Contradiction(lower, 5, upper, 3, 4)
    assert f"- {upper} (paused) ^r1\n" in store.texts["CORE.md"]
    assert memory.contradictions() == []  # told once
    assert await _in_force(memory) == ["周报写三段", lower]
    assert memory.contradictions() == []


async def test_what_is_typed_now_holds_against_what_stood_there(
    memory: Memory, store: DictStore, say: Say
) -> None:
    await memory.apply([Instruct("用英文回答")], say("用英文回答"))
    await memory.lines()
    store.texts["CORE.md"] = store.texts["CORE.md"].replace("- 用英文", "- 用中文回答\n- 用英文")
    assert await memory.core() == "[r2] 用中文回答"
    [found] = memory.contradictions()
    assert (found.text, found.other) == ("用中文回答", "用英文回答")
    assert found.row < found.other_row


async def test_the_pause_is_taken_back_by_its_number_and_by_nothing_else(
    memory: Memory, store: DictStore
) -> None:
    _typed(store, "用英文回答", "用中文回答")
    await memory.lines()
    [found] = memory.contradictions()
    assert (await memory.undo()).did is Did.REFUSED  # a bare undo is for what was asked of the assistant
    assert found.paused is not None
    assert (await memory.undo(found.paused)).did is Did.RESTORED
    assert await _in_force(memory) == ["用英文回答", "用中文回答"]
    assert memory.contradictions() == []


async def test_what_is_only_likely_is_said_and_left(memory: Memory, store: DictStore) -> None:
    _typed(store, "每天 7 点提醒用户吃药", "每天 8 点提醒用户吃药")
    before = await _in_force(memory)
    assert len(before) == 2
    assert memory.contradictions() == [
        Contradiction("每天 8 点提醒用户吃药", 4, "每天 7 点提醒用户吃药", 3, None)
    ]
    assert await _in_force(memory) == before
    assert memory.contradictions() == []


async def test_what_does_not_contradict_is_left_alone(memory: Memory, store: DictStore) -> None:
    rows = [
        "收据截图归档到「报销」",
        "菜单截图归档到「美食」",
        "用中文回答",
        "写邮件用英文",
        "用英文回答 (until: 2026-01-01)",
        "周报用表格 (when: 写周报)",
        "别用感叹号",
        "别用感叹号，也别用表情",
    ]
    _typed(store, *rows)
    assert len(await memory.lines()) == len(rows) - 1  # one has expired
    assert memory.contradictions() == []


async def test_of_three_the_last_holds(memory: Memory, store: DictStore) -> None:
    _typed(store, "用英文回答", "用中文回答", "用日语回答")
    assert await _in_force(memory) == ["用日语回答"]
    assert [(each.row, each.other_row) for each in memory.contradictions()] == [(5, 3), (5, 4)]


async def test_thousands_of_lines_are_taken_in(memory: Memory, store: DictStore) -> None:
    _typed(store, *(f"第 {n} 类截图归档到「类别{n}」" for n in range(1, 1_500)))
    assert len(await memory.lines()) == 1_499


def test_how_two_rules_contradict() -> None:
    def line(text: str) -> Line:
        return Line("r1", text, Kind.INSTRUCTION, Origin.EDITED)

    assert clash(line("Use metric units"), line("Use imperial units")) is Clash.PLAIN
    assert clash(line("Keep answers short"), line("Keep answers short.")) is None
    assert clash(line("Put tables first"), line("Sign mails with Jo")) is None
