"""Updates come in, by polls or a webhook, are stored, and only then confirmed to Telegram."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Any

import structlog

from bot.channels.channel import Receive
from bot.channels.telegram.addressing import Ours
from bot.channels.telegram.pasting import Paste, Pastes, may_be_cut
from bot.channels.telegram.polling import Polls
from bot.channels.telegram.reading import (
    NAME,
    Heard,
    Json,
    Remote,
    Stranger,
    as_edit,
    named,
    read_message,
    read_press,
)
from bot.channels.telegram.sending import Sender
from bot.channels.telegram.strangers import Strangers
from bot.channels.telegram.timings import Timings
from bot.channels.telegram.webhook import Hook
from bot.errors import HomeError, SendDelayed, SendError
from bot.types import Language, Outgoing, Upload
from bot.wording import say

log = structlog.get_logger(__name__)

KINDS = json.dumps(["message", "edited_message", "callback_query"])
BATCH = 100  # the most that Telegram hands out at once
FETCHES = 7  # tries to fetch a file, each after twice the wait of the one before: half a minute in all
QUIET = 6 * 86400.0  # seconds; after a week without updates Telegram may number them anew, even lower


class Listener:
    """Hears messages. `trouble` says what is wrong with that, "" when nothing is."""

    def __init__(
        self,
        call: Callable[..., Awaitable[Any]],
        fetch: Callable[[str], Awaitable[bytes]],
        sender: Sender,
        people: Mapping[int, str],
        language: Language,
        timings: Timings,
        *,
        hears: bool = False,
    ) -> None:
        """`hears`: somebody can listen to voice messages; else they are declined and never fetched."""
        self._call = call
        self._fetch = fetch
        self._sender = sender
        self.people = people
        self._language: Language = language
        self._timings = timings
        self.polls = Polls(call, self._soon, KINDS, language, timings)
        self._hook: Hook | None = None
        self._ours = Ours()
        self._hears = hears
        self._store_trouble = ""
        self._fresh = False  # what a poll brings now was written after we started
        self.strangers = Strangers(self._answer, timings.refusal)
        # told of chats that get another id
        self.moved: Callable[[str, str, str], Awaitable[None]] | None = None
        self._pastes = Pastes()
        self._fetching = asyncio.Semaphore(4)
        self._aside: set[asyncio.Task[None]] = set()

    @property
    def trouble(self) -> str:
        """One sentence."""
        return self._store_trouble or self.polls.trouble or (self._hook.trouble if self._hook else "")

    async def close(self) -> None:
        """Drop what still runs beside."""
        for task in tuple(self._aside):
            task.cancel()
        await asyncio.gather(*self._aside, return_exceptions=True)

    async def run(self, receive: Receive) -> None:
        """Hear messages until cancelled.

        Messages of one chat are handed over in order, unless a file takes very long. Files are fetched beside:
        while one is on its way, other chats are heard, and no update from its own on is confirmed.
        """
        lanes: dict[str, asyncio.Task[None]] = {}  # the last message of a chat that waits for a file
        undone: dict[int, asyncio.Task[None]] = {}  # by update
        done: set[int] = set()  # stored, not yet confirmed
        offset: int | None = None
        heard_at = time.monotonic()
        try:
            while True:
                # the first poll brings at once what waited: all that comes later was written after we started
                updates = await self.polls.next(
                    offset, self._timings.poll if self._fresh and not undone else 0
                )
                for update in updates:
                    number = update["update_id"]
                    if number not in undone and number not in done:
                        task = await self._take(update, receive, lanes)
                        if task is not None:
                            undone[number] = task
                        else:
                            done.add(number)
                self._fresh = self._fresh or len(updates) < BATCH
                if undone:
                    await self._reap(undone, done)
                    lanes = {chat: task for chat, task in lanes.items() if not task.done()}
                if undone or done:
                    confirmed = min(undone) if undone else max(done) + 1
                    offset = max(confirmed, offset or 0)
                    heard_at = time.monotonic()
                elif time.monotonic() - heard_at > QUIET:
                    offset = None
                done = {number for number in done if offset is not None and number >= offset}
        finally:
            for task in undone.values():
                task.cancel()
            await asyncio.gather(*undone.values(), return_exceptions=True)

    async def serve(self, receive: Receive, hook: Hook) -> None:
        """Hear what Telegram brings, until cancelled."""
        lanes: dict[str, asyncio.Task[None]] = {}
        started = time.time()
        self._hook = hook

        async def take(update: Json) -> None:
            self._fresh = self._fresh or update.get("message", {}).get("date", 0) > started + 1
            for chat in [chat for chat, task in lanes.items() if task.done()]:
                del lanes[chat]
            if (task := await self._take(update, receive, lanes)) is not None:
                await task

        await hook.run(take)

    async def _reap(self, undone: dict[int, asyncio.Task[None]], done: set[int]) -> None:
        """Wait a moment for files; what is stored moves to `done`."""
        waiting = asyncio.FIRST_COMPLETED
        await asyncio.wait(undone.values(), timeout=self._timings.slow, return_when=waiting)
        for number in [n for n, task in undone.items() if task.done()]:
            undone.pop(number).result()
            done.add(number)

    # ---- one update

    async def _take(
        self, update: Json, receive: Receive, lanes: dict[str, asyncio.Task[None]]
    ) -> asyncio.Task[None] | None:
        """Store one update, or the task that will have stored it when it ends."""
        heard = await self._understood(update)
        if heard is None:
            return None
        chat = heard.incoming.chat
        before = lanes.get(chat)
        paste, waited = self._pastes.taking(heard)
        if paste is not None and waited:
            return paste.task
        if paste is not None:
            heard = paste.further()
        elif may_be_cut(heard):
            # what is brought comes one by one: the next part only when this one is stored
            paste = self._pastes.begin(heard, waits=self._hook is None)
            if paste.waits:
                lanes[chat] = paste.task = asyncio.create_task(self._paste_and_store(paste, receive, before))
                return paste.task
        if heard.file is None and heard.shows is None and (before is None or before.done()):
            await self._store(heard, receive)
            return None
        lanes[chat] = asyncio.create_task(self._fetch_and_store(heard, receive, before))
        return lanes[chat]

    async def _understood(self, update: Json) -> Heard | None:
        try:
            if query := update.get("callback_query"):
                self._soon("answerCallbackQuery", {"callback_query_id": query["id"]})
                pressed = read_press(query, self.people)
                return None if pressed is None else Heard(pressed, self._language)
            edited = "edited_message" in update
            message = update.get("edited_message" if edited else "message")
            if not message or await self._moves(message):
                return None
            if message["chat"]["type"] != "private" and not self._ours.name:
                await self._learn_name()
            heard = read_message(message, self.people, self._ours, self._language)
            if edited:
                return as_edit(heard)
            if self._fresh:
                self._sender.heard(message["chat"]["id"], message["message_id"])
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError, OSError) as odd:
            log.warning("an update that cannot be read", action="update_unreadable", error=repr(odd))
            return None
        if isinstance(heard, Stranger):
            await self.strangers.heard(heard)
            return None
        return heard

    async def _moves(self, message: Json) -> bool:
        """Whether it only says that a group has become a supergroup, under another id."""
        old, new = message["chat"]["id"], message.get("migrate_to_chat_id")
        if not new:
            return False
        self._sender.moved(old, new)
        if self.moved is not None:
            try:
                await self.moved(NAME, str(old), str(new))
            except HomeError as error:  # it begins afresh there
                log.warning("a chat's past stays behind", action="move_failed", error=str(error))
        return True

    async def _learn_name(self) -> None:
        try:
            self._ours.name = str((await self._call("getMe", {}))["username"]).lower()
        except SendError as error:
            log.info("the bot's name is not known yet", action="get_me_failed", error=str(error))

    def _answer(self, user: int, sentence: str) -> None:
        self._soon("sendMessage", {"chat_id": user, "text": sentence})

    def _soon(self, method: str, parameters: dict[str, Any]) -> None:
        """Call something beside; nobody waits for it."""

        async def quietly() -> None:
            try:
                await self._call(method, parameters)
            except SendError as error:
                log.info("a call beside failed", action="aside_failed", method=method, error=str(error))

        task = asyncio.create_task(quietly())
        self._aside.add(task)
        task.add_done_callback(self._aside.discard)

    async def _fetch_and_store(
        self, heard: Heard, receive: Receive, before: asyncio.Task[None] | None
    ) -> None:
        if heard.file is not None:
            upload = await self._upload(heard.file, heard.language)
            heard = replace(heard, incoming=replace(heard.incoming, uploads=(upload,)))
        if heard.shows is not None:
            upload = await self._upload(heard.shows, heard.language)
            heard = replace(heard, incoming=replace(heard.incoming, shows=(upload,)))
        if before is not None:
            patience = None if heard.incoming.edited else self._timings.behind  # what it changes comes first
            await asyncio.wait({before}, timeout=patience)
        await self._store(heard, receive)

    async def _paste_and_store(
        self, paste: Paste, receive: Receive, before: asyncio.Task[None] | None
    ) -> None:
        heard = await paste.whole(self._timings.paste)
        await self._fetch_and_store(heard, receive, before)

    async def _upload(self, file: Remote, language: Language) -> Upload:
        """The file's bytes, or why there are none. One that fails is asked for again for half a minute."""
        if file.problem:
            return Upload(b"", file.name, file.problem)
        if file.voice and not self._hears:
            return Upload(b"", file.name, say(language, "telegram.voice"))
        wait, left = self._timings.first_wait, FETCHES
        while left:
            try:
                async with self._fetching:
                    data = await self._fetch(file.id)
            except SendError as error:
                left = left - 1 if isinstance(error, SendDelayed) else min(left - 1, 1)  # refused: once more
                log.warning("a file was not fetched", action="fetch_failed", left=left, error=str(error))
                await asyncio.sleep(error_wait(error, wait) if left else 0)
                wait *= 2
            else:
                return Upload(data, named(file.name, data), voice=file.voice)
        return Upload(b"", file.name, say(language, "telegram.lost"))

    async def _store(self, heard: Heard, receive: Receive) -> None:
        """Hand over until it is stored: what could not be stored must not be confirmed."""
        wait = self._timings.first_wait
        while True:
            try:
                await receive(heard.incoming)
            except HomeError as error:
                if not self._store_trouble:
                    log.error("a message cannot be stored", action="store_failed", error=str(error))
                    await self._tell(heard)
                self._store_trouble = str(error)
                await asyncio.sleep(wait)
                wait = min(wait * 2, self._timings.longest_wait)
            else:
                if self._store_trouble:
                    log.info("messages can be stored again", action="store_works")
                    self._store_trouble = ""
                return

    async def _tell(self, heard: Heard) -> None:
        """That the message waits; no outbox can say it, since that cannot be stored either."""
        about = heard.incoming
        sentence = say(heard.language, "trouble.unsaved")
        try:
            await self._sender.send(
                Outgoing(0, about.channel, about.chat, sentence, "notice", reply_to=about.id)
            )
        except SendError as error:
            log.warning("could not tell", action="store_untold", error=str(error))


def error_wait(error: SendError, least: float) -> float:
    """Seconds before trying again."""
    return max(getattr(error, "retry_after", None) or 0.0, least)
