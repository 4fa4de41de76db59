"""Memory for other programs, over the Model Context Protocol: on stdin and stdout, or as streamable HTTP with a token.

The only file that knows the SDK's server; what is offered stands in `bot.programs`.
"""

from __future__ import annotations

import asyncio
import hmac
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping
from contextlib import asynccontextmanager
from datetime import datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import structlog
import uvicorn
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError as Refusal
from mcp.server.transport_security import TransportSecuritySettings

from bot.errors import HomeError, HomeUnwritable, KairosError, SettingsError, ToolError
from bot.lock import held
from bot.models.embeddings import open_embed
from bot.programs import KINDS, Offer, Programs
from bot.settings import Settings
from bot.storage import Storage, open_storage
from bot.storage.people import People
from bot.terminal.client import nudge
from bot.types import Language
from bot.wording import say
from memory import FolderStore, Memory
from memory.errors import MemoryProblem
from memory.read_only import ReadOnly

log = structlog.get_logger(__name__)

VERSION = version("kairos")
HOST = "127.0.0.1"  # never another: whoever reaches the port reads all rules
SHORTEST = 16  # characters of a token that nobody guesses
INSTRUCTIONS = (Path(__file__).parent / "prompts" / "programs.md").read_text(encoding="utf-8").strip()
_LOOK = 0.2  # seconds between two looks for what the bot has yet to read for memory

RULES = "kairos://rules"
OBEY = "What the person has asked every assistant of theirs to do; obey each rule within its scope."
TOOLS = {  # what a program reads of each
    "read_rules": 'The person\'s standing instructions in force now, one a line as "[id] rule (when: scope)".',
    "read_memory": "What is remembered: without `page` the list of pages, with one its lines.",
    "search_memory": "Find remembered lines by words or meaning, in any language.",
    "propose_memory": (
        "Propose a line to remember. The person is asked; only their yes keeps it. `text`: one plain sentence in"
        f" their language. `kind`: {', '.join(KINDS)}. `quote`: their own words that say it. `when`: its scope."
    ),
}

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
ASGI = Callable[[Scope, Receive, Send], Awaitable[None]]


@asynccontextmanager
async def open_programs(
    settings: Settings, person: str, language: Language, now: Callable[[], datetime] | None = None
) -> AsyncIterator[Programs]:
    """One person's memory as programs may have it, beside the bot that runs or with none.

    Args:
        language: spoken to a person who has written nothing yet.

    Raises:
        HomeUnwritable: the home cannot even be read.
    """
    zone = await asyncio.to_thread(settings.zone)
    clock = now or (lambda: datetime.now(zone))
    embed = open_embed()
    try:
        async with _storage(settings, clock) as (storage, writable):

            def here() -> datetime:
                return storage.preferences.here(person, clock())

            yield Programs(
                person=person,
                memory=Memory(
                    ReadOnly(FolderStore(settings.home / person)),
                    person=person,
                    now=here,
                    settled=lambda: _settled(settings, storage, person),
                    embed=embed.queries,
                    language=language,
                    core_budget=settings.core_budget,
                ),
                storage=storage,
                now=here,
                language=lambda: _spoken(storage, person, language),
                writable=writable,
                told=lambda: nudge(settings.home),
            )
    finally:
        embed.close()


@asynccontextmanager
async def _storage(settings: Settings, now: Callable[[], datetime]) -> AsyncIterator[tuple[Storage, bool]]:
    """The home's database, and whether it is the home's own: that of a read-only home is a copy."""
    try:
        await asyncio.to_thread(settings.home.mkdir, parents=True, exist_ok=True)
        opened = open_storage(settings, now)
        storage, writable = await opened.__aenter__(), True
    except (HomeUnwritable, OSError):
        opened = open_storage(settings, now, looking=True)
        storage, writable = await opened.__aenter__(), False
    try:
        yield storage, writable
    finally:
        await opened.__aexit__(None, None, None)


async def _settled(settings: Settings, storage: Storage, person: str) -> None:
    """Until the bot that runs has read for memory what the person said before this moment, or the wait is over."""
    newest = await storage.messages.newest(person)
    try:
        async with asyncio.timeout(settings.extraction_wait):
            while await storage.messages.unextracted(person, before=newest, put_off=False):
                if not await asyncio.to_thread(held, settings.home):  # nobody is there to read it
                    return
                await asyncio.sleep(_LOOK)
    except TimeoutError:
        log.warning("rules are still being read", action="program_unsettled", person=person)


