"""Durable hands for due work, on DBOS (the only file that knows it).

What is due stands in `kairos.sqlite`; a job here is only the hand that does it. DBOS remembers which hands were
at work when a process died and takes them up again; at start every due row is started once more as well, and a
row that a hand already holds is left to that hand. Handlers are therefore safe to run twice.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import uuid4

import sqlalchemy as sa
import structlog

from bot.errors import HomeUnwritable, KairosError, ModelUnavailable

log = structlog.get_logger(__name__)

Handle = Callable[[int], Awaitable[None]]
"""Do what row `id` needs. Raises `ModelUnavailable` or `HomeUnwritable` to be called again later."""

GiveUp = Callable[[int, str], Awaitable[None]]
"""Mark row `id` as failed, with a sentence for the person; called once, after the last try."""


@dataclass(frozen=True, slots=True)
class Handler:
    """One kind of job."""

    run: Handle
    give_up: GiveUp
    at_once: int = 2  # hands at work at the same time
    tries: int = 6
    backoff: float = 2.0  # seconds before the second try; triples each time, up to five minutes
    limit: float = 300  # seconds one try may take


@dataclass(slots=True)
class _Kind:
    handler: Handler
    places: asyncio.Semaphore
    held: set[int] = field(default_factory=set)  # rows that a hand of this process holds


class Jobs:
    """Starts hands and knows which rows they hold."""

    def __init__(self, handlers: Mapping[str, Handler]) -> None:
        self._kinds = {
            name: _Kind(handler, asyncio.Semaphore(handler.at_once)) for name, handler in handlers.items()
        }
        self._workflow: Callable[[str, int], Any] | None = None
        self._stopping = False
        self.moved: Callable[[], None] = lambda: None  # called whenever a hand ends

    async def start(self, kind: str, row: int) -> None:
        """Have a due row done. Cheap (2 ms); a row that is held already is left alone."""
        if self._workflow is None or self._stopping or row in self._kinds[kind].held:
            return
        from dbos import DBOS, SetWorkflowID

        with SetWorkflowID(f"{kind}-{row}-{uuid4().hex[:12]}"):
            await DBOS.start_workflow_async(self._workflow, kind, row)

    async def _hold(self, kind: str, row: int) -> None:
        """The whole life of one hand; the boundary that catches everything a handler lets through."""
        kept = self._kinds[kind]
        if row in kept.held:
            return
        kept.held.add(row)
        try:
            async with kept.places:
                await self._try(kind, row, kept.handler)
        except Exception:
            log.exception("job broke", action="job_failed", kind=kind, row=row)
            await kept.handler.give_up(row, "")
        finally:
            kept.held.discard(row)
            self.moved()

    async def _try(self, kind: str, row: int, handler: Handler) -> None:
        wait = handler.backoff
        for attempt in range(1, handler.tries + 1):
            try:
                async with asyncio.timeout(handler.limit):
                    return await handler.run(row)
            except (ModelUnavailable, HomeUnwritable, TimeoutError) as error:
                log.warning(
                    "job waits", action="job_retry", kind=kind, row=row, attempt=attempt, error=str(error)
                )
                if attempt == handler.tries:
                    return await handler.give_up(row, str(error))
                pause = getattr(error, "retry_after", None) or wait
            except KairosError as error:
                log.warning("job refused", action="job_refused", kind=kind, row=row, error=str(error))
                return await handler.give_up(row, str(error))
            await asyncio.sleep(min(pause, 300))
            wait = min(wait * 3, 300)
        return None

    def held(self, kind: str) -> int:
        """How many rows of a kind are in hand."""
        return len(self._kinds[kind].held)


def _engine(path: Path) -> sa.Engine:
    engine = sa.create_engine(f"sqlite:///{path}", connect_args={"check_same_thread": False})

    @sa.event.listens_for(engine, "connect")
    def _pragmas(connection: Any, _: Any) -> None:
        for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "busy_timeout=10000"):
            connection.execute(f"PRAGMA {pragma}")

    return engine


@asynccontextmanager
async def open_jobs(
    path: Path, handlers: Mapping[str, Handler], *, backoff: float = 2.0
) -> AsyncIterator[Jobs]:
    """Launch DBOS over `path` and yield the `Jobs`. One at a time in a process (DBOS is a singleton)."""
    from dbos import DBOS

    jobs = Jobs(handlers)
    engine = await asyncio.to_thread(_engine, path)
    DBOS(
        config={
            "name": "kairos",
            "system_database_url": f"sqlite:///{path}",
            "system_database_engine": engine,
            "application_version": "1",  # fixed: an upgrade takes up the hands of the version before
            "executor_id": "local",
            "log_level": "ERROR",
            "use_listen_notify": False,
            "notification_listener_polling_interval_sec": 0.5,  # also how long stopping takes
        }
    )

    async def hand(kind: str, row: int) -> None:
        await jobs._hold(kind, row)

    jobs._workflow = DBOS.workflow(name="hand")(hand)
    DBOS.launch()  # on this loop, since workflows run on the loop that launched them (some 20 ms)
    try:
        yield jobs
    finally:
        jobs._stopping = True
        # DBOS made the loop's default executor its own and will shut it down: everybody after us needs one that lives.
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(thread_name_prefix="after-jobs"))
        await asyncio.to_thread(DBOS.destroy, destroy_registry=True)
        engine.dispose()
