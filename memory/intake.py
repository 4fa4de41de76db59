"""From what was said to what is stored: the one way, for the turn without a model, the job after a turn, and eval."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from memory.asked_back import asks_back, says, wanted_back
from memory.changes import Change, Did, Instruct, Learn, Origin, Outcome, Source
from memory.extraction import Extraction, last_said
from memory.journal import Entry
from memory.memory import Memory
from memory.page import Line
from memory.spelling import spelled
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
    back = await _wanted_back(memory, utterances)
    if back and not any(
        isinstance(each, Instruct | Learn) and says(each.text, back) for each, _ in extraction.changes
    ):
        return Taken((await memory.restore(back.n),))
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


async def _wanted_back(memory: Memory, utterances: Sequence[Utterance]) -> Entry | None:
    """What the person had deleted and asks for in their last message, without saying it once more."""
    last = last_said(utterances)
    if last is None or not asks_back(spelled(last[0].text).text):
        return None
    live = {line.id for _, line in await memory.everything()}
    gone = [entry for entry in await memory.log(None) if entry.removes and entry.line not in live]
    return wanted_back(last[0], last[1], gone)


def _learned(change: Change) -> bool:
    """Whether it was picked up in passing."""
    return isinstance(change, Learn) and change.origin is Origin.LEARNED
