"""Answers that were cut: gone on with at a whole sentence, and said to be cut when that is not enough."""

from __future__ import annotations

import pytest

from bot.agent.continuing import BRIEFLY, CONTINUE, joined, whole_part
from bot.agent.loop import Bounds, converse
from bot.models.model import Prompt, Reply, Said
from bot.models.scripted import Scripted
from tests.bot.desks import Rig
from tests.conftest import Golden


def test_what_a_model_reads(golden: Golden) -> None:
    golden("continuing.md", f"{CONTINUE}\n\n{BRIEFLY}\n")


@pytest.mark.parametrize(
    ("text", "said", "between"),
    [
        ("One. Two. Thr", "One. Two.", " "),
        ("一是水。二是茶。三是咖", "一是水。二是茶。", ""),
        ("- one\n- two\n- thr", "- one\n- two", "\n"),
        ("```py\na = 1. \nb = 2. + ", "```py\na = 1. ", "\n"),  # within code a full stop ends nothing
        ("no end in sight", "no end in sight", ""),
        ("It is done.", "It is done.", " "),
        ("一是水。二是茶。", "一是水。二是茶。", ""),
        ("One. " + "x" * 500, "One. " + "x" * 500, ""),
    ],
)
def test_it_goes_on_behind_the_last_whole_line_or_sentence(text: str, said: str, between: str) -> None:
    assert whole_part(text) == (said, between)


@pytest.mark.parametrize(
    ("said", "between", "more", "whole"),
    [
        ("One. Two.", " ", "Three.", "One. Two. Three."),
        ("- one\n- two", "\n", "- three", "- one\n- two\n- three"),
        (
            "The whole of it is this.",
            " ",
            "The whole of it is this. And more.",
            "The whole of it is this. And more.",
        ),
        ("水。茶。", "", "咖啡。", "水。茶。咖啡。"),
    ],
)
def test_both_parts_are_one_answer(said: str, between: str, more: str, whole: str) -> None:
    assert joined(said, between, more) == whole


async def talked(rig: Rig, *replies: Reply | str) -> tuple[str, bool, Scripted]:
    model = Scripted(*replies)
    prompt = Prompt("system", messages=(Said("user", "x", typed=("x",)),))
    desk = rig.desk(await rig.said("x"))
    ended = await converse(model, prompt, {}, desk, lambda result=None: None, None, Bounds(continued=2))
    return ended.text, ended.cut, model


async def test_a_cut_answer_is_gone_on_with(rig: Rig) -> None:
    text, cut, model = await talked(rig, Reply("One. Two. Thr", finish="length"), "Three. Four.")
    assert (text, cut) == ("One. Two. Three. Four.", False)
    assert [said.text for said in model.prompts[-1].messages] == ["x", "One. Two.", CONTINUE]


async def test_one_without_end_is_known_to_be_cut(rig: Rig) -> None:
    parts = [Reply(f"Part {number}. And th", finish="length") for number in (1, 2, 3)]
    text, cut, model = await talked(rig, *parts)
    assert (text, cut) == ("Part 1. Part 2. Part 3. And th", True)
    assert len(model.prompts) == 3


async def test_what_was_said_stays_when_nothing_more_comes(rig: Rig) -> None:
    text, cut, _ = await talked(rig, Reply("One. Tw", finish="length"), "")
    assert (text, cut) == ("One. Tw", True)


async def test_a_thought_without_an_answer_is_asked_for_briefly(rig: Rig) -> None:
    text, cut, model = await talked(rig, Reply("", finish="length", reasoning="hm"), "42.")
    assert (text, cut) == ("42.", False)
    assert model.prompts[-1].messages[-1].text == BRIEFLY
    text, cut, _ = await talked(rig, *[Reply("", finish="length")] * 2)
    assert (text, cut) == ("", True)
