"""What a model wants changed → the changes that notes and lines bear out; for the rest, a reason why not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from memory.changes import Change, Instruct, Kind, Learn, Origin, Revise, Source
from memory.dates import Dated
from memory.dating import dated
from memory.evidence import (
    ENOUGH,
    alike_scope,
    bearing,
    beyond_learning,
    mixed,
    placed,
    says_all,
    sittings,
    takes_over,
)
from memory.grounding import akin, borne
from memory.journal import Held
from memory.language import language_of
from memory.notes import Note
from memory.page import CORE
from memory.words import squeeze

BY = "consolidation"
OPS = ("update", "learn", "rule", "merge", "past")
FEW = 2  # lines that may always go in one batch
_MOST = 10  # new lines that one batch may make

Proposal = tuple[Change, Source]


@dataclass(slots=True)
class Plan:
    """What is to be done, as it is worked out."""

    writes: list[Proposal] = field(default_factory=list)
    proposals: list[Proposal] = field(default_factory=list)
    dropped: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Scene:
    """What an answer may speak of."""

    notes: Mapping[str, Note]  # by id, "n7"
    lines: Mapping[str, Held]  # by id, "t3"
    past: Mapping[str, Dated]  # plans whose day has passed, by id
    used: set[tuple[str, str]]  # (message, quote) that a line of consolidation's rests on already
    asking: bool  # learn nothing unasked


class _LeftError(Exception):
    """A row of the answer that is left alone, and why."""


def weigh(rows: Sequence[dict[str, Any]], scene: Scene) -> Plan:
    """All rows of an answer, each on its own, then the batch as a whole."""
    plan = Plan()
    for row in rows:
        try:
            _weigh(row, plan, scene)
        except _LeftError as left:
            plan.dropped.append(f"{row['op']}: {left}")
    _spare_the_many(plan, scene.lines)
    return plan


def _weigh(row: dict[str, Any], plan: Plan, scene: Scene) -> None:
    text, op = _words(row.get("text")), row["op"]
    if not text:
        raise _LeftError("no text")
    match op:
        case "past":
            plan.writes.append(_past(text, _target(row, scene), scene))
        case "merge":
            plan.writes.append(_merge(text, _target(row, scene), _list(row.get("with")), scene))
        case "update":
            change = _update(text, _target(row, scene), _notes(row, text, scene), scene)
            (plan.proposals if scene.asking else plan.writes).append(change)
        case _:
            change = _new(row, text, _notes(row, text, scene))
            standing = op == "rule" or scene.asking
            (plan.proposals if standing else plan.writes).append(change)


def _target(row: dict[str, Any], scene: Scene) -> Held:
    """The fact that is to change, which learning may."""
    held = scene.lines.get(_words(row.get("target")).strip("[]^ "))
    if held is None or held.page == CORE:
        raise _LeftError("no such fact")
    if held.line.origin is not Origin.LEARNED:
        raise _LeftError(f"{held.line.id} is the person's own")
    return held


def _notes(row: dict[str, Any], text: str, scene: Scene) -> list[Note]:
    """The notes that bear the text, oldest first."""
    named = {
        id: scene.notes[id] for each in _list(row.get("notes")) if (id := each.strip("[] ")) in scene.notes
    }
    notes = bearing(text, list(named.values()))
    held = scene.lines.get(_words(row.get("target")).strip("[]^ "))
    if not notes or not borne(
        text, *(f"{n.content} {n.quote}" for n in notes), held.line.text if held else ""
    ):
        raise _LeftError("no notes say so")
    if mixed(notes):
        raise _LeftError("two projects in one line")
    if (notes[-1].message, squeeze(notes[-1].quote)) in scene.used:
        raise _LeftError("these notes have had their effect")
    return notes


def _new(row: dict[str, Any], text: str, notes: Sequence[Note]) -> Proposal:
    when = _words(row.get("when")) or None
    if beyond_learning(text, when):
        raise _LeftError("only asking makes a term, a default or a filing rule")
    if sittings(notes) < ENOUGH:
        raise _LeftError("one talk alone shows it")
    text = dated(text, notes[-1].at, language_of(text) or "en", weekdays=False)
    when, topic = placed(text, when, _words(row.get("topic")), notes)
    if row["op"] == "rule":
        return Instruct(text, when, origin=Origin.LEARNED), _source(notes)
    return Learn(text, topic, Kind.PERSONA, when, origin=Origin.LEARNED), _source(notes)


def _update(text: str, held: Held, notes: Sequence[Note], scene: Scene) -> Proposal:
    line = held.line
    later = [note for note in notes if note.at >= held.said.at]
    if not later:
        raise _LeftError(f"{line.id} was said later")
    if not takes_over(text, line, later) or beyond_learning(text, line.when):
        raise _LeftError(f"{line.id} speaks of something else")
    own = f"{line.when} {line.text}"
    if line.when and any(note.situation and not akin(note.situation, own) for note in later):
        raise _LeftError(f"{line.id} belongs to another project")
    text = dated(text, later[-1].at, language_of(text) or "en", weekdays=False)
    change = Revise(line.id, text, line.when, line.until, Origin.LEARNED, "consolidated", was=str(line))
    return change, _source(later)


def _merge(text: str, held: Held, others: Sequence[str], scene: Scene) -> Proposal:
    ids = dict.fromkeys(each.strip("[]^ ") for each in others)
    goes = [_target({"target": id}, scene) for id in ids if id != held.line.id]
    lines = [held, *goes]
    if not goes:
        raise _LeftError("nothing to merge with")
    if any(each.page != held.page for each in lines):
        raise _LeftError("the lines lie on two pages")
    if not says_all(text, lines) or not alike_scope(lines):
        raise _LeftError("something would be lost")
    newest = max(lines, key=lambda each: each.said.at)
    said = "\n".join(f"{each.line}\n{each.said.quote}" for each in lines)
    line, also = held.line, tuple(each.line.id for each in goes)
    change = Revise(line.id, text, line.when, line.until, Origin.LEARNED, "merged", was=str(line), also=also)
    return change, replace(again(newest), context=said)


def _past(text: str, held: Held, scene: Scene) -> Proposal:
    """A model's own words for what has passed, with the day and all else kept."""
    day = scene.past.get(held.line.id)
    if day is None:
        raise _LeftError("no plan that has passed")
    if day.iso not in text:
        raise _LeftError("the day is lost")
    words = held.line.text
    undated = words if day.start < 0 else f"{words[: day.start]} {words[day.end :]}"
    if not says_all(text, [replace(held, line=replace(held.line, text=undated))], least=0.5):
        raise _LeftError("something is lost")
    return as_past(held, text), again(held)


