"""`kairos doctor`: is everything in order?"""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import typer

from bot.cli.options import Home, Json, log_to_file, settings_for, spoken_in
from bot.errors import KairosError

if TYPE_CHECKING:
    from bot.settings import Settings
    from bot.types import Language


@dataclass(frozen=True, slots=True)
class Looked:
    """One thing that was looked at."""

    name: str
    ok: bool
    sentence: str


def doctor(json_: Json = False, home: Home = None) -> None:
    """Check settings, home, model, database, OCR, embeddings and channels. Exit 1 when something is red."""
    try:
        settings = settings_for(home)
    except KairosError as problem:
        found = [Looked("settings", False, str(problem))]
    else:
        with suppress(OSError):  # what cannot be made is red below
            settings.home.mkdir(parents=True, exist_ok=True)
        log_to_file(settings, quiet=True)
        found = asyncio.run(_look(settings))
    if json_:
        print(json.dumps([asdict(each) for each in found], ensure_ascii=False, indent=2))
    else:
        _print(found)
    if not all(each.ok for each in found):
        raise typer.Exit(1)


async def _look(settings: Settings) -> list[Looked]:
    """Everything; when the home cannot even be opened, the rest is left out."""
    try:
        from bot.app import open_app

        async with open_app(settings, looking=True) as app:
            found = [
                Looked(each.name, each.ok, each.sentence) for each in await app.status(spoken_in(settings))
            ]
    except KairosError as problem:
        return [Looked("settings", True, str(settings.home)), Looked("home", False, str(problem))]
    return [*found, *await _channels(settings)]


async def _channels(settings: Settings) -> list[Looked]:
    from bot.cli.setup_checks import check_telegram

    language: Language = spoken_in(settings)
    found: list[Looked] = []
    if token := settings.telegram_token.get_secret_value():
        check = await check_telegram(settings.telegram_base_url, token, language)
        found.append(Looked("telegram", check.ok, check.sentence))
    return [*found, *await _running(settings, language)]


async def _running(settings: Settings, language: Language) -> list[Looked]:
    """Whether a bot runs here and answers, and what it says of its channels."""
    from bot.lock import held, holder
    from bot.terminal.client import LocalClient, NotRunning

    who = holder(settings.home)
    running = ("正在运行：" if language == "zh" else "running: ") + (who.named(language) if who else "?")
    try:
        client = await LocalClient.connect(settings.home, "doctor", follow=False)
        await client.close()
        troubles = [Looked(f"channel {name}", False, wrong) for name, wrong in client.troubles.items()]
    except NotRunning:
        if held(settings.home):
            silent = "，但它不应答" if language == "zh" else ", but it does not answer"
            return [Looked("terminal", False, running + silent)]
        idle = "现在没有在运行；`kairos run` 或 `kairos chat` 会启动它"
        return [Looked("terminal", True, idle if language == "zh" else "not running; `kairos run` starts it")]
    return [*troubles, Looked("terminal", True, running)]


def _print(found: list[Looked]) -> None:
    from rich.console import Console
    from rich.markup import escape

    console = Console(highlight=False, soft_wrap=True, emoji=False)
    width = max(len(each.name) for each in found)
    for each in found:
        mark = "[green]✓[/]" if each.ok else "[red]✗[/]"
        console.print(f"{mark} {each.name.ljust(width)}  {escape(each.sentence)}")
