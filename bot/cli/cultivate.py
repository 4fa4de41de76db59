"""`kairos cultivate`: the same as `/cultivate` in a chat; `--now` runs it and waits for its end."""

from __future__ import annotations

from typing import Annotated

import typer

from bot.cli.options import OWNER, Home, Json, Person
from bot.cli.say import say

_WORDS = typer.Argument(
    help="on, off, log, add …, remove …; nothing shows how things stand.", show_default=False
)


def cultivate(
    words: Annotated[list[str] | None, _WORDS] = None,
    now: Annotated[bool, typer.Option("--now", help="Tend the pages now, and wait for the end.")] = False,
    person: Person = OWNER,
    json_: Json = False,
    home: Home = None,
) -> None:
    """Tend memory's pages: show how things stand, switch the schedule, or run now."""
    text = " ".join(["/cultivate", *(["now"] if now else []), *(words or [])])
    say(text, person=person, json_=json_, home=home)
