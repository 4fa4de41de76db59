"""Slow memory, second step: notes and what is remembered, weighed together → learned, updated, merged, or left open.

A model proposes over a whole batch at once, in the order of what was said; `weighing` decides by form what the notes
bear out, and `Memory.apply` writes by its own rules. What the person asked for or typed is never changed here. It
reads notes, which quote what the person typed, and never its own runs. What is not decided waits with its notes.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from memory.answers import rows_in
from memory.changes import Change, Did, Instruct, Learn, Origin, Outcome, Revise
from memory.errors import ExtractionFailed
from memory.extractor import Ask, prompt
from memory.fence import fenced
from memory.journal import Held
from memory.memory import Memory
from memory.notes import Note
from memory.page import CORE
from memory.plans import in_the_past, passed
from memory.search import lexical
from memory.weighing import BY, OPS, Proposal, Scene, again, as_past, weigh
from memory.words import squeeze

_LITTLE = 4  # notes whose answer is not cut for being long
ROOM = 14_000  # characters of notes (four parts) and memory (three) that one request holds


@dataclass(frozen=True, slots=True)
class Consolidated:
    """What became of a batch."""

    outcomes: tuple[Outcome, ...] = ()  # what was tried: written, known, or refused with a reason
    proposals: tuple[Proposal, ...] = ()  # to be put to the person
    dropped: tuple[str, ...] = ()  # why something the model wanted was not even tried, for the log


async def tell_past(memory: Memory, now: datetime) -> list[Outcome]:
    """Rewrite plans whose day has passed, those that fit a form; needs no model."""
    outcomes: list[Outcome] = []
    for held, day in passed(await memory.held(), now.date()):
        told = in_the_past(held.line.text, day, held.said.at)
        if told is not None:
            outcomes += await memory.apply([as_past(held, told)], again(held))
    return outcomes


class Consolidator:
    """Weighs one person's notes with a model."""

    def __init__(self, ask: Ask, *, asking: bool = False, room: int = ROOM) -> None:
        """Args:
        asking: learn nothing unasked; everything that would be learned is put to the person.
        room: characters of notes and memory that one request may hold.
        """
        self._ask = ask
        self._asking = asking
        self._room = min(room, ROOM)

    async def run(self, memory: Memory, notes: Sequence[Note], new: int, now: datetime) -> list[Consolidated]:
        """Weigh what is new (`id` above `new`) together with the notes that still hold; nothing new, no request.

        An answer that cannot be read may have been cut: then less is weighed at once. What a note did, it does once.

        Raises:
            ExtractionFailed: not even an answer to little could be read; the batches before it are written.
            Exception: what the model layer raises.
        """
        for room in (self._room, self._room // 4):
            weighed = batches(notes, new, room * 4 // 7)
            try:
                return [await self._batch(memory, batch, room * 3 // 7, now) for batch in weighed]
            except ExtractionFailed:
                if room < self._room or len(notes) < _LITTLE:
                    raise
        return []

    async def _batch(self, memory: Memory, notes: Sequence[Note], known: int, now: datetime) -> Consolidated:
        held = await memory.held()
        rows = await self._answered(request(notes, held, now, known))
        used = {
            (e.source.message, squeeze(e.source.quote))
            for e in await memory.log(100_000)
            if e.source.by == BY
        }
        past = {each.line.id: day for each, day in passed(held, now.date())}
        lines = {e.line.id: e for e in held if e.line.active(now.date()) or e.line.id in past}
        scene = Scene({f"n{note.id}": note for note in notes}, lines, past, used, self._asking)
        plan = weigh(rows, scene)
        outcomes: list[Outcome] = []
        for change, source in plan.writes:
            outcomes += await memory.apply([change], source)
        proposals = [
            (_asked(change), source)
            for change, source in plan.proposals
            if (await memory.foresee(change, source)).did not in (Did.KNOWN, Did.REFUSED)
        ]
        return Consolidated(tuple(outcomes), tuple(proposals), tuple(plan.dropped))

    async def _answered(self, user: str) -> list[dict[str, Any]]:
        system = await asyncio.to_thread(prompt, "consolidate")
        answer = await self._ask(system, user)
        try:
            return _read(answer)
        except ExtractionFailed as error:
            again = await asyncio.to_thread(prompt, "consolidate_again")
            again = again.replace("{problem}", str(error)).replace("{answer}", answer[-4_000:])
            return _read(await self._ask(system, f"{user}\n\n{again}"))


def _asked(change: Change) -> Change:
    """As it is put to the person: what they say yes to is theirs. Whether to ask is decided as for learning."""
    return (
        replace(change, origin=Origin.EXPLICIT) if isinstance(change, Instruct | Learn | Revise) else change
    )


def _read(answer: str) -> list[dict[str, Any]]:
    rows = rows_in(answer, "changes")
    if not all(row.get("op") in OPS for row in rows):
        raise ExtractionFailed(f"every change needs an op out of {', '.join(OPS)}")
    return rows


def batches(notes: Sequence[Note], new: int, most: int = ROOM * 4 // 7) -> list[list[Note]]:
    """New notes in the order they were said, as many as fit, each batch with the older ones nearest to it."""
    fresh = sorted((n for n in notes if n.id > new), key=lambda n: (n.at, n.id))
    older = [n for n in notes if n.id <= new]
    out, size = list[list[Note]](), most
    for note in fresh:
        row = len(_note_row(note, {}))
        if size + row > most * 2 // 3:
            out.append([])
            size = 0
        out[-1].append(note)
        size += row
    full: list[list[Note]] = []
    for batch in out:
        beside = [n for n in fresh if n not in batch] + older
        scores = lexical("\n".join(n.content for n in batch), [n.content for n in beside])
        left = most - sum(len(_note_row(n, {})) for n in batch)
        for i in sorted(range(len(beside)), key=lambda i: -scores[i]):
            left -= len(_note_row(beside[i], {}))
            if left < 0:
                break
            batch.append(beside[i])
        full.append(sorted(batch, key=lambda n: (n.at, n.id)))
    return full


def request(
    notes: Sequence[Note], held: Sequence[Held], now: datetime, known_room: int = ROOM * 3 // 7
) -> str:
    """What is asked: memory, plans whose day has passed, notes. All of it fenced as data."""
    talks: dict[tuple[str, str], str] = {}
    for note in notes:
        talks.setdefault((note.conversation, note.sitting), f"{len(talks) + 1}")
    past = {each.line.id for each, _ in passed(held, now.date())}
    live = [each for each in held if each.line.active(now.date()) or each.line.id in past]
    known = [_line_row(each) for each in _relevant(notes, live, known_room) if each.line.id not in past]
    plans = [_line_row(each) for each in live if each.line.id in past]
    parts = (
        ("MEMORY", "memory", known or ["(nothing)"]),
        ("PLANS WHOSE DAY HAS PASSED", "plans", plans),
        ("NOTES", "notes", [_note_row(note, talks) for note in notes]),
    )
    shown = [fenced(name, tag, rows) for name, tag, rows in parts if rows]
    return "\n\n".join([*shown, f"Today is {now:%A %Y-%m-%d}."])


def _relevant(notes: Sequence[Note], held: Sequence[Held], left: int) -> list[Held]:
    """Rules and the lines nearest to the notes, as many as fit, in their own order."""
    scores = lexical(
        "\n".join(f"{n.content} {n.situation}" for n in notes), [each.line.text for each in held]
    )
    order = sorted(range(len(held)), key=lambda i: (scores[i] <= 0, held[i].page != CORE, -scores[i]))
    kept = set[int]()
    for i in order:
        left -= len(_line_row(held[i]))
        if left < 0:
            break
        kept.add(i)
    return [each for i, each in enumerate(held) if i in kept]


def _line_row(each: Held) -> str:
    return f"[{each.line.id}] {each.line} ({each.line.origin.value}, {each.said.at:%Y-%m-%d})"


def _note_row(note: Note, talks: Mapping[tuple[str, str], str]) -> str:
    talk = talks.get((note.conversation, note.sitting), "0")
    about = f", situation {note.situation}" if note.situation else ""
    return f"[n{note.id}] {note.at:%Y-%m-%d}, talk {talk}{about}: {note.content} — “{note.quote}”"
