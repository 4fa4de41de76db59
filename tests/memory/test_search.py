"""Found again by words, in any script; with no embedder."""

from __future__ import annotations

import pytest

from memory import Memory
from memory.changes import Learn
from memory.snapshot import Snapshot, Topic
from memory.words import tokens
from tests.memory.conftest import Say

FACTS = [
    "早报七点发",
    "重跑gen-itgc后发邮件",
    "用户的车是灰色的",
    "The user plays squash on Mondays",
    "The user's receipts go to the accountant",
    "用户的女儿叫圆圆",
]


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("早报", "早报七点发"),
        ("gen-itgc", "重跑gen-itgc后发邮件"),
        ("GEN", "重跑gen-itgc后发邮件"),
        ("receipt", "The user's receipts go to the accountant"),
        ("when do I play squash?", "The user plays squash on Mondays"),
        ("女儿", "用户的女儿叫圆圆"),
        ("车", "用户的车是灰色的"),
    ],
)
async def test_found(memory: Memory, say: Say, asked: str, found: str) -> None:
    for fact in FACTS:
        await memory.apply([Learn(fact)], say(f"{fact} my I 我"))
    hits = await memory.search(asked)
    assert hits
    assert hits[0].line.text == found


async def test_nothing_is_found_where_nothing_is(memory: Memory, say: Say) -> None:
    assert await memory.search("x") == []
    await memory.apply([Learn("早报七点发")], say("早报七点发"))
    assert await memory.search("zebra") == []
    assert await memory.search("") == []


def test_tokens_of_any_script() -> None:
    assert tokens("成语接龙 ABC") == ["成语", "语接", "接龙", "abc"]
    assert tokens("车") == ["车"]


def test_a_snapshot_says_what_it_leaves_out() -> None:
    topics = tuple(Topic(f"topics/{n}.md", f"Topic {n}", "things", n) for n in range(50))
    rendered = Snapshot((), topics, ("- old", "- new")).render(100)
    assert "Topic 0" in rendered
    assert "more" in rendered
    assert "- new" in rendered
    assert Snapshot().render() == ""
