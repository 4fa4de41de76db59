"""`kairos consolidate`: distil conversations into notes and weigh them with what is remembered."""

from __future__ import annotations

import asyncio
import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bot.cli.options import OWNER, Home, Json, Person, log_to_file, person_named, settings_for, spoken_in

if TYPE_CHECKING:
    from bot.settings import Settings
    from bot.types import Language


def consolidate(
    now: Annotated[bool, typer.Option("--now", help="Do not wait until conversations are quiet.")] = False,
    person: Person = OWNER,
    json_: Json = False,
    home: Home = None,
) -> None:
    """Distil quiet conversations into notes, and weigh the notes with what is remembered."""
    from bot.errors import HomeBusy
    from bot.lock import taken

    settings = settings_for(home)
    log_to_file(settings)
    language = spoken_in(settings)
    person = person_named(person, language)
    try:
        with taken(settings.home, "kairos consolidate", language):
            found = asyncio.run(_here(settings, person, language, now=now))
    except HomeBusy:
        found = asyncio.run(_there(settings, person, language, now=now))
    print(json.dumps(found, ensure_ascii=False) if json_ else found["sentence"])


async def _here(settings: Settings, person: str, language: Language, *, now: bool) -> dict[str, Any]:
    """Do what is due in this very process."""
    from bot.app import open_app
    from bot.slow import covered
    from bot.wording import say

    async with open_app(settings, looking=True) as app:
        slow = app.background.slow
        if now and slow.noting is not None:
            await slow.ask(person)
        tidied = await slow.tidy(person)
    counts = {"notes": tidied.notes, "changes": tidied.changes, "proposals": tidied.proposals}
    sentence = f"{covered(tidied.coverage, language)}\n{say(language, 'slow.done', **counts)}"
    return {**asdict(tidied), "handed": False, "sentence": sentence}


async def _there(settings: Settings, person: str, language: Language, *, now: bool) -> dict[str, Any]:
    """Leave it to the bot that runs in this home."""
    from bot.app import open_app
    from bot.wording import say

    async with open_app(settings, looking=True) as app:
        slow = app.background.slow
        if slow.noting is None:
            return {"handed": False, "sentence": say(language, "slow.none")}
        if now:
            await slow.ask(person)
    return {"handed": True, "sentence": say(language, "slow.handed")}
