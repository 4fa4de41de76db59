"""The Bot API over `python-telegram-bot`: the only file that knows that library, and imports it at the first call.

Its `Updater` and its objects are left aside: what comes and goes is plain JSON, since the objects cost half of the
CPU of a message.
"""

from __future__ import annotations

import json
import os
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from bot.channels.telegram.calls import BadRequest, Contested, FileOut, Flooded, Lost, Migrated, TokenRefused
from bot.channels.telegram.timings import Timings
from bot.errors import SendRefused, SettingsError


class Api:
    """The Bot API over `python-telegram-bot`'s `Bot`, with our errors. Made by `open_api`."""

    def __init__(self, bot: Any, request: Any, timings: Timings) -> None:
        self._bot = bot
        self._request = request
        self._timings = timings

    async def call(self, method: str, parameters: dict[str, Any], read_timeout: float = 0) -> Any:
        """The result of a method as plain JSON. Raises what `calls` lists, or `SendRefused`."""
        from telegram import InputFile, InputMediaPhoto, error

        for name, value in tuple(parameters.items()):
            if isinstance(value, FileOut):
                parameters[name] = InputFile(value.data, filename=value.name)
            elif isinstance(value, tuple):  # an `AlbumOut`
                parameters[name] = [
                    InputMediaPhoto(file.data, caption=caption, filename=file.name) for caption, file in value
                ]
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
