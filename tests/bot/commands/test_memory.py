"""`/memory` and `/why`: everything seen, changed and taken back by number or words, in both languages."""

from __future__ import annotations

from datetime import date

import pytest

from bot.tools.notes import remember
from bot.types import Answered, Words
from tests.bot.commands.test_commands import ask, keep, press, rules, serve
from tests.bot.desks import Rig

CODE = "代码截图归档到「代码笔记」"


async def learnt(rig: Rig, words: str, topic: str = "") -> None:
    desk = rig.desk(await rig.said(words))
    result = await remember(desk, {"text": words, "quote": words, "kind": "fact", "topic": topic})
    assert result.deed, result.text


async def answered(rig: Rig, words: str, *loaded: str) -> None:
    message = await rig.said(words)
    await rig.storage.outbox.answer([message], Answered((Words("好", loaded=loaded),)))


async def test_all_of_it(rig: Rig) -> None:
    await keep(rig, CODE)
    await keep(rig, "回答都要简短")
    await learnt(rig, "用户不吃羊肉", "饮食")
    await ask(rig, "以后都用英文回答")
    words = await serve(rig, "/memory")
    assert "**你的规则**（约 " in words.text
    assert " / 2,000 token）" in words.text
    assert f"1. {CODE}（仅限：归档图片）\n2. 回答都要简短" in words.text
    assert "**饮食**\n- 用户不吃羊肉" in words.text
    assert "#1 要我一直记住「以后都用英文回答」吗？" in words.text
    assert [(each.label, each.data) for each in words.buttons] == [("#1 好", "yes:1"), ("#1 不用", "no:1")]


async def test_of_many_facts_topics_are_counted(rig: Rig) -> None:
    for n in range(11):
        await learnt(rig, f"用户有第 {n} 本书", "书架")
    shown = (await serve(rig, "/memory")).text
    assert "- 书架（11 条）" in shown
    assert "第 3 本书" not in shown
    page = (await serve(rig, "/memory 书架")).text
    assert page.startswith("**书架**")
    assert "- `t4` 用户有第 3 本书" in page


@pytest.mark.parametrize(
    "text", ["/memory edit 1 回答都要详细", "/memory 改 1 回答都要详细", "/memory 改1：回答都要详细"]
)
async def test_edit(rig: Rig, text: str) -> None:
    await keep(rig, "回答都要简短")
    told = await serve(rig, text)
    assert told.text == "✓ 改好了：回答都要详细（原来是：回答都要简短）"
    assert await rules(rig) == ["回答都要详细"]
    await press(rig, told.buttons[0].data)
    assert await rules(rig) == ["回答都要简短"]


async def test_an_edit_keeps_scope_and_end_unless_it_names_them(rig: Rig) -> None:
    await keep(rig, "周报用表格 (when: 写周报) (until: 2027-01-31)")
    await serve(rig, "/memory edit 1 周报用列表")
    [(_, line)] = await rig.memory().lines()
    assert (line.text, line.when, line.until) == ("周报用列表", "写周报", date(2027, 1, 31))
    await serve(rig, "/memory edit 1 周报用列表（到 2027-03-31 为止）")
    [(_, line)] = await rig.memory().lines()
    assert (line.when, line.until) == ("写周报", date(2027, 3, 31))


@pytest.mark.parametrize("rest", ["", "1", "12", "x", "9 新的", "0 新的", "zz 新的", "回答 新的"])
async def test_an_edit_that_is_unclear_changes_nothing(rig: Rig, rest: str) -> None:
    await keep(rig, "回答都要简短")
    assert (await serve(rig, f"/memory edit {rest}")).text.strip()
    assert await rules(rig) == ["回答都要简短"]


@pytest.mark.parametrize(
    ("pause", "resume"), [("pause 1", "resume 1"), ("暂停 简短", "启用 简短"), ("暂停第1条", "恢复 第1条")]
)
async def test_pause_and_resume(rig: Rig, pause: str, resume: str) -> None:
    await keep(rig, "不要用表情，回答都要简短")
    told = await serve(rig, f"/memory {pause}")
    assert told.text == "⏸ 暂停了：不要用表情，回答都要简短"
    assert await rules(rig) == []
    assert "1. 不要用表情，回答都要简短（暂停）" in (await serve(rig, "/memory")).text
    assert "本来就停着" in (await serve(rig, f"/memory {pause}")).text
    assert (await serve(rig, f"/memory {resume}")).text.startswith("▶ 重新启用：")
    assert len(await rules(rig)) == 1
    assert "没有暂停" in (await serve(rig, f"/memory {resume}")).text


async def test_what_has_expired_is_shown_as_such_and_can_be_forgotten(rig: Rig) -> None:
    await keep(rig, "回答都要简短 (until: 2026-09-05)")
    rig.clock.later(days=30)
    assert "1. 回答都要简短（已过期：2026-09-05）" in (await serve(rig, "/memory")).text
    assert "2026-09-05" in (await serve(rig, "/memory resume 1")).text
    assert "忘掉了" in (await serve(rig, "/forget 1")).text
    assert await rig.memory().everything() == []


async def test_words_that_fit_several_lines_are_asked_about(rig: Rig) -> None:
    await keep(rig, "周报写三段")
    await keep(rig, "周报里附上图表")
    told = (await serve(rig, "/memory pause 周报")).text
    assert told.startswith("你指哪一条？")
    assert "- `1` 周报写三段\n- `2` 周报里附上图表" in told
    assert len(await rules(rig)) == 2


