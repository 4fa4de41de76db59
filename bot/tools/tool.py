"""What a tool is: a name, words and a schema the model reads, and a coroutine that works at the desk."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from bot.desk import Desk
from bot.models.model import ToolSpec
from bot.types import Button


@dataclass(frozen=True, slots=True)
class Result:
    """What a tool did."""

    text: str  # for the model
    receipt: str = ""  # for the person, one line; shown under the answer, so a deed is never only claimed
    buttons: tuple[Button, ...] = ()
    picture: str = ""  # path of a picture to send
    deed: bool = False  # it changed something (and did not fail)


Run = Callable[[Desk, dict[str, Any]], Awaitable[Result]]
"""Do it. Raises `ToolError` with words for the model when it cannot be done."""


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool; listed in `bot.tools.TOOLS`."""

    spec: ToolSpec
    run: Run
