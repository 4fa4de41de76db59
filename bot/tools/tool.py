"""What a tool is: a name, words and a schema the model reads, and a coroutine that works at the desk."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import date
from typing import Any

from bot.desk import Desk
from bot.errors import ToolError
from bot.models.model import ToolSpec
from bot.types import Button
from memory.words import storable


@dataclass(frozen=True, slots=True)
class Result:
    """What a tool did."""

    text: str  # for the model
    receipt: str = ""  # for the person, one line; shown under the answer, so a deed is never only claimed
    buttons: tuple[Button, ...] = ()
    picture: str = ""  # path of a picture to send
    deed: bool = False  # it changed something (and did not fail)
    already: bool = False  # it changed nothing, because it is so already
    found: bool = True  # False: a look-up that found nothing
    # an outside tool that only looked: it did none of what an answer may claim beyond that
    looked: bool = False
    loaded: tuple[str, ...] = ()  # lines of memory that the model has read by it, as "[id] line"


Run = Callable[[Desk, dict[str, Any]], Awaitable[Result]]
"""Do it. Raises `ToolError` with words for the model when it cannot be done."""


_NUMBER = re.compile(r"\W*第?\s*(\d{1,9})\s*[张条个]?\W*")


def words_of(arguments: dict[str, Any], name: str, *, most: int = 2000) -> str:
    """A text argument, stripped; "" when it is missing. Models send numbers for texts, and null.

    Raises:
        ToolError: it is no text, or longer than `most` characters.
    """
    value = arguments.get(name)
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    huge = isinstance(value, int) and value.bit_length() > 64
    if isinstance(value, bool) or huge or not isinstance(value, str | int | float):
        raise ToolError(f"`{name}` must be a text")
    words = storable(str(value)).replace("\0", "").strip()
    if len(words) > most:
        raise ToolError(f"`{name}` is too long: {len(words)} characters, at most {most}")
    return words


def day_of(arguments: dict[str, Any], name: str) -> date | None:
    """A date argument; nothing when it is missing.

    Raises:
        ToolError: it is no ISO date.
    """
    words = words_of(arguments, name)
    if not words:
        return None
    try:
        return date.fromisoformat(words[:10])
    except ValueError as error:
        raise ToolError(f"`{name}` must be an ISO date, not {words!r}") from error


def needed(arguments: dict[str, Any], name: str, *, most: int = 2000) -> str:
    """As `words_of`, and it must be there. Raises `ToolError`."""
    words = words_of(arguments, name, most=most)
    if not words:
        raise ToolError(f"`{name}` is missing")
    return words


def flag(arguments: dict[str, Any], name: str, otherwise: bool) -> bool:
    """A yes-or-no argument; models write "false" too. Raises `ToolError`."""
    value = arguments.get(name)
    if value is None or isinstance(value, bool):
        return otherwise if value is None else value
    known = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}
    word = str(value).strip().lower()
    if word not in known:
        raise ToolError(f"`{name}` must be true or false")
    return known[word]


def whole_number(words: str) -> int | None:
    """A number as people and models write it ("#3", "第3张", " 3. "), None when it is none that anything has."""
    found = _NUMBER.fullmatch(words)
    return int(found[1]) if found else None


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool; listed in `bot.tools.TOOLS`."""

    spec: ToolSpec
    run: Run


def tool(name: str, description: str, run: Run, required: tuple[str, ...] = (), /, **properties: Any) -> Tool:
    """A tool whose arguments are `properties`, each a JSON schema."""
    schema = {"type": "object", "properties": properties, "required": list(required)}
    return Tool(ToolSpec(name, description, schema), run)
