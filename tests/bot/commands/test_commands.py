"""Commands and buttons: the same everywhere, nobody's but the person's own, and never a raised error."""

from __future__ import annotations

import pytest

from bot.commands import COMMANDS, Context
from bot.commands import serve as served
from bot.commands.buttons import decision, typed_decision
from bot.commands.buttons import press as pressed
from bot.desk import Desk
from bot.tools.notes import propose, remember, source_for
from bot.types import Button, Language, Upload, Words
from memory.changes import Instruct
from tests.bot.desks import Rig


def context(rig: Rig, model: str = "") -> Context:
    async def due(person: str) -> int:
        return len(await rig.storage.filings.due(person))

    return Context(
        rig.storage.fresh,
        rig.storage.preferences,
        model,
        due,
        rig.storage.schedules,
        cultivate=rig.runs.append,
        rescheduled=lambda: None,
    )


async def serve(rig: Rig, text: str, person: str = "me", language: Language = "zh") -> Words:
    desk = rig.desk(await rig.said(text, person=person), language=language)
    return await served(context(rig), desk, text)


async def press(rig: Rig, data: str, person: str = "me") -> Words:
    desk = rig.desk(await rig.said("", pressed=data, person=person))
    return await pressed(desk, data)


async def keep(rig: Rig, words: str, person: str = "me") -> Words:
    """A rule as the person would have it kept; returns its receipt."""
    desk = rig.desk(await rig.said(words, person=person))
    result = await remember(desk, {"text": words, "quote": words, "kind": "instruction"})
    assert result.deed, result.text
    return Words(result.receipt, buttons=result.buttons)


async def ask(rig: Rig, words: str, person: str = "me") -> tuple[Desk, int]:
    """A rule that the person is asked about; returns the id of the question."""
    message = await rig.said(words, person=person)
    desk = rig.desk(message)
    result = await propose(desk, Instruct(words), source_for(desk, words))
    await rig.storage.outbox.add(message, Words(result.receipt, "receipt", result.buttons))
    return desk, int(result.buttons[0].data.removeprefix("yes:"))


async def rules(rig: Rig, person: str = "me") -> list[str]:
    return [line.text for _, line in await rig.memory(person).lines("CORE.md")]


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize("language", ["zh", "en"])
async def test_every_command_speaks_both_languages(rig: Rig, name: str, language: Language) -> None:
    words = await serve(rig, name, language=language)
    assert words.text.strip()
    has_han = any("\u4e00" <= c <= "\u9fff" for c in words.text)
    if name != "/status" and language == "en":
        assert not has_han
    if language == "zh":
        assert has_han


@pytest.mark.parametrize(
    "rest",
    [
        "²",
        "③",
        "9" * 5000,
        "-1",
        "0",
        "999",
        "1 2",
        "r1",
        "^r1",
        "[r1]",
        "#",
        "\0",
        "\ud83d",
        "%s{}",
        "x" * 50_000,
        "\n\n",
    ],
)
async def test_odd_words_after_a_command_are_answered(rig: Rig, rest: str) -> None:
    for name in COMMANDS:
        assert (await serve(rig, f"{name} {rest}")).text.strip(), name


async def test_names_are_found_in_any_spelling(rig: Rig) -> None:
    for text in ("/help", "/HELP", " /help", "/help@kairos_bot", "/help\n3", "/help \t"):
        assert "/memory" in (await serve(rig, text)).text, text
    assert "/helpme" in (await serve(rig, "/helpme")).text


async def test_forget_by_number_counts_only_the_rules_that_are_shown(rig: Rig) -> None:
    await keep(rig, "回答都要简短")
    await keep(rig, "代码截图归档到「代码笔记」")
    shown = (await serve(rig, "/memory")).text
    assert "1. 回答都要简短" in shown
    for unknown in ("/forget 3", "/forget 0", "/forget", "/forget 22"):
        assert "没找到" in (await serve(rig, unknown)).text
    for text in ("/forget 2", "/forget #2", "/forget 第2条"):
        assert "代码笔记" in (await serve(rig, text)).text, text
        assert await rules(rig) == ["回答都要简短"]
        await serve(rig, "/undo")
        assert len(await rules(rig)) == 2


