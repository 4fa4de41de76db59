"""What was taken into memory from a message, as the person is told of it."""

from __future__ import annotations

from dataclasses import replace

import structlog

from bot.desk import Desk
from bot.tools.notes import propose, receipt
from bot.tools.tool import Result
from memory.changes import Did
from memory.intake import Taken

log = structlog.get_logger(__name__)


async def told(desk: Desk, taken: Taken) -> list[Result]:
    """One result for each thing that was written, and for each question, which is put here.

    What is known already comes along, with no words for the person; what was refused is left to the log.
    """
    results = [receipt(desk, outcome) for outcome in taken.outcomes if outcome.did is not Did.REFUSED]
    results = [replace(result, receipt="") if result.already else result for result in results]
    for refused in (outcome for outcome in taken.outcomes if outcome.did is Did.REFUSED):
        log.info("refused", action="memory_refused", reason=refused.reason)
    return results + [await propose(desk, change, source) for change, source in taken.questions]
