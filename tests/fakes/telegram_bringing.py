"""The fake Telegram as a client: it brings updates to a webhook, those of one chat one after the other, until taken."""

from __future__ import annotations

import asyncio
import json
import time
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from tests.fakes.telegram_chats import Chats, Json

AGAIN = 0.05  # seconds until what was not taken is brought again


@dataclass(slots=True)
class Brought:
    """How bringing goes."""

    url: str
    secret: str
    statuses: list[int] = field(default_factory=list)  # of every request, in order; 0 = nobody answered
    last_error: str = ""
    last_error_at: float = 0.0


class Bringing:
    """Brings everything that people do, from the moment a webhook is set."""

    def __init__(self, chats: Chats, brought: Brought) -> None:
        self._chats = chats
        self.brought = brought
        self._lanes: dict[int, asyncio.Task[None]] = {}
        self._task = asyncio.create_task(self._run())

    def end(self) -> None:
        """No more."""
        for task in (self._task, *self._lanes.values()):
            task.cancel()

    async def ended(self) -> None:
        """No more, and everything is let go."""
        self.end()
        await asyncio.gather(self._task, *self._lanes.values(), return_exceptions=True)

    async def _run(self) -> None:
        while True:
            self._lanes = {chat: task for chat, task in self._lanes.items() if not task.done()}
            for update in self._chats.waiting_updates():
                chat = _chat_of(update)
                if chat not in self._lanes:
                    self._lanes[chat] = asyncio.create_task(self._bring(update))
            await asyncio.sleep(0.005)

    async def _bring(self, update: Json) -> None:
        while True:
            status = await post(self.brought.url, self.brought.secret, json.dumps(update).encode())
            self.brought.statuses.append(status)
            if status == 200:
                return self._chats.taken(update)
            self.brought.last_error = (
                f"Wrong response from the webhook: {status}" if status else "Connection refused"
            )
            self.brought.last_error_at = time.time()
            await asyncio.sleep(AGAIN)


def _chat_of(update: Json) -> int:
    body: Any = update.get("message") or update.get("edited_message") or {}
    query: Any = update.get("callback_query") or {}
    return int((body or query.get("message") or {}).get("chat", {}).get("id", 0))


async def post(url: str, secret: str | None, body: bytes) -> int:
    """The status of one request; 0 = nobody answered."""
    parts = urlsplit(url)
    header = "" if secret is None else f"X-Telegram-Bot-Api-Secret-Token: {secret}\r\n"
    head = f"POST {parts.path or '/'} HTTP/1.1\r\nHost: {parts.netloc}\r\n{header}"
    head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    try:
        reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
        try:
            writer.write(head.encode() + body)
            first = await reader.readline()
            return int(first.split(b" ")[1]) if first else 0
        finally:
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()
    except (OSError, IndexError, ValueError):
        return 0