async def test_undo_by_number_and_by_button(rig: Rig) -> None:
    receipt = await keep(rig, "回答都要简短")
    [button] = receipt.buttons
    assert "已撤销" in (await press(rig, button.data)).text
    assert await rules(rig) == []
    assert (await press(rig, button.data)).text.strip(), "pressed twice: it says so"
    assert await rules(rig) == []


async def test_buttons_of_another_person_do_nothing(rig: Rig) -> None:
    await keep(rig, "回答都要简短", person="ann")
    _, question = await ask(rig, "以后都用英文回答", person="ann")
    picture = await rig.filed("Trips", "Boarding pass", person="ann", runner_up="Work")
    for data in ("undo:1", f"yes:{question}", f"no:{question}", f"move:{picture.number}"):
        await press(rig, data, person="bob")
    assert await rules(rig, "ann") == ["回答都要简短"]
    assert await rules(rig, "bob") == []
    assert len(await rig.storage.proposals.open("ann")) == 1
    assert (await rig.storage.filings.get(picture.id)).category == "Trips"


@pytest.mark.parametrize(
    "data",
    [
        "",
        ":",
        "undo",
        "undo:",
        "undo:x",
        "yes:²",
        "no:-1",
        "yes:" + "9" * 400,
        "move:1:../../x",
        "move:",
        "drop:1",
        "\0",
    ],
)
async def test_a_button_that_makes_no_sense_is_settled_already(rig: Rig, data: str) -> None:
    assert (await press(rig, data)).text == "这个问题已经处理过了。"


async def test_moving_goes_to_the_other_category_it_could_be_once(rig: Rig) -> None:
    long = "一个名字特别特别长的分类" * 3
    row = await rig.filed("Trips", "Boarding pass", runner_up=long)
    assert len(Button("→", f"move:{row.number}").data.encode()) <= 64
    assert f"【{long}】" in (await press(rig, "move:1")).text
    assert (await rig.storage.filings.get(row.id)).category == long
    assert (await press(rig, "move:1")).text == "这个问题已经处理过了。"


async def test_yes_writes_and_no_does_not(rig: Rig) -> None:
    _, first = await ask(rig, "回答都要简短")
    _, second = await ask(rig, "以后都用英文回答")
    assert "记住了" in (await press(rig, f"yes:{first}")).text
    assert "不记" in (await press(rig, f"no:{second}")).text
    assert await rules(rig) == ["回答都要简短"]
    for question in (first, second):
        assert (await press(rig, f"yes:{question}")).text == "这个问题已经处理过了。"
    assert await rules(rig) == ["回答都要简短"]


async def test_a_yes_that_died_half_way_counts_when_it_is_repeated(rig: Rig) -> None:
    """The change is written before the question is closed, so that no yes is lost between the two."""
    desk, question = await ask(rig, "回答都要简短")

    class Dying(type(rig.storage.proposals)):  # type: ignore[misc]
        async def settle(self, row_id: int, person: str, state: str) -> bool:
            raise KeyboardInterrupt

    dying = Dying(rig.storage.database)
    dead = rig.desk(*desk.burst, proposals=dying)
    with pytest.raises(KeyboardInterrupt):
        await pressed(dead, f"yes:{question}")
    await press(rig, f"yes:{question}")
    assert await rules(rig) == ["回答都要简短"]
    assert await rig.storage.proposals.open("me") == []


# ---- a typed yes


YES = ["好", "好的", "好的。", "是的！", "嗯嗯", "OK", "ok.", "Yes", " yes ", "记吧", "please do"]
NO = ["不", "不用", "不用。", "算了", "No", "no thanks", "别记"]
NEITHER = [
    "好的，谢谢",
    "好的，那明天几点？",
    "yes but later",
    "不是这个意思",
    "okay so what about Tuesday",
    "好吃",
    "对不起",
    "不用谢",
    "",
    "?",
    "y" * 5000,
]