async def _spoken(storage: Storage, person: str, otherwise: Language) -> Language:
    """The language the person last wrote in; looked up anew, since the bot that runs writes it down."""
    await storage.preferences.load()
    people = People(storage.database, otherwise, storage.preferences.language)
    if person in await people.names():
        return await people.language(person)
    return storage.preferences.language(person) or otherwise


def served(programs: Programs) -> MCPServer:
    """The tools, the resource and the prompt that a program sees."""

    async def read_rules() -> str:
        return await _told(programs.rules())

    async def read_memory(page: str = "") -> str:
        return await _told(programs.read(page))

    async def search_memory(words: str) -> str:
        return await _told(programs.search(words))

    async def propose_memory(
        text: str, context: Context, kind: Offer = "instruction", quote: str = "", when: str = ""
    ) -> str:
        return await _told(programs.propose(_caller(context), text, kind, quote, when))

    async def rules() -> str:
        return f"{OBEY}\n\n{await _told(programs.rules())}"

    server = MCPServer("kairos", title="Kairos", instructions=INSTRUCTIONS, version=VERSION)
    for run in (read_rules, read_memory, search_memory, propose_memory):
        server.add_tool(run, description=TOOLS[run.__name__], structured_output=False)
    server.resource(RULES, name="rules", description=OBEY, mime_type="text/plain")(read_rules)
    server.prompt("rules", description=OBEY)(rules)
    return server


async def _told(work: Awaitable[str]) -> str:
    """What is answered; trouble as words for the program. Raises the SDK's `ToolError`."""
    try:
        return await work
    except (KairosError, MemoryProblem) as error:
        if not isinstance(error, ToolError):
            log.warning("not answered", action="program_failed", error=str(error))
        raise Refusal(str(error)) from error


def _caller(context: Context) -> str | None:
    """What the program calls itself."""
    params = context.session.client_params
    return params.client_info.name if params is not None else None


async def serve_stdio(programs: Programs) -> None:
    """Serve one program on stdin and stdout, until it goes."""
    await served(programs).run_stdio_async()


async def serve_http(programs: Programs, token: str, port: int, announce: Callable[[int], None]) -> None:
    """Serve programs of this machine over HTTP until a signal; `announce` is called with the port once it listens.

    Raises:
        SettingsError: no token is set, or one that can be guessed.
        HomeError: the port cannot be had.
    """
    if len(token) < SHORTEST:
        language = await programs.language()
        raise SettingsError(say(language, "program.no_token", least=SHORTEST))
    local = [f"{host}:*" for host in (HOST, "localhost")]
    security = TransportSecuritySettings(
        allowed_hosts=local, allowed_origins=[f"http://{each}" for each in local]
    )
    app = served(programs).streamable_http_app(host=HOST, transport_security=security)
    config = uvicorn.Config(
        guarded(app, token), log_config=None, access_log=False, timeout_graceful_shutdown=2
    )
    try:
        sock = await asyncio.to_thread(_bound, port)
    except OSError as error:
        language = await programs.language()
        raise HomeError(say(language, "program.port", port=port, why=error.strerror or error)) from error
    with sock:
        announce(sock.getsockname()[1])
        await uvicorn.Server(config).serve(sockets=[sock])


def _bound(port: int) -> socket.socket:
    sock = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        sock.bind((HOST, port))
    except OSError:
        sock.close()
        raise
    return sock


def guarded(app: ASGI, token: str) -> ASGI:
    """Lets nobody by without `Authorization: Bearer <token>`; how long the comparison takes tells nothing of it."""
    wanted = f"Bearer {token}".encode()

    async def checked(scope: Scope, receive: Receive, send: Send) -> None:
        given = [value for name, value in scope.get("headers", ()) if name == b"authorization"]
        if scope["type"] == "lifespan" or (len(given) == 1 and hmac.compare_digest(given[0], wanted)):
            return await app(scope, receive, send)
        if scope["type"] != "http":
            return None
        log.warning("a program without the token", action="program_unauthorized")
        headers = [(b"www-authenticate", b"Bearer"), (b"content-type", b"text/plain")]
        await send({"type": "http.response.start", "status": 401, "headers": headers})
        await send({"type": "http.response.body", "body": b"a token is needed"})
        return None

    return checked
