"""Updates that Telegram brings to an address of ours, instead of polls. Each is answered only after it is stored.

Whatever serves that address with its certificate hands the requests on to us, on this machine. Telegram brings the
updates of one chat one after the other, and again while they are not answered.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
import socket
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import structlog

from bot.channels.telegram.calls import Flooded, TokenRefused, Unusable
from bot.channels.telegram.reading import Json
from bot.errors import SendError
from bot.types import Language
from bot.wording import say

log = structlog.get_logger(__name__)

CONNECTIONS = 8  # chats whose updates are brought at once
MOST_BYTES = 2**20  # of one update
HEADER = b"x-telegram-bot-api-secret-token"

Take = Callable[[Json], Awaitable[None]]
"""Store one update; returns when it is."""


@dataclass(frozen=True, slots=True)
class Webhook:
    """Where updates are brought."""

    url: str  # what Telegram is told
    host: str = "127.0.0.1"  # where they are handed on to us
    port: int = 8443


class Hook:
    """Opens a webhook, and looks after it. `trouble` says what is wrong with it, "" when nothing is."""

    def __init__(
        self,
        webhook: Webhook,
        token: str,
        call: Callable[..., Awaitable[Any]],
        kinds: str,
        language: Language,
        look: float,
    ) -> None:
        self._webhook = webhook
        self._path = urlsplit(webhook.url).path or "/"
        # nobody else knows the token, so nobody else can say this; and it need not be kept anywhere
        self._secret = hmac.new(token.encode(), b"kairos webhook", hashlib.sha256).hexdigest()
        self._call = call
        self._kinds = kinds
        self._language: Language = language
        self._look = look
        self._taking: dict[int, asyncio.Task[None]] = {}  # by update: one that is brought again is taken once
        self._warned = False
        self.trouble = ""

    async def run(self, take: Take) -> None:
        """Take updates until cancelled. What is being taken then is let go: it is brought again."""
        import uvicorn

        class Quiet(uvicorn.Server):
            @contextmanager
            def capture_signals(self) -> Iterator[None]:  # signals are the service's own
                yield

        async def app(scope: Any, receive: Any, send: Any) -> None:
            if scope["type"] == "http":
                status = await self._served(scope, receive, take)
                await send({"type": "http.response.start", "status": status, "headers": []})
                await send({"type": "http.response.body", "body": b""})

        sock = await self._bound()
        config = uvicorn.Config(
            app, log_config=None, access_log=False, lifespan="off", ws="none", timeout_graceful_shutdown=1
        )
        server = Quiet(config)
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(server.serve(sockets=[sock]), name="webhook")
                group.create_task(self._watch(), name="webhook-watch")
        finally:
            for task in self._taking.values():
                task.cancel()
            await asyncio.gather(*self._taking.values(), return_exceptions=True)
            sock.close()

    # ---- one request

    async def _served(self, scope: Any, receive: Any, take: Take) -> int:
        """The status that answers it; 200 = stored, or nothing to store."""
        given = next((value for name, value in scope["headers"] if name == HEADER), b"")
        if scope["path"] != self._path or not hmac.compare_digest(given, self._secret.encode()):
            if not self._warned:
                log.warning(
                    "somebody else at the webhook", action="webhook_refused", path=scope["path"][:100]
                )
            self._warned = True
            return 403
        body, more = b"", True
        while more and len(body) <= MOST_BYTES:
            part = await receive()
            if part["type"] != "http.request":
                return 400
            body, more = body + part.get("body", b""), part.get("more_body", False)
        try:
            update = json.loads(body)
            number = int(update["update_id"])
        except (ValueError, KeyError, TypeError):
            log.warning("an update that cannot be read", action="update_unreadable", size=len(body))
            return 400
        task = self._taking.get(number)
        if task is None:
            task = self._taking[number] = asyncio.ensure_future(take(update))
            task.add_done_callback(lambda _: self._taking.pop(number, None))
        await asyncio.shield(task)
        return 200

    # ---- looking after it

    async def _bound(self) -> socket.socket:
        """The socket; waits while another program has the port."""
        while True:
            try:
                return await asyncio.to_thread(_bind, self._webhook.host, self._webhook.port)
            except OSError as error:
                why = error.strerror or str(error)
                place = f"{self._webhook.host}:{self._webhook.port}"
                if not self.trouble:
                    log.warning("the webhook cannot listen", action="webhook_failed", place=place, error=why)
                self.trouble = say(self._language, "telegram.door", place=place, why=why)
            await asyncio.sleep(min(self._look, 5.0))

    async def _watch(self) -> None:
        """Have Telegram bring updates here; again when somebody took them away."""
        failures, told = 0, False
        while True:
            try:
                info: Json = await self._call("getWebhookInfo", {})
                if not told or info.get("url") != self._webhook.url:
                    if told:
                        log.warning("the webhook was taken away", action="webhook_lost", url=info.get("url"))
                    await self._call("setWebhook", self._parameters())
                    told = True
                self._heard(info)
                failures, wait = 0, self._look
            except SendError as error:
                failures += 1
                wait = min(self._look, 0.5 * 2 ** min(failures, 8))
                wait = max(
                    wait, (error.retry_after or 0.0) if isinstance(error, Flooded | TokenRefused) else 0.0
                )
                self._failed(error, failures)
            await asyncio.sleep(wait)

    def _parameters(self) -> dict[str, Any]:
        return {
            "url": self._webhook.url,
            "secret_token": self._secret,
            "allowed_updates": self._kinds,
            "max_connections": CONNECTIONS,
        }

    def _heard(self, info: Json) -> None:
        """What Telegram says of bringing updates here."""
        lately = float(info.get("last_error_date") or 0) > time.time() - 2 * self._look
        waiting = int(info.get("pending_update_count") or 0)
        why = str(info.get("last_error_message") or "?")
        trouble = say(self._language, "telegram.unbrought", why=why) if lately and waiting else ""
        if bool(trouble) != bool(self.trouble):
            log.info("webhook", action="webhook_state", well=not trouble, error=why if trouble else "")
        self.trouble = trouble

    def _failed(self, error: SendError, failures: int) -> None:
        if isinstance(error, TokenRefused):
            self.trouble = say(self._language, "telegram.token")
        elif isinstance(error, Unusable):
            self.trouble = str(error)
        elif failures >= 3:
            self.trouble = say(self._language, "telegram.network", count=failures)
        if failures == 1:
            log.warning("the webhook is not set", action="webhook_failed", error=str(error))


def _bind(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    sock = socket.socket(family, socket.SOCK_STREAM)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        sock.bind((host, port))
    except OSError:
        sock.close()
        raise
    return sock
