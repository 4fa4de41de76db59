"""`kairos run`: the bot as a service."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from bot.cli.options import Home, log_to_file, settings_for, spoken_in

if TYPE_CHECKING:
    from bot.channels.channel import Channel


def run(
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Show the log on stderr too.")] = False,
    home: Home = None,
) -> None:
    """Run the bot on all configured channels until Ctrl-C (or SIGTERM)."""
    from bot.service import serve
    from bot.wording import say

    settings = settings_for(home)
    language = spoken_in(settings)
    log_to_file(settings, verbose=verbose)

    def announce(channels: Sequence[Channel], code: str) -> None:
        names = ", ".join(each.name for each in channels)
        if language == "zh":
            print(f"Kairos 正在运行（{settings.home}），听着：{names}。Ctrl-C 停止。", flush=True)
        else:
            print(f"Kairos runs ({settings.home}), listening on: {names}. Ctrl-C stops it.", flush=True)
        if code:
            print(say(language, "people.code", code=code), flush=True)

    with asyncio.Runner(loop_factory=_fastest_loop()) as runner:
        runner.run(serve(settings, language, announce))


def _fastest_loop() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """uvloop's, by which an answer arrives a seventh sooner; None = Python's own, where there is no other (Windows)."""
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.new_event_loop
