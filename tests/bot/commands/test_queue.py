"""/queue: what waits, what failed and why, and having it done again."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.commands import serve
from bot.commands.buttons import press
from bot.commands.command import AtWork, Context
from bot.commands.queue import shown
from bot.jobs.handlers import HANDLERS
from bot.storage.queue import Work
from bot.types import Language, Upload, Words
from tests.bot.commands.test_commands import context as bare
from tests.bot.desks import NOW, Rig


def context(rig: Rig, started: list[str]) -> Context:
    async def see(person: str) -> list[Work]:
        return await rig.storage.queue.of(person, rig.clock(), {})

    async def again(person: str, work: Work) -> bool:
        started.append(work.name)
        return await rig.storage.queue.again(person, work)

    async def providers() -> list[object]:
        return list(await rig.storage.queue.providers(rig.clock()))

    return replace(bare(rig), work=AtWork(see, providers, again))  # type: ignore[arg-type]


async def ask(rig: Rig, text: str, started: list[str] | None = None, language: Language = "zh") -> Words:
    desk = rig.desk(await rig.said(text), language=language)
    return await serve(context(rig, started if started is not None else []), desk, text)


async def failed(rig: Rig, *names: str) -> list[int]:
    message = await rig.said("", *(Upload(name.encode(), name) for name in names))
    rows = [row.id for row in await rig.storage.filings.of_message(message.id)]
    for row in rows:
        await rig.storage.filings.update(row, state="failed", problem="太慢")
    return rows


async def test_nothing_to_do(rig: Rig) -> None:
    assert (await ask(rig, "/queue")).text == "后台没有要做的，也没有失败的。"
    assert (await ask(rig, "/queue retry all")).text == "没有失败的可重试。"
    assert "/queue retry" in (await ask(rig, "/queue help")).text


async def test_failures_are_shown_with_their_reason_and_a_button(rig: Rig) -> None:
    a, b = await failed(rig, "a.png", "b.png")
    words = await ask(rig, "/queue", language="en")
    assert words.text.splitlines() == [
        "Running 0, waiting 0, to retry 0, failed 2",
        f"✗ {a} picture a.png (太慢)",
        f"✗ {b} picture b.png (太慢)",
        f"To retry: /queue retry {a}, or /queue retry all",
    ]
    started: list[str] = []
    desk = rig.desk(await rig.said("", pressed=words.buttons[0].data))
    pressed = await press(desk, words.buttons[0].data, context(rig, started))
    assert pressed.text == f"重新开始：{a}, {b}"
    assert started == [str(a), str(b)]
    assert (await rig.storage.filings.get(a)).state == "due"


@pytest.mark.parametrize("said", ["/queue retry {}", "/queue retry #{}", "/queue 重试 {}"])
async def test_one_alone(rig: Rig, said: str) -> None:
    a, b = await failed(rig, "a.png", "b.png")
    assert (await ask(rig, said.format(b))).text == f"重新开始：{b}"
    assert (await rig.storage.filings.get(a)).state == "failed"
    assert "没有失败的任务 999" in (await ask(rig, "/queue retry 999")).text


async def test_a_pause_says_until_when_here_and_in_status(rig: Rig) -> None:
    await rig.storage.pauses.put("model:api.example.com", NOW + timedelta(seconds=30))
    for command in ("/queue", "/status"):
        text = (await ask(rig, command)).text
        assert "api.example.com 要求 20:05:30 前暂停调用" in text, command
    rig.clock.later(seconds=31)
    assert "example" not in (await ask(rig, "/status")).text


async def test_a_long_queue_stays_short(rig: Rig) -> None:
    await failed(rig, *(f"{n}.png" for n in range(30)))
    words = await ask(rig, "/queue")
    assert len(words.text.splitlines()) == 1 + 8 + 1 + 1
    assert "还有 22 项" in words.text


@pytest.mark.parametrize("language", ["zh", "en"])
async def test_every_kind_of_job_has_its_words(rig: Rig, language: Language) -> None:
    works = [Work(kind, n, "waiting", "", NOW) for n, kind in enumerate(HANDLERS, 1)]
    rows = shown(works, (), NOW, language).text.splitlines()[1:]
    assert len(rows) == len(HANDLERS)
    assert len({row.split(" ", 2)[2] for row in rows}) == len(HANDLERS), "no two kinds are called the same"
