"""`kairos filings`: the pictures that were filed."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

from bot.cli.options import OWNER, Home, Json, Person, looked_at, spoken_in

if TYPE_CHECKING:
    from bot.settings import Settings
    from bot.storage.records import FilingRow


def filings(person: Person = OWNER, json_: Json = False, home: Home = None) -> None:
    """List the pictures that were filed."""
    settings, person = looked_at(person, home)
    rows = asyncio.run(_rows(settings, person))
    if json_:
        print(json.dumps([_shown(row) for row in rows], ensure_ascii=False, indent=2))
    elif rows:
        _print(rows)
    else:
        print("还没有存过图片。" if spoken_in(settings) == "zh" else "No pictures have been filed yet.")


async def _rows(settings: Settings, person: str) -> list[FilingRow]:
    from bot.app import open_app

    async with open_app(settings, looking=True) as app:
        return await app.filings(person)


def _shown(row: FilingRow) -> dict[str, Any]:
    return {
        "number": row.number,
        "category": row.category,
        "title": row.title,
        "rule": row.rule,
        "file": row.file,
        "summary": row.summary,
        "tags": list(row.tags),
        "text": row.text,
        "why": row.why,
        "state": row.state,
        "corrected": row.corrected,
        "at": row.at.isoformat(),
    }


def _print(rows: list[FilingRow]) -> None:
    from rich.console import Console
    from rich.markup import escape

    from bot.terminal.rendering import clean

    console = Console(highlight=False, soft_wrap=True, emoji=False)
    for row in rows:
        date = row.at.astimezone().strftime("%Y-%m-%d")
        words = (
            f"[bold]#{row.number}[/] [cyan]【{escape(clean(row.category))}】[/]《{escape(clean(row.title))}》"
        )
        rule = f"\n   [dim]{escape(clean(row.rule))}[/]" if row.rule else ""
        console.print(f"{words} [dim]{date}[/]{rule}")
