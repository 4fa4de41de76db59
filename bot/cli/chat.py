"""`kairos chat`: talk in the terminal."""

from __future__ import annotations

import asyncio
from functools import partial

import typer

from bot.cli.options import OWNER, Home, Person, log_to_file, person_named, settings_for, spoken_in


def chat(person: Person = OWNER, home: Home = None) -> None:
    """Talk in this terminal. Drag pictures in; Ctrl-D leaves."""
    from bot.service import reach
    from bot.terminal import chat as terminal

    settings = settings_for(home)
    language = spoken_in(settings)
    person = person_named(person, language)
    log_to_file(settings)

    reaching = partial(reach, settings, person, follow=True, command="kairos chat", language=language)
    if not asyncio.run(terminal.chat(reaching, home=settings.home, person=person, language=language)):
        raise typer.Exit(1)
