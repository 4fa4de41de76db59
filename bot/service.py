"""How a bot comes to run: as a service (`serve`), or for a command that needs one (`reach`)."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import structlog

from bot.channels import configured
from bot.channels.channel import Channel
from bot.channels.terminal import TerminalChannel
from bot.channels.terminal_wire import Welcome
from bot.errors import HomeBusy, KairosError
from bot.lock import taken
from bot.settings import Settings
from bot.terminal.client import LocalClient, NotAnswering, NotRunning, language_of_terminal
from bot.types import Language

if TYPE_CHECKING:
    from bot.app import App

log = structlog.get_logger(__name__)

# seconds to wait for a process that holds the home but does not answer (it starts, or leaves)
_PATIENCE = 20.0
_FIRST_EARS = 0.5  # seconds that channels have to begin to listen before anything else is loaded
_GRACE = 15.0  # seconds that turns and jobs have to end after a signal


async def serve(
    settings: Settings, language: Language, announce: Callable[[Sequence[Channel], str], None]
) -> None:
    """Run every configured channel until SIGINT or SIGTERM; `announce` is called once it listens, with a one-time
    code where the owner cannot talk yet in a channel.

    A signal only sets an event. Then, in this order: ears close, turns and jobs may end (within `_GRACE`
    seconds; what is cut short is taken up at the next start), the disk is closed. A second signal leaves at
    once, which loses nothing either.

    Raises:
        HomeBusy: another process runs this home.
        HomeUnwritable: the home cannot be written.
        SettingsError: a channel cannot be used as configured.
    """
    from bot.app import open_app

    stop = asyncio.Event()
    channels = configured(settings, language)
    local = next(each for each in channels if isinstance(each, TerminalChannel))
    async with _holding(settings.home, "kairos run", language):
        _on_signals(stop)
        async with open_app(settings, channels=channels) as app, _listening(app, local) as ears:
            announce(channels, await app.owners_code())
            log.info("running", action="run_started", channels=[each.name for each in channels])
            warming = asyncio.create_task(_warm(app), name="warm")
            await _until(stop.wait(), ears)
            warming.cancel()
            log.info("stopping", action="run_stopping")
            asyncio.get_running_loop().call_later(_GRACE, _leave_now)
    log.info("stopped", action="run_stopped")


async def _warm(app: App) -> None:
    """A service loads beforehand what its first message would wait for; what cannot be loaded is said then.

    After a moment: loading competes with the channels for the interpreter while they get their first connection.
    """
    await asyncio.sleep(_FIRST_EARS)
    try:
        await app.minds.warm()
        if app.brain:
            await app.outside.tools()
    except (KairosError, ImportError, OSError) as error:
        log.warning("not warmed up", action="warm_failed", error=str(error))


@asynccontextmanager
async def reach(
    settings: Settings, person: str, *, follow: bool, command: str, language: Language
) -> AsyncIterator[LocalClient]:
    """A connection to the bot of this home: to the one that runs, else to one started here for as long as it
    is needed, which is no other code path.

    When all went well and others have connected meanwhile, their messages are seen to their end first.

    Raises:
        HomeBusy: another process holds the home and does not answer.
        HomeUnwritable: the home cannot be written.
    """
    async with AsyncExitStack() as stack:
        client = await _reached(stack, settings, person, follow=follow, command=command, language=language)
        try:
            yield client
        finally:
            await client.close()


async def _reached(
    stack: AsyncExitStack, settings: Settings, person: str, *, follow: bool, command: str, language: Language
) -> LocalClient:
    deadline = time.monotonic() + _PATIENCE
    while True:
        try:
            spoken = language_of_terminal(os.environ)
            return await LocalClient.connect(settings.home, person, follow=follow, language=spoken)
        except NotAnswering:
            deadline = 0.0  # it has had its time
        except NotRunning:
            pass
        try:
            await stack.enter_async_context(_hosted(settings, command, language, follow=follow))
        except HomeBusy:
            if time.monotonic() > deadline:
                raise
            await asyncio.sleep(0.1)


@asynccontextmanager
async def _hosted(
    settings: Settings, command: str, language: Language, *, follow: bool
) -> AsyncIterator[None]:
    local = TerminalChannel(settings.home, language=language)
    async with _holding(settings.home, command, language):
        from bot.app import open_app  # seconds on a busy machine, which whoever finds a bot running is spared

        async with (
            open_app(settings, channels=[local]) as app,
            _listening(app, local, wholly=not follow),
        ):
            yield
            await local.drained()  # not reached after Ctrl-C or an error: that leaves at once


@asynccontextmanager
async def _holding(home: Path, command: str, language: Language) -> AsyncIterator[None]:
    """`taken`, off the loop."""
    lock = taken(home, command, language)
    await asyncio.to_thread(lock.__enter__)
    try:
        yield
    finally:
        lock.__exit__(None, None, None)


@asynccontextmanager
async def _listening(
    app: App, local: TerminalChannel, *, wholly: bool = False
) -> AsyncIterator[asyncio.Task[None]]:
    """All channels hear; entered when the local socket is open. Leaving closes the ears.

    `wholly`: a message has ended only when what was left before it has, since we leave then.
    """
    finished = app.wound_up if wholly else app.finished
    local.attach(
        finished=finished,
        woke=lambda: app.wake(local.name),
        looked=app.look,
        welcome=lambda: Welcome(app.brain, app.troubles()),
    )
    ears = asyncio.create_task(app.listen(), name="ears")
    try:
        await _until(local.opened(), ears)
        yield ears
    finally:
        ears.cancel()
        with suppress(asyncio.CancelledError):
            await ears


async def _until(wanted: Coroutine[Any, Any, Any], ears: asyncio.Task[None]) -> None:
    """Wait for it; what kills the ears meanwhile is raised."""
    waiting = asyncio.create_task(wanted)
    try:
        await asyncio.wait({waiting, ears}, return_when=asyncio.FIRST_COMPLETED)
        if ears.done():
            await ears
    finally:
        waiting.cancel()


def _on_signals(stop: asyncio.Event) -> None:
    loop = asyncio.get_running_loop()

    def heard() -> None:
        if stop.is_set():
            _leave_now()
        stop.set()

    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, heard)


def _leave_now() -> None:
    """Everything that matters is on disk already; the kernel drops the lock."""
    log.warning("left without waiting any longer", action="run_forced")
    os._exit(1)
