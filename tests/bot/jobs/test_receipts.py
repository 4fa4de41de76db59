"""What is told of pictures: one line each, and one receipt for all that was sent together."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.jobs import filing
from bot.storage.records import FilingRow
from bot.tools.receipts import receipt_buttons
from bot.types import Button, Language, Upload
from classifiers.types import Ended, Filed
from tests.bot.desks import Rig, open_rig
from tests.bot.jobs.test_filing import job, lying, picture, told
from tests.bot.storage.dying import Death, Killed


async def test_a_receipt_tells_rule_doubt_and_a_button_that_fits(rig: Rig) -> None:
    other = "一个名字特别特别长的分类" * 3
    made, _ = job(rig, more={"rule": "代码截图归档到「A」", "runner_up": other})
    await made.run(await picture(rig))
    [receipt] = await rig.storage.outbox.unsent("fake")
    assert receipt.text == f"已存档 #1【A】《title》（规则：代码截图归档到「A」；也可能是【{other}】）"
    assert receipt.buttons == (Button(f"→ {other}", "move:1"), *receipt_buttons("zh", 1))
    assert len(receipt.buttons[0].data.encode()) <= 64
    assert receipt.kind == "receipt"
    assert receipt.reply_to == "m1"


async def test_a_receipt_in_english(rig: Rig) -> None:
    await rig.storage.people.wrote("me", "en")
    made, _ = job(rig, more={"rule": "code goes to A", "runner_up": "B"})
    await made.run(await picture(rig))
    assert await told(rig) == ["Filed #1 [A] “title” (rule: code goes to A; could also be [B])"]


@pytest.mark.parametrize(("language", "aside"), [("zh", "（第 1 页，共 3 页）"), ("en", " (page 1 of 3)")])
async def test_what_is_said_of_frames_and_pages_is_in_the_persons_language(
    rig: Rig, language: Language, aside: str
) -> None:
    await rig.storage.people.wrote("me", language)
    made, _ = job(rig)

    async def noted(*asked: Any) -> Filed:
        return replace(await made.classify(*asked), note="第 1 页，共 3 页 · page 1 of 3")

    await replace(made, classify=noted).run(await picture(rig))
    [receipt] = await told(rig)
    assert receipt.endswith(aside)


@pytest.mark.parametrize(
    ("filed", "words"),
    [
        (Filed(Ended.REFUSED, sentence="这不是图片。"), "这张图没能存档：这不是图片。"),
        (Filed(Ended.KEPT_UNREAD, 4, sentence="读不出来。"), "已保存 #4，但没能读出内容：读不出来。"),
    ],
)
async def test_other_ends_are_told_plainly(rig: Rig, filed: Filed, words: str) -> None:
    async def classify(row: FilingRow, data: bytes, caption: str, language: Language, wish: str) -> Filed:
        return filed

    made = replace(job(rig)[0], classify=classify)
    row_id = await picture(rig)
    await made.run(row_id)
    assert await told(rig) == [words]
    assert (await rig.storage.filings.get(row_id)).problem == filed.sentence


async def rows(rig: Rig) -> list[int]:
    return [row.id for row in await rig.storage.filings.due()]


async def test_what_was_sent_together_has_one_receipt_and_its_buttons_mean_all_of_it(rig: Rig) -> None:
    message = await rig.said("", *(Upload(bytes([n]), f"{n}.png") for n in range(3)), answer=False)
    made, _ = job(rig, more={"rule": "code goes to A"})
    for row in await rows(rig):
        await made.run(row)
    [album] = await rig.storage.outbox.unsent("fake")
    assert album.text == "\n".join(
        ["已存档 3 张：", *(f"#{n}【A】《title》（规则：code goes to A）" for n in (1, 2, 3))]
    )
    assert [button.data for button in album.buttons] == [
        f"{verb}:m{message.id}" for verb in ("place", "delete", "unfile")
    ]
    assert (album.kind, album.reply_to) == ("receipt", "m1")


async def test_an_album_that_comes_one_by_one_is_waited_for(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(filing, "ALBUM", 0.3)
    made, _ = job(rig)
    first = await picture(rig, b"1", album="a")
    filing_first = asyncio.create_task(made.run(first))
    await asyncio.sleep(0.1)
    second = await picture(rig, b"2", album="a")
    await filing_first
    assert await told(rig) == []
    await made.run(second)
    assert await told(rig) == ["已存档 2 张：\n#1【A】《title》\n#2【A】《title》"]


async def test_both_hands_ending_at_once_tell_it_once(rig: Rig) -> None:
    await rig.said("", *(Upload(bytes([n]), f"{n}.png") for n in range(6)), answer=False)
    made, _ = job(rig)
    await asyncio.gather(*(made.run(row) for row in await rows(rig)))
    [text] = await told(rig)
    assert text.startswith("已存档 6 张：")
    assert text.count("《title》") == 6


async def test_of_an_album_what_failed_or_was_there_is_told_in_its_place(rig: Rig) -> None:
    await picture(rig, b"known")
    made, _ = job(rig, more={"runner_up": "B"})
    await made.run((await rows(rig))[0])
    await rig.said(
        "", Upload(b"new", "a.png"), Upload(b"known", "b.png"), Upload(b"bad", "c.png"), answer=False
    )
    new, known, bad = await rows(rig)
    await made.give_up(bad, "太大了")
    await made.run(known)
    assert len(await told(rig)) == 1, "the album is not whole"
    await made.run(new)
    album = (await rig.storage.outbox.unsent("fake"))[-1]
    assert album.text == (
        "已存档 2 张：\n#2【A】《title》（也可能是【B】）\n这张已经存过了：#1【A】《title》\n这张图没能存档：太大了"
    )
    assert album.buttons[0] == Button("#2 → B", "move:2")


@pytest.mark.slow
async def test_killed_at_any_step_an_album_is_told_once(tmp_path: Path) -> None:
    for at in range(1, 90):
        async with open_rig(tmp_path / f"album{at}") as rig:
            await rig.said("", Upload(b"1", "1.png"), Upload(b"2", "2.png"), answer=False)
            death, due = Death(at), await rows(rig)
            with suppress(Killed):
                made = job(rig, death)[0]
                for row in due:
                    await made.run(row)
            for row in await rows(rig):
                await job(rig)[0].run(row)
            assert await told(rig) == ["已存档 2 张：\n#1【A】《title》\n#2【A】《title》"]
            assert len(lying(rig)) == 2
            if death.steps < at:
                return
    pytest.fail("it has more steps than were tried")


async def test_what_is_sent_again_comes_back_from_the_bin(rig: Rig) -> None:
    made, _ = job(rig)
    made = replace(made, restore=lambda row: _restore(rig, row))
    await made.run(await picture(rig, b"one"))
    await made.run(await picture(rig, b"two"))
    row = await rig.library().numbered(1)
    assert row is not None
    await rig.library().edit.delete([row])
    await made.run(await picture(rig, b"one"))
    assert (await told(rig))[-1] == "这张在回收站里，已恢复：#1【A】《title》"
    assert lying(rig) == ["archive/A/2026-09-01 title #1.png", "archive/A/2026-09-01 title #2.png"]
    await made.run(await picture(rig, b"one"))
    assert (await told(rig))[-1] == "这张已经存过了：#1【A】《title》"


async def test_what_the_bin_has_lost_is_filed_anew(rig: Rig) -> None:
    made, _ = job(rig)
    await made.run(await picture(rig, b"one"))
    row = await rig.library().numbered(1)
    assert row is not None
    await rig.library().edit.delete([row])
    for file in (rig.home / "me" / "bin").iterdir():
        file.unlink()
    await made.run(await picture(rig, b"one"))
    assert (await told(rig))[-1] == "已存档 #2【A】《title》"


async def test_a_title_of_the_persons_own_outlives_another_judgement(rig: Rig) -> None:
    made, judge = job(rig)
    row_id = await picture(rig)
    await made.run(row_id)
    row = await rig.library().numbered(1)
    assert row is not None
    await rig.library().edit.rename(row, "mine")
    await rig.storage.filings.update(row_id, state="due")
    judge.category, judge.version = "B", "v2"
    await made.run(row_id)
    assert (await told(rig))[-1] == "按新规则重新归档：#1【B】《mine》"
    assert lying(rig) == ["archive/B/2026-09-01 mine #1.png"]


async def _restore(rig: Rig, row: FilingRow) -> None:
    await rig.library(row.person).edit.restore([row])
