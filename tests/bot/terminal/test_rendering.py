"""Markdown in a terminal."""

from __future__ import annotations

import re

import pytest
from rich.cells import cell_len

from bot.terminal.rendering import breaks, clean, coloured, rendered

ANSI = re.compile(r"\x1b\[[0-9;]*m")

TEXTS = [
    "记住了：**代码截图**归档到「代码笔记」分类。这一行比较长，用来看怎么折行 because it mixes 中文，没有空格。",
    "- 第一条 `code` 很长很长很长很长很长很长很长很长很长很长很长很长很长\n- 第二条\n\n1. one\n2. two",
    "> 引用 quoted words that go on and on, longer than any narrow terminal\n\n# 标题\n\n---\n",
    "| a | b |\n|---|---|\n| 一 | 二 |",
    "x" * 200 + "（" + "字" * 90 + "）",
    "👩‍👩‍👧‍👦 emoji 👍🏽 ｆｕｌｌｗｉｄｔｈ",
]


@pytest.mark.parametrize("width", [20, 33, 80])
@pytest.mark.parametrize("text", TEXTS)
def test_no_line_is_wider_than_the_terminal_and_nothing_is_lost(text: str, width: int) -> None:
    shown = ANSI.sub("", rendered(text, width, mark="·", style="dim"))
    assert all(cell_len(line) <= width for line in shown.split("\n"))
    letters = re.sub(r"\W", "", re.sub(r"^\d\. ", "", text, flags=re.M))
    assert re.sub(r"[\W]", "", re.sub(r"^ *\d ", "", shown, flags=re.M)).count("字") == letters.count("字")
    assert shown.endswith("\n")


def test_line_breaks_of_the_writer_are_kept() -> None:
    assert ANSI.sub("", rendered("一\n二\n\n三", 40)) == "一\n二\n\n三\n"


def test_numbers_have_their_full_stop() -> None:
    assert (
        ANSI.sub("", rendered("9. 九\n10. 十十十十十十十十十十\n", 20))
        == "  9. 九\n 10. 十十十十十十十\n     十十十\n"
    )


def test_chinese_breaks_between_words_but_never_before_a_full_stop() -> None:
    line = "一二三四五六七八九。十"
    assert breaks(line, 18) == [8]
    assert breaks("hello wonderful world", 12) == [6, 16]
    assert breaks("short", 12) == []
    assert breaks("（一二三", 4) == [2]


def test_words_cannot_steer_the_terminal() -> None:
    evil = "a\x1b[2Jb\x1b]0;title\x07c\x1b]52;c;ZXZpbA==\x1b\\d\x00\x07e\u202ef\x9b31mg\rh"
    assert clean(evil) == "abcdef31mgh"
    assert "\x1b[2J" not in rendered(evil, 40)
    assert "\x1b]" not in coloured(evil, "dim", 40)


def test_square_brackets_and_colons_are_words() -> None:
    assert "[1] 撤销 :smile: [bold]" in ANSI.sub("", coloured("[1] 撤销 :smile: [bold]", "cyan", 60))
    assert ":smile: [red]x[/red]" in ANSI.sub("", rendered(":smile: [red]x[/red]", 60))
