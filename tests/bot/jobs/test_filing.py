"""One picture filed and told: both or neither, once, whenever it is killed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from structlog.testing import capture_logs

from bot.errors import ModelUnavailable
from bot.jobs.filing import FilingJob
from bot.storage.archive import Archive
from bot.storage.filings import Filings
from bot.storage.messages import Messages
from bot.storage.outbox import OutboxRows
from bot.storage.records import FilingRow
from bot.storage.shelf import PersonShelf
from bot.types import Language, Upload
from classifiers.types import Ended, Filed, Filing, Picture, Reading
from tests.bot.desks import ZONE, Rig
from tests.bot.storage.dying import Death, DyingArchive, DyingDatabase


def spoken() -> asyncio.Event:
    """An event that is set already."""
    event = asyncio.Event()
    event.set()
    return event


@dataclass(eq=False)
class Judge:
    """Files everything where `category` says, as the classifier does: seen before? judge, shelve."""

    rig: Rig
    rows: Filings
    death: Death
    category: str = "A"
    version: str = "v1"
    more: dict[str, Any] = field(default_factory=dict)
    captions: list[str] = field(default_factory=list)
    wishes: list[str] = field(default_factory=list)
    silent: asyncio.Event = field(default_factory=spoken)  # it says nothing until this is set
    begun: asyncio.Event = field(default_factory=asyncio.Event)  # a picture is before it

    async def classify(
        self, row: FilingRow, data: bytes, caption: str, language: Language, wish: str
    ) -> Filed:
        self.captions.append(caption)
        self.wishes.append(wish)
        archive = DyingArchive(self.rig.home / row.person, self.death)
        shelf = PersonShelf(self.rows, archive, row, data, embed=None, zone=ZONE)
        if (known := await shelf.seen(row.blob)) is not None:
            return Filed(Ended.DUPLICATE, known, duplicate_of=known)
        self.begun.set()
        await self.silent.wait()
        filing = Filing(self.category, "title", **self.more)
        number = await shelf.put(Picture(row.blob, b"", 1, 1, "PNG", ".png"), Reading("text"), filing)
        return Filed(Ended.FILED, number, filing, rules_seen=self.version)


def job(rig: Rig, death: Death | None = None, **more: Any) -> tuple[FilingJob, Judge]:
    death = death or Death(0)
    database = DyingDatabase(rig.storage.database, death)
    rows = Filings(database)
    judge = Judge(rig, rows, death, **more)

    async def wish(text: str) -> str:
        return "杂项" if "杂项" in text else ""

    async def kept(row: FilingRow) -> bytes | None:
        return await asyncio.to_thread(Archive(rig.home / row.person).read, (row.file, *row.leaving))

    made = FilingJob(
        rows=rows,
        messages=Messages(database),
        outbox=OutboxRows(database, rig.clock),
        blobs=rig.storage.blobs,
        classify=judge.classify,
        wish=wish,
        language=rig.storage.people.language,
        kept=kept,
    )
    return made, judge


async def picture(rig: Rig, data: bytes = b"x", text: str = "", **more: Any) -> int:
    message = await rig.said(text, Upload(data, "p.png"), answer=False, **more)
    [row] = await rig.storage.filings.of_message(message.id)
    return row.id


async def told(rig: Rig) -> list[str]:
    return [each.text for each in await rig.storage.outbox.unsent("fake")]


def lying(rig: Rig) -> list[str]:
    return sorted(path.relative_to(rig.home / "me").as_posix() for path in (rig.home / "me").rglob("*.png"))


async def test_judged_again_to_the_same_place_nothing_is_said(rig: Rig) -> None:
    row_id = await picture(rig)
    await job(rig)[0].run(row_id)
    await rig.storage.filings.update(row_id, state="due")
    await job(rig, version="v2")[0].run(row_id)
    assert len(await told(rig)) == 1
    assert (await rig.storage.filings.get(row_id)).rules_seen == "v2"


async def test_done_is_done(rig: Rig) -> None:
    row_id = await picture(rig)
    made, judge = job(rig)
    for _ in range(3):
        await made.run(row_id)
    assert len(judge.captions) == len(await told(rig)) == 1


async def test_a_picture_gone_from_everywhere(rig: Rig) -> None:
    row_id = await picture(rig)
    await rig.storage.blobs.keep_only(set())
    with capture_logs():
        await job(rig)[0].run(row_id)
    assert await told(rig) == ["这张图没能存档：它的文件已经不在了。"]
    assert (await rig.storage.filings.get(row_id)).state == "failed"


async def test_taken_away_by_hand_it_is_not_judged_again_and_nothing_is_said(rig: Rig) -> None:
    row_id = await picture(rig)
    await job(rig)[0].run(row_id)
    await rig.storage.blobs.keep_only(set())
    (rig.home / "me/archive/A/2026-09-01 title #1.png").unlink()
    await rig.storage.filings.update(row_id, state="due")
    with capture_logs():
        await job(rig, category="B")[0].run(row_id)
    row = await rig.storage.filings.get(row_id)
    assert (row.state, row.category) == ("filed", "A")
    assert len(await told(rig)) == 1


async def test_giving_up_is_said_once_and_never_loses_what_is_archived(rig: Rig) -> None:
    fresh, old = await picture(rig, b"1"), await picture(rig, b"2")
    made, _ = job(rig)
    await made.run(old)
    await rig.storage.filings.update(old, state="due")
    with capture_logs():
        for row_id in (fresh, fresh, old, old):
            await made.give_up(row_id, "模型连不上")
    assert (await rig.storage.filings.get(fresh)).state == "failed"
    assert (await rig.storage.filings.get(old)).state == "filed"
    assert (await told(rig))[1:] == ["这张图没能存档：模型连不上"]


async def test_a_failure_that_may_pass_leaves_it_due(rig: Rig) -> None:
    row_id = await picture(rig)
    made, judge = job(rig)

    async def busy(row: FilingRow, data: bytes, caption: str, language: Language, wish: str) -> Filed:
        raise ModelUnavailable("busy")

    broken = FilingJob(**{**_fields(made), "classify": busy})
    with pytest.raises(ModelUnavailable):
        await broken.run(row_id)
    assert (await rig.storage.filings.get(row_id)).state == "due"
    await made.run(row_id)
    assert judge.captions == [""]


def _fields(made: FilingJob) -> dict[str, Any]:
    names = ("rows", "messages", "outbox", "blobs", "classify", "wish", "language", "kept")
    return {name: getattr(made, name) for name in names}


# ---- what the person said with it


Say = Callable[[Rig], Any]


async def _album(rig: Rig) -> int:
    await picture(rig, b"0", "放到杂项", album="a")
    return await picture(rig, b"1", album="a")


async def _before(rig: Rig) -> int:
    await rig.said("这张放杂项")
    return await picture(rig)


async def _long_before(rig: Rig) -> int:
    await rig.said("这张放杂项")
    rig.clock.later(minutes=11)
    return await picture(rig)


async def _others_before(rig: Rig) -> int:
    await rig.said("这张放杂项", forwarded=True)
    return await picture(rig)


async def _bob_before(rig: Rig) -> int:
    await rig.said("这张放杂项", person="bob", chat="group")
    return await picture(rig, chat="group")


async def _forwarded(rig: Rig) -> int:
    await rig.said("这张放杂项")
    return await picture(rig, b"1", "放到杂项", forwarded=True)


async def _talk_before(rig: Rig) -> int:
    await rig.said("今天真热")
    return await picture(rig)


async def _own(rig: Rig) -> int:
    return await picture(rig, b"1", "放到杂项")


async def _after_another(rig: Rig) -> int:
    await picture(rig, b"0")
    await rig.said("这张放杂项")
    return await picture(rig, b"1")


async def _next_after_another(rig: Rig) -> int:
    await picture(rig, b"0")
    await rig.said("下一张放杂项")
    return await picture(rig, b"1")


async def _second_after(rig: Rig) -> int:
    await rig.said("下一张放杂项")
    await picture(rig, b"0")
    return await picture(rig, b"1")


def _then(*between: str, first: str = "下一张放杂项", **more: Any) -> Say:
    """A wish, then other words, then the picture."""

    async def arrange(rig: Rig) -> int:
        for text in (first, *between):
            await rig.said(text)
        return await picture(rig, **more)

    return arrange


async def _album_after(rig: Rig) -> int:
    await rig.said("下面几张放杂项")
    await picture(rig, b"0", album="a")
    return await picture(rig, b"1", album="a")


@pytest.mark.parametrize(
    ("arrange", "caption", "wish"),
    [
        (_then("今天真热", "好的谢谢"), "", "杂项"),
        (_then("今天真热", first="这张放杂项"), "", ""),
        (_then("好，马上发"), "", "杂项"),
        (_then("下一张不用放那儿了"), "", ""),
        (_then(first="下一张别放老地方，放杂项"), "", "杂项"),
        (_then("算了"), "", ""),
        (_then("never mind that", "ok"), "", ""),
        (_then(*["嗯"] * 9), "", "杂项"),
        (_then(*["嗯"] * 10), "", ""),
        (_album_after, "", "杂项"),
        (_own, "放到杂项", "杂项"),
        (_album, "放到杂项", "杂项"),
        (_before, "", "杂项"),
        (_long_before, "", ""),
        (_others_before, "", ""),
        (_bob_before, "", ""),
        (_forwarded, "", ""),
        (_talk_before, "", ""),
        (_after_another, "", ""),
        (_next_after_another, "", "杂项"),
        (_second_after, "", ""),
    ],
)
async def test_whose_words_count_for_a_picture(rig: Rig, arrange: Say, caption: str, wish: str) -> None:
    made, judge = job(rig)
    await made.run(await arrange(rig))
    assert (judge.captions, judge.wishes) == ([caption], [wish])


async def test_a_wish_that_comes_while_a_picture_is_judged_is_obeyed_and_told_once(rig: Rig) -> None:
    made, judge = job(rig, silent=asyncio.Event())
    row_id = await picture(rig)
    filing = asyncio.create_task(made.run(row_id))
    await judge.begun.wait()
    await rig.storage.filings.update(row_id, caption="→ 杂项")
    judge.silent.set()
    await filing
    assert judge.wishes == ["", "杂项"]
    assert len(await told(rig)) == 1


# ---- the receipt


async def test_a_rule_that_comes_while_a_picture_is_judged_is_obeyed(rig: Rig) -> None:
    """The wait for memory has an end; what memory learns after it still counts."""
    version = "v1"
    made, judge = job(rig)

    async def classify(row: FilingRow, data: bytes, caption: str, language: Language, wish: str) -> Filed:
        nonlocal version
        judge.version, judge.category = version, "A" if version == "v1" else "B"
        filed = await judge.classify(row, data, caption, language, wish)
        version = "v2"
        return filed

    async def now(person: str) -> str:
        return version

    row_id = await picture(rig)
    await FilingJob(**{**_fields(made), "classify": classify}, version=now).run(row_id)
    assert await told(rig) == ["已存档 #1【A】《title》", "按新规则重新归档：#1【B】《title》"]
    assert lying(rig) == ["archive/B/2026-09-01 title #1.png"]
    row = await rig.storage.filings.get(row_id)
    assert (row.state, row.rules_seen) == ("filed", "v2")


async def test_rules_that_never_stand_still_come_to_an_end(rig: Rig) -> None:
    made, judge = job(rig)
    versions = (f"w{i}" for i in range(1000))

    async def now(person: str) -> str:
        return next(versions)

    row_id = await picture(rig)
    await FilingJob(**_fields(made), version=now).run(row_id)
    assert len(judge.captions) == 3
    assert (await rig.storage.filings.get(row_id)).state == "filed"
