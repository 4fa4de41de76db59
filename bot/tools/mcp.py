"""One connection to an outside MCP server. The only file that knows the SDK's client, which is loaded at first need.

The SDK wants a connection opened and closed by one task: `_hold` is that task. Whatever breaks in it, or in a call,
ends as an `OutsideError`; a server that died or hangs is left, and the next need makes a new connection.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Coroutine, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import structlog

from bot.errors import OutsideError
from bot.settings import McpServer

if TYPE_CHECKING:
    import httpx2
    from mcp import Client
    from mcp.types import CallToolResult

log = structlog.get_logger(__name__)
T = TypeVar("T")

CONNECT = 15.0  # seconds to start a server and shake hands
PING = 3.0  # seconds a server has to show that it lives
PAGES = 20  # pages of a list of tools that are read
_ENDS = 10.0  # seconds a connection has to end


@dataclass(frozen=True, slots=True)
class Offer:
    """A tool as its server describes it."""

    name: str
    description: str
    schema: Mapping[str, Any]
    looks: bool = False  # the server says that it changes nothing


@dataclass(frozen=True, slots=True)
class Told:
    """What a call came to."""

    text: str
    failed: bool = False


@dataclass(frozen=True, slots=True)
class _Live:
    client: Client
    leave: asyncio.Event
    task: asyncio.Task[None]


class Connection:
    """One server: connected at first need, and again after it died."""

    def __init__(self, server: McpServer) -> None:
        self.server = server
        self._live: _Live | None = None
        self._suspect = False  # a call was not answered: it is asked for a sign of life before the next one
        self._status = 0  # of HTTP, when it was no good last; the SDK does not tell
        self._opening = asyncio.Lock()
        self._ending: set[asyncio.Task[None]] = set()

    async def offers(self) -> list[Offer]:
        """Its tools, asked anew. Raises `OutsideError`."""
        for again in (True, False):
            live = await self._connected()
            try:
                return await _within(_listed(live.client), CONNECT)
            except OutsideError as error:
                self._drop(live)
                if not again:  # it may have died since it was last asked; a fresh one that fails is ill
                    raise self._seen(error) from error
        raise AssertionError("unreachable")

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> Told:
        """Call a tool, once. Raises `OutsideError`."""
        live = await self._connected()
        limit = self.server.timeout
        try:
            result = await _within(live.client.call_tool(tool, dict(arguments), limit), limit + 1)
        except OutsideError as error:
            seen = self._seen(error)
            self._suspect = self._suspect or seen.code != "failed"
            if seen.code == "gone":
                self._drop(live)
            raise seen from error
        return Told(_text_of(result), bool(result.is_error))

    async def close(self) -> None:
        """End the connection, and the process behind it."""
        if self._live is not None:
            self._drop(self._live)
        if self._ending:
            await asyncio.wait(self._ending, timeout=_ENDS)

    # ---- the connection

    async def _connected(self) -> _Live:
        async with self._opening:
            live = self._live
            if live is not None and self._suspect and not live.task.done():
                try:
                    await _within(_listed(live.client), PING)
                except OutsideError:
                    self._drop(live)
            if self._live is None or self._live.task.done():
                self._live = await self._opened()
            self._suspect = False
            return self._live

    async def _opened(self) -> _Live:
        ready: asyncio.Future[Client] = asyncio.get_running_loop().create_future()
        leave = asyncio.Event()
        task = asyncio.create_task(self._hold(ready, leave), name=f"mcp-{self.server.name}")
        self._ending.add(task)
        task.add_done_callback(self._ended)
        try:
            waited: set[asyncio.Future[Any]] = {task, ready}
            await asyncio.wait(waited, timeout=CONNECT, return_when=asyncio.FIRST_COMPLETED)
        finally:
            if not ready.done():
                task.cancel()
        if ready.done():
            log.info("connected", action="outside_connected", server=self.server.name)
            return _Live(ready.result(), leave, task)
        if not task.done() or task.cancelled():
            raise OutsideError("silent", f"no handshake within {CONNECT:g} s")
        problem = task.exception()
        raise self._seen(OutsideError(_code(problem), _named(problem))) from problem

    def _seen(self, error: OutsideError) -> OutsideError:
        """The error, with what only the status of HTTP tells: no entry, or a session that its server forgot."""
        status, self._status = self._status, 0
        code = {401: "refused", 403: "refused", 404: "gone"}.get(status, error.code)
        return error if code == error.code else OutsideError(code, f"HTTP {status}: {error.detail}")

    async def _note(self, response: httpx2.Response) -> None:
        if response.status_code >= 400:
            self._status = response.status_code

    async def _hold(self, ready: asyncio.Future[Client], leave: asyncio.Event) -> None:
        """A connection's whole life, in the one task that may end it."""
        await asyncio.to_thread(import_module, "mcp")  # two seconds on a slow machine
        from mcp import Client, StdioServerParameters, stdio_client
        from mcp.client.streamable_http import streamable_http_client
        from mcp.types import Implementation

        server = self.server
        async with AsyncExitStack() as stack:
            if server.command:
                program, *arguments = server.command
                env = {name: value.get_secret_value() for name, value in server.env.items()}
                started = StdioServerParameters(
                    command=program,
                    args=arguments,
                    env=env,
                    cwd=Path.home(),
                    encoding_error_handler="replace",
                )
                quiet = stack.enter_context(await asyncio.to_thread(open, os.devnull, "w", encoding="utf-8"))
                transport = stdio_client(started, errlog=quiet)  # what it prints may hold anything
            else:
                import httpx2

                token = server.token.get_secret_value()
                headers = {"Authorization": f"Bearer {token}"} if token else {}
                http = await asyncio.to_thread(  # reads certificates from disk
                    httpx2.AsyncClient,
                    headers=headers,
                    timeout=httpx2.Timeout(30, read=server.timeout + 5),
                    event_hooks={"response": [self._note]},
                )
                await stack.enter_async_context(http)
                transport = streamable_http_client(server.url, http_client=http)
            client = Client(transport, client_info=Implementation(name="kairos", version="1"))
            ready.set_result(await stack.enter_async_context(client))
            await leave.wait()

    def _drop(self, live: _Live) -> None:
        """Leave a connection; it ends by itself."""
        live.leave.set()
        if self._live is live:
            self._live = None

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._ending.discard(task)
        if not task.cancelled() and (problem := task.exception()) is not None:
            log.info(
                "connection broke", action="outside_broke", server=self.server.name, error=_named(problem)
            )


