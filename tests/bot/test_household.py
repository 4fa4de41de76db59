"""Each person's own things: their folder, their language, what is read for their memory."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bot.errors import PersonRefused
from bot.models.model import Prompt
from bot.models.scripted import Scripted
from bot.types import Language
from memory.changes import Speaker
from memory.utterance import Utterance
from tests.flows.conftest import opened

NOTHING = json.dumps({"changes": []})


def fine(prompt: Prompt) -> str:
    return "fine" if prompt.tools else NOTHING


@pytest.mark.parametrize("person", ["", "..", "a/b", "me\0", "logs"])
async def test_nobodys_folder_is_opened_for_nobody(home: Path, person: str) -> None:
    async with opened(home, Scripted(fine)) as talk:
        for ask in (talk.app.household.memory, talk.app.household.archive, talk.app.household.library):
            with pytest.raises(PersonRefused):
                ask(person)


@pytest.mark.parametrize(
    ("said", "language"),
    [
        (["hello there"], "en"),
        (["你好", "ok"], "zh"),
        (["hello there", "42", "https://example.com"], "en"),
        (["hello there", "/help"], "en"),
        (["hello there", "好"], "zh"),
    ],
)
async def test_spoken_to_in_the_language_last_written(
    home: Path, said: list[str], language: Language
) -> None:
    async with opened(home, Scripted(fine)) as talk:
        for text in said:
            await talk.say(text)
        await talk.say("这是别人的话", forwarded=True)
        assert await talk.app.storage.people.language("me") == language
        [answer] = await talk.say("/undo")
        assert ("有" in answer) == (language == "zh")


async def test_a_language_that_is_set_holds(home: Path) -> None:
    async with opened(home, Scripted(fine), language="en") as talk:
        [answer] = await talk.say("/undo")
        await talk.say("你好")
        [again] = await talk.say("/undo")
        assert answer == again
        assert not any("\u4e00" <= c <= "\u9fff" for c in answer)


async def test_what_is_read_for_memory_says_whose_words_are_whose(home: Path) -> None:
    async with opened(home, Scripted(fine)) as talk:
        await talk.say("somebody's rule", forwarded=True)
        await talk.say("what does it mean?")
        name = await talk.channel.say("I am called Li from now on")
        await talk.done(name)
        row = await talk.app.storage.messages.find(*name)
        assert row is not None
        message = await talk.app.storage.messages.get(row.id)
        turns: list[Utterance] = []

        async def extract(given: object, lines: object, now: object) -> object:
            from memory.extraction import Extraction

            turns.extend(given)  # type: ignore[arg-type]
            return Extraction()

        from dataclasses import replace

        household = talk.app.household
        household._minds = replace(household._minds, extract=extract)  # type: ignore[arg-type]
        await household._note(message)
    assert [(turn.role, turn.text) for turn in turns] == [
        (Speaker.TOOL, "somebody's rule"),
        (Speaker.ASSISTANT, "fine"),
        (Speaker.PERSON, "what does it mean?"),
        (Speaker.ASSISTANT, "fine"),
        (Speaker.PERSON, "I am called Li from now on"),
    ]
    assert {str(turn.at.tzinfo) for turn in turns} == {"Asia/Shanghai"}


async def test_rules_near_their_budget_are_told_once_and_none_is_left_out(home: Path) -> None:
    seen: list[str] = []

    def answers(prompt: Prompt) -> str:
        if prompt.tools:
            seen.append(prompt.system)
        return fine(prompt)

    async with opened(home, Scripted(answers), core_budget=25) as talk:
        file = home / "me" / "CORE.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        lines = ["回答用中文", "周报写成三段", "叫我老周", "不要用表情"]
        file.write_text("".join(f"- {line}\n" for line in lines), encoding="utf-8")
        first = await talk.say("你好")
        again = await talk.say("在吗")
    told = [words for words in first if "快满了" in words or "超出预算" in words]
    assert len(told) == 1, first
    assert not [words for words in again if "token" in words]
    assert all(line in prompt for line in lines for prompt in seen)


async def test_rules_typed_by_hand_that_contradict_are_told_once_with_their_rows(home: Path) -> None:
    async with opened(home, Scripted(fine)) as talk:
        file = home / "me" / "CORE.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        rows = ["用英文回答", "每天 7 点提醒我吃药", "用中文回答", "每天 8 点提醒我吃药"]
        file.write_text("".join(f"- {row}\n" for row in rows), encoding="utf-8")
        first = [words for words in await talk.say("你好") if "矛盾" in words]
        again = [words for words in await talk.say("在吗") if "矛盾" in words]
    assert sorted(first) == [
        "CORE.md 第 3 行「用中文回答」和第 1 行「用英文回答」矛盾，按新写的来；第 1 行没删，先暂停了。",
        "CORE.md 第 4 行「每天 8 点提醒我吃药」和第 2 行「每天 7 点提醒我吃药」好像矛盾，现在两条都算数。"
        "留哪条？改文件或告诉我都行。",
    ]
    assert again == []
    assert "- 用英文回答 (paused) ^r1\n" in file.read_text(encoding="utf-8")
