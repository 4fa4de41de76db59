"""Every sentence in both languages, with the same blanks; and which language somebody writes in."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from string import Formatter

import pytest

import bot
from bot.types import Language
from bot.wording import _WORDS, language_of, parted, say

SOURCES = sorted(Path(bot.__file__).parent.rglob("*.py"))


def blanks(words: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(words) if name is not None}


@pytest.mark.parametrize("key", _WORDS)
def test_both_languages_say_the_same(key: str) -> None:
    zh, en = _WORDS[key]
    assert blanks(zh) == blanks(en)
    assert re.search(r"[\u4e00-\u9fff]", zh) or not re.search(r"\w", re.sub(r"\{\w*\}", "", zh)), (
        "blanks only"
    )
    assert not re.search(r"[\u4e00-\u9fff]", en)
    assert "  " not in en.replace("\n  ", "\n")


def used() -> set[str]:
    """Every string in the sources that could be a key."""
    found: set[str] = set()
    for source in SOURCES:
        if source.name == "wording.py":
            continue
        for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found.add(node.value)
    return found


def test_no_sentence_is_left_over_and_none_is_missing() -> None:
    strings = used()
    assert {key for key in _WORDS if key not in strings and not key.startswith("origin.")} == set()
    called = set()
    for source in SOURCES:
        text = source.read_text(encoding="utf-8")
        if "from bot.wording import" in text and " say" in text:
            called |= set(re.findall(r'\bsay\([^"()]*(?:\([^()]*\))?[^"()]*, "([a-z_.]+)"', text))
    assert called
    assert {key for key in called if key not in _WORDS} == set()


def test_values_with_braces_are_only_values() -> None:
    said = say("zh", "filed", number=1, category="{number}", title="{0} %s {title}")
    assert said == "已存档 #1【{number}】《{0} %s {title}》"


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("以后回答都要简短", "zh"),
        ("Boarding passes belong with the other travel stuff", "en"),
        ("hello", "en"),
        ("帮我 review 一下 this pull request please", "zh"),
        ("what does 你好 mean in English and how do I use it", "en"),
        ("code screenshots go to 开发备忘 instead", "en"),
        ("Put receipts under 报销凭证与发票", "en"),
        ("docker compose build 失败", "zh"),
        ("meeting at 三点 in 会议室", "en"),
        ("记一下 to do list", "zh"),
        ("看下 https://example.com/a/b", "zh"),
        ("OK 好的", "zh"),
        ("𠮷野家", "zh"),
        ("ok", None),
        ("OK!", None),
        ("Yes", None),
        ("42", None),
        ("😀", None),
        ("https://example.com/some/page", None),
        ("/home/me/x.png", None),
        ("screenshot.png", None),
        ("user@example.com", None),
        ("", None),
        ("\0\ud83d", None),
    ],
)
def test_language(text: str, language: Language | None) -> None:
    assert language_of(text) == language


@pytest.mark.parametrize("unit", ["x", "-", "x-", "a ", "/", "@", "好", ".a"])
def test_a_long_text_costs_next_to_nothing(unit: str) -> None:
    """Nothing here may look at a text more than once for each of its characters."""
    language_of(unit * 200_000)


def test_receipts_are_told_from_what_was_said() -> None:
    assert parted("好的。\n\n✓ 记住了：回答简短") == ("好的。", ["✓ 记住了：回答简短"])
    assert parted("✓ Saved: a\n✓ Forgotten: b") == ("", ["✓ Saved: a", "✓ Forgotten: b"])
    listed = "✓ milk\n✓ bread\n\n\n\n- eggs"
    assert parted(listed) == (listed, [])


def test_receipts_of_several_pictures_are_told_from_prose() -> None:
    album = "已存档 3 张：\n#4【旅行】《机票》"
    assert parted(album) == ("#4【旅行】《机票》", ["已存档 3 张："])
    many = "Moved 2 pictures (#3, #5 …): [Inbox] → [Trips]"
    assert parted(f"Done.\n{many}") == ("Done.", [many])
    for prose in (
        "Filed away under things to do.",
        "Moved house lately?",
        "已删除的图片在回收站里。",
        "已移动硬盘",
    ):
        assert parted(prose) == (prose, [])


@pytest.mark.parametrize(
    "key",
    [
        *("moved", "moved.many", "renamed", "deleted", "deleted.many", "bin.restored", "merged"),
        *("filed.album", "renamed.back", "deleted.back", "merged.back", "moved.back", "folder.undone"),
        *("cultivate.added", "cultivate.removed", "kept", "replaced", "removed", "restored", "undone"),
    ],
)
@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_receipt_is_told_by_what_it_says(key: str, language: Language) -> None:
    blanks = dict.fromkeys(
        ("title", "old", "new", "category", "when", "prompt", "due", "text", "before"), "a b"
    )
    line = say(language, key, number="3, #5", count=2, **blanks)
    assert parted(f"x\n{line}") == ("x", [line])
