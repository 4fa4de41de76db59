"""What a person did in the folder is what they want; what is only away is not touched."""

from __future__ import annotations

import hashlib
import shutil
from datetime import timedelta
from pathlib import Path

import pytest

from bot.storage.archive import Archive
from bot.storage.records import FilingRow
from bot.storage.rescan import Rescan, Rescanned
from tests.bot.desks import Rig


async def rescan(rig: Rig, person: str = "me") -> Rescanned:
    library = rig.library(person)
    return await Rescan(rig.storage.filings, Archive(rig.home / person), person, library.edit).run()


async def filed(rig: Rig, category: str, title: str) -> FilingRow:
    sha256 = hashlib.sha256(f"me{category}{title}".encode()).hexdigest()
    return await rig.filed(category, title, sha256=sha256)


def files(rig: Rig) -> list[str]:
    home = rig.home / "me"
    tops = [home / "archive", home / "bin"]
    return sorted(p.relative_to(home).as_posix() for top in tops for p in top.rglob("*") if p.is_file())


def moved(rig: Rig, row: FilingRow, to: str, *, sidecar: bool = True) -> None:
    home = rig.home / "me"
    (home / to).parent.mkdir(parents=True, exist_ok=True)
    (home / row.file).rename(home / to)
    if sidecar:
        (home / row.file).with_suffix(".md").rename((home / to).with_suffix(".md"))


async def test_nothing_happened(rig: Rig) -> None:
    await filed(rig, "代码", "one: 1/2")
    before = files(rig)
    assert await rescan(rig) == Rescanned()
    assert files(rig) == before
    assert await rescan(rig, "nobody") == Rescanned()


@pytest.mark.parametrize("sidecar", [True, False])
async def test_dragged_to_another_folder_and_back_by_undo(rig: Rig, sidecar: bool) -> None:
    row = await filed(rig, "代码", "one")
    await filed(rig, "Trips", "two")
    moved(rig, row, f"archive/Trips/{Path(row.file).name}", sidecar=sidecar)
    found = await rescan(rig)
    [change] = found.changes
    assert change.values == {"category": "Trips"}
    now = await rig.storage.filings.get(row.id)
    assert (now.category, now.corrected, now.leaving) == ("Trips", True, ())
    assert "archive/Trips/2026-09-01 one #1.png" in files(rig)
    assert "archive/Trips/2026-09-01 one #1.md" in files(rig)
    assert not any("代码" in file for file in files(rig))
    assert await rescan(rig) == Rescanned(), "once"
    assert found.edit is not None
    await rig.library().edit.undo(found.edit)
    assert (await rig.storage.filings.get(row.id)).category == "代码"
    assert len(files(rig)) == 4
    assert await rescan(rig) == Rescanned()


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("2026-09-01 打车发票 #1.png", "打车发票"),
        ("打车发票.png", "打车发票"),
        ("打车发票 #1.png", "打车发票"),
        ("invoice  v1.2 (final).png", "invoice v1.2 (final)"),
    ],
)
async def test_renamed(rig: Rig, name: str, title: str) -> None:
    row = await filed(rig, "A", "IMG 1")
    moved(rig, row, f"archive/A/{name}")
    await rescan(rig)
    now = await rig.storage.filings.get(row.id)
    assert (now.title, now.renamed, now.category) == (title, True, "A")
    assert files(rig) == [f"archive/A/2026-09-01 {title} #1.{ext}" for ext in ("md", "png")]


@pytest.mark.parametrize("name", ["one #1.png", "one.png", "2026-09-01 one.png"])
async def test_a_name_that_only_lost_its_date_says_nothing_new(rig: Rig, name: str) -> None:
    row = await filed(rig, "A", "one")
    moved(rig, row, f"archive/A/{name}")
    assert not (await rescan(rig)).news
    assert files(rig) == ["archive/A/2026-09-01 one #1.md", "archive/A/2026-09-01 one #1.png"]
    assert not (await rig.storage.filings.get(row.id)).renamed


