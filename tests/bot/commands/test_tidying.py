"""Rules that take too much room: told once, merged or dropped only after a yes that saw before and after."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from bot.commands.buttons import press as pressed
from bot.commands.tidying import tidy
from bot.errors import ModelUnavailable
from bot.types import Words
from memory import Line
from memory.changes import Revise
from tests.bot.commands.test_commands import context, keep, press, rules
from tests.bot.desks import Rig


async def offered(rig: Rig, *merges: Revise) -> Words:
    async def merge(rules: Sequence[Line], now: datetime) -> Sequence[Revise]:
        return merges

    here = replace(context(rig), merge=merge)
    return await pressed(rig.desk(await rig.said("", pressed="tidy:1")), "tidy:1", here)


async def test_a_merge_shows_before_and_after_and_waits_for_a_yes(rig: Rig) -> None:
    await keep(rig, "回答用中文")
    await keep(rig, "回答尽量用中文来写")
    told = await offered(rig, Revise("r1", "回答用中文", also=("r2",)))
    assert "#1 合并成一条？\n- 回答用中文\n- 回答尽量用中文来写\n→ 回答用中文" in told.text
    assert [button.data for button in told.buttons] == ["yes:1", "no:1"]
    assert len(await rules(rig)) == 2
    receipt = await press(rig, "yes:1")
    assert await rules(rig) == ["回答用中文"]
    await press(rig, receipt.buttons[0].data)
    assert len(await rules(rig)) == 2


async def test_an_offer_that_is_declined_changes_nothing_and_is_not_put_twice(rig: Rig) -> None:
    await keep(rig, "回答用中文")
    await keep(rig, "回答尽量用中文来写")
    merge = Revise("r1", "回答用中文", also=("r2",))
    assert (await offered(rig, merge)).buttons == (await offered(rig, merge)).buttons
    await press(rig, "no:1")
    assert len(await rules(rig)) == 2


async def test_with_no_model_near_twins_and_expired_lines_are_named(rig: Rig) -> None:
    file = rig.home / "me" / "CORE.md"
    file.parent.mkdir(parents=True)
    file.write_text(
        "- 周报要写成三段，开头先写结论\n- 周报写成三段，先写结论\n- 这周别用表情 (until: 2026-08-01)\n",
        encoding="utf-8",
    )
    told = await tidy(context(rig), rig.desk(await rig.said("/memory tidy")))
    assert "这两条差不多，去掉前一条？\n- 周报要写成三段，开头先写结论\n- 周报写成三段，先写结论" in told.text
    assert "已过期，去掉？\n- 这周别用表情（已过期：2026-08-01）" in told.text
    await press(rig, "yes:1")
    assert await rules(rig) == ["周报写成三段，先写结论"]
    await press(rig, "yes:2")
    assert [line.text for _, line in await rig.memory().everything()] == ["周报写成三段，先写结论"]


async def test_a_model_that_is_away_leaves_what_can_be_seen_without(rig: Rig) -> None:
    async def away(rules: Sequence[Line], now: datetime) -> Sequence[Revise]:
        raise ModelUnavailable("away")

    here = replace(context(rig), merge=away)
    told = await tidy(here, rig.desk(await rig.said("/memory tidy")))
    assert "没有找到能合并的规则" in told.text
