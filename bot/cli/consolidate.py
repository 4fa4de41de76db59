"""`kairos consolidate`: distil conversations into notes and weigh them with what is remembered."""

from __future__ import annotations

import asyncio
import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bot.cli.options import OWNER, Home, Json, Person, language_of, log_to_file, person_named, settings_for

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
    settings = settings_for(home)
    log_to_file(settings)
    language = language_of(settings)
    found = asyncio.run(_run(settings, person_named(person, language), language, now=now))
    print(json.dumps(found, ensure_ascii=False) if json_ else found["sentence"])


async def _run(settings: Settings, person: str, language: Language, *, now: bool) -> dict[str, Any]:
    """Do it here, or have the bot do it that runs in this home."""
    from bot.app import open_app
    from bot.errors import HomeBusy
    from bot.lock import taken
    from bot.slow import covered
    from bot.wording import say

    async with open_app(settings, looking=True) as app:
        slow = app.background.slow
        if slow.noting is not None and now:
            await slow.ask(person)
        try:
            with taken(settings.home, "kairos consolidate", language):
                tidied = await slow.tidy(person)
        except HomeBusy:
            return {"handed": True, "sentence": say(language, "slow.handed")}
        first = covered(tidied.coverage if slow.noting is not None else None, language)
        done = say(
            language, "slow.done", notes=tidied.notes, changes=tidied.changes, proposals=tidied.proposals
        )
    return {**asdict(tidied), "handed": False, "sentence": f"{first}\n{done}"}