def _spare_the_many(plan: Plan, lines: Mapping[str, Held]) -> None:
    """A batch that would take many lines away, or make many, is no tidying up: of those it does none."""
    learned = sum(each.line.origin is Origin.LEARNED for each in lines.values())
    going = sum(len(change.also) for change, _ in plan.writes if isinstance(change, Revise))
    if going > max(FEW, learned // 4):
        plan.writes = [p for p in plan.writes if not (isinstance(p[0], Revise) and p[0].also)]
        plan.dropped.append(f"merge: {going} of {learned} lines would go at once")
    new = [p for p in plan.writes if isinstance(p[0], Learn)]
    if len(new) > _MOST:
        plan.writes = [p for p in plan.writes if p not in new]
        plan.dropped.append(f"learn: {len(new)} lines at once")


def as_past(held: Held, told: str) -> Revise:
    """The plan told as past; it ends no more."""
    line = held.line
    reason = "its day has passed"
    return Revise(line.id, told, line.when, None, None, reason, paused=line.paused, was=str(line))


def again(held: Held) -> Source:
    """The same words of the person, from which the line already comes."""
    return replace(held.said, by=BY, words=held.said.quote)


def _source(notes: Sequence[Note]) -> Source:
    """The newest note's words; the others stand beside as what they were said with."""
    last = notes[-1]
    beside = "\n".join(f"{note.content}\n{note.quote}\n{note.situation}" for note in notes)
    return Source(last.conversation, last.message, last.at, last.quote, last.quote, BY, context=beside)


def _words(value: Any) -> str:
    text = " ".join(str(value).split()) if isinstance(value, str | int) else ""
    return "" if text.lower() in ("null", "none") else text


def _list(value: Any) -> list[str]:
    """Ids, however they came: a list, one alone, "n1, n2"."""
    if isinstance(value, str):
        return [part for part in value.replace(",", " ").split() if part]
    return [str(each) for each in value] if isinstance(value, list) else []
