"""Which subcommands there are. Each is imported when it is asked for, so that the command starts at once."""

from __future__ import annotations

import os
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any

import typer
import typer.core
import typer.main

NAMES = {  # subcommand → module and the function (or Typer of its own) in it
    "chat": "bot.cli.chat:chat",
    "say": "bot.cli.say:say",
    "run": "bot.cli.run:run",
    "setup": "bot.cli.setup:setup",
    "memory": "bot.cli.memory:app",
    "filings": "bot.cli.filings:filings",
    "doctor": "bot.cli.doctor:doctor",
    "eval": "bot.cli.eval:app",
}


class _Commands(typer.core.TyperGroup):
    """Looks subcommands up in `NAMES` instead of holding them."""

    def list_commands(self, ctx: Any) -> list[str]:
        return [name for name in NAMES if find_spec(NAMES[name].partition(":")[0]) is not None]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in self.list_commands(ctx):
            return None
        if cmd_name not in self.commands:
            module, _, attribute = NAMES[cmd_name].partition(":")
            found = getattr(import_module(module), attribute)
            if not isinstance(found, typer.Typer):
                found, function = typer.Typer(add_completion=False), found
                found.command(cmd_name)(function)
            self.commands[cmd_name] = typer.main.get_command(found)
        return self.commands[cmd_name]


def kairos() -> Any:
    """The whole command line, as something to call."""
    app = typer.Typer(cls=_Commands, invoke_without_command=True, add_completion=False, pretty_exceptions_enable=False)
    app.callback()(_kairos)
    return typer.main.get_command(app)


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        print(f"kairos {version('kairos')}")
        raise typer.Exit


def _kairos(
    context: typer.Context,
    home: Annotated[
        Path | None, typer.Option(help="Folder that holds everything (default ~/Kairos).", show_default=False)
    ] = None,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """A personal assistant you message: it files screenshots, remembers what you say, and keeps to it."""
    if home is not None:
        os.environ["KAIROS_HOME"] = str(home)  # for every subcommand, and the processes it starts
    if context.invoked_subcommand is None:
        print(context.get_help())
