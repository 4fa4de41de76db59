"""`kairos mcp`: memory for other programs, a coding agent say."""

from __future__ import annotations

import asyncio
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from bot.cli.options import OWNER, Home, Person, log_to_file, person_named, settings_for, spoken_in

if TYPE_CHECKING:
    from bot.settings import Settings
    from bot.types import Language


def mcp(
    person: Person = OWNER,
    http: Annotated[
        bool, typer.Option("--http", help="Serve HTTP on this machine, with KAIROS_MCP_TOKEN, until Ctrl-C.")
    ] = False,
    port: Annotated[int, typer.Option(help="Port for --http; 0 takes a free one.", min=0, max=65535)] = 8791,
    home: Home = None,
) -> None:
    """Let another program read and search memory, and propose lines that wait for your yes (MCP on stdin/stdout)."""
    settings = settings_for(home)
    language = spoken_in(settings)
    person = person_named(person, language)
    log_to_file(settings)
    asyncio.run(_serve(settings, person, language, port if http else None))


async def _serve(settings: Settings, person: str, language: Language, port: int | None) -> None:
    from bot.mcp_server import HOST, open_programs, serve_http, serve_stdio

    def announce(taken: int) -> None:
        where = f"http://{HOST}:{taken}/mcp"
        print(
            f"记忆在 {where}" if language == "zh" else f"Memory is served at {where}",
            file=sys.stderr,
            flush=True,
        )

    async with open_programs(settings, person, language) as programs:
        if port is None:
            await serve_stdio(programs)
        else:
            await serve_http(programs, settings.mcp_token.get_secret_value(), port, announce)
