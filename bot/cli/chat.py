"""`kairos chat`: talk in the terminal."""

from __future__ import annotations

import asyncio

import typer

from bot.cli.options import OWNER, Home, Person, language_of, person_named, settings_for


def chat(person: Person = OWNER, home: Home = None) -> None:
    """Talk in this terminal. Drag pictures in; Ctrl-D leaves."""
    from bot.channels import terminal
    from bot.cli.logging import to_file
    from bot.service import reach

    settings = settings_for(home)
    language = language_of(settings)
    person = person_named(person, language)
    to_file(settings)

    def reaching() -> terminal.Reaching:
        return reach(settings, person, follow=True, command="kairos chat", language=language)

    talk = terminal.chat(reaching, home=settings.home, person=person, language=language)
    if not asyncio.run(talk):
        raise typer.Exit(1)
