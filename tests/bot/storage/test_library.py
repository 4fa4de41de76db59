"""Finding and moving a person's pictures."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from bot.errors import KairosError
from bot.storage.archive import Archive
from bot.storage.filings import Filings as Rows
from bot.storage.library import Library
from classifiers.ports import Embed
from tests.bot.desks import Rig


async def test_found_by_words_in_any_script(rig: Rig) -> None:
    await rig.filed("代码笔记", "解包一行", text="def unpack(row): 价目")
    await rig.filed("Trips", "Boarding pass", text="Ticketto Gate B7")
    library = rig.library()
    for words, title in [
        ("价目", "解包一行"),
        ("gate b7", "Boarding pass"),
        ("代码笔记", "解包一行"),
        ("ＴＲＩＰＳ", "Boarding pass"),
    ]:
        assert [row.title for row in await library.search(words)] == [title], words
    assert await library.search("nothing like it") == []


async def test_a_kind_is_found_in_whatever_words_and_days_are_days(rig: Rig) -> None:
    await rig.filed("票据", "禾苗超市", text="合计 24.00")
    await rig.filed("Trips", "Lisbon", text="Gate B7")
    library = rig.library()
    for words in ("小票", "那张收据呢", "find the receipt", "今天的发票"):
        assert [row.title for row in await library.search(words)] == ["禾苗超市"], words
    for words in ("what did I send you today?", "最近存了什么图", "today"):
        assert [row.title for row in await library.search(words)] == ["Lisbon", "禾苗超市"], words
    assert [row.title for row in await library.search("最近存了什么图", 1)] == ["Lisbon"]
    for words in ("what did I send you last year?", "上个月的小票"):
        assert await library.search(words) == [], words


@pytest.mark.parametrize("words", ["", " ", "😀", "…", "？！", "#", "\0", "\ud83d", "x " * 50_000])
async def test_words_that_say_nothing_find_nothing(rig: Rig, words: str) -> None:
    await rig.filed("Trips", "Boarding pass", text="Gate B7")
    await rig.filed("😀", "😀")
    assert await rig.library().search(words) == []


async def test_people_find_only_their_own(rig: Rig) -> None:
    await rig.filed("Trips", "Boarding pass", person="ann")
    assert await rig.library("bob").search("boarding") == []
    assert await rig.library("bob").all() == []
    assert await rig.library("bob").numbered(1) is None
    assert await rig.library("bob").newest() is None
    assert await rig.library("bob").categories() == []


async def no_encoder(texts: Sequence[str]) -> NDArray[np.float32]:
    raise KairosError("none on this machine")


def encoding(rig: Rig, rows: Rows, embed: Embed) -> Library:
    return Library(rows, Archive(rig.home / "me"), "me", edits=rig.storage.edits, embed=embed, now=rig.clock)


async def test_without_an_encoder_words_are_enough(rig: Rig) -> None:
    vector = np.ones(3, np.float32).tobytes()
    await rig.filed("Trips", "Boarding pass", vector=vector)
    library = encoding(rig, rig.storage.filings, no_encoder)
    assert [row.title for row in await library.search("boarding")] == ["Boarding pass"]


async def test_found_by_meaning_while_another_is_being_filed(rig: Rig) -> None:
    """The list of pictures and that of vectors are read one after the other: what came between is no trouble."""
    filings = rig.storage.filings
    vector = (np.ones(4, np.float32) / 2).tobytes()
    await rig.filed("Trips", "Boarding pass", vector=vector)
    late = await rig.filed("Trips", "Late one", vector=vector, state="due")

    async def encode(texts: Sequence[str]) -> NDArray[np.float32]:
        return np.frombuffer(vector, np.float32)[None]

    class Filings(type(filings)):  # type: ignore[misc]
        async def vectors(self, person: str) -> object:
            await self.update(late.id, state="filed")
            return await super().vectors(person)

    library = encoding(rig, Filings(rig.storage.database), encode)
    assert [row.title for row in await library.search("flight")] == ["Boarding pass"]


async def test_a_picture_taken_away_by_hand_can_still_be_moved(rig: Rig) -> None:
    row = await rig.filed("Trips", "Boarding pass")
    (rig.home / "me" / row.file).unlink()
    await rig.library().edit.move([row], "Work")
    moved = await rig.storage.filings.get(row.id)
    assert moved.category == "Work"
    assert list((rig.home / "me").rglob("*.png")) == []