@pytest.mark.parametrize(("texts", "means"), [(YES, True), (NO, False), (NEITHER, None)])
async def test_only_a_bare_yes_or_no_is_one(rig: Rig, texts: list[str], means: bool | None) -> None:
    for text in texts:
        assert decision(await rig.said(text)) is means, text


async def test_a_yes_of_others_or_beside_a_picture_is_none(rig: Rig) -> None:
    assert decision(await rig.said("好的", forwarded=True)) is None
    assert decision(await rig.said("好的", Upload(b"x"))) is None


async def typed(rig: Rig, text: str, person: str = "me") -> Words | None:
    message = await rig.said(text, person=person)
    yes = decision(message)
    assert yes is not None
    return await typed_decision(rig.desk(message), await rig.storage.outbox.asked(message), yes=yes)


async def test_a_typed_yes_right_after_the_question_is_its_button(rig: Rig) -> None:
    await ask(rig, "回答都要简短")
    told = await typed(rig, "好的")
    assert told is not None
    assert "记住了" in told.text
    assert told.buttons[0].data.startswith("undo:")
    assert await rules(rig) == ["回答都要简短"]
    assert await typed(rig, "好的") is None, "it was used up"


async def test_hours_later_yes_means_something_else(rig: Rig) -> None:
    await ask(rig, "回答都要简短")
    rig.clock.later(minutes=16)
    assert await typed(rig, "好的") is None
    assert await rules(rig) == []


async def test_yes_after_another_answer_of_ours_is_for_that(rig: Rig) -> None:
    await ask(rig, "回答都要简短")
    await rig.storage.outbox.add(await rig.said("订个披萨？"), Words("现在就订吗？"))
    assert await typed(rig, "好的") is None
    assert await rules(rig) == []


async def test_yes_of_another_person_is_not_yours(rig: Rig) -> None:
    await ask(rig, "回答都要简短", person="ann")
    assert await typed(rig, "好的", person="bob") is None
    assert await rules(rig, "ann") == []


async def test_one_yes_for_two_questions_in_one_message(rig: Rig) -> None:
    message = await rig.said("两件事")
    desk = rig.desk(message)
    asked = [
        await propose(desk, Instruct(words), source_for(desk, "两件事"))
        for words in ("两件事都要简短", "两件事都用表格")
    ]
    buttons = tuple(button for each in asked for button in each.buttons)
    await rig.storage.outbox.add(
        message, Words("\n".join(each.receipt for each in asked), "receipt", buttons)
    )
    assert await typed(rig, "不用") is not None
    assert await rig.storage.proposals.open("me") == []


async def test_a_fresh_start_begins_after_the_command(rig: Rig) -> None:
    await rig.said("old")
    command = await rig.said("/new")
    waiting = await rig.said("said while /new was worked on")
    await served(context(rig), rig.desk(command), "/new")
    assert rig.storage.fresh.after("me", "fake", "me") == command.id < waiting.id
    assert rig.storage.fresh.after("me", "fake", "another chat") == 0


async def test_status_tells_nothing_of_others(rig: Rig) -> None:
    await rig.filed("Trips", "one", person="ann")
    await rig.said("", Upload(b"due"), person="ann")
    await keep(rig, "回答都要简短", person="ann")
    assert "0 条规则" in (await serve(rig, "/status")).text
    assert "图片：0 张，等待归档 0 张" in (await serve(rig, "/status")).text
    assert "图片：1 张，等待归档 1 张" in (await serve(rig, "/status", person="ann")).text


@pytest.mark.parametrize("text", ["/stop.", "/STOP!", "/stop@kairos_bot, please", "/stop。", " /stop now"])
async def test_marks_behind_a_command_are_none_of_its_name(rig: Rig, text: str) -> None:
    said = await rig.said(text)
    assert said.command
    assert said.stops
    assert (await serve(rig, text)).text == (await serve(rig, "/stop")).text


@pytest.mark.parametrize("text", ["/etc/hosts", "/stop.sh does not run", "/init.rc", "/stopwatch"])
async def test_paths_and_other_words_stop_nothing(rig: Rig, text: str) -> None:
    assert not (await rig.said(text)).stops
