"""What is written beside a picture can be read again, as we wrote it or as another editor did."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from bot.storage.item import Item
from bot.storage.sidecar import SidecarUnread, read, written

ITEM = Item(
    number=3,
    category="代码笔记",
    title="解包一行",
    summary="一段 Python。",
    tags=("python", "代码"),
    text="def unpack(row):\n    return row",
    at=datetime(2026, 9, 1, 20, 5, tzinfo=ZoneInfo("Asia/Shanghai")),
    extension=".png",
    rule="代码截图归档到「代码笔记」",
    sha256="ab" * 32,
)


@pytest.mark.parametrize(
    "words", ["plain", 'a "b": c', "- x", "yes", "3", "# h", "a\\nb", "null", "😀", "{}[]&*!%@"]
)
def test_all_of_it_is_read_back(words: str) -> None:
    item = replace(
        ITEM, title=words, category=words, tags=(words, "b"), rule=words, text=f"```\n{words}\n---"
    )
    found = read(written(item))
    assert (found.number, found.title, found.category) == (3, words, words)
    assert found.tags == (words.lstrip("# ").strip(), "b")
    assert (found.summary, found.text, found.rule) == ("一段 Python。", item.text, words)
    assert (found.at, found.sha256, found.notes) == (item.at, "ab" * 32, "")


def test_what_obsidian_makes_of_it() -> None:
    text = written(ITEM).replace("\n", "\r\n")
    head = "---\nnumber: 3\ntitle: Row unpacking\ncategory: Dev\ntags:\n  - python\n  - '#todo'\ndue: 2026-10-01\n---\n"
    found = read(head + text.split("---\r\n", 2)[2])
    assert (found.title, found.category, found.tags) == ("Row unpacking", "Dev", ("python", "todo"))
    assert found.properties == {"due": "2026-10-01"}
    assert found.text == ITEM.text


def test_what_the_person_added_stays() -> None:
    edited = (
        written(ITEM).replace('why: ""', 'why: ""\nstatus: later\nlinks: [a, b]')
        + "\n给小王看\n\n```sh\nls\n```\n"
    )
    again = written(replace(ITEM, title="新名字", text="new"), read(edited))
    found = read(again)
    assert found.title == "新名字"
    assert found.text == "new"
    assert found.notes == "给小王看\n\n```sh\nls\n```"
    assert found.properties == {"status": "later", "links": ["a", "b"]}
    assert written(replace(ITEM, title="新名字", text="new"), found) == again


@pytest.mark.parametrize(
    "text", ["", "no front matter", "---\na: [\n---\n", "---\n- a\n---\n", "---\na: b", "\0"]
)
def test_what_cannot_be_read_is_said(text: str) -> None:
    with pytest.raises(SidecarUnread):
        read(text)


@pytest.mark.parametrize(
    ("line", "tags"),
    [
        ("tags: a, b，c", ("a", "b", "c")),
        ("tags: []", ()),
        ("tags:", ()),
        ("tags: {a: b}", None),
        ("x: y", None),
    ],
)
def test_tags_in_any_spelling(line: str, tags: tuple[str, ...] | None) -> None:
    assert read(f"---\n{line}\n---\n").tags == tags


@pytest.mark.parametrize(
    "line", ["number: x", "number: [1]", "date: soon", "date: [1]", "title: [a]", "number: 1e9"]
)
def test_values_of_the_wrong_kind_are_none(line: str) -> None:
    found = read(f"---\n{line}\n---\n")
    assert (found.number, found.at, found.title) == (None, None, None)
