"""A Bot API server that is as strict as the real one, in memory.

In a test:      `async with FakeTelegram() as tg: tg.say(7, "hello"); await tg.wait_sent(7, 1)`
As a process:   `python -m tests.fakes.telegram_server --port N [--token T]`, driven over HTTP
                (see `tests/fakes/telegram_control.py`).

The bot under test talks to `tg.root` with `tg.token`.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Self

from tests.fakes.telegram_chats import Json, Sent
from tests.fakes.telegram_methods import Methods
from tests.fakes.telegram_rules import Refused
from tests.fakes.telegram_wire import Request, Response, serve

TOKEN = "4242:fake-token"
KNOWN = {
    401: "Unauthorized",
    403: "Forbidden: bot was blocked by the user",
    409: "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running",
}


@dataclass(slots=True)
class Fault:
    """What goes wrong with the next `left` calls of a method (None = for ever)."""

    method: str
    kind: str  # "429" "502" "500" "401" "403" "409" "400" "drop_before" "drop_after" "hang" "garbage"
    left: int | None = 1
    chat: int | None = None
    retry_after: int = 1
    description: str = ""
    skip: int = 0  # calls that still go well before it starts
    seconds: float = 3600.0  # for "hang"


class Broken(Exception):
    """An answer that is no answer of the Bot API."""

    def __init__(self, response: Response) -> None:
        super().__init__()
        self.response = response


class FakeTelegram(Methods):
    """The server."""

    def __init__(self, token: str = TOKEN, *, port: int = 0, username: str = "kairos_bot") -> None:
        super().__init__(username)
        self.token = token
        self.port = port
        self.calls: deque[tuple[str, dict[str, str]]] = deque(maxlen=100_000)
        self.confirmed = 0  # every update below it was confirmed by the bot
        self.polls = 0
        self.delay = 0.0  # seconds before each answer
        self.faults: list[Fault] = []
        self._poll: asyncio.Future[None] | None = None
        self._server: asyncio.Server | None = None

    # ---- life

    async def __aenter__(self) -> Self:
        self._server = await serve(self.handle, port=self.port)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        if self.bringing is not None:
            await self.bringing.ended()
        if self._server is not None:
            self._server.close()
            if self._poll is not None and not self._poll.done():
                self._poll.set_exception(Refused(409, "Conflict: the server goes away"))
            await asyncio.sleep(0)

    @property
    def root(self) -> str:
        """What goes into `KAIROS_TELEGRAM_BASE_URL`."""
        return f"http://127.0.0.1:{self.port}"

    def fault(self, method: str, kind: str, times: int | None = 1, **more: Any) -> None:
        """Let calls of `method` ("*" = all) go wrong; `times=None` for ever. See `Fault` for the rest."""
        self.faults.append(Fault(method.lower(), kind, times, **more))
        if method.lower() in ("getupdates", "*"):
            self._changed.set()

    def heal(self) -> None:
        """No more faults."""
        self.faults.clear()

    # ---- what was seen

    @property
    def waiting(self) -> bool:
        """Whether a redelivered update has not been fetched yet."""
        return bool(self._again)

    def count(self, method: str) -> int:
        """How often a method was called."""
        return sum(name == method.lower() for name, _ in self.calls)

    async def wait_sent(self, chat: int, n: int, timeout: float = 5.0) -> list[Sent]:
        """Wait until the chat holds `n` messages of the bot; raises `TimeoutError` with what there is."""
        await self.wait(lambda: len(self.sent(chat)) >= n, timeout, lambda: f"{n} wanted: {self.sent(chat)}")
        return self.sent(chat)

    async def wait(
        self, true: Callable[[], bool], timeout: float = 5.0, told: Callable[[], str] = lambda: ""
    ) -> None:
        """Wait until something holds."""
        end = time.monotonic() + timeout
        while not true():
            if time.monotonic() > end:
                raise TimeoutError(told())
            await asyncio.sleep(0.005)

    # ---- HTTP

    async def handle(self, request: Request) -> Response:
        """One request of the bot."""
        parts = request.path.split("/", 3)
        if parts[1:3] == ["file", f"bot{self.token}"]:
            return self._download(request, parts[-1])
        if parts[1] != f"bot{self.token}" or len(parts) < 3:
            return self._refusal(Refused(401, "Unauthorized"))
        method = parts[2].lower()
        self.calls.append((method, request.fields))
        if self.delay:
            await asyncio.sleep(self.delay)
        try:
            fault = self._fault(method, request)
            if fault is not None:
                await self._break(fault)
            if method == "getupdates":
                result: Any = await self._get_updates(request)
            else:
                result = self.call(method, request)
            if fault is not None and fault.kind == "drop_after":
                raise Broken(Response(drop=True))
        except Refused as refused:
            return self._refusal(refused)
        except Broken as broken:
            return broken.response
        return _answer({"ok": True, "result": result})

    def _download(self, request: Request, path: str) -> Response:
        data = self._files.get(path.rpartition("/")[2])
        fault = self._fault("file", request)
        if fault is not None and fault.kind == "drop_before":
            return Response(drop=True)
        if fault is not None or data is None:
            return self._refusal(Refused(502 if fault else 404, "Not Found"))
        return Response(body=data, mime="application/octet-stream")

    def _fault(self, method: str, request: Request) -> Fault | None:
        for fault in self.faults:
            if fault.method not in ("*", method):
                continue
            if fault.chat is not None and request.fields.get("chat_id") != str(fault.chat):
                continue
            if fault.skip:
                fault.skip -= 1
                continue
            if fault.left is not None:
                fault.left -= 1
                if fault.left == 0:
                    self.faults.remove(fault)
            return fault
        return None

    async def _break(self, fault: Fault) -> None:
        """Answer wrongly by raising `Broken` or `Refused`; "drop_after" comes later."""
        if fault.kind == "hang":
            await asyncio.sleep(fault.seconds)
        if fault.kind in ("drop_before", "hang"):
            raise Broken(Response(drop=True))
        if fault.kind == "garbage":
            raise Broken(Response(body=b"<html>not json</html>", mime="text/html"))
        if fault.kind == "502":
            raise Broken(Response(502, b"<html>Bad Gateway</html>", "text/html"))
        if fault.kind == "429":
            told = f"Too Many Requests: retry after {fault.retry_after}"
            raise Refused(429, told, retry_after=fault.retry_after)
        if fault.kind.isdigit():
            code = int(fault.kind)
            raise Refused(code, fault.description or KNOWN.get(code, "Internal Server Error"))

    @staticmethod
    def _refusal(refused: Refused) -> Response:
        body: Json = {"ok": False, "error_code": refused.code, "description": refused.description}
        if refused.parameters:
            body["parameters"] = refused.parameters
        return _answer(body, refused.code)

    async def _get_updates(self, request: Request) -> list[Json]:
        if self.webhook:
            raise Refused(409, "Conflict: can't use getUpdates method while webhook is active")
        self.polls += 1
        if kinds := json.loads(request.fields.get("allowed_updates") or "[]"):
            self.allowed = set(kinds)
        offset = int(request.fields.get("offset") or 0)
        limit = min(int(request.fields.get("limit") or 100), 100)
        end = time.monotonic() + float(request.fields.get("timeout") or 0)
        if self._poll is not None and not self._poll.done():  # the newer poll wins, as on the real server
            self._poll.set_exception(Refused(409, "Conflict: terminated by other getUpdates request"))
        mine = self._poll = asyncio.get_running_loop().create_future()
        try:
            while True:
                while self._updates and self._updates[0]["update_id"] < offset:
                    self._updates.popleft()
                self.confirmed = max(self.confirmed, offset)
                batch = [self._again.popleft() for _ in range(len(self._again))]
                batch += itertools.islice(self._updates, limit)
                left = end - time.monotonic()
                if batch or left <= 0:
                    return batch
                self._changed.clear()
                waiting = asyncio.ensure_future(self._changed.wait())
                await asyncio.wait({waiting, mine}, timeout=left, return_when=asyncio.FIRST_COMPLETED)
                waiting.cancel()
                if mine.done():
                    mine.result()
                fault = self._fault("getupdates", request)  # one that was set while this poll was open
                if fault is not None:
                    await self._break(fault)
        finally:
            if not mine.done():
                mine.set_result(None)


def _answer(body: Json, status: int = 200) -> Response:
    return Response(status, json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode())


if __name__ == "__main__":
    from tests.fakes.telegram_control import main

    main()