async def _within(work: Coroutine[Any, Any, T], seconds: float) -> T:
    """Do it in a task of its own, so that nothing the SDK raises goes further. Raises `OutsideError`."""
    task = asyncio.create_task(work)
    try:
        await asyncio.wait({task}, timeout=seconds)
    finally:
        ended = task.done()
        if not ended:
            task.cancel()
    if not ended or task.cancelled():
        raise OutsideError("silent", f"no answer within {seconds:g} s")
    if (problem := task.exception()) is not None:
        raise OutsideError(_code(problem), _named(problem)) from problem
    return task.result()


async def _listed(client: Client) -> list[Offer]:
    found: list[Offer] = []
    cursor: str | None = None
    for _ in range(PAGES):
        page = await client.list_tools(cursor=cursor, cache_mode="bypass")
        found += [
            Offer(
                each.name,
                each.description or each.title or "",
                each.input_schema,
                bool(each.annotations and each.annotations.read_only_hint),
            )
            for each in page.tools
        ]
        cursor = page.next_cursor
        if not cursor:
            break
    return found


def _text_of(result: CallToolResult) -> str:
    """All that can be read of a result; of what can only be seen or heard, that it is there."""
    parts: list[str] = []
    for block in result.content:
        match block.type:
            case "text":
                parts.append(block.text)
            case "resource":
                parts.append(getattr(block.resource, "text", "") or f"[{block.resource.uri}]")
            case "resource_link":
                parts.append(f"[{block.name}: {block.uri}]")
            case _:
                parts.append(f"[{block.type}, not shown]")
    if not any(part.strip() for part in parts) and result.structured_content is not None:
        parts = [json.dumps(result.structured_content, ensure_ascii=False)]
    return "\n".join(parts)


def _innermost(problem: BaseException | None) -> BaseException | None:
    while isinstance(problem, BaseExceptionGroup):
        problem = problem.exceptions[0]
    return problem


def _code(problem: BaseException | None) -> str:
    """Which sentence of `outside.*` tells of it."""
    from mcp import MCPError
    from mcp.types import CONNECTION_CLOSED, REQUEST_TIMEOUT

    problem = _innermost(problem)
    if isinstance(problem, MCPError):
        known = {CONNECTION_CLOSED: "gone", REQUEST_TIMEOUT: "silent"}
        return known.get(problem.code, "failed")
    if isinstance(problem, FileNotFoundError | PermissionError | NotADirectoryError):
        return "missing"
    if isinstance(problem, TimeoutError):
        return "silent"
    return "failed" if isinstance(problem, ValueError) else "gone"


def _named(problem: BaseException | None) -> str:
    """For the log: the kind of error and the server's words, cut. Secrets that are set are struck out there."""
    problem = _innermost(problem)
    return f"{type(problem).__name__}: {problem}"[:300]
