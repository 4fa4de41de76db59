"""What stands in brackets behind a line, in every way people type it."""

from __future__ import annotations

from datetime import date

import pytest

from memory.marks import Marks, marks_of
from memory.page import parse

END = date(2027, 1, 31)


@pytest.mark.parametrize(
    ("typed", "marks"),
    [
        ("周报用表格", Marks("周报用表格")),
        ("周报用表格 (when: 写周报)", Marks("周报用表格", "写周报")),
        ("周报用表格（仅限：写周报）", Marks("周报用表格", "写周报")),
        ("周报用表格 (until: 2027-01-31)", Marks("周报用表格", None, END)),
        ("周报用表格（到 2027-01-31 为止）", Marks("周报用表格", None, END)),
        ("use tables (until 2027-01-31)", Marks("use tables", None, END)),
        ("周报用表格 (paused)", Marks("周报用表格", paused=True)),
        ("周报用表格（暂停）", Marks("周报用表格", paused=True)),
        ("周报用表格(已暂停)", Marks("周报用表格", paused=True)),
        ("use tables (Paused)", Marks("use tables", paused=True)),
        ("a (paused) (when: b (c)) (until: 2027-01-31)", Marks("a", "b (c)", END, paused=True)),
        ("写信的落款用（敬上）", Marks("写信的落款用（敬上）")),
        ("say (paused music) aloud", Marks("say (paused music) aloud")),
        ("到（下周）", Marks("到（下周）")),
        ("a (until we meet)", Marks("a (until we meet)")),
        ("a (when: )", Marks("a (when: )")),
    ],
)
def test_marks_are_taken_off(typed: str, marks: Marks) -> None:
    assert marks_of(typed) == marks


def test_a_date_that_is_none_is_a_problem_and_no_end() -> None:
    found = marks_of("a (until: next week)")
    assert (found.text, found.until) == ("a (until: next week)", None)
    assert "next week" in found.problem


def test_a_paused_line_is_written_as_it_is_read() -> None:
    page, problems = parse("CORE.md", "- 叫我老周（暂停） ^r1\n")
    [line] = page.lines
    assert (str(line), problems) == ("叫我老周 (paused)", [])
    assert not line.active(date(2026, 1, 1))
    assert page.changed(line).render() == "- 叫我老周 (paused) ^r1\n"
