"""The fake Telegram with people in it, as a process: they write, wait for the answer, and look at the clock.

Messages are said and answers noticed inside the server, so that no driver's polling is part of what is measured.
`python -m tests.bench.people` prints where it listens; `POST /bench/<name>` with a JSON object, as in `control`:
`sequence` `crowd` `picture` `forget` `first_poll` `texts`.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.fakes.telegram_chats import Json, Sent
from tests.fakes.telegram_control import Process
from tests.fakes.telegram_server import FakeTelegram
from tests.fakes.telegram_wire import Request, Response, serve

Say = tuple[str, str]
"""A message, and words its answer holds ("" = the first thing that is said)."""


class People(FakeTelegram):
    """Knows when it was first polled, and wakes whoever waits for an answer."""

    def __init__(self) -> None:
        super().__init__()
        self.first_poll = 0.0  # time.monotonic(); the clock is the same in all processes of a machine
        self._waits: dict[int, list[tuple[str, asyncio.Future[float]]]] = {}

    async def handle(self, request: Request) -> Response:
        if not self.first_poll and request.path.lower().endswith("/getupdates"):
            self.first_poll = time.monotonic()
        return await super().handle(request)

    def _keep(self, request: Request, sent: Sent) -> Json:
        now = time.monotonic()
        for wait in list(self._waits.get(sent.chat, ())):
            if wait[0] in sent.text and not wait[1].done():
                wait[1].set_result(now)
                self._waits[sent.chat].remove(wait)
        return super()._keep(request, sent)

    def expect(self, user: int, words: str) -> asyncio.Future[float]:
        """Resolves to the time at which such words come."""
        future: asyncio.Future[float] = asyncio.get_running_loop().create_future()
        self._waits.setdefault(user, []).append((words, future))
        return future

    async def ask(self, user: int, say: Say, patience: float) -> float:
        """Seconds until the answer. Raises `TimeoutError`."""
        answer = self.expect(user, say[1])
        began = time.monotonic()
        self.say(user, say[0])
        return await asyncio.wait_for(answer, patience) - began


async def sequence(tg: People, user: int, says: Sequence[Say], patience: float = 10.0) -> list[float]:
    """One person says one thing after the other, each as soon as the one before is answered."""
    return [await tg.ask(user, say, patience) for say in says]


async def crowd(tg: People, says: dict[str, list[Say]], patience: float = 30.0) -> float:
    """Many people (says by id) at once; the seconds until the last answer."""
    began = time.monotonic()
    await asyncio.gather(*(sequence(tg, int(user), each, patience) for user, each in says.items()))
    return time.monotonic() - began


async def picture(tg: People, user: int, path: str, patience: float = 60.0) -> tuple[float, str]:
    """Seconds from a picture sent to the next words about it, and these words."""
    data = await asyncio.to_thread(Path(path).read_bytes)
    answer = tg.expect(user, "")
    began = time.monotonic()
    tg.photo(user, data, as_document=True, name=Path(path).name, mime="image/png")
    took = await asyncio.wait_for(answer, patience) - began
    return took, tg.sent(user)[-1].text if tg.sent(user) else ""


class BenchProcess(Process):
    """Bot API, control and bench on one port."""

    def __init__(self, tg: People) -> None:
        super().__init__(tg)
        self._people = tg

    async def handle(self, request: Request) -> Response:
        name = request.path.removeprefix("/bench/")
        if name == request.path:
            return await super().handle(request)
        try:
            result: Any = await self._measure(name, dict(request.json))
        except TimeoutError:
            return Response(408, b'{"error": "no answer in time"}')
        return Response(200, json.dumps(result, ensure_ascii=False).encode())

    async def _measure(self, name: str, given: dict[str, Any]) -> Any:
        tg = self._people
        if name == "sequence":
            return await sequence(tg, **given)
        if name == "crowd":
            return await crowd(tg, **given)
        if name == "picture":
            return await picture(tg, **given)
        if name == "forget":
            tg.first_poll = 0.0
        if name == "texts":
            return [sent.text for sent in tg.sent(given["user"])]
        return tg.first_poll


async def run() -> None:
    """Serve for ever."""
    tg = People()
    server = await serve(BenchProcess(tg).handle, port=0)
    tg.port = server.sockets[0].getsockname()[1]
    print(tg.root, flush=True)
    async with server:
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(run())
