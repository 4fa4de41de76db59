"""What a person hears while a picture cannot be filed, and that it is filed in the end."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from bot.errors import HomeUnwritable, KairosError
from bot.types import Message
from classifiers.types import Filed
from memory.errors import StaleError, StoreUnreadable, StoreUnwritable
from tests.bot.desks import Rig
from tests.bot.jobs.test_filing import job, picture, told


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (HomeUnwritable(), "磁盘写不进去了（已满或只读）。图片已收到"),
        (StoreUnwritable(), "磁盘写不进去了（已满或只读）。图片已收到"),
        (StoreUnreadable("CORE.md", "Permission denied"), "记忆文件 CORE.md 现在读不了，请看看它的权限"),
        (StaleError(), "记忆文件正在被别的程序改动"),
    ],
)
async def test_a_home_that_is_of_no_use_is_said_once_and_the_picture_stays_due(
    rig: Rig, error: Exception, sentence: str
) -> None:
    filing, judge = job(rig)
    said: list[str] = []

    async def speak(about: Message, text: str) -> None:
        said.append(text)

    async def broken(*_: Any) -> Filed:
        raise error

    row_id = await picture(rig)
    stuck = replace(filing, classify=broken, speak=speak)
    for _ in range(3):
        with pytest.raises(HomeUnwritable):
            await stuck.run(row_id)
    [told_once] = said
    assert sentence in told_once
    assert stuck.homeless == {row_id: told_once}
    assert (await rig.storage.filings.get(row_id)).state == "due"
    await replace(stuck, classify=judge.classify).run(row_id)
    assert stuck.homeless == {}
    assert await told(rig) == ["已存档 #1【A】《title》"]


async def test_a_silent_model_is_spoken_of_once_however_many_pictures_wait(rig: Rig) -> None:
    filing, judge = job(rig, silent=asyncio.Event())
    filing = replace(filing, first_word=0.01)
    rows = [await picture(rig, bytes([n])) for n in range(3)]
    waiting = asyncio.gather(*map(filing.run, rows))
    while not await told(rig):  # noqa: ASYNC110 - nobody tells us
        await asyncio.sleep(0.01)
    judge.silent.set()
    await waiting
    said = await told(rig)
    assert said.count("还在等模型回答……") == 1
    assert len(said) == 4
    await replace(filing, first_word=60).run(await picture(rig, b"quick"))
    assert len(await told(rig)) == 5


async def test_a_picture_without_end_is_put_aside_after_its_time(rig: Rig) -> None:
    filing, _ = job(rig)

    async def endless(*_: Any) -> Filed:
        await asyncio.Event().wait()
        raise AssertionError

    row_id = await picture(rig)
    with pytest.raises(KairosError, match="超过了 0 秒") as caught:
        await replace(filing, classify=endless, limit=0.05).run(row_id)
    await filing.give_up(row_id, str(caught.value))
    assert (await rig.storage.filings.get(row_id)).state == "failed"
    assert await told(rig) == ["这张图没能存档：处理超过了 0 秒，先放一边；/queue 里可以重试。"]


async def test_one_picture_sent_twice_at_once_is_filed_once(rig: Rig) -> None:
    rows = [
        await picture(rig, b"same"),
        await picture(rig, b"same"),
        await picture(rig, b"same", person="bob"),
    ]
    made, judge = job(rig, silent=asyncio.Event())
    filing = asyncio.gather(*(made.run(row) for row in rows))
    await judge.begun.wait()
    judge.silent.set()
    await filing
    states = [(await rig.storage.filings.get(row)).state for row in rows]
    assert sorted(states[:2]) == ["duplicate", "filed"]
    assert states[2] == "filed", "another person's is another picture"
    assert sum("已经存过了：#1【A】《title》" in text for text in await told(rig)) == 1
