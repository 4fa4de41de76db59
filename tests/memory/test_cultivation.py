"""What log.md says was read, and what a rewritten page adds, changes and loses."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from memory import FolderStore, Memory
from memory.changes import Did, Learn, Origin, Source
from memory.cultivation import (
    briefing,
    difference,
    in_full,
    ingest_since,
    is_day,
    page_title,
    read_row,
    reading,
    reads,
)
from memory.page import Line, Page, parse
from memory.snapshot import Snapshot, Topic
from memory.store import DictStore
from memory.wording import Language
from tests.conftest import Golden

ZONE = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 4, 28, 23, 0, tzinfo=ZONE)
PAGE = """---
title: 诺亚
purpose: 说过的关于诺亚的事
---
# 诺亚

- 诺亚对花生过敏 (from: telegram:7 #12, 2026-04-20) ^t1
- 诺亚在学钢琴 (until: 2026-12-31) ^t2
随手写的
- 诺亚怕打雷 ^t3
"""


def page(text: str = PAGE) -> Page:
    return parse("topics/people/诺亚.md", text)[0]


def test_what_the_agent_is_told(golden: Golden) -> None:
    rule = Line("r1", "周报用表格写", when="写周报")
    topic = Topic("topics/people/诺亚.md", "诺亚", "说过的关于诺亚的事", 3)
    golden("cultivate_system.md", briefing(Snapshot((rule,), (topic,))) + "\n")


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_row_of_the_log_reads_back(language: Language) -> None:
    times = [NOW - timedelta(minutes=each, microseconds=-5) for each in (50, 40, 30, 20)]
    read = reading("local:Anna May", list(zip((41, 42, 43, 60), times, strict=True)))
    row = read_row(read, 4, NOW, language)
    assert row.endswith(
        "local:Anna May #41–43, #60 (4; 2026-04-28 22:10:00+08:00 → 2026-04-28 22:40:00+08:00)"
    )
    assert reads(f"# Log\n\n- {row}\n- 2026-04-28 23:00 #3 + topics/a.md ^t1 something\n") == [read]
    assert all(read.covers("local:Anna May", id, at) for id, at in zip((41, 42, 43, 60), times, strict=True))
    assert not read.covers("local:Anna May", 44, times[2])
    assert not read.covers("local:Anna", 42, times[1])
    assert ingest_since([read]) == NOW - timedelta(minutes=20)


def test_a_new_database_that_counts_from_one_again_is_read() -> None:
    read = reading("telegram:7", [(1, NOW), (2, NOW)])
    assert not read.covers("telegram:7", 1, NOW + timedelta(days=3))
    assert read.covers("telegram:7", 1, NOW.astimezone(UTC) + timedelta(microseconds=9))


@pytest.mark.parametrize("broken", ["#x–3", "#1 (1; yesterday → today)", "", "#1–2"])
def test_a_broken_row_says_nothing(broken: str) -> None:
    row = read_row(reading("telegram:7", [(1, NOW), (2, NOW)]), 2, NOW, "en")
    assert reads(f"- {row}\n".replace("#1–2 (2;", f"{broken} (")) == []


def test_the_same_page_is_no_difference() -> None:
    made = difference(page(), PAGE)
    assert (made.added, made.changed, made.gone) == ((), (), ())
    assert made.title == ""


def test_lines_without_their_names_are_known_by_their_words() -> None:
    made = difference(page(), "- 诺亚对花生过敏\n* 诺亚怕打雷\n- 诺亚在学钢琴 (until: 2026-12-31)\n")
    assert (made.added, made.changed, made.gone) == ((), (), ())


def test_added_changed_and_gone() -> None:
    made = difference(
        page(),
        "- 诺亚对花生和核桃过敏 (from: #41 “核桃也不行（真的）”) ^t1\n"
        "- 诺亚在学游泳 (until: 2026-05-31) （来源：telegram:7 #42 「开始学“自由泳”了」）\n"
        "- 诺亚怕打雷 ^t3\n"
        "- 诺亚怕打雷 ^t3\n"
        "- 没有出处的一行\n",
    )
    [(old, new)] = made.changed
    assert (old.id, new.text, new.message, new.quote) == (
        "t1",
        "诺亚对花生和核桃过敏",
        41,
        "核桃也不行（真的）",
    )
    assert [(each.text, each.until, each.message, each.quote) for each in made.added] == [
        ("诺亚在学游泳", date(2026, 5, 31), 42, "开始学“自由泳”了"),
        ("没有出处的一行", None, None, ""),
    ]
    assert [line.id for line in made.gone] == ["t2"]
    assert made.loses_too_much(page())


@pytest.mark.parametrize(
    ("lines", "kept", "refused"),
    [(4, 3, False), (4, 2, True), (8, 6, False), (8, 5, True), (1, 0, True), (0, 0, False)],
)
def test_a_quarter_may_go(lines: int, kept: int, refused: bool) -> None:
    rows = [f"- 第 {i} 行 ^t{i}\n" for i in range(lines)]
    base = page("".join(rows))
    assert difference(base, "".join(rows[:kept])).loses_too_much(base) is refused


def test_hidden_lines_are_no_lines() -> None:
    made = difference(page(), PAGE + "<!-- \n- 藏起来的 (from: #1 “x”)\n-->\n```\n- 也藏着\n```\n")
    assert made.added == ()


def test_a_quote_counts_with_its_whole_sentence() -> None:
    words = "早上好。我现在已经不吃辣椒了，你记一下！再见"
    assert in_full("吃辣椒", words) == "我现在已经不吃辣椒了，你记一下！"
    assert in_full("nothing of it", words) == "nothing of it"


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("topics/people/诺亚.md", "people/诺亚"),
        ("people/诺亚", "people/诺亚"),
        ("/topics/a b.md ", "a b"),
        ("2026-04-28.md", "2026-04-28"),
    ],
)
def test_names_as_titles(name: str, title: str) -> None:
    assert page_title(name) == title


def test_days() -> None:
    assert is_day("2026-04-28")
    assert not is_day("2026-02-30")
    assert not is_day("20260428")


def test_a_line_shows_its_source_and_keeps_it() -> None:
    """The source is the page's, not the line's words: taking it away by hand is no edit."""
    line = page().lines[0]
    assert (line.text, line.said) == ("诺亚对花生过敏", "telegram:7 #12, 2026-04-20")
    assert str(line) == "诺亚对花生过敏"
    assert page().render() == PAGE
    assert page().changed(line).render() == PAGE
    typed = parse("CORE.md", "- reply at once to mails (from: the boss) ^r1\n")[0].lines[0]
    assert (typed.text, typed.said) == ("reply at once to mails (from: the boss)", "")


# ---- Memory, for a job


def made(store: DictStore | FolderStore) -> Memory:
    return Memory(store, person="me", now=lambda: NOW, language="zh")


def said(words: str, by: str = "person", shown: str = "") -> Source:
    return Source("telegram:7", "1", NOW, words, words, by, shown=shown)


async def test_sources_survive_undo_and_a_fresh_start(tmp_path: Path) -> None:
    memory = made(FolderStore(tmp_path))
    shown = "telegram:7 #12, 2026-04-20"
    await memory.apply([Learn("诺亚对花生过敏", topic="people/诺亚")], said("诺亚对花生过敏", "job 1", shown))
    [(name, line)] = await memory.lines()
    assert (name, line.said, line.origin) == ("topics/people/诺亚.md", shown, Origin.LEARNED)
    undone = await memory.undo(1)
    assert await memory.lines() == []
    await memory.undo(undone.entry)
    again = made(FolderStore(tmp_path))
    [(_, line)] = await again.lines()
    assert (line.said, line.origin) == (shown, Origin.LEARNED)
    assert await again.adopt() == []


async def test_titles_in_folders() -> None:
    memory = made(DictStore())
    for topic, words in (
        ("people/Noah", "Noah likes piano"),
        ("projects/Noah", "Noah ships in May"),
        ("people/Noah", "Noah hates thunder"),
    ):
        await memory.apply([Learn(words, topic=topic)], said(words))
    assert [(page, line.text) for page, line in await memory.lines()] == [
        ("topics/people/noah.md", "Noah likes piano"),
        ("topics/people/noah.md", "Noah hates thunder"),
        ("topics/projects/noah.md", "Noah ships in May"),
    ]


async def test_a_run_is_one_change() -> None:
    memory = made(DictStore())
    for words in ("诺亚在学钢琴", "诺亚怕打雷", "小满在学画画"):
        await memory.apply([Learn(words, topic="家里人")], said(words, "job 1"), whole=True)
    await memory.apply([Learn("我住在苏州")], said("我住在苏州"), whole=False)
    assert [entry.part_of for entry in await memory.whole("job 1")] == [None, 1, 1]
    undone = await memory.undo(2)  # any part takes back all
    assert (undone.did, undone.parts) == (Did.RESTORED, 3)
    assert [line.text for _, line in await memory.lines()] == ["我住在苏州"]
    [again] = await memory.apply([Learn("诺亚怕打雷")], said("诺亚怕打雷"))
    assert again.did is Did.REFUSED


async def test_taking_a_run_back_leaves_what_was_changed_since(tmp_path: Path) -> None:
    memory = made(FolderStore(tmp_path))
    for words in ("诺亚在学钢琴", "诺亚怕打雷"):
        await memory.apply([Learn(words, topic="家里人")], said(words, "job 1"), whole=True)
    path = tmp_path / "topics/家里人.md"
    path.write_text(path.read_text("utf-8").replace("学钢琴", "学小提琴"), "utf-8")
    undone = await memory.undo(1)
    assert (undone.did, undone.parts) == (Did.RESTORED, 1)
    assert [line.text for _, line in await memory.lines()] == ["诺亚在学小提琴"]
    again = await memory.undo(1)
    assert again.did is Did.REFUSED


async def test_only_learned_lines_move() -> None:
    memory = made(DictStore())
    await memory.apply([Learn("诺亚怕打雷")], said("诺亚怕打雷"))
    await memory.apply([Learn("诺亚会骑车", origin=Origin.EXPLICIT)], said("诺亚会骑车"))
    moved = await memory.move("t1", "people/诺亚", said("诺亚怕打雷", "job 1"))
    assert moved is not None
    assert (moved.did, moved.page) == (Did.ADDED, "topics/people/诺亚.md")
    assert await memory.move("t2", "people/诺亚", said("诺亚会骑车", "job 1")) is None
    lines = [(page, line.text) for page, line in await memory.lines()]
    assert lines == [("topics/people/诺亚.md", "诺亚怕打雷"), ("topics/关于我.md", "诺亚会骑车")]
    await memory.undo(moved.entry)
    assert {page for page, _ in await memory.lines()} == {"topics/关于我.md"}
    [again] = await memory.apply([Learn("诺亚怕打雷")], said("诺亚怕打雷"))
    assert again.did is Did.KNOWN


async def test_an_empty_page_can_go_and_no_other(tmp_path: Path) -> None:
    memory = made(FolderStore(tmp_path))
    await memory.apply([Learn("诺亚怕打雷", topic="people/诺亚")], said("诺亚怕打雷"))
    name = "topics/people/诺亚.md"
    assert not await memory.discard(name)
    await memory.undo(1)
    path = tmp_path / name
    bare = path.read_text("utf-8")
    path.write_text(bare + "自己写的一段\n", "utf-8")
    assert not await memory.discard(name)
    path.write_text(bare, "utf-8")
    assert await memory.discard(name)
    assert not path.exists()
    assert "诺亚" not in await memory.text("index.md")
    for kept in ("CORE.md", "index.md", "log.md", name):
        assert not await memory.discard(kept)
