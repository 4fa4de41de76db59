"""Telegram: the only file that knows `python-telegram-bot`, which it imports at the first call.

We poll ourselves instead of using the library's `Updater`, so that an update is confirmed to Telegram (by
asking for the next one) only after `receive` has stored it, and so that updates stay plain JSON: the
library's objects cost half of the CPU of a message.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Callable, Mapping, Sequence
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

import structlog

from bot.channels.channel import Arrived, Receive
from bot.channels.telegram_calls import (
    BadRequest,
    Contested,
    FileOut,
    Flooded,
    Lost,
    Migrated,
    TokenRefused,
    Unusable,
)
from bot.channels.telegram_listening import KINDS, Listener, Timings
from bot.channels.telegram_reading import NAME, chat_of
from bot.channels.telegram_sending import Sender
from bot.channels.telegram_strangers import Numbered
from bot.channels.telegram_webhook import Hook, Webhook
from bot.door import Door
from bot.errors import SendDelayed, SendError, SendRefused, SettingsError
from bot.types import Language, Outgoing

log = structlog.get_logger(__name__)

ROOT = "https://api.telegram.org"


class Api:
    """The Bot API over `python-telegram-bot`'s `Bot`, with our errors. Made by `open_api`."""

    def __init__(self, bot: Any, request: Any, timings: Timings) -> None:
        self._bot = bot
        self._request = request
        self._timings = timings

    async def call(self, method: str, parameters: dict[str, Any], read_timeout: float = 0) -> Any:
        """The result of a method as plain JSON. Raises what `telegram_calls` lists, or `SendRefused`."""
        from telegram import InputFile, error

        for name, value in tuple(parameters.items()):
            if isinstance(value, FileOut):
                parameters[name] = InputFile(value.data, filename=value.name)
        try:
            return await self._bot.raw(method, parameters, read_timeout or self._timings.answer)
        except error.RetryAfter as flooded:
            wait: Any = flooded.retry_after
            raise Flooded("Telegram asks for a pause", retry_after=wait.total_seconds()) from None
        except error.InvalidToken:
            raise TokenRefused(f"{method}: the token is refused", retry_after=self._timings.token) from None
        except error.Forbidden as refused:
            raise SendRefused(str(refused)) from None
        except error.BadRequest as refused:
            raise BadRequest(str(refused)) from None
        except error.Conflict as contested:
            raise Contested(str(contested), retry_after=self._timings.contested) from None
        except error.ChatMigrated as moved:
            raise Migrated(moved.new_chat_id) from None
        except error.TelegramError as failed:  # network, 5xx, an answer that is no JSON
            cause = type(failed.__cause__).__name__
            never_sent = cause in ("ConnectError", "ConnectTimeout", "PoolTimeout", "ProxyError")
            told = f"{method}: {failed.message.splitlines()[0][:200]}" if failed.message else method
            raise Lost(told, maybe_taken=not never_sent) from None

    async def fetch(self, file_id: str) -> bytes:
        """The bytes of a file. Raises like `call`."""
        from telegram import error

        described = await self.call("getFile", {"file_id": file_id})
        try:
            data: bytes = await self._bot.download(described["file_path"], self._timings.file)
        except (error.TelegramError, KeyError) as failed:
            raise Lost(f"file: {type(failed).__name__}", maybe_taken=False) from None
        return data

    async def close(self) -> None:
        """Close the connections."""
        await self._request.shutdown()


def open_api(token: str, root: str, timings: Timings) -> Api:
    """Import the library and make ready; takes about 0.4 s of CPU and reads certificates: not on the loop.

    Raises `SettingsError` when the token or the root cannot be one.
    """
    os.environ.setdefault("PTB_TIMEDELTA", "true")  # else the library's own RetryAfter warns about itself
    from telegram import Bot, error
    from telegram.request import HTTPXRequest

    class RawBot(Bot):
        """`Bot` without its objects: `_post` is what each of its methods calls."""

        async def raw(self, method: str, parameters: dict[str, Any], read_timeout: float) -> Any:
            return await self._post(method, parameters, read_timeout=read_timeout)

        async def download(self, path: str, timeout: float) -> bytes:
            # a server of one's own may answer with a full address
            url = path if path.startswith(("http://", "https://")) else f"{self.base_file_url}/{path}"
            data: bytes = await request.retrieve(url, read_timeout=timeout)
            return data

    class QuietRequest(HTTPXRequest):
        """Does not write a traceback into the log for each page of HTML that a proxy or a 502 sends."""

        @staticmethod
        def parse_json_payload(payload: bytes) -> dict[str, Any]:
            try:
                parsed: dict[str, Any] = json.loads(payload)
            except ValueError:
                raise error.TelegramError("the server's answer is no JSON") from None
            return parsed

    url = urlsplit(root)
    if url.scheme not in ("http", "https") or not url.hostname:
        raise SettingsError(f"telegram.base_url is no address of a server: {root!r}")
    extra: dict[str, Any] = {"trust_env": not _is_local(url.hostname)}  # proxies, but not for this machine
    if url.scheme == "http":
        extra["verify"] = False  # no certificates to load
    try:
        request = QuietRequest(
            connection_pool_size=32,
            read_timeout=timings.answer,
            connect_timeout=timings.answer,
            pool_timeout=timings.answer,
            httpx_kwargs=extra,
        )
    except (RuntimeError, ImportError, ValueError) as unusable:  # a proxy of a kind that is not supported
        why = str(unusable).splitlines()[0]
        raise SettingsError(f"the proxy in ALL_PROXY or HTTPS_PROXY cannot be used: {why}") from None
    base = root.rstrip("/")
    try:
        bot = RawBot(
            token.strip(),
            base_url=f"{base}/bot",
            base_file_url=f"{base}/file/bot",
            request=request,
            get_updates_request=request,
        )
    except error.InvalidToken:
        raise SettingsError("telegram.token is empty") from None
    return Api(bot, request, timings)


