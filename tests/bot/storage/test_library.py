"""Finding and moving a person's pictures."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np
import pytest
import sqlalchemy as sa
from numpy.typing import NDArray

from bot.models.embeddings import EmbeddingsError
from bot.storage.archive import Archive
from bot.storage.filings import Filings as Rows
from bot.storage.gallery import ByText, Gallery
from bot.storage.library import Library
from bot.storage.search import open_index
from bot.storage.tables import filings
from classifiers.ports import Embed
from memory.dict_index import DictIndex
from tests.bot.desks import Rig, open_rig


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


async def test_the_one_of_last_week_by_what_it_was_about(rig: Rig) -> None:
    await rig.filed("代码笔记", "first", text="name, *rest = row  # unpacking a row")
    rig.clock.later(days=7)
    await rig.filed("代码笔记", "second", text="another row is unpacked here: unpacking rows")
    await rig.filed("Trips", "third", text="Gate B7")
    library = rig.library()
    for words in ("the screenshot about row unpacking last week", "上周那张关于 row unpacking 的截图"):
        assert [row.title for row in await library.search(words)] == ["first"], words
    assert len(await library.search("row unpacking")) == 2


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
    raise EmbeddingsError("none on this machine")


def encoding(rig: Rig, rows: Rows, embed: Embed) -> Library:
    gallery = Gallery(rows, "me", DictIndex(ByText(embed)))
    return Library(
        rows,
        Archive(rig.home / "me"),
        "me",
        edits=rig.storage.edits,
        gallery=gallery,
        sheets=rig.sheets(),
        now=rig.clock,
    )


async def test_without_an_encoder_words_are_enough(rig: Rig) -> None:
    vector = np.ones(3, np.float32).tobytes()
    await rig.filed("Trips", "Boarding pass", vector=vector)
    library = encoding(rig, rig.storage.filings, no_encoder)
    assert [row.title for row in await library.search("boarding")] == ["Boarding pass"]


async def test_found_by_meaning_where_no_word_is_shared(rig: Rig) -> None:
    await rig.filed("Trips", "Boarding pass", text="Gate B7")
    await rig.filed("Trips", "Late one", text="Gate B8", state="due")

    async def encode(texts: Sequence[str]) -> NDArray[np.float32]:
        return np.tile(np.array([0.6, 0.8], np.float32), (len(texts), 1))

    library = encoding(rig, rig.storage.filings, encode)
    assert [row.title for row in await library.search("flight")] == ["Boarding pass"]


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("SUBTOTAL 7.80\nGRANDTOTAL 8.42", "grand total"),
        ("TAXINVOICE No. 17", "Tax Invoice"),
        ("order D65O2 packed", "D6502"),
        ("T0TAL 8.42", "total"),
        ("def getUserName():", "username"),
        ("Python row字典解包说明", "解包"),
        ("Python row字典解包说明", "row解包"),
        ("南昌站D6502次", "D6502"),
        ("ＳＵＧＡＲ 3 kg", "sugar"),
    ],
)
async def test_what_ocr_glued_and_mistook_is_found(rig: Rig, text: str, asked: str) -> None:
    await rig.filed("Other", "Something else", text="the quick red fox of 1999")
    row = await rig.filed("Things", "A picture", text=text)
    assert [found.id for found in await rig.library().search(asked)] == [row.id]


async def test_what_changed_since_the_last_search_is_found_as_it_is_now(rig: Rig) -> None:
    library = rig.library()
    row = await rig.filed("Trips", "Boarding pass", text="Gate B7")
    assert [found.id for found in await library.search("boarding")] == [row.id]
    await rig.storage.filings.update(row.id, title="Opera ticket")
    assert await library.search("boarding") == []
    assert [found.id for found in await library.search("opera")] == [row.id]
    await rig.storage.filings.update(row.id, state="deleted")
    assert await library.search("opera") == []
    await rig.storage.filings.update(row.id, state="filed")
    assert [found.id for found in await library.search("opera gate")] == [row.id]


async def test_rows_of_another_database_are_taken_in_anew(rig: Rig, tmp_path: Path) -> None:
    """An index outlives the database it was made from, when that one is deleted and made again from the folder."""
    await rig.filed("Trips", "Boarding pass")
    index = DictIndex()
    assert await Gallery(rig.storage.filings, "me", index).worded("boarding", 5)
    async with open_rig(tmp_path / "anew") as anew:
        await anew.filed("Trips", "Opera ticket")
        gallery = Gallery(anew.storage.filings, "me", index)
        assert await gallery.worded("boarding", 5) == []
        assert [hit.worded for hit in await gallery.worded("opera", 5)] == [True]


def _insert(made: list[dict[str, object]], connection: sa.Connection) -> None:
    connection.execute(filings.insert(), made)


@pytest.mark.slow
async def test_a_search_among_many_costs_hardly_more(rig: Rig, tmp_path: Path) -> None:
    """CPU of one search among 4,000 pictures against 400: reading all of them would be ten times as much."""
    chance, costs = random.Random(1), []
    words = [f"{chance.choice('bdfgklmnprst')}{n}word" for n in range(3_000)]
    have = 0
    async with open_index(tmp_path / "pictures.sqlite") as index:
        rows = rig.storage.filings
        gallery = Gallery(rows, "me", index)
        library = Library(
            rows,
            Archive(rig.home / "me"),
            "me",
            edits=rig.storage.edits,
            gallery=gallery,
            sheets=rig.sheets(),
            now=rig.clock,
        )
        for many in (400, 4_000):
            made = [
                {
                    "person": "me",
                    "number": n,
                    "message": n,
                    "place": 0,
                    "blob": f"{n:064}",
                    "name": "a.png",
                    "at": rig.clock(),
                    "state": "filed",
                    "category": "Trips",
                    "title": f"picture {n}",
                    "text": " ".join(chance.sample(words, 40)),
                    "touched": n,
                }
                for n in range(have + 1, many + 1)
            ]
            await rig.storage.database.write(partial(_insert, made))
            have = many
            assert [row.number for row in await library.search(f"picture {many}")][:1] == [many]
            began = time.process_time()
            for word in words[:40]:
                await library.search(f"{word} {words[-1]}")
            costs.append(time.process_time() - began)
    assert costs[1] < 3 * costs[0] + 0.2


async def test_pictures_that_look_alike_come_first(rig: Rig) -> None:
    first = await rig.filed("Trips", "Boarding pass", text="Gate B7 seat 4A", phash="f" * 64)
    await rig.filed("Trips", "Another pass", text="Gate B7 seat 5B", phash="0" * 64)
    copy = await rig.filed("Trips", "The same, smaller", text="nothing", phash="f" * 60 + "0fff")
    found = await rig.library().like(first)
    assert found[0].id == copy.id
    assert first.id not in [row.id for row in found]


async def test_a_picture_taken_away_by_hand_can_still_be_moved(rig: Rig) -> None:
    row = await rig.filed("Trips", "Boarding pass")
    (rig.home / "me" / row.file).unlink()
    await rig.library().edit.move([row], "Work")
    moved = await rig.storage.filings.get(row.id)
    assert moved.category == "Work"
    assert list((rig.home / "me").rglob("*.png")) == []
