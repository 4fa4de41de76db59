"""The other end of the local socket: what `kairos chat` and `kairos say` hold in their hands."""

from __future__ import annotations

import asyncio
import contextlib
import uuid
from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path

from bot.channels.terminal_wire import (
    LINE,
    Bye,
    Done,
    Event,
    Got,
    Heard,
    Hello,
    Look,
    Refused,
    Say,
    Welcome,
    Working,
    encode,
    event,
    places,
    trusted,
)
from bot.errors import KairosError
from bot.types import Language, Upload

_WELCOME = 5.0  # seconds for a bot that runs to say so, however busy it is
_LOCALE = ("LC_ALL", "LC_MESSAGES", "LANG")  # the first that is set counts


class NotRunning(ConnectionError):
    """No bot answers on this home's socket."""


class NotAnswering(NotRunning):
    """The bot on this home's socket says nothing: it was stopped, or hangs."""


def language_of_terminal(environment: Mapping[str, str]) -> Language | None:
    """As its locale says; None where that says nothing (C, POSIX, or not set)."""
    locale = next((environment[name] for name in _LOCALE if environment.get(name)), "")
    name = locale.partition(".")[0]
    return None if name in {"", "C", "POSIX"} else "zh" if name.lower().startswith("zh") else "en"


async def nudge(home: Path) -> None:
    """Tell the bot that runs this home that something was stored to be said. With none, the next one finds it."""
    for place in places(home):
        if trusted(place):
            with contextlib.suppress(OSError):
                _, writer = await asyncio.open_unix_connection(str(place))
                writer.write(encode(Look()))
                await writer.drain()
                writer.close()


class LocalClient:
    """One connection to the bot of a home."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, welcome: Welcome) -> None:
        self._reader = reader
        self._writer = writer
        self._shown: set[int] = set()
        self.brain = welcome.brain  # which model answers there, "" = the embedded default
        self.troubles = welcome.troubles  # channels that were not well there, and why

    @classmethod
    async def connect(
        cls, home: Path, person: str, *, follow: bool, language: Language | None = None
    ) -> LocalClient:
        """Reach the bot that runs this home; `language` is the terminal's, for a person who has written nothing yet.

        Raises:
            NotRunning: nobody is there (a socket file that a killed bot left behind included).
            NotAnswering: somebody is, and says nothing for `_WELCOME` seconds.
        """
        silent = False
        for place in places(home):
            if not trusted(place):
                continue
            try:
                reader, writer = await asyncio.open_unix_connection(str(place), limit=LINE)
                writer.write(encode(Hello(person, follow, language)))
                await writer.drain()
                line = await asyncio.wait_for(reader.readline(), _WELCOME)
                if line and isinstance(welcome := event(line), Welcome):
                    return cls(reader, writer, welcome)
                writer.close()
            except TimeoutError:
                silent = True
                writer.close()
            except (OSError, ValueError):
                continue
        raise NotAnswering if silent else NotRunning

    async def say(
        self, text: str, images: Sequence[Upload] = (), *, pressed: str = "", id_: str | None = None
    ) -> str:
        """Send one message and return its id; give the same id again to repeat it after a lost connection.

        Raises:
            NotRunning: the bot went away.
        """
        id_ = id_ or str(uuid.uuid4())
        await self._write(encode(Say(id_, text, tuple(images), pressed)))
        return id_

    async def events(self) -> AsyncIterator[Heard | Working | Done]:
        """What the bot tells, until it goes away.

        Words are confirmed to the bot when the caller asks for the next event, which is after it showed them.

        Raises:
            KairosError: the bot could not read what we sent.
        """
        while line := await self._line():
            told: Event = event(line)
            match told:
                case Heard():
                    if told.number not in self._shown:  # we answered too late and got them again
                        self._shown.add(told.number)
                        yield told
                    with contextlib.suppress(NotRunning):
                        await self._write(encode(Got(told.number)))
                case Working() | Done():
                    yield told
                case Refused():
                    raise KairosError(told.problem)
                case Welcome():
                    continue

    async def close(self) -> None:
        """Leave. Never raises."""
        with contextlib.suppress(NotRunning):
            await self._write(encode(Bye()))
        self._writer.close()
        with contextlib.suppress(OSError):
            await self._writer.wait_closed()

    async def _line(self) -> bytes:
        try:
            return await self._reader.readline()
        except OSError:
            return b""

    async def _write(self, data: bytes) -> None:
        if self._writer.is_closing():
            raise NotRunning
        try:
            self._writer.write(data)
            await self._writer.drain()
        except OSError as problem:
            raise NotRunning from problem
