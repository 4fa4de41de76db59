"""Numbered buttons: what is typed presses one only while it is meant to."""

from __future__ import annotations

import pytest

from bot.terminal.choices import Choices
from bot.types import Button

UNDO = Button("撤销", "undo:1")
YES, NO = Button("记住", "yes:7"), Button("不用", "no:7")


@pytest.mark.parametrize(
    ("typed", "data"),
    [
        ("1", "undo:1"),
        (" [2] ", "yes:7"),
        ("３", "no:7"),
        ("撤销", "undo:1"),
        ("记住。", "yes:7"),
        ("是", "yes:7"),
        ("Yes!", "yes:7"),
        ("好的", "yes:7"),
        ("不用", "no:7"),
        ("no", "no:7"),
        ("4", None),
        ("0", None),
        ("9" * 5000, None),
        ("", None),
        ("是的，但是晚点再说", None),
        ("1 个苹果", None),
    ],
)
def test_what_presses(typed: str, data: str | None) -> None:
    choices = Choices()
    assert choices.offer([UNDO]) == [(1, "撤销")]
    assert choices.offer([YES, NO]) == [(2, "记住"), (3, "不用")]
    pressed = choices.pressed(typed)
    assert (pressed.data if pressed else None) == data


def test_yes_presses_no_undo() -> None:
    choices = Choices()
    choices.offer([UNDO])
    assert choices.pressed("是") is None


def test_yes_means_the_latest_question_only() -> None:
    choices = Choices()
    choices.offer([YES, NO])
    choices.offer([UNDO])
    assert choices.pressed("是") is None
    assert choices.pressed("1") == YES


def test_the_talk_moves_on() -> None:
    choices = Choices()
    choices.offer([YES, NO])
    choices.close()
    assert choices.pressed("1") is None
    assert choices.pressed("是") is None
    assert choices.offer([UNDO]) == [(1, "撤销")]
