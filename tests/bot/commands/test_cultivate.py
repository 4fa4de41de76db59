"""`/cultivate` in both languages: what it switches, makes, lists and refuses."""

from __future__ import annotations

import pytest

from bot.commands import serve
from bot.storage.schedules import MOST, Schedule
from bot.types import Language
from tests.bot.commands.test_commands import context
from tests.bot.desks import Rig


async def ask(rig: Rig, text: str, *, model: str = "m", language: Language = "zh", person: str = "me") -> str:
    desk = rig.desk(await rig.said(text, person=person), language=language)
    return (await serve(context(rig, model), desk, text)).text


async def mine(rig: Rig, person: str = "me") -> list[Schedule]:
    return await rig.storage.schedules.of(person)


async def test_off_until_switched_on(rig: Rig) -> None:
    assert (await ask(rig, "/cultivate")).startswith("打理记忆：关着（/cultivate on 打开）")
    assert await mine(rig) == []
    assert await ask(rig, "/cultivate 开") == "好，每天 23:00 打理记忆；有改动会告诉你。"
    [one] = await mine(rig)
    assert (one.number, one.cron, one.prompt, one.active) == (0, "0 23 * * *", "", True)
    assert f"{one.due.astimezone(rig.clock.now.tzinfo):%Y-%m-%d %H:%M}" == "2026-09-01 23:00"
    state = await ask(rig, "/cultivate")
    assert state.startswith("打理记忆：开着\n0. 每天 23:00，读新的对话；下次 2026-09-01 23:00\n")
    await ask(rig, "/cultivate on")
    assert len(await mine(rig)) == 1
    assert await ask(rig, "/cultivate off") == "好，不再打理了。"
    assert [each.active for each in await mine(rig)] == [False]
    assert "停着" in await ask(rig, "/cultivate")


@pytest.mark.parametrize("words", ["on", "now", "开", "现在", "add 每天 9点 看看"])
async def test_without_a_model_it_says_that_it_takes_one(rig: Rig, words: str) -> None:
    assert (await ask(rig, f"/cultivate {words}", model="")).startswith("打理记忆要用到大模型")
    assert await ask(rig, f"/cultivate {words}", model="", language="en") == (
        "Cultivation takes a language model, and none is configured. Run kairos setup, then /cultivate on."
    )
    assert await mine(rig) == []
    assert rig.runs == []


async def test_now_makes_a_run_due(rig: Rig) -> None:
    assert await ask(rig, "/cultivate now tidy the project pages", language="en") == (
        "Tending memory; I will tell you when it is done."
    )
    [run] = await rig.storage.schedules.due()
    assert (run.prompt, run.schedule, run.person) == ("tidy the project pages", None, "me")
    assert rig.runs == [run.id]


async def test_schedules_of_ones_own(rig: Rig) -> None:
    assert await ask(rig, "/cultivate add 每周五 18:00 整理项目页") == (
        "✓ 第 1 个定时任务加好了：每周五 18:00，整理项目页。下次 2026-09-04 18:00。"
    )
    told = await ask(rig, "/cultivate add every day at 7am what is due today", language="en")
    assert told == "✓ Added schedule 2: every day at 07:00, what is due today. Next: 2026-09-02 07:00."
    assert await ask(rig, "/cultivate off 1") == "第 1 个定时任务关掉了。"
    assert [(each.number, each.active) for each in await mine(rig)] == [(1, False), (2, True)]
    assert await ask(rig, "/cultivate 开 1") == "第 1 个定时任务打开了：每周五 18:00。"
    assert await ask(rig, "/cultivate 删除 第1个") == "✓ 第 1 个定时任务去掉了：每周五 18:00。"
    assert [each.number for each in await mine(rig)] == [2]
    assert await ask(rig, "/cultivate remove 1", language="en") == (
        "There is no schedule 1. /cultivate lists what there is."
    )
    assert await mine(rig, "anna") == []


async def test_a_schedule_asked_for_twice_is_one(rig: Rig) -> None:
    await ask(rig, "/cultivate add 每周五 18:00 整理项目页")
    await ask(rig, "/cultivate off 1")
    told = await ask(rig, "/cultivate add 每周五 18:00 整理 项目页")
    assert told == "已经有了，第 1 个定时任务：每周五 18:00，整理项目页。下次 2026-09-04 18:00。"
    assert [(each.number, each.active) for each in await mine(rig)] == [(1, True)]
    await ask(rig, "/cultivate add 每周六 18:00 整理项目页")
    assert [each.number for each in await mine(rig)] == [1, 2]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("add", "没看懂时间"),
        ("add 整理项目页", "没看懂时间"),
        ("add 每周五 18:00", "要做什么？"),
        ("off 9", "没有第 9 个定时任务"),
        ("on 9", "没有第 9 个定时任务"),
        ("remove everything", "没有第 everything 个定时任务"),
        ("dance", "/cultivate on｜off"),
        ("log", "还没有打理过。"),
    ],
)
async def test_what_cannot_be_done_is_said(rig: Rig, words: str, told: str) -> None:
    assert (await ask(rig, f"/cultivate {words}")).startswith(told)


async def test_there_is_an_end_to_schedules(rig: Rig) -> None:
    for n in range(MOST):
        await ask(rig, f"/cultivate add 每天 9点 看看第{n}页")
    assert (await ask(rig, "/cultivate add 每天 9点 看看")).startswith(f"定时打理已经有 {MOST} 个了")
    assert len(await mine(rig)) == MOST


async def test_the_log_shows_cultivations_own_rows(rig: Rig) -> None:
    await rig.memory().record(
        ["2026-09-01 23:00 🌱 读了 fake:me #1 (1; a → b)", "2026-09-01 22:00 #1 + x 🌱"]
    )
    assert await ask(rig, "/cultivate log") == "- 2026-09-01 23:00 🌱 读了 fake:me #1 (1; a → b)"
