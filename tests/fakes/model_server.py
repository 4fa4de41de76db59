"""A small OpenAI-compatible server on loopback that says and does what a test tells it to.

    async with FakeModelServer(reply=["first", fails(429, retry_after=1), calls(("note", {}))]) as server:
        model = OpenAICompatible(server.base_url, "key", "fake")
        ...
        server.requests[-1].body["messages"]

`reply` is an `Answer`, a text, a function of the `Request` (which may be async), or a list of those, said
in turn and the last one for ever. Every request is kept with its body and its size in bytes. Fast enough
for benchmarks (an asyncio protocol, keep-alive, nothing else): about 0.1 ms a request.

As a process: `python -m tests.fakes.model_server --port N --script FILE`, where FILE is a `.py` with
`reply` (any of the above) or a `.json` list of rules, `{"when": "regex", "text": …}` with any other field
of `Answer`; the first whose regex is found in the last message answers. `GET /requests` there gives what
was recorded, as JSON.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import inspect
import json
import re
import runpy
import time
from collections.abc import Callable, Sequence
from dataclasses import fields
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.fakes.model_answers import (
    Answer,
    Behaviour,
    Request,
    calls,
    drops,
    echo,
    empty,
    fails,
    filtered,
    hangs,
    stream,
    whole,
    words_of,
)

__all__ = [
    "Answer",
    "FakeModelServer",
    "Request",
    "calls",
    "drops",
    "echo",
    "empty",
    "fails",
    "filtered",
    "hangs",
    "words_of",
]


class FakeModelServer:
    """See the top of this file."""

    def __init__(
        self,
        reply: Behaviour | Sequence[Behaviour] = "ok",
        *,
        host: str = "127.0.0.1",
        port: int = 0,
        key: str | None = None,
        model: str | None = None,
        most_bytes: int | None = None,
    ) -> None:
        """`key` and `model`, when given, are insisted upon (401, 404).

        Larger bodies than `most_bytes` are a 413.
        """
        is_list = isinstance(reply, Sequence) and not isinstance(reply, str)
        self._replies: list[Behaviour] = list(reply) if is_list else [reply]  # type: ignore[arg-type, list-item]
        self._host, self._port = host, port
        self._key, self._model, self._most_bytes = key, model, most_bytes
        self._server: asyncio.Server | None = None
        self._connections: set[_Connection] = set()
        self.requests: list[Request] = []
        self.connections_made = 0
        self.reply_elsewhere: Callable[[Request], Answer] = lambda _: fails(404, "no such route")

    @property
    def base_url(self) -> str:
        """What goes into KAIROS_MODEL_BASE_URL."""
        return f"http://{self._host}:{self._port}/v1"

    @property
    def bytes_received(self) -> int:
        """The size of all requests so far."""
        return sum(request.size for request in self.requests)

    @property
    def connections_open(self) -> int:
        """How many clients hold one right now."""
        return len(self._connections)

    def say(self, *replies: Behaviour) -> None:
        """From now on, say these."""
        self._replies = list(replies)

    async def __aenter__(self) -> Self:
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(lambda: _Connection(self), self._host, self._port)
        self._port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._server is not None
        self._server.close()
        for connection in list(self._connections):
            connection.close()
        await self._server.wait_closed()

    def opened(self, connection: _Connection) -> None:
        """A client came."""
        self._connections.add(connection)
        self.connections_made += 1

    def closed(self, connection: _Connection) -> None:
        """A client went."""
        self._connections.discard(connection)

    async def answer(self, request: Request) -> Answer:
        """What to do with a request; keeps it."""
        if request.path.endswith("/requests"):
            kept = [{"body": one.body, "size": one.size, "at": one.at} for one in self.requests]
            return Answer(raw=json.dumps(kept, ensure_ascii=False))
        if request.path.endswith("/models"):
            return Answer(raw=json.dumps({"object": "list", "data": [{"id": self._model or "fake"}]}))
        if request.path != "/v1/chat/completions":
            return self.reply_elsewhere(request)
        self.requests.append(request)
        if refusal := self._refusal(request):
            return refusal
        behaviour = self._replies.pop(0) if len(self._replies) > 1 else self._replies[0]
        if callable(behaviour):
            said = behaviour(request)
            result = await said if inspect.isawaitable(said) else said
        else:
            result = behaviour
        return Answer(text=result) if isinstance(result, str) else result

    def _refusal(self, request: Request) -> Answer | None:
        if self._key is not None and request.headers.get("authorization") != f"Bearer {self._key}":
            return fails(401, "Incorrect API key provided", code="invalid_api_key")
        if self._model is not None and request.body.get("model") != self._model:
            return fails(404, "The model does not exist", code="model_not_found")
        if self._most_bytes is not None and request.size > self._most_bytes:
            return fails(413, "Payload too large")
        return None


class _Connection(asyncio.Protocol):
    """One client: parse requests, answer them in order, stay open."""

    def __init__(self, server: FakeModelServer) -> None:
        self._server = server
        self._buffer = bytearray()
        self._waiting: asyncio.Queue[Request] = asyncio.Queue()
        self._worker: asyncio.Task[None] | None = None
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._server.opened(self)
        self._worker = asyncio.get_running_loop().create_task(self._work())

    def connection_lost(self, exc: Exception | None) -> None:
        self._server.closed(self)
        if self._worker is not None:
            self._worker.cancel()

    def close(self) -> None:
        """Hang up."""
        if self._transport is not None:
            self._transport.abort()

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        while request := self._next():
            self._waiting.put_nowait(request)

    def _next(self) -> Request | None:
        end = self._buffer.find(b"\r\n\r\n")
        if end < 0:
            return None
        first, *lines = self._buffer[:end].decode("latin-1").split("\r\n")
        headers = {
            name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)
        }
        size = int(headers.get("content-length", "0"))
        if len(self._buffer) < end + 4 + size:
            return None
        raw = bytes(self._buffer[end + 4 : end + 4 + size])
        del self._buffer[: end + 4 + size]
        body = json.loads(raw) if raw else {}
        return Request(first.split(" ")[1], headers, body, size, time.monotonic(), raw)

    async def _work(self) -> None:
        while True:
            request = await self._waiting.get()
            await self._answer(request, await self._server.answer(request))

    async def _answer(self, request: Request, answer: Answer) -> None:
        assert self._transport is not None
        if answer.delay:
            await asyncio.sleep(answer.delay)
        if answer.hang:
            await asyncio.Event().wait()
        if answer.drop == "before":
            self._transport.abort()
            return
        streamed = answer.chunks is not None or (request.body.get("stream") is True and answer.raw is None)
        if streamed and answer.status == 200:
            await self._stream(request, answer)
            return
        body = (
            answer.raw if answer.raw is not None else json.dumps(whole(request, answer), ensure_ascii=False)
        ).encode()
        kind = "text/html" if body.startswith(b"<") else "application/json"
        head = _head(
            answer.status, {"content-type": kind, "content-length": str(len(body)), **answer.headers}
        )
        if answer.drop == "midway":
            self._transport.write(head + body[: len(body) // 2])
            self._transport.close()
            return
        self._transport.write(head + body)

    async def _stream(self, request: Request, answer: Answer) -> None:
        assert self._transport is not None
        head = {"content-type": "text/event-stream", "transfer-encoding": "chunked", **answer.headers}
        self._transport.write(_head(200, head))
        events = stream(request, answer)
        for position, event in enumerate(events):
            if answer.drop == "midway" and position >= len(events) // 2:
                self._transport.close()
                return
            self._transport.write(_chunk(f"data: {json.dumps(event, ensure_ascii=False)}\n\n"))
            if answer.pause:
                await asyncio.sleep(answer.pause)
        self._transport.write(_chunk("data: [DONE]\n\n") + b"0\r\n\r\n")


def _head(status: int, headers: dict[str, str]) -> bytes:
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return f"HTTP/1.1 {status} Fake\r\n{lines}\r\n".encode("latin-1")


def _chunk(text: str) -> bytes:
    data = text.encode()
    return b"%x\r\n%s\r\n" % (len(data), data)


def script(path: Path) -> Behaviour | Sequence[Behaviour]:
    """The behaviour a script file describes."""
    if path.suffix == ".py":
        reply: Behaviour = runpy.run_path(str(path))["reply"]
        return reply
    rules = json.loads(path.read_text(encoding="utf-8"))
    known = {one.name for one in fields(Answer)}

    def by_rules(request: Request) -> Answer:
        for rule in rules:
            if re.search(rule.get("when", ""), request.last):
                return Answer(**{name: value for name, value in rule.items() if name in known})
        return Answer(text="ok")

    return by_rules


async def _serve(port: int, path: Path | None) -> None:
    async with FakeModelServer(script(path) if path else "ok", port=port) as server:
        print(server.base_url, flush=True)
        await asyncio.Event().wait()


def main() -> None:
    """Serve until killed; prints the base URL first."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--script", type=Path)
    arguments = parser.parse_args()
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_serve(arguments.port, arguments.script))


if __name__ == "__main__":
    main()