async def test_a_folder_renamed_and_a_new_one_and_one_in_one(rig: Rig) -> None:
    rows = [await filed(rig, "Old", title) for title in ("one", "two", "three", "four")]
    home = rig.home / "me"
    (home / "archive/Old").rename(home / "archive/报销 2026")
    shutil.move(home / f"archive/报销 2026/{Path(rows[1].file).name}", home / "archive")
    (home / "archive/Work/2026").mkdir(parents=True)
    shutil.move(home / f"archive/报销 2026/{Path(rows[2].file).name}", home / "archive/Work/2026")
    found = await rescan(rig)
    names = [(await rig.storage.filings.get(row.id)).category for row in rows]
    assert names == ["报销 2026", "Old", "Work-2026", "报销 2026"]
    assert len(found.changes) == 3
    assert len([file for file in files(rig) if file.endswith(".png")]) == 4
    assert "archive/Old/2026-09-01 two #2.png" in files(rig), "nowhere is no category"
    assert found.edit is not None
    await rig.library().edit.undo(found.edit)
    assert {row.category for row in await rig.library().all()} == {"Old"}


async def test_the_sidecar_wins(rig: Rig) -> None:
    row = await filed(rig, "A", "one")
    side = (rig.home / "me" / row.file).with_suffix(".md")
    text = side.read_text(encoding="utf-8")
    text = text.replace('title: "one"', "title: 打车发票").replace('category: "A"', "category: 报销")
    side.write_text(
        text.replace("tags: []", "tags:\n- 出差\n- taxi\nmine: 1") + "\nmy note\n", encoding="utf-8"
    )
    moved(rig, row, "archive/B/other.png")
    await rescan(rig)
    now = await rig.storage.filings.get(row.id)
    assert (now.category, now.title, now.tags) == ("报销", "打车发票", ("出差", "taxi"))
    assert files(rig) == [f"archive/报销/2026-09-01 打车发票 #1.{ext}" for ext in ("md", "png")]
    text = (rig.home / "me" / now.file).with_suffix(".md").read_text(encoding="utf-8")
    assert "my note" in text
    assert "mine" in text
    assert not (await rescan(rig)).news


async def test_a_sidecar_edited_right_before_a_move_in_the_chat_is_not_lost(rig: Rig) -> None:
    row = await filed(rig, "A", "one")
    side = (rig.home / "me" / row.file).with_suffix(".md")
    side.write_text(side.read_text(encoding="utf-8").replace('"one"', '"mine"'), encoding="utf-8")
    await rig.library().edit.move([row], "B")
    now = await rig.storage.filings.get(row.id)
    assert (now.category, now.title, now.renamed) == ("B", "mine", True)
    assert files(rig) == ["archive/B/2026-09-01 mine #1.md", "archive/B/2026-09-01 mine #1.png"]


async def test_a_broken_sidecar_is_kept_as_a_note(rig: Rig) -> None:
    row = await filed(rig, "A", "one")
    (rig.home / "me" / row.file).with_suffix(".md").write_text("---\na: [\n---\nprecious", encoding="utf-8")
    assert not (await rescan(rig)).news
    await rig.library().edit.move([row], "B")
    now = await rig.storage.filings.get(row.id)
    assert "precious" in (rig.home / "me" / now.file).with_suffix(".md").read_text(encoding="utf-8")


async def test_deleted_by_hand_is_in_no_list_and_comes_back_with_its_file(rig: Rig) -> None:
    row = await filed(rig, "A", "one")
    path = rig.home / "me" / row.file
    data = path.read_bytes()
    path.unlink()
    found = await rescan(rig)
    assert [each.number for each in found.gone] == [1]
    assert found.changes == ()
    assert await rig.library().all() == []
    assert files(rig) == [], "its sidecar goes too"
    assert await rescan(rig) == Rescanned()
    (rig.home / "me/archive/B").mkdir(parents=True)
    (rig.home / "me/archive/B/back again.png").write_bytes(data)
    [change] = (await rescan(rig)).changes
    assert change.values["category"] == "B"
    [back] = await rig.library().all()
    assert (back.number, back.category, back.title) == (1, "B", "back again")


