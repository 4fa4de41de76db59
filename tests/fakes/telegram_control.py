"""The fake Bot API server as a process of its own, driven over HTTP by acceptance tests and benchmarks.

`POST /control/<name>` with a JSON object of keyword arguments; the answer is JSON. Names:
`know` `say` `paste` `photo` `voice` (`data_b64` or `path` instead of `data`) `edit` `press` `post` `redeliver`
`fault` `heal` `sent` `wait_sent` `count` `state`. Prints `listening on http://…` and serves until killed.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import json
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tests.fakes.telegram_chats import Json, Sent
from tests.fakes.telegram_server import FakeTelegram
from tests.fakes.telegram_wire import Request, Response, serve


def plain(sent: Sent) -> Json:
    """A message as JSON."""
    told = asdict(sent) | {"formats": sent.formats}
    file = sent.file
    told["file"] = None if file is None else {"name": file.name, "mime": file.mime, "size": len(file.data)}
    return told


async def control(tg: FakeTelegram, name: str, arguments: dict[str, Any]) -> Any:
    """Do one thing. Raises `KeyError` for an unknown name, `TimeoutError` when waiting was in vain."""
    if name in ("photo", "voice"):
        path, encoded = arguments.pop("path", ""), arguments.pop("data_b64", "")
        data = await asyncio.to_thread(Path(path).read_bytes) if path else base64.b64decode(encoded)
        return (tg.photo if name == "photo" else tg.voice)(data=data, **arguments)
    if name == "wait_sent":
        return [plain(s) for s in await tg.wait_sent(**arguments)]
    if name == "sent":
        return [plain(s) for s in tg.sent(**arguments)]
    if name == "state":
        return {"polls": tg.polls, "confirmed": tg.confirmed, "calls": len(tg.calls), "token": tg.token}
    known: dict[str, Callable[..., Any]] = {
        "know": tg.know,
        "say": tg.say,
        "paste": tg.paste,
        "edit": tg.edit,
        "press": tg.press,
        "post": tg.post,
        "redeliver": tg.redeliver,
        "fault": tg.fault,
        "heal": tg.heal,
        "count": tg.count,
    }
    return known[name](**arguments)


class Process:
    """Bot API and control on one port."""

    def __init__(self, tg: FakeTelegram) -> None:
        self._tg = tg

    async def handle(self, request: Request) -> Response:
        """One request of the bot or of the test."""
        if not request.path.startswith("/control/"):
            return await self._tg.handle(request)
        name = request.path.removeprefix("/control/")
        try:
            result = await control(self._tg, name, dict(request.json))
        except TimeoutError as waited:
            return Response(408, json.dumps({"error": str(waited)}).encode())
        except (KeyError, TypeError, ValueError) as wrong:
            return Response(400, json.dumps({"error": repr(wrong)}).encode())
        return Response(200, json.dumps(result, ensure_ascii=False).encode())


async def run(port: int, token: str) -> None:
    """Serve for ever."""
    tg = FakeTelegram(token)
    server = await serve(Process(tg).handle, port=port)
    tg.port = server.sockets[0].getsockname()[1]
    print(f"listening on {tg.root}", flush=True)
    async with server:
        await server.serve_forever()


def main() -> None:
    """`python -m tests.fakes.telegram_server`."""
    parser = argparse.ArgumentParser(description="A fake Telegram Bot API server")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--token", default="4242:fake-token")
    arguments = parser.parse_args()
    asyncio.run(run(arguments.port, arguments.token))
