"""A model proposes fewer rules; what its answer adds, loses or turns around is dropped."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from memory.changes import Revise
from memory.extractor import prompt
from memory.merging import merges
from memory.page import Line
from tests.memory.conftest import NOW

RULES = [
    Line("r1", "回答用中文"),
    Line("r2", "回答不要超过 3 句"),
    Line("r3", "写给 Anna 的邮件要正式", when="写邮件"),
    Line("r4", "回答尽量用中文来写"),
]


async def proposed(*rows: object) -> list[Revise]:
    async def ask(system: str, user: str) -> str:
        assert "[r2] 回答不要超过 3 句" in user
        return "好的：" + json.dumps({"merges": rows}, ensure_ascii=False)

    return await merges(RULES, ask, NOW)


async def test_rules_become_one() -> None:
    found = await proposed({"ids": ["r1", "r4"], "text": "回答用中文"})
    assert found == [Revise("r1", "回答用中文", also=("r4",))]


async def test_what_saves_most_comes_first_and_no_line_goes_twice() -> None:
    found = await proposed(
        {"ids": ["r1", "[r2]"], "text": "用中文，不要超过 3 句"},
        {"ids": ["r2", "r4"], "text": "中文，不要超过 3 句"},
    )
    assert [(each.target, each.also) for each in found] == [("r1", ("r2",))]


@pytest.mark.parametrize(
    "row",
    [
        {"ids": ["r1"], "text": "中文"},
        {"ids": ["r1", "r9"], "text": "中文"},
        {"ids": ["r1", "r1"], "text": "中文"},
        {"ids": ["r1", "r2"], "text": "回答用中文，不要超过 5 句"},
        {"ids": ["r1", "r2"], "text": "回答用中文"},
        {"ids": ["r1", "r2"], "text": "用中文，要超过 3 句"},
        {"ids": ["r1", "r3"], "text": "用中文给 Anna 写正式邮件"},
        {"ids": ["r1", "r4"], "text": "回答用中文，叫我 Bob"},
        {"ids": ["r1", "r4"], "text": ""},
        {"ids": ["r1", "r4"], "text": "回答用中文" * 20},
        {"ids": "r1", "text": "x"},
        {"text": "x"},
        "r1",
    ],
)
async def test_what_is_not_borne_out_is_dropped(row: object) -> None:
    assert await proposed(row) == []


@pytest.mark.parametrize(
    "answer", ["", "nothing to merge", "{", "[]", '{"merges": 3}', '{"merges": {}}', "}{"]
)
async def test_an_answer_that_cannot_be_read_proposes_nothing(answer: str) -> None:
    async def ask(system: str, user: str) -> str:
        return answer

    assert await merges(RULES, ask, NOW) == []


def test_the_prompt_as_the_model_sees_it(golden: Callable[[str, str], None]) -> None:
    golden("merge.md", prompt("merge"))
