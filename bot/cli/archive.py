"""`kairos archive`: the pictures as a folder: follow what was done to it by hand, rebuild from it, export it."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from bot.cli.options import OWNER, Home, Inside, Json, Person, inside, spoken_in
from bot.wording import say

if TYPE_CHECKING:
    from bot.storage.export import Exported
    from bot.storage.rebuild import Rebuilt
    from bot.storage.rescan import Rescanned
    from bot.types import Language

app = typer.Typer(add_completion=False, no_args_is_help=True, help="Your pictures as a folder.")


@app.callback()
def archive(context: typer.Context, person: Person = OWNER, json_: Json = False, home: Home = None) -> None:
    """Your pictures as a folder: follow, rebuild, export it."""
    context.obj = (person, json_, home)


@app.command()
def rescan(context: typer.Context, person: Person = OWNER, json_: Json = False, home: Home = None) -> None:
    """Read what you did to pictures in the folder (renamed, dragged, edited, deleted) as your corrections."""
    options, language = _opened(context, person, json_, home)
    found = asyncio.run(_rescan(options))
    _say(options, _rescanned(found, language), {
        "changes": [{"number": each.row.number, **each.values} for each in found.changes],
        "gone": [row.number for row in found.gone],
        "unknown": list(found.unknown),
        "missing": found.missing,
    })  # fmt: skip
    if found.missing:
        raise typer.Exit(1)


@app.command()
def rebuild(context: typer.Context, person: Person = OWNER, json_: Json = False, home: Home = None) -> None:
    """Make the records of pictures from the folder alone; keeps their numbers, deletes nothing."""
    from bot.lock import taken

    options, language = _opened(context, person, json_, home)
    with taken(options.settings.home, "kairos archive rebuild", language):
        found = asyncio.run(_rebuild(options))
    _say(options, _rebuilt(found, language), {
        "taken": found.taken,
        "known": found.known,
        "unread": [{"file": each.file, "copy_of": each.copy_of} for each in found.unread],
        "renumbered": [{"file": file, "old": old, "new": new} for file, old, new in found.renumbered],
    })  # fmt: skip


@app.command()
def export(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(help="The zip to write.", show_default=False)],
    person: Person = OWNER,
    json_: Json = False,
    home: Home = None,
) -> None:
    """Write all pictures, their sidecars and a table of contents into a plain zip."""
    options, language = _opened(context, person, json_, home)
    file = file.expanduser()
    try:
        found = asyncio.run(_export(options, file))
    except FileExistsError:
        _fail(options, say(language, "folder.exists", file=file))
    except OSError as error:
        _fail(
            options, say(language, "folder.no_place", file=file, why=error.strerror or type(error).__name__)
        )
    lines = [say(language, "folder.exported", count=found.count, file=file)]
    if found.missing:
        lines.append(say(language, "folder.exports_missing", count=len(found.missing)))
    _say(
        options,
        lines,
        {"count": found.count, "missing": [row.number for row in found.missing], "file": str(file)},
    )


def _opened(context: typer.Context, person: str, json_: bool, home: Path | None) -> tuple[Inside, Language]:
    options = inside(context, person, json_, home)
    return options, spoken_in(options.settings)


def _say(options: Inside, lines: list[str], values: dict[str, Any]) -> None:
    from bot.terminal.rendering import clean

    print(json.dumps(values, ensure_ascii=False, default=str) if options.json else clean("\n".join(lines)))


def _fail(options: Inside, words: str) -> NoReturn:
    if options.json:
        print(json.dumps({"problem": words}, ensure_ascii=False))
    else:
        print(words, file=sys.stderr)
    raise typer.Exit(1)


async def _rescan(options: Inside) -> Rescanned:
    from bot.app import open_app

    async with open_app(options.settings, looking=True) as app_:
        return await app_.background.keeper.rescan(options.person)


async def _rebuild(options: Inside) -> Rebuilt:
    from bot.app import open_app

    async with open_app(options.settings, looking=True) as app_:
        return await app_.rebuild(options.person)


async def _export(options: Inside, file: Path) -> Exported:
    from bot.app import open_app
    from bot.storage.export import export

    async with open_app(options.settings, looking=True) as app_:
        rows = await app_.filings(options.person)
        folder = app_.household.archive(options.person).folder
        return await asyncio.to_thread(export, folder, rows, file)


def _rescanned(found: Rescanned, language: Language) -> list[str]:
    from bot.keeper import told

    if found.missing:
        return [say(language, "folder.missing")]
    lines = [told(found, language).text] if found.news else [say(language, "folder.same")]
    return lines + [say(language, "folder.unknown", file=file) for file in found.unknown]


def _rebuilt(found: Rebuilt, language: Language) -> list[str]:
    lines = [say(language, "folder.rebuilt", taken=found.taken, known=found.known, failed=len(found.unread))]
    for each in found.unread:
        why = say(language, "folder.unreadable")
        if each.copy_of is not None:
            why = say(language, "folder.copy", number=each.copy_of)
        lines.append(say(language, "folder.unread", file=each.file, why=why))
    lines += [
        say(language, "folder.renumbered", file=file, old=old, new=new) for file, old, new in found.renumbered
    ]
    return lines
