"""`kairos cultivate`: the very command of a chat."""

from __future__ import annotations

import pytest

from bot.cli import run
from tests.bot.cli.test_say import Bot, bot

__all__ = ["bot"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "/cultivate"),
        (["--now"], "/cultivate now"),
        (["on"], "/cultivate on"),
        (["add", "每周五", "18:00", "整理项目页"], "/cultivate add 每周五 18:00 整理项目页"),
        (["--person", "anna", "log"], "/cultivate log"),
    ],
)
def test_what_is_said(bot: Bot, arguments: list[str], said: str) -> None:
    assert run(["cultivate", *arguments]) == 0
    [incoming] = bot.heard
    assert incoming.text == said
    assert incoming.person == ("anna" if "anna" in arguments else "me")
