"""Shelving and moving: killed at any step and run again, one picture lies in one place under one number."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

import pytest

from bot.storage.archive import Archive
from bot.storage.filings import Filings
from bot.storage.gallery import Gallery
from bot.storage.library import Library
from bot.storage.records import FilingRow
from bot.storage.shelf import PersonShelf
from bot.types import Upload
from classifiers.prepare import prepare
from classifiers.types import Filing, Picture, Reading
from memory.dict_index import DictIndex
from tests.bot.desks import ZONE, Rig, open_rig
from tests.bot.servers import FreshUrl
from tests.bot.storage.dying import Death, DyingArchive, DyingDatabase, Killed
from tests.classifiers.drawings import page, saved

DATA = b"the picture"
MOST = 40  # steps; the tests check that it is enough


def picture(phash: str = "") -> Picture:
    return Picture("sha", b"", 10, 10, "PNG", ".png", phash=phash, original=DATA)


def shelf(rig: Rig, row: FilingRow, death: Death | None = None) -> PersonShelf:
    death = death or Death(0)
    rows = Filings(DyingDatabase(rig.storage.database, death))
    return PersonShelf(rows, DyingArchive(rig.home / "me", death), row, DATA, embed=None, zone=ZONE)


async def due(rig: Rig, data: bytes = DATA) -> FilingRow:
    message = await rig.said("", Upload(data, "p.png"), answer=False)
    [row] = await rig.storage.filings.of_message(message.id)
    return row


def lying(home: Path) -> list[str]:
    """What lies in the archive, sidecars left out after a look that each has one."""
    files = sorted(path for path in (home / "me" / "archive").rglob("*") if path.is_file())
    pictures = [path for path in files if path.suffix == ".png"]
    assert files == sorted([*pictures, *(path.with_suffix(".md") for path in pictures)])
    return [path.relative_to(home / "me").as_posix() for path in pictures]


async def killed_at_every_step(
    tmp_path: Path,
    fresh_url: FreshUrl,
    before: Callable[[Rig], Awaitable[FilingRow]],
    work: Callable[[Rig, FilingRow, Death], Awaitable[object]],
    check: Callable[[Rig, FilingRow], Awaitable[None]],
) -> None:
    """Do `work`, killed at step 1, 2, 3 …, then once more undisturbed; what is left must be the same each time."""
    for at in range(1, MOST):
        async with open_rig(tmp_path / f"home{at}", database_url=fresh_url()) as rig:
            row = await before(rig)
            death = Death(at)
            with suppress(Killed):
                await work(rig, row, death)
            if death.steps >= at:
                await work(rig, await rig.storage.filings.get(row.id), Death(0))
            await check(rig, await rig.storage.filings.get(row.id))
            if death.steps < at:
                return
    pytest.fail("it has more steps than were tried")


@pytest.mark.slow
async def test_a_first_filing(tmp_path: Path, fresh_url: FreshUrl) -> None:
    async def put(rig: Rig, row: FilingRow, death: Death) -> None:
        category = "A" if death.steps == 0 and row.attempt == 0 else "B"
        await rig.storage.filings.update(row.id, attempt=row.attempt + 1)
        assert await shelf(rig, row, death).put(picture(), Reading("text"), Filing(category, "title")) == 1

    async def check(rig: Rig, row: FilingRow) -> None:
        """Even a judge that changes its mind after the crash leaves one picture."""
        assert row.number == 1
        assert row.state == "due", "the job ends it, together with the receipt"
        assert lying(rig.home) == [row.file]
        assert row.category in ("A", "B")
        assert row.file.startswith(f"archive/{row.category}/")

    await killed_at_every_step(tmp_path, fresh_url, due, put, check)


@pytest.mark.slow
async def test_a_filing_judged_again(tmp_path: Path, fresh_url: FreshUrl) -> None:
    async def filed(rig: Rig) -> FilingRow:
        row = await due(rig)
        await shelf(rig, row).put(picture(), Reading("text"), Filing("Old", "title"))
        await rig.storage.filings.update(row.id, rules_seen="x")
        return await rig.storage.filings.get(row.id)

    async def put(rig: Rig, row: FilingRow, death: Death) -> None:
        kept = await asyncio.to_thread(Archive(rig.home / "me").read, [row.file, *row.leaving])
        assert kept == DATA, "whenever it dies, the bytes are found again"
        await shelf(rig, row, death).put(picture(), Reading("text"), Filing("New", "title"))

    async def check(rig: Rig, row: FilingRow) -> None:
        assert (row.number, row.category) == (1, "New")
        assert lying(rig.home) == [row.file] == ["archive/New/2026-09-01 title #1.png"]
        assert row.leaving == ("archive/Old/2026-09-01 title #1.png",), "so that the job knows that it moved"

    await killed_at_every_step(tmp_path, fresh_url, filed, put, check)


def library(rig: Rig, death: Death) -> Library:
    rows = Filings(DyingDatabase(rig.storage.database, death))
    return Library(
        rows,
        DyingArchive(rig.home / "me", death),
        "me",
        edits=rig.storage.edits,
        gallery=Gallery(rows, "me", DictIndex()),
        sheets=rig.sheets(),
        now=rig.clock,
    )


@pytest.mark.slow
async def test_a_move(tmp_path: Path, fresh_url: FreshUrl) -> None:
    async def filed(rig: Rig) -> FilingRow:
        return await rig.filed("Old", "title", runner_up="New")

    async def move(rig: Rig, row: FilingRow, death: Death) -> None:
        await library(rig, death).edit.move([row], "New")

    async def check(rig: Rig, row: FilingRow) -> None:
        assert (row.category, row.corrected, row.leaving, row.runner_up) == ("New", True, (), None)
        assert lying(rig.home) == [row.file]

    await killed_at_every_step(tmp_path, fresh_url, filed, move, check)


@pytest.mark.slow
async def test_a_move_that_nobody_repeats_is_taken_back_at_the_next_start(
    tmp_path: Path, fresh_url: FreshUrl
) -> None:
    async def filed(rig: Rig) -> FilingRow:
        return await rig.filed("Old", "title")

    async def move(rig: Rig, row: FilingRow, death: Death) -> None:
        if not row.leaving and row.category == "Old" and death.steps == 0 and not getattr(death, "_at", 0):
            return  # killed before anything had happened: nothing to do
        if getattr(death, "_at", 0):
            await library(rig, death).edit.move([row], "New")
            return
        for each in await rig.storage.filings.unsettled():
            await rig.library().edit.settle(each)

    async def check(rig: Rig, row: FilingRow) -> None:
        assert row.leaving == ()
        assert lying(rig.home) == [row.file]
        assert row.file.startswith(f"archive/{row.category}/")
        assert await rig.storage.filings.unsettled() == []

    await killed_at_every_step(tmp_path, fresh_url, filed, move, check)


@pytest.mark.parametrize("at", [1, 7, 40, 90, 130])
async def test_a_whole_category_moved_and_killed_half_way_loses_and_mixes_nothing(rig: Rig, at: int) -> None:
    rows = [await rig.filed("Old", f"page {n}", text=f"text {n}") for n in range(20)]
    was = {(rig.home / "me" / row.file).read_bytes() for row in rows}
    with suppress(Killed):
        await library(rig, Death(at)).edit.merge("Old", "New")
    for each in await rig.storage.filings.unsettled():  # the next start
        await rig.library().edit.settle(each)
    now = await rig.library().all()
    assert [row.number for row in now] == [row.number for row in rows]
    assert sorted(row.file for row in now) == lying(rig.home)
    assert {(rig.home / "me" / row.file).read_bytes() for row in now} == was
    assert all(row.file.startswith(f"archive/{row.category}/") for row in now)
    left = [row for row in now if row.category != "New"]
    if left:
        await rig.library().edit.move(left, "New")
    assert {row.category for row in await rig.library().all()} == {"New"}
    assert len(lying(rig.home)) == len(rows)


async def test_different_terminals_are_never_copies_of_one_another(rig: Rig) -> None:
    """However like they look (to an average hash they are all the same); the same one, saved smaller, is."""
    said = ("$ make test\n412 passed in 61 s", "$ git push\nremote: ok 3f9c", "$ df -h\n/dev/sda1 91% /")
    shown = [page(text, size=(1200, 800), ink="lightgreen", paper="#101010") for text in said]
    hashes = [prepare(saved(image, "PNG")).phash for image in shown]
    await rig.filed("A", "first", phash=hashes[0], text=said[0])
    new = shelf(rig, await due(rig))
    for phash, text in zip(hashes[1:], said[1:], strict=True):
        assert await new.alike(picture(phash), text) is None
        assert await new.alike(picture(hashes[0]), text) is None
    smaller = prepare(saved(shown[0].resize((600, 400)), "JPEG")).phash
    assert await new.alike(picture(smaller), said[0]) == 1


async def test_put_twice_is_put_once(rig: Rig) -> None:
    row = await due(rig)
    one = shelf(rig, row)
    assert await one.put(picture(), Reading("text"), Filing("A", "first")) == 1
    assert await one.put(picture(), Reading("text"), Filing("B", "second")) == 1
    assert lying(rig.home) == ["archive/B/2026-09-01 second #1.png"]
    assert [each.name for each in await rig.storage.filings.categories("me")] == ["A", "B"]


async def test_seen_and_alike_never_mean_itself_or_another_persons(rig: Rig) -> None:
    filings = rig.storage.filings
    mine = await rig.filed("A", "one", sha256="sha", phash="0" * 64, text="some text in it")
    await rig.filed("A", "bob's", person="bob", sha256="bobs", phash="f" * 64, text="other")
    new = shelf(rig, await due(rig))
    assert await new.seen("sha") == mine.number
    assert await new.seen("bobs") is None
    assert await new.alike(picture("0" * 63 + "1"), "some text in it") == mine.number
    assert await new.alike(picture("0" * 63 + "1"), "quite another story") is None
    assert await new.alike(picture("f" * 64), "other") is None
    itself = shelf(rig, await filings.get(mine.id))
    assert await itself.seen("sha") is None
    assert await itself.alike(picture("0" * 64), "some text in it") is None


async def test_text_with_halves_of_characters_is_shelved(rig: Rig) -> None:
    row = await due(rig)
    await shelf(rig, row).put(
        picture(), Reading("half \ud83d"), Filing("A\ud83d", "t\ud83d", summary="s\ud83d")
    )
    assert (await rig.storage.filings.get(row.id)).text == "half ?"
    assert len(lying(rig.home)) == 1
