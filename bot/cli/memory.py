"""`kairos memory`: what is remembered, as it stands in the files; with `search`, and what the journal knows."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bot.cli.memory_journal import line_json, log, restore, why
from bot.cli.options import (
    OWNER,
    Home,
    Json,
    Person,
    inside,
    looked_at,
    spoken_in,
)
from memory.page import CORE

if TYPE_CHECKING:
    from pathlib import Path

    from bot.settings import Settings
    from memory import Found, Memory

app = typer.Typer(
    invoke_without_command=True,
    add_completion=False,
    help="Show what is remembered, search and explain it.",
)

_SHOWN = 10  # results of a search


@app.callback()
def memory(context: typer.Context, person: Person = OWNER, json_: Json = False, home: Home = None) -> None:
    """Show what is remembered, or search it."""
    if context.invoked_subcommand is not None:
        context.obj = (person, json_, home)
        return
    settings, person = looked_at(person, home)
    asyncio.run(_show(settings, person, json_))


@app.command()
def search(
    context: typer.Context,
    words: Annotated[list[str], typer.Argument(help="What to look for.")],
    person: Person = OWNER,
    json_: Json = False,
    home: Home = None,
) -> None:
    """Find lines by their words and their meaning."""
    found = inside(context, person, json_, home)
    asyncio.run(_search(found.settings, found.person, " ".join(words), found.json))


for command in (log, why, restore):
    app.command()(command)


async def _show(settings: Settings, person: str, as_json: bool) -> None:
    from bot.app import open_app

    async with open_app(settings, looking=True) as app_:
        found = await _gather(app_.memory(person))
    if as_json:
        print(json.dumps(found, ensure_ascii=False, indent=2))
    else:
        _print(found, settings.home / person, zh=spoken_in(settings) == "zh")


async def _gather(memory_: Memory) -> dict[str, Any]:
    """All of it, as `--json` shows it."""
    lines = await memory_.everything()
    snapshot = await memory_.snapshot()
    titles = {topic.page: topic for topic in snapshot.topics}
    pages = dict.fromkeys(page for page, _ in lines if page != CORE)
    return {
        "rules": [line_json(line) for page, line in lines if page == CORE],
        "topics": [
            {
                "page": page,
                "title": titles[page].title if page in titles else page,
                "purpose": titles[page].purpose if page in titles else "",
                "lines": [line_json(line) for at, line in lines if at == page],
            }
            for page in pages
        ],
        "problems": await memory_.problems(),
    }


def _print(found: dict[str, Any], folder: Path, *, zh: bool) -> None:
    from rich.console import Console
    from rich.markup import escape

    from bot.terminal.rendering import clean

    console = Console(highlight=False, soft_wrap=True, emoji=False)
    console.print(f"[dim]{escape(str(folder))}[/]")
    if not found["rules"] and not found["topics"]:
        console.print("还没有记住任何东西。" if zh else "Nothing is remembered yet.")
    if found["rules"]:
        console.print("\n[bold]规则[/]" if zh else "\n[bold]Rules[/]")
    for line in found["rules"]:
        console.print(f"- {escape(_readable(line, zh=zh))}{_mark(line)}")
    for topic in found["topics"]:
        purpose = f" [dim]— {escape(clean(topic['purpose']))}[/]" if topic["purpose"] else ""
        console.print(f"\n[bold]{escape(clean(topic['title']))}[/]{purpose}")
        for line in topic["lines"]:
            console.print(f"- {escape(_readable(line, zh=zh))}{_mark(line)}")
    for problem in found["problems"]:
        console.print(f"[yellow]! {escape(clean(problem))}[/]")


def _mark(line: dict[str, Any]) -> str:
    """A line's name; one typed into a read-only home has none yet."""
    return f" [dim]^{line['id']}[/]" if line["id"] else ""


def _readable(line: dict[str, Any], *, zh: bool) -> str:
    from bot.terminal.rendering import clean

    when = (f"（仅限：{line['when']}）" if zh else f" (when: {line['when']})") if line["when"] else ""
    until = (f"（到 {line['until']} 为止）" if zh else f" (until {line['until']})") if line["until"] else ""
    paused = ("（暂停）" if zh else " (paused)") if line["paused"] else ""
    return clean(f"{line['text']}{when}{until}{paused}")


async def _search(settings: Settings, person: str, words: str, as_json: bool) -> None:
    from bot.app import open_app

    async with open_app(settings, looking=True) as app_:
        found: Sequence[Found] = await app_.memory(person).search(words, most=_SHOWN)
    if as_json:
        rows = [{"page": each.page, "score": round(each.score, 4), **line_json(each.line)} for each in found]
        print(json.dumps(rows, ensure_ascii=False, indent=2))
        return
    zh = spoken_in(settings) == "zh"
    for each in found:
        print(f"{each.page}: {_readable(line_json(each.line), zh=zh)}")
    if not found:
        print("没有找到。" if zh else "Nothing found.")
