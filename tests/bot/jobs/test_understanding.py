"""Vectors catch up while nobody waits; a few are left to the search, and what is broken stops nothing."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from bot.jobs import understanding
from bot.jobs.understanding import LEFT, STEP, Understanding
from bot.storage.chats import Chats
from bot.storage.gallery import Gallery
from bot.storage.search import SearchIndex
from memory import FolderStore, Memory
from memory.dict_index import DictIndex
from memory.errors import EncoderFailed
from tests.bot.desks import Rig


class Encoder:
    """Counts what it is handed; fails as told."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.fails = False

    async def passages(self, texts: Sequence[str], /) -> NDArray[np.float32]:
        if self.fails:
            raise EncoderFailed
        self.texts += texts
        return np.full((len(texts), 4), 0.5, np.float32)

    queries = passages


class House:
    """A person with many lines and much talk."""

    def __init__(self, rig: Rig, folder: Path) -> None:
        self.rig = rig
        self.encoder = Encoder()
        self.waiting: list[int] = []
        self.lines = SearchIndex(folder / "lines.sqlite", self.encoder)
        self.said = SearchIndex(folder / "chats.sqlite", self.encoder)
        self.chats = Chats(rig.storage.database, "me", self.said, rig.clock)
        self.gallery = Gallery(rig.storage.filings, "me", DictIndex())
        self.memory = Memory(
            FolderStore(rig.home / "me"), person="me", now=rig.clock, index=self.lines, language="en"
        )
        self.job = Understanding(
            lambda _: self.memory, lambda _: self.chats, lambda _: self.gallery, self.look
        )

    async def look(self) -> Sequence[int]:
        return self.waiting

    def bring(self, count: int) -> None:
        page = self.rig.home / "me" / "topics" / "birds.md"
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text("".join(f"- saw bird number {n}\n" for n in range(count)), "utf-8")

    async def close(self) -> None:
        await self.lines.close()
        await self.said.close()


@pytest.fixture
def house(rig: Rig, tmp_path: Path) -> House:
    return House(rig, tmp_path)


async def test_a_folder_that_came_is_understood_before_anybody_searches(house: House) -> None:
    house.bring(150)
    await house.job.round("me")
    assert len(house.encoder.texts) == len(set(house.encoder.texts)) == 150
    await house.memory.search("bird number 7")
    assert len(house.encoder.texts) == 151  # only the question
    await house.job.round("me")
    assert len(house.encoder.texts) == 151
    await house.close()


async def test_a_few_are_left_to_the_search(house: House) -> None:
    house.bring(LEFT)
    await house.rig.said("good morning")
    await house.job.round("me")
    assert house.encoder.texts == []
    assert await house.memory.understand(0) == LEFT
    assert await house.chats.understand(0) == 1
    await house.close()


async def test_whoever_waits_comes_first(house: House) -> None:
    house.bring(3 * STEP)
    house.waiting = [1]
    await house.job.round("me")
    assert house.encoder.texts == []
    await house.close()


async def test_a_round_is_short(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(understanding, "LONGEST", 0.0)
    house.bring(3 * STEP)
    await house.job.round("me")
    assert house.encoder.texts == []
    await house.close()


async def test_talk_is_understood_though_the_lines_cannot_be(house: House, tmp_path: Path) -> None:
    house.bring(2)
    (tmp_path / "lines.sqlite").mkdir()
    for n in range(LEFT + 1):
        await house.rig.said(f"the {n}th thing I said")
    await house.job.round("me")
    assert len(house.encoder.texts) == LEFT + 1
    await house.close()


async def test_an_encoder_that_fails_is_tried_again_in_the_next_round(house: House) -> None:
    house.bring(LEFT + 1)
    house.encoder.fails = True
    await house.job.round("me")
    assert await house.memory.understand(0) == LEFT + 1
    house.encoder.fails = False
    await house.job.round("me")
    assert await house.memory.understand(0) == 0
    await house.close()
