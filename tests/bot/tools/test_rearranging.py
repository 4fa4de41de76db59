"""Tools that change the archive: each is one entry of the journal, and one undo takes all of it back."""

from __future__ import annotations

from typing import Any

import pytest

from bot.commands.buttons import press
from bot.errors import ToolError
from bot.storage.records import FilingRow
from bot.tools import TOOLS, Result
from tests.bot.desks import Rig


async def run(rig: Rig, name: str, /, person: str = "me", **arguments: Any) -> Result:
    return await TOOLS[name].run(rig.desk(await rig.said("x", person=person)), arguments)


async def undone(rig: Rig, result: Result) -> str:
    """Press a result's undo; returns what is said."""
    desk = rig.desk(await rig.said("", pressed=result.buttons[0].data))
    return (await press(desk, result.buttons[0].data)).text


async def where(rig: Rig) -> dict[int, str]:
    """The folder of each picture that lies in the archive, by number; each lies there, and nowhere else."""
    rows = await rig.library().all()
    files = {file.name for file in (rig.home / "me").rglob("*.png")}
    for row in rows:
        assert (rig.home / "me" / row.file).is_file()
        assert (rig.home / "me" / row.file).with_suffix(".md").is_file()
    assert len(files) == len(rows) + len(await rig.library().binned())
    return {row.number or 0: row.file.split("/")[-2] for row in rows}


async def row(rig: Rig, number: int) -> FilingRow:
    found = await rig.library().numbered(number)
    assert found is not None
    return found


@pytest.mark.parametrize("numbers", [[1, 2, 3], ["#1", "2", 3.0], "1-3", "#1 到 #3", "1, 2 and 3"])
async def test_a_bulk_move_is_one_undo(rig: Rig, numbers: Any) -> None:
    for title in ("one", "two", "three"):
        await rig.filed("Old", title)
    await rig.filed("Other", "four")
    moved = await run(rig, "move_picture", numbers=numbers, category="receipts 2026")
    assert moved.receipt == "已移动 3 张（#1, #2, #3）：【Old】→【receipts 2026】"
    assert await where(rig) == {1: "receipts 2026", 2: "receipts 2026", 3: "receipts 2026", 4: "Other"}
    assert (await row(rig, 2)).corrected
    assert "已移回 #1, #2, #3" in await undone(rig, moved)
    assert await where(rig) == {1: "Old", 2: "Old", 3: "Old", 4: "Other"}
    assert not (await row(rig, 2)).corrected, "all of it is as it was"
    assert "没有" in await undone(rig, moved), "once"


async def test_an_undo_leaves_what_was_moved_again_since(rig: Rig) -> None:
    await rig.filed("Old", "one")
    await rig.filed("Old", "two")
    moved = await run(rig, "move_picture", numbers=[1, 2], category="New")
    await run(rig, "move_picture", number=2, category="Third")
    said = await undone(rig, moved)
    assert "#1" in said
    assert "其余 1 张" in said
    assert await where(rig) == {1: "Old", 2: "Third"}


async def test_nothing_moves_when_one_of_them_is_not_there(rig: Rig) -> None:
    await rig.filed("Old", "one")
    await rig.filed("Old", "hers", person="ann")
    with pytest.raises(ToolError, match="没有 #7"):
        await run(rig, "move_picture", numbers=[1, 7], category="New")
    assert await where(rig) == {1: "Old"}
    with pytest.raises(ToolError):
        await run(rig, "move_picture", numbers="1-100000", category="New")


async def test_a_title_given_by_the_person_stays(rig: Rig) -> None:
    await rig.filed("Old", "IMG 0001")
    renamed = await run(rig, "rename_picture", number=1, title="**爸妈**/the *trip* [x](\n" + "long " * 80)
    now = await row(rig, 1)
    assert now.renamed
    assert "*" not in now.title
    assert "\n" not in now.title
    assert len(now.title) <= 80
    assert await where(rig) == {1: "Old"}
    again = await run(rig, "rename_picture", number=1, title=now.title)
    assert again.already
    assert "IMG 0001" in await undone(rig, renamed)
    assert (await row(rig, 1)).title == "IMG 0001"
    assert not (await row(rig, 1)).renamed


@pytest.mark.parametrize("title", ["", "***", "\u200b", None, []])
async def test_titles_with_nothing_in_them(rig: Rig, title: Any) -> None:
    await rig.filed("Old", "one")
    with pytest.raises(ToolError, match="title"):
        await run(rig, "rename_picture", number=1, title=title)


