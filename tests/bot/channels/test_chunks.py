"""What a person sees of a Markdown answer, checked by the strict server's own rules."""

from __future__ import annotations

import json
import random
import re

import pytest

from bot.channels.chunks import CAPTION_LIMIT, TEXT_LIMIT, chunks, units, visible
from tests.fakes.telegram_rules import check_length, formatted

Seen = list[tuple[str, list[tuple[str, str, str]]]]


def seen(markdown: str, limit: int = TEXT_LIMIT, first: int | None = None) -> Seen:
    """Each message's text and its formats as (kind, words, language or address); refused ones fail the test."""
    told = []
    for number, (text, entities) in enumerate(chunks(markdown, limit, first)):
        room = first if first is not None and number == 0 else limit
        kept, _ = formatted(text, {"entities": json.dumps(entities)})
        check_length(text, room, caption=False)
        assert kept == text, "the server would trim it, and offsets would move"
        raw = text.encode("utf-16-le")
        formats = []
        for entity in entities:
            at, to = int(entity["offset"]), int(entity["offset"]) + int(entity["length"])
            extra = str(entity.get("url") or entity.get("language") or "")
            formats.append((str(entity["type"]), raw[at * 2 : to * 2].decode("utf-16-le"), extra))
        told.append((text, formats))
    return told


def only(markdown: str) -> tuple[str, list[tuple[str, str, str]]]:
    [one] = seen(markdown)
    return one


@pytest.mark.parametrize(
    "text",
    [
        "From: Ann <ann@x.com> & Bob <b@y>",
        "Map<String, List<Integer>> m = new HashMap<>();",
        "a || b || c",
        "2*3*4 = 24 and 2**3**4",
        "call __init__ and __main__ and snake_case_name",
        "if a < b & c > d: pass",
        "<script>alert(1)</script>",
        "<div>",
        "costs $5, or $7 a month",
        "about ~5 to ~7 km",
        "C:\\Users\\me",
        "#42 is a number",
        "!" * TEXT_LIMIT,
        "&" * 4000,
        "已存档 #1【代码笔记】《登录页》",
        "10.49 > 3; x = y",
    ],
)
def test_signs_that_look_like_markup_survive(text: str) -> None:
    assert only(text)[0] == text


def test_markdown_becomes_formats() -> None:
    text, formats = only("# Plan\n\nDo **this** *now*, not ~~that~~, see [docs](https://a.b/c_d) and `x_y`.")
    assert text == "Plan\n\nDo this now, not that, see docs and x_y."
    assert ("bold", "this", "") in formats
    assert ("italic", "now", "") in formats
    assert ("strikethrough", "that", "") in formats
    assert ("text_link", "docs", "https://a.b/c_d") in formats
    assert ("code", "x_y", "") in formats


@pytest.mark.parametrize(
    ("markdown", "bold"),
    [
        ("**注意：**请看", ["注意："]),
        ("这是**“重要”**的", ["“重要”"]),
        ("**注意：**请看**这里**。", ["注意：", "这里"]),
        ("1. **重点（一）**：内容", ["重点（一）"]),
        ("**用 `x*y` 的**时候", ["用", "的"]),
    ],
)
def test_bold_beside_chinese_punctuation(markdown: str, bold: list[str]) -> None:
    text, formats = only(markdown)
    assert "**" not in text
    assert [words for kind, words, _ in formats if kind == "bold"] == bold


def test_code_keeps_its_stars_and_its_language() -> None:
    text, formats = only("看：\n\n```python\ndef f(**注意):\n    return 2**3\n```\n`**a**` 完")
    assert ("pre", "def f(**注意):\n    return 2**3", "python") in formats
    assert ("code", "**a**", "") in formats
    assert text.endswith("**a** 完")


def test_bold_around_code_is_split_because_telegram_allows_nothing_in_code() -> None:
    _, formats = only("**run `make` now**")
    assert formats == [("bold", "run", ""), ("code", "make", ""), ("bold", "now", "")]


def test_links_that_telegram_would_drop_show_their_address() -> None:
    text, formats = only("[notes](notes.md)**!** [here](http://localhost:80) [mail](mailto:a@b.c)")
    assert text == "notes (notes.md)! here (http://localhost:80) mail (mailto:a@b.c)"
    assert formats == [("bold", "!", "")]


def test_quotes_in_quotes_are_one_quote() -> None:
    text, formats = only("> one\n> > two\n\nafter")
    assert text == "one\ntwo\n\nafter"
    assert formats == [("blockquote", "one\ntwo", "")]


def test_small_table_is_aligned() -> None:
    text, formats = only("| 名称 | n | ok |\n|---|--:|---|\n| 苹果 | 3 | `a` |\n| fig | 12 | **b** |\n\n后面")
    assert text == "名称   n  ok\n────  ──  ──\n苹果   3  a\nfig   12  b\n\n后面"
    assert [kind for kind, _, _ in formats] == ["pre"]


