"""A look at everybody's folder: told once, in the person's language, with an undo; trouble waits for the next look."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bot.commands.buttons import press
from bot.errors import HomeUnwritable
from bot.household import Household
from bot.keeper import Keeper
from bot.storage.archive import Archive
from bot.storage.library import Library
from bot.types import Outgoing
from tests.bot.desks import Rig


class House(Household):
    """Only what a keeper uses of one."""

    def __init__(self, rig: Rig) -> None:
        self.rig = rig
        self.now = rig.clock

    def archive(self, person: str) -> Archive:
        return Archive(self.rig.home / person)

    def library(self, person: str) -> Library:
        return self.rig.library(person)


async def told(rig: Rig) -> list[Outgoing]:
    return [each for each in await rig.storage.outbox.unsent("fake") if each.kind == "notice"]


def shift(home: Path, file: str, to: str) -> None:
    (home / to).parent.mkdir(parents=True, exist_ok=True)
    (home / file).rename(home / to)


async def test_told_once_with_an_undo(rig: Rig) -> None:
    row = await rig.filed("A", "one")
    gone = await rig.filed("A", "two")
    await rig.filed("A", "hers", person="ann")
    await rig.storage.people.meet("me", "zh")
    home = rig.home / "me"
    await asyncio.to_thread(shift, home, row.file, "archive/B/renamed #1.png")
    await asyncio.to_thread((home / gone.file).unlink)
    keeper = Keeper(rig.storage, House(rig))
    for _ in range(2):
        await keeper.all()
    [notice] = await told(rig)
    assert notice.text.splitlines() == [
        "你在文件夹里改了归档，我照着记下了：",
        "#1：【A】→【B】",
        "#1：《one》→《renamed》",
        "#2《two》的文件被删了，不再列出。",
    ]
    desk = rig.desk(await rig.said("", pressed=notice.buttons[0].data))
    assert (await press(desk, notice.buttons[0].data)).text == "↩︎ 已移回 #1：【B】→【A】"
    back = await rig.storage.filings.get(row.id)
    assert (back.category, back.title, back.renamed) == ("A", "one", False)
    await keeper.all()
    assert len(await told(rig)) == 1


async def test_many_changes_are_a_short_word(rig: Rig) -> None:
    rows = [await rig.filed("A", f"p{n}") for n in range(12)]
    await rig.storage.people.meet("me", "en")
    for row in rows:
        await asyncio.to_thread(shift, rig.home / "me", row.file, row.file.replace("/A/", "/B/"))
    await Keeper(rig.storage, House(rig)).all()
    [notice] = await told(rig)
    assert notice.text.splitlines()[0] == "You changed pictures in the folder; I have followed:"
    assert notice.text.splitlines()[-1] == "… and 4 more"
    assert len(notice.text.splitlines()) == 10


async def test_one_folder_that_cannot_be_used_keeps_nobody_else_waiting(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    keeper, looked = Keeper(rig.storage, House(rig)), []
    for person in ("ann", "me"):
        await rig.storage.people.meet(person, "zh")

    async def rescan(person: str) -> None:
        looked.append(person)
        raise HomeUnwritable

    monkeypatch.setattr(keeper, "rescan", rescan)
    await keeper.all()
    assert sorted(looked) == ["ann", "me"]