async def test_log_and_restore(rig: Rig) -> None:
    await keep(rig, "回答都要简短")
    await serve(rig, "/memory edit 1 回答都要详细")
    await serve(rig, "/forget 1")
    shown = (await serve(rig, "/memory 日志")).text
    assert "**#3** 09-01 20:05 去掉 回答都要详细 · 你，Fake" in shown
    assert "**#2** 09-01 20:05 改 回答都要简短 → 回答都要详细 · 你，Fake" in shown
    assert "**#1** 09-01 20:05 记下 回答都要简短 · 你，Fake" in shown
    english = (await serve(rig, "/memory log 1", language="en")).text
    assert "**#3** 09-01 20:05 removed 回答都要详细 · you, Fake" in english
    assert "#1" not in english
    assert (await serve(rig, "/memory 找回 3")).text == "✓ 恢复了：回答都要详细"
    assert (await serve(rig, "/memory restore #1")).text == "✓ 恢复了：回答都要简短"
    assert await rules(rig) == ["回答都要简短"]
    assert "现在就是这样" in (await serve(rig, "/memory restore 1")).text
    assert (await serve(rig, "/memory restore 77")).text == "没有第 77 号改动。"
    assert "找回 回答都要简短" in (await serve(rig, "/memory log 1")).text


async def test_a_hand_edit_stands_in_the_log_as_such(rig: Rig) -> None:
    await keep(rig, "回答都要简短")
    file = rig.home / "me" / "CORE.md"
    file.write_text(file.read_text(encoding="utf-8").replace("简短", "详细"), encoding="utf-8")
    assert "改 回答都要简短 → 回答都要详细 · 你在文件里改的" in (await serve(rig, "/memory log")).text


async def test_open_questions_are_settled_by_number(rig: Rig) -> None:
    await ask(rig, "以后都用英文回答")
    await ask(rig, "回答都要简短")
    assert "记住了：以后都用英文回答" in (await serve(rig, "/memory 好 1")).text
    assert "不记" in (await serve(rig, "/memory no")).text
    assert await rules(rig) == ["以后都用英文回答"]
    assert "处理过了" in (await serve(rig, "/memory yes 1")).text


async def test_a_number_or_words_alone_tell_where_a_line_comes_from(rig: Rig) -> None:
    await keep(rig, "回答都要简短")
    for text in ("/memory 1", "/memory 简短", "/why r1"):
        assert "原话：「回答都要简短」" in (await serve(rig, text)).text, text


async def test_why_shows_what_the_last_answer_was_given_with(rig: Rig) -> None:
    assert "还没有回答过" in (await serve(rig, "/why")).text
    await keep(rig, "回答都要简短")
    await keep(rig, "叫我老周")
    await answered(rig, "你好", "[r1] 回答都要简短", "[r2] 叫我老周")
    await serve(rig, "/memory edit 1 回答都要详细")
    await serve(rig, "/memory")
    shown = (await serve(rig, "/why")).text
    assert shown.startswith("**上一条回答带着这些记忆**")
    assert "「回答都要简短」\n　你说过，2026-09-01 20:05，Fake；原话：「回答都要简短」" in shown
    assert "「叫我老周」" in shown
    assert "详细" not in shown, "as it was then"
    await answered(rig, "再见")
    assert (await serve(rig, "/why")).text == "上一条回答没有用到任何记忆。"


async def test_nobody_sees_what_another_was_answered_with(rig: Rig) -> None:
    await keep(rig, "回答都要简短", person="ann")
    message = await rig.said("你好", person="ann")
    await rig.storage.outbox.answer([message], Answered((Words("好", loaded=("[r1] 回答都要简短",)),)))
    assert "还没有回答过" in (await serve(rig, "/why", person="bob")).text
    assert "回答都要简短" in (await serve(rig, "/why", person="ann")).text


async def test_facts_are_called_by_their_name(rig: Rig) -> None:
    await learnt(rig, "用户住在苏州")
    assert "⏸ 暂停了：用户住在苏州" in (await serve(rig, "/memory 暂停 t1")).text
    assert await rig.memory().lines() == []


@pytest.mark.parametrize("text", ["/undo please", "/undo, thanks!", "/undo 谢谢", "/undo 一下吧"])
async def test_courtesies_behind_a_command_change_nothing(rig: Rig, text: str) -> None:
    await keep(rig, "回答都要简短")
    await serve(rig, text)
    assert await rules(rig) == []


async def test_courtesies_behind_a_number_or_words_are_left_out(rig: Rig) -> None:
    await keep(rig, "回答都要简短")
    await keep(rig, CODE)
    assert (await serve(rig, "/why 1 please")).text == (await serve(rig, "/why 1")).text
    assert (await serve(rig, "/memory 谢谢")).text == (await serve(rig, "/memory")).text
    assert (await serve(rig, "/settings language zh, thank you")).text == "✓ 语言：中文"
    await serve(rig, "/forget 1吧")
    assert len(await rules(rig)) == 1


async def test_courtesies_that_a_rule_is_about_are_kept(rig: Rig) -> None:
    await keep(rig, "回答都要简短")
    await serve(rig, "/memory edit 1 每次都说谢谢")
    assert await rules(rig) == ["每次都说谢谢"]
    await serve(rig, "/memory edit 1 End every letter with many thanks")
    assert await rules(rig) == ["End every letter with many thanks"]


async def test_undo_of_something_that_has_no_number_tells_how(rig: Rig) -> None:
    await keep(rig, "回答都要简短")
    assert (await serve(rig, "/undo 那条关于羊肉的")).text.startswith("用法：/undo")
    assert len(await rules(rig)) == 1
