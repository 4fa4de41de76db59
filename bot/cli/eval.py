"""`kairos eval`: judge the configured brain over case files, through the code that the bot runs."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import typer

from bot.cli.options import Home, Json, settings_for, spoken_in

if TYPE_CHECKING:
    from bot.minds import Minds
    from bot.settings import Settings

    Judge = Callable[[Settings, Minds], Awaitable[object]]

app = typer.Typer(
    no_args_is_help=True, add_completion=False, help="Judge the configured brain over case files."
)

File = Annotated[Path, typer.Argument(metavar="FILE", help="Case file (JSON).", show_default=False)]
Folder = Annotated[
    Path, typer.Argument(metavar="DIR", help="Folder with a manifest.json.", show_default=False)
]


@app.command()
def dialogues(file: File, json_: Json = False, home: Home = None) -> None:
    """What is remembered of conversations: one line a case, then the totals."""
    from bot.evals import dialogues as eval_

    async def judge(settings: Settings, minds: Minds) -> None:
        brain = eval_.Brain(minds.main.name, minds.extract, minds.embed)
        await eval_.run(file, settings.home, brain, as_json=json_, language=spoken_in(settings))

    _judge(home, judge)


@app.command()
def pictures(
    folder: Folder,
    json_: Json = False,
    bare: Annotated[
        bool, typer.Option("--bare", help="Also time bare RapidOCR on the same pictures.")
    ] = False,
    home: Home = None,
) -> None:
    """How pictures are filed: one line a file, then the totals."""
    from bot.evals import pictures as eval_

    async def judge(settings: Settings, minds: Minds) -> None:
        await eval_.run(folder, settings, minds, as_json=json_, bare=bare, language=spoken_in(settings))

    _judge(home, judge)


@app.command()
def baseline(
    file: Annotated[
        Path | None,
        typer.Argument(
            metavar="[FILE]", help="Task file (JSON); without one, Kairos' own.", show_default=False
        ),
    ] = None,
    json_: Json = False,
    home: Home = None,
) -> None:
    """The same tasks without memory and with it: one line a step, then the totals."""
    from bot.evals import baseline as eval_

    async def judge(settings: Settings) -> None:
        await eval_.run(file or eval_.OWN, settings, as_json=json_, language=spoken_in(settings))

    _elsewhere(home, judge)


@app.command()
def search(file: File, json_: Json = False, home: Home = None) -> None:
    """How lines are found again: one line a question, then the totals."""
    from bot.evals import search as eval_

    async def judge(settings: Settings, minds: Minds) -> None:
        await eval_.run(file, minds.embed, as_json=json_, language=spoken_in(settings))

    _judge(home, judge)


def _judge(home: Path | None, judge: Judge) -> None:
    """Run with the configured brain, opened here."""

    async def run(temporary: Settings) -> None:
        from bot.minds import open_minds

        async with open_minds(temporary) as minds:
            await judge(temporary, minds)

    _elsewhere(home, run)


def _elsewhere(home: Path | None, run: Callable[[Settings], Coroutine[None, None, None]]) -> None:
    """Run with the person's settings in a home of its own, which is gone afterwards; theirs is never touched."""
    from pydantic import SecretStr

    from bot.logs import silence

    settings = settings_for(home)
    silence()
    with TemporaryDirectory(prefix="kairos-eval-", ignore_cleanup_errors=True) as folder:
        aside = {"home": Path(folder), "database_url": SecretStr("")}
        asyncio.run(run(settings.model_copy(update=aside)))