def _is_local(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


class TelegramChannel:
    """Chats of people we know with one bot.

    `people`: numeric Telegram user id → name of the person. `root`: the server, without `/bot`. `language`:
    of what is said to nobody in particular (health, an empty answer). Health says what is wrong with
    receiving. `webhook`: where Telegram brings updates; None = we poll.
    """

    def __init__(
        self,
        token: str,
        root: str = ROOT,
        *,
        people: Mapping[int, str],
        language: Language = "en",
        timings: Timings | None = None,
        hears: bool = False,
        webhook: Webhook | None = None,
    ) -> None:
        self._token = token
        self._webhook = webhook
        self._language: Language = language
        self._root = root or ROOT
        self._timings = timings or Timings()
        self._opening = asyncio.Lock()
        self._api: Api | None = None
        self._sender = Sender(self._call, language)
        self._listener = Listener(
            self._call, self._fetch, self._sender, people, language, self._timings, hears=hears
        )

    def on_recovery(self, recovered: Callable[[], None]) -> None:
        """Whom to tell that Telegram can be reached again."""
        self._listener.recovered = recovered

    def on_part(self, arrived: Arrived) -> None:
        """Whom to tell of parts that have arrived."""
        self._sender.arrived = arrived

    def guard(self, door: Door) -> None:
        """The door knows who may talk; everybody else knocks at it."""
        self._listener.people = Numbered(door.known(NAME))
        self._listener.strangers.knocking = door.knock
        self._listener.moved = door.moved

    @property
    def name(self) -> str:
        """`telegram`."""
        return NAME

    def health(self) -> str:
        """ "" when messages can be received, else why not."""
        return self._listener.trouble

    async def listen(self, receive: Receive) -> None:
        """Hear messages until cancelled; see `Listener.run`. What is to be sent can be sent after it, until `close`."""
        try:
            if self._webhook is None:
                await self._listener.run(receive)
            else:
                hook = Hook(self._webhook, self._token, self._call, KINDS, self._language, self._timings.look)
                await self._listener.serve(receive, hook)
        finally:
            await self._listener.close()

    async def send(self, outgoing: Outgoing) -> str:
        """Send a message whole; see `Sender.send`."""
        return await self._sender.send(outgoing)

    def place(self, outgoing: Outgoing) -> str:
        """See `Drafts.place`."""
        return self._sender.place(outgoing)

    async def show(self, outgoing: Outgoing) -> str:
        """Show the beginning of an answer; see `Sender.show`."""
        return await self._sender.show(outgoing)

    async def typing(self, chat: str) -> None:
        """Show “typing…” for some five seconds. Costs nothing when it fails; left out during a pause."""
        try:
            number, thread = chat_of(chat)
        except ValueError:
            return
        if self._sender.waits(number) > 0:
            return
        told = {"chat_id": number, "action": "typing"} | ({"message_thread_id": thread} if thread else {})
        try:
            await self._call("sendChatAction", told)
        except Flooded as flooded:
            self._sender.flooded(number, flooded.retry_after or 1.0)
        except SendError as error:
            log.debug("typing was not shown", action="typing_failed", error=str(error))

    async def offer_commands(
        self, commands: Sequence[tuple[str, str]], language: str = "", *, shared: bool = False, chat: str = ""
    ) -> None:
        """Show commands in the menu, as `HasMenu` says. Tries until Telegram takes them or refuses them for good."""
        menu = [{"command": name.lstrip("/"), "description": told[:256]} for name, told in commands]
        told: dict[str, Any] = {"commands": json.dumps(menu, ensure_ascii=False)} if menu else {}
        told |= {"language_code": language} if language else {}
        if chat:
            told["scope"] = json.dumps({"type": "chat", "chat_id": chat_of(chat)[0]})
        elif shared:
            told["scope"] = json.dumps({"type": "all_group_chats"})
        method = "setMyCommands" if menu else "deleteMyCommands"
        wait = self._timings.first_wait
        while True:
            try:
                await self._call(method, dict(told))
                return
            except SendDelayed as delayed:  # what is wrong is said by the polls beside
                log.debug("the menu waits", action="commands_delayed", error=str(delayed))
                await asyncio.sleep(max(delayed.retry_after or 0.0, wait))
                wait = min(wait * 2, self._timings.longest_wait)
            except SendError as error:
                log.warning("the menu of commands was not set", action="commands_failed", error=str(error))
                return

    async def close(self) -> None:
        """Close the connections; a later call opens new ones."""
        await self._listener.close()
        api, self._api = self._api, None
        if api is not None:
            await api.close()

    async def _opened(self) -> Api:
        async with self._opening:
            if self._api is None:
                try:
                    self._api = await asyncio.to_thread(open_api, self._token, self._root, self._timings)
                except SettingsError as error:
                    raise Unusable(str(error), retry_after=self._timings.token) from None
            return self._api

    async def _call(self, method: str, parameters: dict[str, Any], read_timeout: float = 0) -> Any:
        return await (self._api or await self._opened()).call(method, parameters, read_timeout)

    async def _fetch(self, file_id: str) -> bytes:
        return await (self._api or await self._opened()).fetch(file_id)
