"""Found again by words, in any script; with no embedder. And true to the files, whatever happens beside."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Collection, Mapping
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from memory import FolderStore, Memory
from memory.changes import Learn
from memory.dict_index import DictIndex
from memory.errors import EncoderFailed, IndexUnusable
from memory.index import Held
from memory.snapshot import Snapshot, Topic
from memory.store import DictStore
from memory.words import tokens
from tests.memory.conftest import NOW, Say

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


def page(*lines: str, title: str = "Home") -> str:
    return f"---\ntitle: {title}\npurpose: x\n---\n\n" + "".join(f"- {line}\n" for line in lines)


async def test_a_result_says_where_it_stands_and_who_said_it(memory: Memory, say: Say) -> None:
    said = say("The user plays squash on Mondays my I 我")
    await memory.apply([Learn("The user plays squash on Mondays", topic="Sport")], said)
    [found] = await memory.search("squash")
    assert found.title == "Sport"
    assert found.source is not None
    assert (found.source.conversation, found.source.message) == (said.conversation, said.message)


async def test_files_are_the_truth_whatever_is_done_to_them(tmp_path: Path) -> None:
    """Lines added, changed and removed behind the index's back, within one tick of the clock."""
    topics = tmp_path / "topics"
    topics.mkdir()
    memory = Memory(FolderStore(tmp_path), person="me", now=lambda: NOW)
    file = topics / "home.md"
    file.write_text(page("the fence is blue"), encoding="utf-8")
    assert [each.line.text for each in await memory.search("fence")] == ["the fence is blue"]
    for colour in ("grey", "pink", "gold"):  # of one length: neither size nor, often, time tells
        file.write_text(file.read_text(encoding="utf-8").replace("blue", colour), encoding="utf-8")
        before = file.stat()
        os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
        assert [each.line.text for each in await memory.search("fence")] == [f"the fence is {colour}"]
        file.write_text(file.read_text(encoding="utf-8").replace(colour, "blue"), encoding="utf-8")
    (topics / "new.md").write_text(page("a heron on the fence", title="Birds"), encoding="utf-8")
    assert {each.page for each in await memory.search("fence")} == {"topics/home.md", "topics/new.md"}
    file.unlink()
    assert [each.page for each in await memory.search("fence")] == ["topics/new.md"]


async def test_words_alone_where_no_vector_can_be_had(say: Say) -> None:
    async def embed(texts: object) -> NDArray[np.float32]:
        raise EncoderFailed

    memory = Memory(
        DictStore({"topics/home.md": page("the fence is blue")}), person="me", now=lambda: NOW, embed=embed
    )
    assert [each.line.text for each in await memory.search("fence")] == ["the fence is blue"]


class Unusable(DictIndex):
    """An index whose disk is full."""

    async def marks(self) -> dict[str, str]:
        raise IndexUnusable


async def test_an_index_that_cannot_be_used_hides_nothing() -> None:
    store = DictStore({"topics/home.md": page("the fence is blue")})
    memory = Memory(store, person="me", now=lambda: NOW, index=Unusable())
    assert [each.line.text for each in await memory.search("fence")] == ["the fence is blue"]


class Slow(DictIndex):
    """An index whose first taking in lasts until a second one would be through."""

    def __init__(self) -> None:
        super().__init__(None)
        self.began = asyncio.Event()

    async def hold(self, groups: Mapping[str, Held], gone: Collection[str] = ()) -> None:
        if not self.began.is_set():
            self.began.set()
            await asyncio.sleep(0.05)
        await super().hold(groups, gone)


async def test_an_older_page_never_comes_back_over_a_newer_one() -> None:
    store, index = DictStore({"topics/home.md": page("the fence is blue")}), Slow()
    memory = Memory(store, person="me", now=lambda: NOW, index=index)
    older = asyncio.create_task(memory.search("fence"))
    await index.began.wait()
    store.texts["topics/home.md"] = store.texts["topics/home.md"].replace("blue", "green")
    assert [each.line.text for each in await memory.search("fence")] == ["the fence is green"]
    await older
    assert not any(hit.worded for hit in await index.find("blue"))
    assert any(hit.worded for hit in await index.find("green"))
