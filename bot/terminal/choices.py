"""Buttons in a terminal: numbered, and pressed by typing."""

from __future__ import annotations

from collections.abc import Sequence

from bot.types import Button

_YES = {
    "是",
    "是的",
    "好",
    "好的",
    "对",
    "嗯",
    "可以",
    "行",
    "要",
    "yes",
    "y",
    "yes please",
    "ok",
    "okay",
    "sure",
}
_NO = {"不", "不是", "不用", "不要", "不了", "否", "算了", "no", "n", "no thanks", "nope"}


class Choices:
    """The buttons that can be pressed now. Numbers run on until the person says something else."""

    def __init__(self) -> None:
        self._open: list[Button] = []
        self._question: Sequence[Button] = ()  # of the latest words, when they ask yes or no

    def offer(self, buttons: Sequence[Button]) -> list[tuple[int, str]]:
        """Show these; each gets its number."""
        first = len(self._open) + 1
        self._open.extend(buttons)
        self._question = buttons if _asks(buttons) else ()
        return [(first + at, button.label) for at, button in enumerate(buttons)]

    def pressed(self, typed: str) -> Button | None:
        """The button that what was typed means: its number, its label, or yes or no to the question."""
        word = typed.strip().strip("[]。.!！").casefold()
        if word.isdecimal() and len(word) < 4 and 0 < int(word) <= len(self._open):
            return self._open[int(word) - 1]
        for button in reversed(self._open):
            if word and word == button.label.strip().casefold():
                return button
        if self._question and word in _YES:
            return self._question[0]
        if self._question and word in _NO:
            return self._question[1]
        return None

    def close(self) -> None:
        """The talk has moved on."""
        self._open.clear()
        self._question = ()


def _asks(buttons: Sequence[Button]) -> bool:
    """Two buttons, of which the second declines: a question of yes or no, the yes first."""
    return len(buttons) == 2 and buttons[1].data.partition(":")[0] == "no"
