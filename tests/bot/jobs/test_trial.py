"""A new filing rule is tried on what was filed before; nothing moves without a yes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from bot.commands.buttons import press, typed_decision
from bot.jobs.trial import LAST, TrialJob, files_pictures
from bot.tools.undoing import undo_last
from bot.types import Outgoing
from classifiers.types import Case, Filing
from tests.bot.desks import Rig

RULE = "代码截图归档到「代码笔记」"


async def judge(case: Case) -> Filing:
    """Takes whatever has "def" in it for code."""
    if "def" in case.reading.text and RULE in case.rules:
        return Filing("代码笔记", "t", rule=RULE)
    return Filing("Elsewhere", "t", rule="another rule")


def job(rig: Rig) -> TrialJob:
    async def core(person: str) -> str:
        return f"1. {RULE}"

    storage = rig.storage
    return TrialJob(
        storage.proposals,
        storage.filings,
        storage.messages,
        storage.outbox,
        core,
        judge,
        storage.people.language,
    )


async def owed(rig: Rig, entry: int = 1) -> int:
    message = await rig.said(RULE)
    return await rig.storage.proposals.owe("me", message.conversation, message.id, entry, RULE, rig.clock.now)


async def offer(rig: Rig) -> Outgoing:
    [said] = await rig.storage.outbox.unsent("fake")
    return said


async def pressed(rig: Rig, data: str) -> str:
    return (await press(rig.desk(await rig.said("", pressed=data)), data)).text


async def where(rig: Rig) -> dict[int, str]:
    for row in await rig.library().all():
        assert (rig.home / "me" / row.file).is_file()
    return {row.number or 0: row.category for row in await rig.library().all()}


async def mixed(rig: Rig) -> None:
    await rig.filed("Misc", "one", text="def a")
    await rig.filed("Misc", "menu", text="soup")
    await rig.filed("Notes", "two", text="def b")
    await rig.filed("Own", "mine", text="def c", corrected=True)
    await rig.filed("代码笔记", "there", text="def d")


async def test_the_moves_are_offered_in_one_message_and_made_by_one_yes(rig: Rig) -> None:
    await mixed(rig)
    before = await where(rig)
    row = await owed(rig)
    await job(rig).run(row)
    said = await offer(rig)
    assert said.text.split("\n") == [
        f"按新规则「{RULE}」，之前的 2 张图会移动。要移吗？",
        "#1《one》：【Misc】→【代码笔记】",
        "#3《two》：【Notes】→【代码笔记】",
    ]
    assert [button.data for button in said.buttons] == [f"yes:{row}", f"no:{row}"]
    assert await where(rig) == before, "nothing moves unasked"
    assert "已移动 2 张（#1, #3）" in await pressed(rig, f"yes:{row}")
    assert await where(rig) == {**before, 1: "代码笔记", 3: "代码笔记"}
    moved = await rig.library().numbered(1)
    assert moved is not None
    assert (moved.rule, moved.corrected) == (RULE, False)
    assert "处理过" in await pressed(rig, f"yes:{row}")
    await undo_last(rig.desk(await rig.said("undo")), {})
    assert await where(rig) == before, "one undo"


BY_PROJECT = "图片都按项目分"


async def test_a_rule_that_only_a_model_understands_is_tried_by_it(rig: Rig) -> None:
    await mixed(rig)
    asked: list[str] = []

    async def by_project(case: Case) -> Filing:
        asked.append(case.reading.text)
        return Filing("Larch", "t", rule=BY_PROJECT if "def" in case.reading.text else None)

    message = await rig.said(BY_PROJECT)
    row = await rig.storage.proposals.owe(
        "me", message.conversation, message.id, 1, BY_PROJECT, rig.clock.now
    )
    await replace(job(rig), model=by_project).run(row)
    said = await offer(rig)
    assert [line.split("：")[0] for line in said.text.split("\n")[1:]] == [
        "#1《one》",
        "#3《two》",
        "#5《there》",
    ]
    assert "soup" in asked
    assert (await where(rig))[1] == "Misc", "nothing moves unasked"


async def test_a_no_moves_nothing(rig: Rig) -> None:
    await mixed(rig)
    before, row = await where(rig), await owed(rig)
    await job(rig).run(row)
    assert await pressed(rig, f"no:{row}") == "好，之前的图不动。"
    assert await where(rig) == before


async def test_a_bare_yes_typed_counts(rig: Rig) -> None:
    await mixed(rig)
    row = await owed(rig)
    await job(rig).run(row)
    message = await rig.said("好")
    asked = await rig.storage.outbox.asked(message)
    words = await typed_decision(rig.desk(message), asked, yes=True)
    assert words is not None
    assert (await where(rig))[1] == "代码笔记"


async def test_what_was_changed_since_the_offer_stays(rig: Rig) -> None:
    await mixed(rig)
    row = await owed(rig)
    await job(rig).run(row)
    for number in (1, 3):
        picture = await rig.library().numbered(number)
        assert picture is not None
        await rig.library().edit.move([picture], "Mine")
    assert await pressed(rig, f"yes:{row}") == "没有要移动的了。"
    assert (await where(rig))[1] == "Mine"


async def test_where_nothing_would_move_nothing_is_said(rig: Rig) -> None:
    await rig.filed("Misc", "menu", text="soup")
    row = await owed(rig)
    await job(rig).run(row)
    assert await rig.storage.outbox.unsent("fake") == []
    assert await rig.storage.proposals.untried() == []
    assert await rig.storage.proposals.open("me") == []


async def test_only_the_last_pictures_that_came_before_the_rule(rig: Rig) -> None:
    for n in range(LAST + 2):
        await rig.filed("Misc", f"p{n}", text="def")
    row = await owed(rig)
    await rig.filed("Misc", "after", text="def")
    await job(rig).run(row)
    said = await offer(rig)
    assert f"之前的 {LAST} 张图" in said.text
    assert said.text.split("\n")[1].startswith("#3《p2》")
    assert said.text.split("\n")[-1] == f"…还有 {LAST - 10} 张"


async def test_a_rule_is_tried_once_and_again_after_a_kill(rig: Rig) -> None:
    await mixed(rig)
    row = await owed(rig)
    assert await owed(rig) == 0
    assert await rig.storage.proposals.untried() == [row]
    await job(rig).run(row)
    await job(rig).run(row)
    assert len(await rig.storage.outbox.unsent("fake")) == 1


async def test_given_up_it_is_not_offered(rig: Rig) -> None:
    row: Any = await owed(rig)
    await job(rig).give_up(row, "")
    assert await rig.storage.proposals.untried() == []
    assert "处理过" in await pressed(rig, f"yes:{row}")


def test_rules_that_file_pictures() -> None:
    assert files_pictures(RULE)
    assert files_pictures('File code screenshots under "Code notes" (when: filing pictures)')
    assert not files_pictures("回答都要简短")
    assert not files_pictures("Always answer in English")
    scoped = f"{BY_PROJECT} (when: 归档图片)"
    assert files_pictures(scoped, model=True)
    assert not files_pictures(scoped), "nobody here could try it"
    assert not files_pictures("回答都要简短 (when: 回答)", model=True)