def test_wide_table_becomes_blocks_with_their_formats() -> None:
    markdown = (
        "| Plan | What it contains | Page |\n|---|---|---|\n"
        "| Basic | everything that a `single` person needs | [see](https://a.b) |\n| Pro | | [see](https://a.c) |"
    )
    text, formats = only(markdown)
    assert text.split("\n") == [
        "Basic",
        "• What it contains: everything that a single person needs",
        "• Page: see",
        "",
        "Pro",
        "• Page: see",
    ]
    assert ("code", "single", "") in formats
    assert ("text_link", "see", "https://a.c") in formats
    assert "|" not in text


def test_table_with_pipes_in_cells() -> None:
    text, _ = only("| op | means |\n|---|---|\n| `a \\| b` | or |")
    assert "a | b" in text


@pytest.mark.parametrize("markdown", ["", "\n", "  \n\t", "\u200b", "\u2060\n", "\x00"])
def test_nothing_visible_is_no_message(markdown: str) -> None:
    assert chunks(markdown) == []


@pytest.mark.parametrize("markdown", ["[a]: https://x.y", "---", "![](x)", "<!-- a -->", "```\n```"])
def test_something_is_never_nothing(markdown: str) -> None:
    assert visible(only(markdown)[0])


def test_halves_of_surrogate_pairs_and_control_characters_are_left_out() -> None:
    assert only("a\ud83cb\x00c\x1b[0m\r\nd")[0] == "abc[0m\nd"


def test_emoji_are_never_cut() -> None:
    told = seen(("🎩" * 40 + " ") * 120)
    assert sum(text.count("🎩") for text, _ in told) == 4800
    assert all(units(text) <= TEXT_LIMIT for text, _ in told)


def test_signs_of_several_characters_are_not_cut() -> None:
    family = "👩‍👩‍👧"
    for text, _ in seen(family * 2000):
        assert text.replace(family, "") == ""


def test_fence_moves_whole_to_the_next_message() -> None:
    code = "\n".join(f"y{n} = {n}" for n in range(20))
    told = seen("x\n" * 1995 + f"\n```python\n{code}\n```\nend")
    assert ("pre", code, "python") in told[1][1]
    assert not told[0][1]


def test_fence_longer_than_a_message_stays_code_in_each() -> None:
    lines = [f"    value_{n} = compute({n})  # 注释" for n in range(400)]
    told = seen("before\n\n```python\n" + "\n".join(lines) + "\n```\n\nafter")
    pres = [words for _, formats in told for kind, words, language in formats if language == "python"]
    assert "\n".join(pres).split("\n") == lines, "every line whole, indented, once"
    assert told[-1][0].endswith("after")


def test_bold_that_crosses_the_cut_is_bold_in_both() -> None:
    told = seen("**" + "word " * 1000 + "end**")
    assert len(told) == 2
    assert all(formats == [("bold", text, "")] for text, formats in told)


def test_paragraphs_stay_whole() -> None:
    paragraphs = [f"{n} " + "lorem ipsum " * 60 for n in range(12)]
    told = seen("\n\n".join(paragraphs))
    again = [p.strip() for text, _ in told for p in text.split("\n\n")]
    assert again == [p.strip() for p in paragraphs]


def test_chinese_is_cut_after_a_sentence() -> None:
    told = seen("今天天气很好，我们去公园散步吧。" * 400)
    assert all(text.endswith("。") for text, _ in told)


def test_caption_is_shorter_than_what_follows() -> None:
    told = seen("字" * 1025 + "🎩", first=CAPTION_LIMIT)
    assert [units(text) for text, _ in told] == [1024, 3]


def test_more_than_a_hundred_formats_are_split_before_telegram_drops_them() -> None:
    told = seen("\n".join(f"- **item {n}** `code`" for n in range(90)))
    assert sum(len(formats) for _, formats in told) == 180
    assert all(len(formats) <= 100 for _, formats in told)


PIECES = (
    *("**", "*", "_", "__", "`", "```\n", "~~", "||", "<b>", "</b>", "<a@b.c>", "&amp;", "[x](y)", "[", "]("),
    *(
        "| a | b |\n|---|---|\n| c | d |\n",
        "\n\n",
        "\n",
        "> ",
        "- ",
        "1. ",
        "# ",
        "    ",
        "\t",
        "\\",
        "$",
        "$$",
    ),
    *(
        "🎩",
        "注意：",
        "“重”",
        "word",
        " ",
        "👩‍👩‍👧",
        "http://a.b/c_d",
        "\\(x^2\\)",
        "\\frac{a}{b}",
        "!",
        "<div>\n",
    ),
)


@pytest.mark.parametrize("seed", range(40))
def test_any_mixture_is_taken_by_the_server_and_loses_no_word(seed: int) -> None:
    dice = random.Random(seed)
    markdown = "".join(dice.choice(PIECES) for _ in range(dice.choice((5, 50, 800))))
    told = seen(markdown, limit=dice.choice((100, 500, TEXT_LIMIT)))
    whole = "".join(text for text, _ in told)
    for word in ("word", "注意", "🎩"):
        fewer = re.sub(r"```\s*\S*", "", markdown)  # a fence's first word is its language
        assert whole.count(word) >= fewer.count(word) - markdown.count("```"), word
