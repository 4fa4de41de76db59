"""The kinds of jobs there are. One more kind = one file beside this one and its line here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Protocol, runtime_checkable

from bot.jobs.engine import Handler

_SLOW = 1800.0  # seconds that one reading or weighing may take; a slow model writes long answers


class Job(Protocol):
    """What works on the rows of one kind. Both may be called again for the same row, after a crash."""

    async def run(self, row_id: int) -> None:
        """Do what the row needs. Raises `ModelUnavailable` to be called again later, `HomeUnwritable` likewise."""

    async def give_up(self, row_id: int, why: str) -> None:
        """Say in the row, and to the person, that it was not done; called once, after the last try."""


@runtime_checkable
class MayBeDeadly(Protocol):
    """A job on what people send, which may be made to end the process."""

    async def put_aside(self, row_id: int) -> None:
        """Say in the row, and to the person, that this ended the process each time and is not begun again."""


HANDLERS: dict[str, Callable[[Job], Handler]] = {
    "file": lambda job: Handler(job.run, job.give_up, at_once=2),
    "extract": lambda job: Handler(job.run, job.give_up, at_once=4, tries=2, backoff=0.5, durable=False),
    "cultivate": lambda job: Handler(job.run, job.give_up, at_once=1, tries=4, backoff=30, limit=3_600),
    "trial": lambda job: Handler(job.run, job.give_up, at_once=1, tries=2),
    "summary": lambda job: Handler(job.run, job.give_up, at_once=2, tries=2, limit=_SLOW, durable=False),
    "notes": lambda job: Handler(job.run, job.give_up, at_once=1, tries=2, limit=_SLOW, durable=False),
    "consolidate": lambda job: Handler(job.run, job.give_up, at_once=1, tries=2, limit=_SLOW, durable=False),
}
"""Kind → how its job is run."""


def handlers(jobs: Mapping[str, Job | None]) -> dict[str, Handler]:
    """Each kind with its hands; None where there is nobody to do it (slow memory takes a model)."""
    return {kind: _handler(kind, job) for kind, job in jobs.items() if job is not None}


def _handler(kind: str, job: Job) -> Handler:
    handler = HANDLERS[kind](job)
    return replace(handler, put_aside=job.put_aside) if isinstance(job, MayBeDeadly) else handler
