"""Durable hands for due work, on DBOS (the only file that knows it).

What is due stands in `kairos.sqlite`; a job here is only the hand that does it. DBOS remembers which hands were
at work when a process died and takes them up again; at start every due row is started once more as well, and a
row that a hand already holds is left to that hand. Handlers are therefore safe to run twice.

DBOS is launched with the first job that wants it: it costs a start 0.3 s, the process 25 MB and half of its idle CPU,
which a bot that is only talked to need not pay.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any
from uuid import uuid4

import sqlalchemy as sa
import structlog

from bot.care import Care
from bot.errors import AllowanceSpent, HomeUnwritable, KairosError, ModelUnavailable

log = structlog.get_logger(__name__)

Handle = Callable[[int], Awaitable[None]]
"""Do what row `id` needs. Raises `ModelUnavailable` to be called again later, `HomeUnwritable` and
`AllowanceSpent` until it can be done."""

GiveUp = Callable[[int, str], Awaitable[None]]
"""Mark row `id` as failed, with a sentence for the person; called once, after the last try."""


Waits = Callable[[str, int, float, str], Awaitable[None]]
"""Told that row `id` of a kind is tried again in so many seconds, and why; 0 seconds: it is tried now."""


async def unseen(kind: str, row: int, seconds: float, why: str) -> None:
    """For those who need not know."""


LONGEST = 300.0  # seconds between two tries
_TIDIED = 250  # durable hands started between two looks for those that have ended


@dataclass(frozen=True, slots=True)
class Handler:
    """One kind of job."""

    run: Handle
    give_up: GiveUp
    at_once: int = 2  # hands at work at the same time
    tries: int = 6
    backoff: float = 2.0  # seconds before the second try; triples each time, up to five minutes
    limit: float = 300  # seconds one try may take
    # False: short and often; its row alone brings it back after a crash, and it saves 6 ms of CPU
    durable: bool = True
    # instead of `give_up`, for a row that ended the process each time it was begun
    put_aside: Handle | None = None


@dataclass(slots=True)
class _Kind:
    handler: Handler
    places: asyncio.Semaphore
    held: set[int] = field(default_factory=set)  # rows that a hand of this process holds
    working: set[int] = field(default_factory=set)  # those of them that have a place

    @asynccontextmanager
    async def at_work(self, row: int) -> AsyncIterator[None]:
        """Wait for a place, and have it."""
        async with self.places:
            self.working.add(row)
            try:
                yield
            finally:
                self.working.discard(row)


class Jobs:
    """Starts hands and knows which rows they hold."""

    def __init__(self, handlers: Mapping[str, Handler], path: Path) -> None:
        self._kinds = {
            name: _Kind(handler, asyncio.Semaphore(handler.at_once)) for name, handler in handlers.items()
        }
        self._workflows = _Workflows(path, self._hold)
        self._tasks: set[asyncio.Task[None]] = set()
        self._again: set[tuple[str, int]] = set()  # rows that became due anew while a hand held them
        self._stopping = False
        self.moved: Callable[[], None] = lambda: None  # called whenever a hand ends
        self.waits: Waits = unseen
        self.care = Care()

    async def start(self, kind: str, row: int) -> None:
        """Have a due row done. Cheap (2 ms). One that is held already is looked at once more when it is let go."""
        if self._stopping:
            return
        if row in self._kinds[kind].held:
            self._again.add((kind, row))
            return
        if self._kinds[kind].handler.durable:
            try:
                await self._workflows.start(kind, row)
                return
            except sa.exc.SQLAlchemyError as error:  # the disk is full: the row is due all the same
                log.error("job not written down", action="job_bare", kind=kind, row=row, error=str(error))
        task = asyncio.create_task(self._hold(kind, row), name=f"{kind}-{row}")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def stop(self, grace: float) -> None:
        """Start nothing more; let hands end within `grace` seconds. What is cut is taken up at the next start."""
        self._stopping = True
        tasks = tuple(self._tasks)
        if tasks:
            await asyncio.wait(tasks, timeout=grace)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._workflows.close()

    async def _hold(self, kind: str, row: int) -> None:
        """The whole life of one hand; the boundary that catches everything a handler lets through."""
        kept = self._kinds[kind]
        if row in kept.held:
            return
        kept.held.add(row)
        try:
            if self.care.deadly((kind, row)):
                await self._put_aside(kind, row)
            else:
                await self._try(kind, row, kept)
        except Exception:
            log.exception("job broke", action="job_failed", kind=kind, row=row)
            await self._give_up(kind, row, "")
        finally:
            kept.held.discard(row)
            self.moved()
        if (kind, row) in self._again:
            self._again.discard((kind, row))
            await self.start(kind, row)

    async def _put_aside(self, kind: str, row: int) -> None:
        log.error("put aside", action="job_put_aside", kind=kind, row=row)
        if (put_aside := self._kinds[kind].handler.put_aside) is not None:
            await put_aside(row)
        else:
            await self._give_up(kind, row, "")

    async def _give_up(self, kind: str, row: int, why: str) -> None:
        try:
            await self._kinds[kind].handler.give_up(row, why)
        except HomeUnwritable:  # it stays due, and is taken up with the next message or start
            log.error("not given up", action="job_undecided", kind=kind, row=row, why=why)

    async def _try(self, kind: str, row: int, kept: _Kind) -> None:
        """Call the handler until it is done or given up; between two tries others may have the place.

        A home that cannot be written to is waited for without end: what stands in it cannot even be given up.
        """
        handler, wait, attempt = kept.handler, kept.handler.backoff, 1
        while True:
            try:
                async with kept.at_work(row), self.care.begun((kind, row)), asyncio.timeout(handler.limit):
                    return await handler.run(row)
            except AllowanceSpent as error:  # no try has failed: none was made
                log.info("job waits", action="job_paused", kind=kind, row=row, seconds=error.retry_after)
                await self._pause(kind, row, error.retry_after, str(error))
                continue
            except (ModelUnavailable, HomeUnwritable, TimeoutError) as error:
                log.warning(
                    "job waits", action="job_retry", kind=kind, row=row, attempt=attempt, error=str(error)
                )
                if attempt >= handler.tries and not isinstance(error, HomeUnwritable):
                    return await self._give_up(kind, row, str(error))
                pause, said = getattr(error, "retry_after", None) or wait, str(error)
            except KairosError as error:
                log.warning("job refused", action="job_refused", kind=kind, row=row, error=str(error))
                return await self._give_up(kind, row, str(error))
            await self._pause(kind, row, min(pause, LONGEST), said)
            wait, attempt = min(wait * 3, LONGEST), attempt + 1

    async def _pause(self, kind: str, row: int, seconds: float, why: str) -> None:
        """Wait for the next try, in everybody's sight; no longer than `LONGEST`, since a machine may sleep."""
        with suppress(HomeUnwritable):
            await self.waits(kind, row, seconds, why)
        await asyncio.sleep(min(seconds, LONGEST))
        with suppress(HomeUnwritable):
            await self.waits(kind, row, 0, "")

    def held(self, kind: str) -> int:
        """How many rows of a kind are in hand."""
        return len(self._kinds[kind].held)

    @property
    def in_hand(self) -> dict[str, set[int]]:
        """The rows that are being worked on, by kind; those that wait for a place are not."""
        return {kind: set(kept.working) for kind, kept in self._kinds.items()}


