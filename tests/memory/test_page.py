"""Pages as people leave them. The docstring of a test is its page."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from memory.changes import Kind, Origin
from memory.page import CORE, Line, fresh, parse


def test_a_page_is_its_lines(doc: str) -> None:
    """
    # 规矩

    - 收据归档到「报销」 (when: 归档图片) (until: 2027-01-31) ^r7
    * 叫用户阿珍 ^r8
    """
    page, problems = parse(CORE, doc)
    assert problems == []
    assert page.lines == (
        Line("r7", "收据归档到「报销」", Kind.INSTRUCTION, Origin.EDITED, "归档图片", date(2027, 1, 31)),
        Line("r8", "叫用户阿珍", Kind.INSTRUCTION, Origin.EDITED),
    )
    assert page.render() == doc


def test_what_is_no_line_survives_byte_for_byte(doc: str) -> None:
    """
    ---
    title: Food
    purpose: what I eat
    odd: [yes
    ---
    Some prose I wrote.

    <!-- - not a line -->
    <!--
    - nor this
    -->
    ```
    - code
    ```
    -
    -no space
    1. numbered
    - a line ^t1
       \t
    ## heading
    """
    page, problems = parse("topics/food.md", doc)
    assert [line.text for line in page.lines] == ["a line"]
    assert (page.title, page.purpose) == ("Food", "what I eat")
    assert page.render() == doc
    assert problems == []


@pytest.mark.parametrize("row", ["-be brief", "-Be brief", "-être bref"])
def test_among_the_rules_a_dash_without_its_space_is_a_rule(row: str) -> None:
    page, problems = parse(CORE, f"# Rules\n\n{row}\n---\n*aside*\n-5 degrees\n")
    assert [line.text for line in page.lines] == [row[1:]]
    assert problems == []
    changed = parse(CORE, f"{row} ^r3\n")[0].changed(replace(page.lines[0], id="r3", text="be long"))
    assert changed.render() == "-be long ^r3\n"


def test_a_typed_bullet_is_the_persons_own(doc: str) -> None:
    """
    - never call before nine
    """
    page, _ = parse(CORE, doc)
    assert page.lines == (Line("", "never call before nine", Kind.INSTRUCTION, Origin.EDITED),)


def test_an_unchanged_line_keeps_who_stands_behind_it(doc: str) -> None:
    """
    - 用户不吃羊肉 ^t3
    - 用户有两只猫 ^t4
    """
    known = {
        "t3": Line("t3", "用户不吃羊肉", Kind.PERSONA, Origin.LEARNED),
        "t4": Line("t4", "用户有一只猫", Kind.PERSONA, Origin.LEARNED),
    }
    page, _ = parse("topics/关于我.md", doc, known)
    assert [line.origin for line in page.lines] == [Origin.LEARNED, Origin.EDITED]


def test_full_width_signs_in_the_scope_are_read(doc: str) -> None:
    """
    - 用表格 （when：写周报） ^r1
    """
    page, problems = parse(CORE, doc)
    assert page.lines[0].when == "写周报"
    assert problems == []


def test_a_date_that_is_none_is_said_and_kept(doc: str) -> None:
    """
    - quiet hours (until: next month) ^r1
    """
    page, problems = parse(CORE, doc)
    assert page.lines[0].until is None
    assert "next month" in problems[0]
    assert page.render() == doc


def test_the_same_name_twice(doc: str) -> None:
    """
    - one ^r1
    - two ^r1
    """
    page, problems = parse(CORE, doc)
    assert [line.id for line in page.lines] == ["r1", ""]
    assert len(problems) == 1


def test_a_fence_that_never_closes_is_said(doc: str) -> None:
    """
    ```
    - hidden ^r1
    """
    page, problems = parse(CORE, doc)
    assert [line.text for line in page.lines] == ["hidden"]
    assert len(problems) == 1


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n\n",
        "- a ^r1",  # no end of line
        "\ufeff- with a mark in front ^r1\r\n- windows ^r2\r\n",
        "- tab\t^r1\n",
        "- \u2028 line separator ^r1\n",
        "---\nnever closed\n- x ^r1\n",
        "- " + "很长" * 5000 + " ^r1\n",
        "- broken bytes \udcff ^r1\n",
        "- (when: ) ^r1\n- (until: 2027-01-01) ^r2\n- ^r3\n",
        "-\t- nested\n",
        "- a (when: b (c) d) ^r9\n",
    ],
)
def test_nothing_a_person_types_is_lost(text: str) -> None:
    page, _ = parse(CORE, text)
    assert page.render() == text
    grown = page.added(Line("r99", "new", Kind.INSTRUCTION, Origin.EXPLICIT))
    assert grown.line("r99") is not None
    assert all(row.raw in grown.render() for row in page.rows)


def test_changing_one_line_leaves_the_rest_alone(doc: str) -> None:
    """
    # Mine

    + first ^r1
    words between
      - second ^r2

    the end
    """
    page, _ = parse(CORE, doc)
    changed = page.changed(Line("r2", "2nd", Kind.INSTRUCTION, Origin.EXPLICIT))
    assert changed.render() == doc.replace("second", "2nd")
    assert page.without("r1").render() == doc.replace("+ first ^r1\n", "")


def test_a_fresh_topic_page_reads_back() -> None:
    page = fresh("topics/饮食.md", "饮食", "口味与\n忌口")
    again, problems = parse(page.name, page.render())
    assert (again.title, again.purpose, problems) == ("饮食", "口味与 忌口", [])
