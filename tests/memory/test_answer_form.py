"""A stored line answers a question only when it tells what is asked: in both languages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bot.models.embeddings import Embeddings
from memory.answer_form import lacks_form
from memory.page import Page, parse
from memory.search import Finder

PAIRS: list[tuple[str, str, bool]] = json.loads(
    Path(__file__).with_name("answering.json").read_text(encoding="utf-8")
)
WRONG, MISSED = 2, 2  # of them at most; without a look at the form 20 lines were wrong answers


@pytest.mark.slow
@pytest.mark.timeout(120)
async def test_what_no_line_tells_is_not_known() -> None:
    embed = Embeddings()
    wrong: list[tuple[str, str]] = []
    missed: list[tuple[str, str]] = []
    for question, line, tells in PAIRS:
        page, _ = parse("topics/x.md", f"---\ntitle: x\n---\n- {line} ^t1\n")

        async def read(page: Page = page) -> list[Page]:
            return [page]

        found = await Finder(None, embed.queries).find(question, 3, read)
        near = bool(found and found[0].near)
        if near != tells:
            (wrong if near else missed).append((question, line))
    assert len(wrong) <= WRONG, wrong
    assert len(missed) <= MISSED, missed


@pytest.mark.parametrize(
    ("question", "line", "lacks"),
    [
        ("When does the course start?", "The course starts in March", False),
        ("When does the course start?", "The course is in Lyon", True),
        ("Where is the course?", "The course is in Lyon", False),
        ("课什么时候开始？", "课在里昂上", True),
        ("课什么时候开始？", "课三月开始", False),
        ("课多少钱？", "课三月开始", False),  # a number is all that is looked for
        ("Who is the teacher?", "The teacher is called Ines", False),
        ("Who is the teacher?", "The teacher is strict", True),
        ("What did I say about the course?", "The course is in Lyon", False),
    ],
)
def test_the_form_that_is_asked_for(question: str, line: str, lacks: bool) -> None:
    assert lacks_form(question, line) is lacks
