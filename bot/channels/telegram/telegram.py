"""Telegram as a channel: the chats of one bot, heard by polls or a webhook. Connections open at the first call."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import structlog

from bot.channels.channel import Arrived, Receive
from bot.channels.telegram.api import Api, open_api
from bot.channels.telegram.calls import Flooded, Unusable
from bot.channels.telegram.listening import KINDS, Listener
from bot.channels.telegram.reading import NAME, chat_of
from bot.channels.telegram.sending import Sender
from bot.channels.telegram.strangers import Numbered
from bot.channels.telegram.timings import Timings
from bot.channels.telegram.webhook import Hook, Webhook
from bot.door import Door
from bot.errors import SendDelayed, SendError, SettingsError
from bot.settings import TELEGRAM_URL
from bot.types import Language, Outgoing

log = structlog.get_logger(__name__)


class TelegramChannel:
    """Chats of people we know with one bot.

    `people`: numeric Telegram user id → name of the person. `root`: the server, without `/bot`. `language`:
    of what is said to nobody in particular (health, an empty answer). Health says what is wrong with
    receiving. `webhook`: where Telegram brings updates; None = we poll.
    """

    def __init__(
        self,
        token: str,
        root: str = TELEGRAM_URL,
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
        self._root = root or TELEGRAM_URL
        self._timings = timings or Timings()
        self._opening = asyncio.Lock()
        self._api: Api | None = None
        self._sender = Sender(self._call, language)
        self._listener = Listener(
            self._call, self._fetch, self._sender, people, language, self._timings, hears=hears
        )

    def on_recovery(self, recovered: Callable[[], None]) -> None:
        """Whom to tell that Telegram can be reached again."""
        self._listener.polls.recovered = recovered

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

    async def withdraw(self, outgoing: Outgoing) -> None:
        """Take away the beginning of an answer; see `Sender.withdraw`."""
        await self._sender.withdraw(outgoing)

    async def typing(self, chat: str) -> None:
        """Show “typing…” for some five seconds. Costs nothing when it fails; left out during a pause."""
        try:
            number, thread = self._sender.now_of(chat)
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
