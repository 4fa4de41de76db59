"""`kairos memory log|why|restore`: what changed, where a line comes from, and any change brought back."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bot.cli.options import OWNER, Home, Json, Person, inside, spoken_in

if TYPE_CHECKING:
    from bot.cli.options import Inside
    from bot.desk import Desk
    from memory import Line, Outcome
    from memory.journal import Entry

Most = Annotated[int, typer.Option("--most", "-n", min=1, help="How many, newest first.")]


def log(
    context: typer.Context, most: Most = 20, person: Person = OWNER, json_: Json = False, home: Home = None
) -> None:
    """The last changes: number, date, what, before and after, by whom."""
    asyncio.run(
        _with_desk(inside(context, person, json_, home), lambda desk, as_json: _log(desk, most, as_json))
    )


def why(
    context: typer.Context,
    what: Annotated[str, typer.Argument(help="A line's id (r7), a rule's number, or words.")],
    person: Person = OWNER,
    json_: Json = False,
    home: Home = None,
) -> None:
    """Where a line comes from: who said it, when, in which words, what it replaced, where it was used."""
    asyncio.run(
        _with_desk(inside(context, person, json_, home), lambda desk, as_json: _why(desk, what, as_json))
    )


def restore(
    context: typer.Context,
    entry: Annotated[int, typer.Argument(help="Number of a change, as `kairos memory log` shows it.")],
    person: Person = OWNER,
    json_: Json = False,
    home: Home = None,
) -> None:
    """Bring back what a change tells of, whatever happened to its line since."""
    asyncio.run(
        _with_desk(inside(context, person, json_, home), lambda desk, as_json: _restore(desk, entry, as_json))
    )


async def _with_desk(inside_: Inside, do: Callable[[Desk, bool], Awaitable[bool]]) -> None:
    """Do something at a person's desk, with nothing started. Exits 1 when it could not be done."""
    from bot.app import open_app

    async with open_app(inside_.settings, looking=True) as app:
        desk = app.household.looking(inside_.person, spoken_in(inside_.settings))
        done = await do(desk, inside_.json)
    if not done:
        raise typer.Exit(1)


async def _log(desk: Desk, most: int, as_json: bool) -> bool:
    from bot.commands.memory_log import row
    from bot.wording import say

    entries = await desk.memory.log(most)
    if as_json:
        print(json.dumps([entry_json(entry) for entry in entries], ensure_ascii=False, indent=2))
    else:
        _print("\n".join(row(desk, each) for each in entries) or say(desk.language, "log.none"))
    return True


async def _why(desk: Desk, what: str, as_json: bool) -> bool:
    from bot.tools.explaining import story
    from bot.tools.listing import choice, meant

    found = await meant(desk, what)
    if found.line is None:
        if as_json:
            print(json.dumps({"line": None, "among": [each.id for each in found.among]}, ensure_ascii=False))
        else:
            _print(await choice(desk, found.among))
        return False
    if as_json:
        entries = await desk.memory.explain(found.line.id)
        told = {"line": line_json(found.line), "history": [entry_json(each) for each in entries]}
        print(json.dumps(told, ensure_ascii=False, indent=2))
    else:
        _print(await story(desk, found.line))
    return True


async def _restore(desk: Desk, entry: int, as_json: bool) -> bool:
    from bot.tools.notes import receipt
    from bot.wording import say
    from memory.changes import Did

    outcome = await desk.memory.restore(entry)
    if as_json:
        print(json.dumps(_outcome_json(outcome), ensure_ascii=False))
    else:
        same = outcome.did is Did.KNOWN
        words = say(desk.language, "restore.same", text=outcome.after) if same else ""
        _print(words or receipt(desk, outcome).receipt)
    return outcome.did is not Did.REFUSED


def _print(text: str) -> None:
    from rich.console import Console
    from rich.markup import escape

    from bot.terminal.rendering import clean

    bold = escape(clean(text)).replace("**#", "[bold]#").replace("** ", "[/] ").replace("`", "")
    Console(highlight=False, soft_wrap=True, emoji=False).print(bold)


def line_json(line: Line) -> dict[str, Any]:
    """A line for programs."""
    return {
        "id": line.id,
        "text": line.text,
        "when": line.when,
        "until": line.until.isoformat() if line.until else None,
        "paused": line.paused,
        "kind": line.kind.value,
        "origin": line.origin.value,
    }


def entry_json(entry: Entry) -> dict[str, Any]:
    """A change for programs."""
    return {
        "n": entry.n,
        "at": entry.at.isoformat(),
        "op": entry.op,
        "page": entry.page,
        "line": entry.line,
        "before": line_json(entry.before) if entry.before else None,
        "after": line_json(entry.after) if entry.after else None,
        "by": entry.source.by,
        "conversation": entry.source.conversation,
        "message": entry.source.message,
        "said_at": entry.source.at.isoformat(),
        "quote": entry.source.quote,
        "reason": entry.reason,
        "undoes": entry.undoes,
    }


def _outcome_json(outcome: Outcome) -> dict[str, Any]:
    return {
        "did": outcome.did.value,
        "line": outcome.line,
        "page": outcome.page,
        "before": outcome.before,
        "after": outcome.after,
        "entry": outcome.entry,
        "gave_way": list(outcome.gave_way),
        "reason": outcome.reason,
    }
