"""What was taken into memory from a message, as the person is told of it."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeGuard

import structlog

from bot.desk import Desk
from bot.tools.notes import propose, receipt
from bot.tools.tool import Result
from memory.changes import Change, Did, Instruct, Learn, Origin, Revise
from memory.intake import Taken

log = structlog.get_logger(__name__)


async def told(desk: Desk, taken: Taken) -> list[Result]:
    """One result for each thing that was written, and for each question, which is put here.

    What is known already comes along, with no words for the person. What they wanted kept and never is kept is
    declined with the reason; any other refusal is left to the log.
    """
    results = [receipt(desk, outcome) for outcome in taken.outcomes if outcome.did is not Did.REFUSED]
    results = [replace(result, receipt="") if result.already else result for result in results]
    for refused in (outcome for outcome in taken.outcomes if outcome.did is Did.REFUSED):
        log.info("refused", action="memory_refused", reason=refused.reason)
        if _wanted(refused.change) and refused.never:
            results.append(receipt(desk, refused))
    return results + [await propose(desk, change, source) for change, source in taken.questions]


def _wanted(change: Change) -> TypeGuard[Instruct | Learn | Revise]:
    """Whether the person asked for it, and did not only mention it."""
    return isinstance(change, Instruct | Revise) or (
        isinstance(change, Learn) and change.origin is not Origin.LEARNED
    )