async def test_into_the_bin_and_out_of_it_by_hand(rig: Rig) -> None:
    row = await filed(rig, "A", "one")
    moved(rig, row, f"bin/{Path(row.file).name}")
    await rescan(rig)
    assert [each.number for each in await rig.library().binned()] == [1]
    [binned] = await rig.library().binned()
    assert binned.binned_at is not None
    moved(rig, binned, f"archive/B/{Path(row.file).name}")
    await rescan(rig)
    [back] = await rig.library().all()
    assert (back.category, back.state, back.binned_at) == ("B", "filed", None)


async def test_what_is_only_away_is_not_gone(rig: Rig) -> None:
    rows = [await filed(rig, "A", title) for title in ("one", "two", "three", "four", "five")]
    home = rig.home / "me"
    (home / "archive").rename(home / "unplugged")
    assert (await rescan(rig)).missing
    (home / "archive").mkdir()
    assert (await rescan(rig)).missing, "a place that is only mounted empty"
    (home / "archive").rmdir()
    (home / "unplugged").rename(home / "archive")
    path = home / rows[0].file
    path.rename(path.with_name(f".{path.name}.icloud"))
    assert await rescan(rig) == Rescanned()
    assert len(await rig.library().all()) == 5


async def test_copies_and_strangers_are_left_alone(rig: Rig) -> None:
    row = await filed(rig, "A", "one")
    home = rig.home / "me"
    shutil.copy(home / row.file, home / "archive/A/one #1 copy.png")
    (home / "archive/B").mkdir()
    (home / "archive/B/new from phone.png").write_bytes(b"new")
    (home / "archive/B/x #1.png").write_bytes(b"another with its number")
    found = await rescan(rig)
    assert not found.news
    assert found.unknown == (
        "archive/A/one #1 copy.png",
        "archive/B/new from phone.png",
        "archive/B/x #1.png",
    )
    assert (await rig.storage.filings.get(row.id)).category == "A"
    assert len(await rig.library().all()) == 1


async def test_two_that_changed_places_and_numbers(rig: Rig) -> None:
    one, two = await filed(rig, "A", "one"), await filed(rig, "B", "two")
    home = rig.home / "me"
    moved(rig, one, "archive/C/swap #2.png", sidecar=False)
    moved(rig, two, "archive/D/swap #1.png", sidecar=False)
    await rescan(rig)
    now = [await rig.storage.filings.get(row.id) for row in (one, two)]
    assert [(row.number, row.category) for row in now] == [(1, "C"), (2, "D")], "bytes say more than names"
    assert (home / now[0].file).read_bytes() == b"meAone"


async def test_a_picture_that_is_being_filed_is_nobody_s_business(rig: Rig) -> None:
    row = await filed(rig, "A", "one")
    await rig.storage.filings.update(row.id, state="due")
    assert await rescan(rig) == Rescanned()


async def test_the_bin_is_swept_after_its_days(rig: Rig) -> None:
    row, other = await filed(rig, "A", "one"), await filed(rig, "A", "two")
    await rig.storage.filings.update(row.id, text="private")
    await rig.library().edit.delete([row])
    rig.clock.later(days=20)
    await rig.library().edit.delete([other])
    rig.clock.later(days=11)
    assert await rig.library().edit.sweep(rig.clock() - timedelta(days=30)) == 1
    assert [each.number for each in await rig.library().binned()] == [2]
    assert files(rig) == ["bin/2026-09-01 two #2.md", "bin/2026-09-01 two #2.png"]
    now = await rig.storage.filings.get(row.id)
    assert (now.number, now.state, now.text, now.title) == (1, "gone", "", "")
    assert await rescan(rig) == Rescanned()
    assert (await filed(rig, "A", "three")).number == 3
