"""`kairos jobs`: what background work waits, runs or failed, and `retry` of what failed."""

from __future__ import annotations

import asyncio
import json
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bot.cli.options import (
    OWNER,
    Home,
    Json,
    Person,
    inside,
    log_to_file,
    person_named,
    settings_for,
    spoken_in,
)

if TYPE_CHECKING:
    from datetime import datetime

    from bot.settings import Settings
    from bot.storage.pauses import Pause
    from bot.storage.queue import Work

app = typer.Typer(
    invoke_without_command=True,
    add_completion=False,
    help="Show what background work waits, runs or failed; retry it.",
)


@app.callback()
def jobs(context: typer.Context, person: Person = OWNER, json_: Json = False, home: Home = None) -> None:
    """Show what waits, what runs and what failed. Starts nothing."""
    if context.invoked_subcommand is not None:
        context.obj = (person, json_, home)
        return
    settings = settings_for(home)
    log_to_file(settings)
    language = spoken_in(settings)
    found = asyncio.run(_look(settings, person_named(person, language)))
    if json_:
        print(json.dumps(_shown(found), ensure_ascii=False, indent=2))
        return
    from bot.commands.queue import pauses, shown
    from bot.terminal.rendering import clean

    paused = pauses(found.allowance, found.providers, found.now, language)
    print(clean(shown(found.works, paused, found.now, language).text))


@app.command()
def retry(
    context: typer.Context,
    which: Annotated[str, typer.Argument(help="A name from the list, or all.")],
    person: Person = OWNER,
    json_: Json = False,
    home: Home = None,
) -> None:
    """Have failed work done once more, here or by the bot that runs; waits for what it says."""
    from bot.cli.say import say

    found = inside(context, person, json_, home)
    say(f"/queue retry {which}", person=found.person, json_=found.json, home=found.settings.home)


@dataclass(frozen=True, slots=True)
class _Found:
    """What a look at the background shows."""

    works: list[Work]
    providers: list[Pause]
    allowance: datetime | None  # until when it waits for a new day
    now: datetime


async def _look(settings: Settings, person: str) -> _Found:
    from bot.app import open_app
    from bot.lock import held

    async with open_app(settings, looking=True) as app_:
        now = app_.household.here(person)
        works, providers = await app_.background.queue(person), await app_.storage.queue.providers(now)
        allowance = await app_.meter.paused(person)
    if not await asyncio.to_thread(held, settings.home):  # nobody works: what was in hand waits
        works = [replace(work, state="waiting") if work.state == "running" else work for work in works]
    return _Found(works, providers, allowance, now)


def _shown(found: _Found) -> dict[str, Any]:
    return {
        "work": [
            {
                **asdict(work),
                "name": work.name,
                "since": work.since.isoformat(),
                "until": work.until.isoformat() if work.until else None,
            }
            for work in found.works
        ],
        "paused": [{"provider": each.matter, "until": each.until.isoformat()} for each in found.providers],
        "allowance_spent_until": found.allowance.isoformat() if found.allowance else None,
    }
