"""From what was said to what is stored: the one way, for the turn without a model, the job after a turn, and eval."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from memory.changes import Change, Did, Learn, Origin, Outcome, Source
from memory.extraction import Extraction
from memory.memory import Memory
from memory.page import Line
from memory.utterance import Utterance

Lines = Sequence[tuple[str, Line]]
Extract = Callable[[Sequence[Utterance], Lines, datetime], Awaitable[Extraction]]
"""Which changes follow from the *last* utterance, the earlier ones being context? Writes nothing."""


@dataclass(frozen=True, slots=True)
class Taken:
    """What became of one message in memory."""

    outcomes: tuple[Outcome, ...] = ()
    questions: tuple[tuple[Change, Source], ...] = ()  # to be put to the person


Learning = Literal["on", "ask", "off"]
"""What becomes of facts that nobody asked to be kept: written, put as a question, or let go."""


async def take_in(
    memory: Memory,
    extract: Extract,
    utterances: Sequence[Utterance],
    now: datetime,
    learning: Learning = "on",
) -> Taken:
    """Extract the last utterance and write what is sure; what would be refused, or is known, is no question.

    What the person asks for, corrects or forgets is done whatever `learning` says.

    Raises `ExtractionFailed` or what the model layer raises.
    """
    extraction = await extract(utterances, await memory.lines(), now)
    outcomes: list[Outcome] = []
    asked = list(extraction.questions)
    for change, source in extraction.changes:
        if learning == "on" or not _learned(change):
            outcomes += await memory.apply([change], source)
        else:
            asked.append((change, source))
    questions = [
        (change, source)
        for change, source in asked
        if not (learning == "off" and _learned(change))
        and (await memory.foresee(change, source)).did not in (Did.KNOWN, Did.REFUSED)
    ]
    return Taken(tuple(outcomes), tuple(questions))


def _learned(change: Change) -> bool:
    """Whether it was picked up in passing."""
    return isinstance(change, Learn) and change.origin is Origin.LEARNED