async def test_deleted_pictures_lie_in_the_bin_and_come_back(rig: Rig) -> None:
    await rig.filed("Old", "one")
    await rig.filed("Old", "two", state="kept_unread", problem="could not be read")
    gone = await run(rig, "delete_picture", numbers=[1, 2])
    assert "已删除 2 张（#1, #2）" in gone.receipt
    assert await where(rig) == {}
    assert sorted(file.parent.name for file in (rig.home / "me").rglob("*.png")) == ["bin", "bin"]
    with pytest.raises(ToolError):
        await run(rig, "read_picture", number=1)
    back = await run(rig, "restore_picture", number=2)
    assert "已恢复 #2【Old】《two》" in back.receipt
    assert (await row(rig, 2)).state == "kept_unread"
    assert await where(rig) == {2: "Old"}
    assert "#1" in await undone(rig, gone), "what is still in the bin"
    assert await where(rig) == {1: "Old", 2: "Old"}
    assert (await row(rig, 1)).binned_at is None


async def test_a_restore_can_be_undone(rig: Rig) -> None:
    await rig.filed("Old", "one")
    await run(rig, "delete_picture", number=1)
    back = await run(rig, "restore_picture")
    assert "放回回收站" in await undone(rig, back)
    assert await where(rig) == {}
    assert [each.number for each in await rig.library().binned()] == [1]


async def test_nothing_is_deleted_unless_it_is_named(rig: Rig) -> None:
    await rig.filed("Old", "one")
    nothing: list[dict[str, Any]] = [{}, {"number": None}, {"number": ""}, {"numbers": []}]
    for arguments in nothing:
        with pytest.raises(ToolError):
            await run(rig, "delete_picture", **arguments)
    assert await where(rig) == {1: "Old"}


async def test_restoring_what_is_not_in_the_bin(rig: Rig) -> None:
    await rig.filed("Old", "one")
    with pytest.raises(ToolError, match="是空的"):
        await run(rig, "restore_picture")
    with pytest.raises(ToolError, match="没有 #9"):
        await run(rig, "restore_picture", number=9)
    assert (await run(rig, "restore_picture", number=1)).already
    await run(rig, "delete_picture", number=1)
    for file in (rig.home / "me" / "bin").iterdir():
        file.unlink()
    with pytest.raises(ToolError, match="文件已经不在"):
        await run(rig, "restore_picture", number=1)


async def test_merged_categories_answer_to_both_names(rig: Rig) -> None:
    for category, title in (("票据", "a"), ("票据", "b"), ("Receipts", "c")):
        await rig.filed(category, title)
    merged = await run(rig, "merge_categories", old="票据", new="receipts")
    assert merged.receipt == "已合并：【票据】→【Receipts】，移动了 2 张"
    assert await where(rig) == {1: "Receipts", 2: "Receipts", 3: "Receipts"}
    assert [each.name for each in await rig.library().categories()] == ["Receipts"]
    await rig.filed("Other", "d")
    moved = await run(rig, "move_picture", number=4, category="票据")
    assert "→【Receipts】" in moved.receipt
    await undone(rig, moved)
    assert "移回 2 张" in await undone(rig, merged)
    assert await where(rig) == {1: "票据", 2: "票据", 3: "Receipts", 4: "Other"}
    assert {each.name: each.aliases for each in await rig.library().categories()} == {
        "Receipts": (),
        "Other": (),
        "票据": (),
    }


async def test_merging_what_is_not_there_or_is_one(rig: Rig) -> None:
    await rig.filed("票据", "a")
    with pytest.raises(ToolError, match="没有【旅行】"):
        await run(rig, "merge_categories", old="旅行", new="票据")
    assert (await run(rig, "merge_categories", old="票据", new="票据")).already


async def test_a_bare_undo_takes_back_the_last_edit_whatever_it_was(rig: Rig) -> None:
    await rig.filed("Old", "one")
    await run(rig, "move_picture", number=1, category="New")
    rig.clock.later(seconds=5)
    await run(rig, "delete_picture", number=1)
    assert "已恢复 #1【New】" in (await run(rig, "undo")).receipt
    assert "已移回 #1" in (await run(rig, "undo")).receipt
    assert await where(rig) == {1: "Old"}


async def test_the_picture_itself_is_sent(rig: Rig) -> None:
    filed = await rig.filed("Old", "one")
    shown = await run(rig, "show_picture", number=1)
    assert shown.picture == str(rig.home / "me" / filed.file)
    (rig.home / "me" / filed.file).unlink()
    with pytest.raises(ToolError, match="文件已经不在"):
        await run(rig, "show_picture", number=1)


async def test_the_newest_goes_when_it_is_named_so_and_never_for_want_of_a_number(rig: Rig) -> None:
    await rig.filed("Trips", "older")
    await rig.filed("Trips", "newest")
    desk = rig.desk(await rig.said("delete the last picture"))
    with pytest.raises(ToolError, match="number"):
        await run(rig, "delete_picture")
    deleted = await run(rig, "delete_picture", number="newest")
    assert "#2" in deleted.receipt
    assert [row.title for row in await desk.pictures.all()] == ["older"]
