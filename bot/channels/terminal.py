"""The channel of this machine: a socket in the home, through which `kairos chat` and `kairos say` speak.

Whether the bot runs elsewhere (`kairos run`) or was started by the command itself, it is reached in one way.
A chat is a person here: everything said to a person goes to the terminals they have open.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol

import structlog

from bot.channels.channel import Receive
from bot.channels.terminal_wire import (
    LINE,
    Bye,
    Done,
    Event,
    Garbled,
    Got,
    Heard,
    Hello,
    Look,
    Refused,
    Request,
    Say,
    Welcome,
    Working,
    encode,
    places,
    private,
    request,
)
from bot.errors import HomeBusy, HomeError, KairosError, SendDelayed
from bot.types import Incoming, Language, Outgoing

log = structlog.get_logger(__name__)

NAME = "terminal"
_RECEIPT = 10.0  # seconds a terminal has to say that it showed our words
_LARGE = 256 * 1024  # bytes; longer lines are read off the loop


class Ended(Protocol):
    """How a message and all its background work ended (`bot.app.Finished`)."""

    @property
    def ok(self) -> bool: ...
    @property
    def loaded(self) -> tuple[str, ...]: ...
    @property
    def problem(self) -> str: ...


Finishing = Callable[[str, str, str], Awaitable[Ended]]
"""Wait until the message (channel, chat, id) and all that it set off have ended."""


@dataclass(eq=False, slots=True)
class _Terminal:
    """One connected client."""

    writer: asyncio.StreamWriter
    person: str
    follow: bool
    language: Language | None = None
    said: set[str] = field(default_factory=set)  # ids of messages it said
    open: dict[str, None] = field(default_factory=dict)  # of these, the ones whose work goes on, in order
    unanswered: set[str] = field(default_factory=set)  # of these, the ones with words and no answer yet
    receipts: dict[int, asyncio.Future[None]] = field(default_factory=dict)
    tasks: set[asyncio.Task[None]] = field(default_factory=set)
    stuck: bool = False  # it left words without a receipt (suspended, say): not to be waited for again

    async def tell(self, event: Event) -> None:
        """Raises `ConnectionError` when it has gone."""
        if self.writer.is_closing():
            raise ConnectionResetError
        self.writer.write(encode(event))
        await self.writer.drain()


class TerminalChannel:
    """Implements `Channel` over a Unix socket."""

    def __init__(self, home: Path, *, language: Language = "en") -> None:
        self._home = home
        self._language = language
        self._receive: Receive | None = None
        self._finished: Finishing | None = None
        self._woke: Callable[[], None] = lambda: None
        self._looked: Callable[[], None] = lambda: None
        self._welcome: Callable[[], Welcome] = Welcome
        self._terminals: list[_Terminal] = []
        self._order: dict[str, int] = {}  # stored message → how many were stored before it
        self._serving: set[asyncio.Task[None]] = set()
        self._opened = asyncio.Event()
        self._quiet = asyncio.Event()  # no message of a connected terminal is being worked on
        self._quiet.set()
        self._server: asyncio.Server | None = None
        self.place: Path | None = None  # the socket, while it listens

    @property
    def name(self) -> str:
        return NAME

    def attach(
        self,
        *,
        finished: Finishing,
        woke: Callable[[], None] = lambda: None,
        looked: Callable[[], None] = lambda: None,
        welcome: Callable[[], Welcome] = Welcome,
    ) -> None:
        """Wire what the app knows: how to wait for a message's end, whom to tell that somebody is there to be
        spoken to (the outbox tries again) or that another process stored something to be said, and what a client
        is told first."""
        self._finished, self._woke, self._looked, self._welcome = finished, woke, looked, welcome

    # ---------------------------------------------------------------- Channel

    async def listen(self, receive: Receive) -> None:
        """Serve terminals until cancelled.

        Raises:
            HomeBusy: a bot answers on this home's socket already.
            HomeError: no socket can be made anywhere.
        """
        self._receive = receive
        sock, place = await asyncio.to_thread(self._bind)
        self.place, inode = place, place.stat().st_ino
        self._server = await asyncio.start_unix_server(self._accept, sock=sock, limit=LINE)
        self._opened.set()
        log.info("listening", action="local_listening", socket=str(self.place))
        try:
            await asyncio.get_running_loop().create_future()  # until cancelled
        finally:
            self._server.close()
            self._server = None
            self._opened.clear()
            for task in self._serving:
                task.cancel()
            await asyncio.gather(*self._serving, return_exceptions=True)
            await asyncio.to_thread(_remove, place, inode)
            self.place = None

    async def send(self, outgoing: Outgoing) -> str:
        """Show it in the terminal that asked, or in an open chat of that person."""
        hearers = self._hearers(outgoing)
        if not hearers:
            raise SendDelayed("no terminal is open" if self._language == "en" else "没有打开的终端")
        heard = Heard(outgoing.id, outgoing.kind, outgoing.text, outgoing.buttons, outgoing.picture)
        for other, about in hearers[1:]:
            with contextlib.suppress(OSError):
                async with asyncio.timeout(1):
                    await other.tell(replace(heard, about=about))
        terminal, about = hearers[0]
        earlier = not about and bool(outgoing.reply_to or not terminal.follow)
        heard = replace(heard, about=about or outgoing.reply_to, earlier=earlier)
        receipt = terminal.receipts.setdefault(outgoing.id, asyncio.get_running_loop().create_future())
        try:
            async with asyncio.timeout(_RECEIPT):
                await terminal.tell(heard)
                await receipt
        except (TimeoutError, OSError) as problem:
            terminal.stuck = True
            raise SendDelayed("the terminal did not take it") from problem
        finally:
            terminal.receipts.pop(outgoing.id, None)
        return str(outgoing.id)

    async def typing(self, chat: str) -> None:
        """Show that the oldest open message is being worked on."""
        for terminal in [each for each in self._terminals if each.person == chat and each.open]:
            with contextlib.suppress(OSError):
                await terminal.tell(Working(next(iter(terminal.open))))

    def health(self) -> str:
        """ "" while it listens."""
        if self._server is not None:
            return ""
        return "the local socket is closed" if self._language == "en" else "本地套接字没有打开"

    # ---------------------------------------------------------------- for whoever runs it

    async def opened(self) -> None:
        """Wait until terminals can connect."""
        await self._opened.wait()

    async def drained(self) -> None:
        """Let nobody new in, and wait until the messages of those who are connected have ended.

        A process that started the bot for its own message must not leave while another one's is being worked
        on. An open chat starts the bot for itself when it loses us.
        """
        if self._server is not None:
            self._server.close()
        if self.place is not None:
            await asyncio.to_thread(self.place.unlink, missing_ok=True)
        await self._quiet.wait()

    # ---------------------------------------------------------------- the socket

    def _bind(self) -> tuple[socket.socket, Path]:
        trouble: OSError | None = None
        for place in places(self._home):
            if place.parent != self._home.resolve():
                private(place.parent)
            if _answers(place):
                raise HomeBusy
            sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            before = os.umask(0o177)  # the socket is ours alone from its first moment
            try:
                place.unlink(missing_ok=True)  # left by a bot that was killed
                sock.bind(str(place))
            except OSError as problem:
                trouble = problem
                sock.close()
            else:
                return sock, place
            finally:
                os.umask(before)
        raise HomeError(f"{self._home}: {trouble}") from trouble

    # ---------------------------------------------------------------- one terminal

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """A task of our own: asyncio's cannot be cancelled without an error in the log (3.11)."""
        task = asyncio.create_task(self._serve(reader, writer), name="local-terminal")
        self._serving.add(task)
        task.add_done_callback(self._served)

    def _served(self, task: asyncio.Task[None]) -> None:
        """A bug costs one terminal its connection, no more; the terminal tells the person when it goes on so."""
        self._serving.discard(task)
        if not task.cancelled() and (problem := task.exception()) is not None:
            log.error("a terminal's connection crashed", action="local_crashed", exc_info=problem)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        terminal = _Terminal(writer, person="", follow=False)
        try:
            hello = await _next(reader)
            if isinstance(hello, Look):
                self._looked()
            elif isinstance(hello, Hello):
                terminal.person, terminal.follow, terminal.language = (
                    hello.person,
                    hello.follow,
                    hello.language,
                )
                self._terminals.append(terminal)
                await terminal.tell(self._welcome())
                self._woke()
                while not isinstance(asked := await _next(reader), Bye | None):
                    await self._heed(terminal, asked)
        except Garbled as problem:
            log.warning("unreadable line on the local socket", action="local_garbled", problem=str(problem))
            with contextlib.suppress(OSError):
                await terminal.tell(Refused(str(problem)))
        except OSError as problem:
            log.info("a terminal went away", action="local_lost", problem=str(problem))
        finally:
            self._leave(terminal)

    def _leave(self, terminal: _Terminal) -> None:
        if terminal in self._terminals:
            self._terminals.remove(terminal)
        for task in terminal.tasks:
            task.cancel()
        for receipt in terminal.receipts.values():
            if not receipt.done():
                receipt.set_exception(ConnectionResetError("the terminal was closed"))
        terminal.writer.close()
        terminal.open.clear()
        self._hush()

    async def _heed(self, terminal: _Terminal, asked: Request) -> None:
        match asked:
            case Say():
                await self._say(terminal, asked)
            case Got():
                if (receipt := terminal.receipts.get(asked.number)) and not receipt.done():
                    receipt.set_result(None)
                if terminal.stuck:  # it came back to life
                    terminal.stuck = False
                    self._woke()
            case Hello() | Bye() | Look():
                raise Garbled("out of turn")

    async def _say(self, terminal: _Terminal, say: Say) -> None:
        """Store it before the next line is read, so that order is kept; its end is awaited beside."""
        terminal.said.add(say.id)
        terminal.open[say.id] = None
        if say.text.strip() or say.pressed:
            terminal.unanswered.add(say.id)
        self._quiet.clear()
        incoming = Incoming(
            channel=NAME,
            chat=terminal.person,
            id=say.id,
            person=terminal.person,
            text=say.text,
            uploads=say.images,
            pressed=say.pressed,
            language=terminal.language,
        )
        assert self._receive is not None, "serving starts in listen()"
        try:
            await self._receive(incoming)
        except KairosError as problem:
            await self._done(terminal, Done(say.id, ok=False, problem=str(problem)))
            return
        self._order.setdefault(say.id, len(self._order))
        task = asyncio.create_task(self._await_end(terminal, say.id), name=f"local-end-{say.id}")
        terminal.tasks.add(task)
        task.add_done_callback(terminal.tasks.discard)

    async def _await_end(self, terminal: _Terminal, id_: str) -> None:
        if self._finished is None:
            return
        try:
            end = await self._finished(NAME, terminal.person, id_)
        except KairosError as problem:
            await self._done(terminal, Done(id_, ok=False, problem=str(problem)))
        else:
            await self._done(terminal, Done(id_, end.ok, tuple(end.loaded), end.problem))

    async def _done(self, terminal: _Terminal, done: Done) -> None:
        try:
            await terminal.tell(done)
        except OSError as problem:
            log.info("a terminal went away", action="local_lost", problem=str(problem))
        terminal.open.pop(done.id, None)
        self._hush()

    def _hush(self) -> None:
        if not any(terminal.open for terminal in self._terminals):
            self._quiet.set()

    def _hearers(self, outgoing: Outgoing) -> list[tuple[_Terminal, str]]:
        """Who is to show it, the one whose receipt counts first, and about which of their messages ("" = none).

        The terminal that asked, and those whose messages were answered with that one, as one burst; else the
        newest open chat; else a waiting `say`, which shows it apart.
        """
        here = [each for each in reversed(self._terminals) if each.person == outgoing.chat and not each.stuck]
        asked = [(each, outgoing.reply_to) for each in here if outgoing.reply_to in each.said]
        also = []
        if outgoing.kind == "answer":
            upto = self._order.get(outgoing.reply_to, -1)
            for each in here:
                each.unanswered.discard(outgoing.reply_to)
                answered = {id_ for id_ in each.unanswered if self._order.get(id_, upto) < upto}
                each.unanswered -= answered
                if answered and outgoing.reply_to not in each.said:
                    also.append((each, max(answered, key=self._order.__getitem__)))
        if found := asked[:1] + also:
            return found
        return [(each, "") for each in sorted(here, key=lambda each: not each.follow)[:1]]


def _answers(place: Path) -> bool:
    """Whether somebody serves this socket."""
    probe = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    probe.settimeout(1)
    try:
        probe.connect(str(place))
    except OSError:
        return False
    finally:
        probe.close()
    return True


def _remove(place: Path, inode: int) -> None:
    """Remove our socket, unless another bot has put its own there."""
    with contextlib.suppress(OSError):
        if place.stat().st_ino == inode:
            place.unlink()


async def _next(reader: asyncio.StreamReader) -> Request | None:
    """The client's next line; None when it has gone. Raises `Garbled`."""
    try:
        line = await reader.readline()
    except ValueError as problem:  # longer than LINE
        raise Garbled("the message is too large") from problem
    if not line.endswith(b"\n"):
        return None
    return await asyncio.to_thread(request, line) if len(line) > _LARGE else request(line)
