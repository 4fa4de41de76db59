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

NAMES = {  # subcommand → the function (or Typer of its own) behind it, and its line in the help
    "chat": ("bot.cli.chat:chat", "Talk in this terminal. Drag pictures in; Ctrl-D leaves."),
    "say": ("bot.cli.say:say", "Send one message; print the answer and what its work says."),
    "run": ("bot.cli.run:run", "Run the bot on all configured channels."),
    "setup": ("bot.cli.setup:setup", "Set up a model and Telegram, by questions or by flags."),
    "people": ("bot.cli.people:people", "Show who may talk; allow, revoke, pair yourself."),
    "memory": ("bot.cli.memory:app", "Show what is remembered, or search it."),
    "consolidate": ("bot.cli.consolidate:consolidate", "Distil quiet talk into notes and weigh them."),
    "filings": ("bot.cli.filings:filings", "List the pictures that were filed."),
    "archive": ("bot.cli.archive:app", "Your pictures as a folder: follow, rebuild, export it."),
    "jobs": ("bot.cli.jobs:app", "Show what background work waits, runs or failed; retry it."),
    "usage": ("bot.cli.usage:usage", "Show the tokens and money that model calls took."),
    "cultivate": ("bot.cli.cultivate:cultivate", "Tend memory's pages: show the schedule, or run --now."),
    "mcp": ("bot.cli.mcp:mcp", "Give memory to other programs (MCP), a coding agent say."),
    "doctor": ("bot.cli.doctor:doctor", "Check settings, model, database, OCR, embeddings, channels."),
    "eval": ("bot.cli.eval:app", "Judge the configured brain over case files."),
}


class _Commands(typer.core.TyperGroup):
    """Looks subcommands up in `NAMES`; imports the one that is called, none for the help."""

    def list_commands(self, ctx: Any) -> list[str]:
        return [name for name, (target, _) in NAMES.items() if find_spec(target.partition(":")[0])]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name in self.commands or cmd_name not in self.list_commands(ctx):
            return self.commands.get(cmd_name)
        return typer.core.TyperCommand(cmd_name, help=NAMES[cmd_name][1])

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args[0] in self.list_commands(ctx):
            self.commands[args[0]] = loaded(args[0])
        return super().resolve_command(ctx, args)


def loaded(name: str) -> Any:
    """Import a subcommand."""
    module, _, attribute = NAMES[name][0].partition(":")
    found = getattr(import_module(module), attribute)
    if not isinstance(found, typer.Typer):
        function, found = found, typer.Typer(add_completion=False)
        found.command(name)(function)
    return typer.main.get_command(found)


def kairos() -> Any:
    """The whole command line, as something to call."""
    app = typer.Typer(
        cls=_Commands, invoke_without_command=True, add_completion=False, pretty_exceptions_enable=False
    )
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