class _Workflows:
    """DBOS over a file. One at a time in a process (DBOS is a singleton)."""

    def __init__(self, path: Path, hold: Callable[[str, int], Awaitable[None]]) -> None:
        self._path = path
        self._hold = hold
        self._engine: sa.Engine | None = None
        self._workflow: Callable[[str, int], Coroutine[Any, Any, None]] | None = None
        self._launching = asyncio.Lock()
        self._started = 0
        self._tidying: asyncio.Task[None] | None = None

    async def start(self, kind: str, row: int) -> None:
        """Start a hand that DBOS remembers."""
        async with self._launching:
            workflow = self._workflow or await self._launch()
        from dbos import DBOS, SetWorkflowID

        with SetWorkflowID(f"{kind}-{row}-{uuid4().hex[:12]}"):
            await DBOS.start_workflow_async(workflow, kind, row)
        if self._started % _TIDIED == 0 and (self._tidying is None or self._tidying.done()):
            self._tidying = asyncio.create_task(self._tidy(), name="tidy-jobs")
        self._started += 1

    async def _tidy(self) -> None:
        """Forget hands that have ended: nobody asks for them, and the file would grow without end."""
        from dbos import DBOS

        try:
            ended = await DBOS.list_workflows_async(
                status=["SUCCESS", "ERROR", "CANCELLED"],
                limit=4 * _TIDIED,
                load_input=False,
                load_output=False,
            )
            if ended:
                await DBOS.delete_workflows_async([each.workflow_id for each in ended])
            if self._engine is not None:
                await asyncio.to_thread(_shrink, self._engine)
        except sa.exc.SQLAlchemyError as error:  # the disk is full, or the file is busy: the next time
            log.warning("ended jobs not forgotten", action="jobs_untidy", error=str(error))

    async def close(self) -> None:
        """Let go of everything that was launched."""
        if self._workflow is None or self._engine is None:
            return
        from dbos import DBOS

        if self._tidying is not None:
            await self._tidying

        # DBOS made the loop's default executor its own and will shut it down: everybody after us needs one that lives.
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(thread_name_prefix="after-jobs"))
        await asyncio.to_thread(DBOS.destroy, destroy_registry=True)
        await asyncio.to_thread(self._engine.dispose)
        self._workflow = None

    async def _launch(self) -> Callable[[str, int], Coroutine[Any, Any, None]]:
        await asyncio.to_thread(import_module, "dbos")
        from dbos import DBOS

        self._engine = await asyncio.to_thread(_engine, self._path)
        DBOS(
            config={
                "name": "kairos",
                "system_database_url": str(_url(self._path)),
                "system_database_engine": self._engine,
                "application_version": "1",  # fixed: an upgrade takes up the hands of the version before
                "executor_id": "local",
                "log_level": "ERROR",
                "use_listen_notify": False,
                "notification_listener_polling_interval_sec": 0.5,  # also how long stopping takes
            }
        )

        theirs = logging.getLogger("dbos")  # its own handler writes tracebacks over a person's chat
        theirs.handlers.clear()
        theirs.propagate = True

        async def hand(kind: str, row: int) -> None:
            await self._hold(kind, row)

        workflow = DBOS.workflow(name="hand")(hand)
        DBOS.launch()  # on this loop, since workflows run on the loop that launched them (some 20 ms)
        self._workflow = workflow
        return workflow


def _shrink(engine: sa.Engine) -> None:
    """Give back the room of what was forgotten, where that is most of the file."""
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        pages, free = (
            connection.exec_driver_sql(f"PRAGMA {name}").scalar_one()
            for name in ("page_count", "freelist_count")
        )
        if free > pages / 2:
            connection.exec_driver_sql("VACUUM")


def _url(path: Path) -> sa.URL:
    return sa.URL.create("sqlite", database=str(path))  # whatever characters the path has


def _engine(path: Path) -> sa.Engine:
    engine = sa.create_engine(_url(path), connect_args={"check_same_thread": False})

    @sa.event.listens_for(engine, "connect")
    def _pragmas(connection: Any, _: Any) -> None:
        for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "busy_timeout=10000"):
            connection.execute(f"PRAGMA {pragma}")

    return engine


@asynccontextmanager
async def open_jobs(path: Path, handlers: Mapping[str, Handler]) -> AsyncIterator[Jobs]:
    """Hands for jobs, whose memory is the file at `path`."""
    jobs = Jobs(handlers, path)
    try:
        yield jobs
    finally:
        await jobs.stop(grace=5)
