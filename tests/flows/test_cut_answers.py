"""Answers cut by their length or by a filter: gone on with, or told; nobody is left guessing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bot.models.model import Prompt, Reply
from bot.models.scripted import Scripted
from bot.wording import say

NOTHING = json.dumps({"changes": []})


def answering(*replies: Reply) -> Scripted:
    """Says these in turn, then the last one for ever."""
    left = list(replies)

    def play(prompt: Prompt) -> Reply:
        if not prompt.system.startswith("You are Kairos"):
            return Reply(NOTHING)
        return left.pop(0) if len(left) > 1 else left[0]

    return Scripted(play)


def cut(text: str) -> Reply:
    return Reply(text, finish="length")


@pytest.mark.parametrize(
    ("replies", "told"),
    [
        ([cut("One. Two. Thr"), Reply("Three.")], "One. Two. Three."),
        (
            [cut("One. Tw"), cut("Two. Th"), cut("Three. F")],
            "One. Two. Three. F\n\n" + say("en", "trouble.cut"),
        ),
        ([cut(""), Reply("42.")], "42."),
        ([cut("")], say("en", "trouble.spent")),
        ([Reply("", finish="filtered")], say("en", "trouble.filtered")),
        ([Reply("It begins", finish="filtered")], "It begins\n\n" + say("en", "trouble.filtered_midway")),
    ],
)
async def test_the_person_is_told(open_talk: Any, home: Path, replies: list[Reply], told: str) -> None:
    async with open_talk(home, answering(*replies)) as talk:
        assert await talk.say("hello there, how are you?") == [told]


async def test_what_was_cut_is_there_to_go_on_from(open_talk: Any, home: Path) -> None:
    """And our remark under it is told as the app's: in the assistant's mouth a small model learns to make it."""
    model = answering(*[cut(f"Part {number}. And") for number in (1, 2, 3)], Reply("Part 4."))
    async with open_talk(home, model) as talk:
        await talk.say("tell me all of it")
        assert await talk.say("go on") == ["Part 4."]
    before = [prompt for prompt in model.prompts if prompt.tools][-1].messages
    assert [said.text for said in before if said.role == "assistant"] == ["Part 1. Part 2. Part 3. And"]
    assert f"(the app showed: {say('en', 'trouble.cut')})" in before[-1].text
