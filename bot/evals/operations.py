"""What a conversation did to memory, in the words of case files: memory before and after, compared line by line.

Read from the files and the journal, not from what the extractor said it would do: what is reported is what is stored.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from bot.evals.scopes import GLOBAL, from_when
from memory import Change, Source
from memory.changes import Instruct, Kind, Learn, Origin, Restore, Retire, Revise
from memory.coverage import turned
from memory.filing_rules import read_rule, same_place
from memory.journal import Entry
from memory.page import CORE, Line
from memory.words import content, covered

Placed = Mapping[str, tuple[str, Line]]
"""Lines by id: (page, line)."""

ORIGINS = {Origin.EXPLICIT: "explicit", Origin.EDITED: "explicit", Origin.LEARNED: "auto"}

_CHANGED = re.compile(
    r"改(?:回|成|为|到|主意|用|名)|换(?:成|到|了)|不再|再也不|已经不|调回|调到|搬(?:到|回|去)|转(?:到|岗)|取消|作废|恢复|"
    r"\b(?:no longer|any ?more|not (?:any|now)|instead|drop(?:ped)?|rather than|"
    r"chang(?:e|ed|ing)|switch(?:ed|ing)?|mov(?:e|ed|ing) to|"
    r"back to|used to|scrap|revert|cancel(?:led)?|quit|left)\b",
    re.I,
)
_FORMERLY = re.compile(r"\b(?:formerly|previously|until then)\b|之前|原先|原来|以前", re.I)
_CLAUSE = re.compile(r"[，。；;、]|,\s|\.\s|\bbut\b")
_WEAK = "seem appear probably maybe might perhaps prefer like"
_HEDGES = frozenset([*_WEAK.split(), *"似乎好像可能大概"])
_MOSTLY = 0.85  # share of an old line's words that a fuller version of it keeps


@dataclass(frozen=True, slots=True)
class Operation:
    """One thing done (or asked about), as case files put it."""

    op: str  # add, update, supersede, delete
    layer: str  # core, topic
    kind: str  # instruction, persona, episodic
    origin: str  # explicit, auto
    scope: str  # global, genre:X, project:X, collection:X
    expires: str | None  # ISO date
    target: str | None  # the case's id of the line concerned
    text: str  # the line as it stands in the file; "" when it is gone
    quote: str  # the person's words behind it
    turn: int | None = None  # place of the turn they are from

    def row(self) -> dict[str, Any]:
        """The fields that the report shows."""
        fields = asdict(self)
        del fields["turn"]
        return fields


def operations(
    before: Placed, after: Placed, entries: Sequence[Entry], names: Mapping[str, str]
) -> list[Operation]:
    """What differs, in the order in which it was last written.

    Args:
        entries: of the journal, made since `before`.
        names: line id → the case's id, for lines that were there.
    """
    done: list[Operation] = []
    last = {entry.line: entry for entry in entries}
    for id, entry in sorted(last.items(), key=lambda item: item[1].n):
        old, new = before.get(id), after.get(id)
        if new is not None and (old is None or old[1] != new[1]):
            op = "add" if old is None else _revised(old[1], new[1], entry.source)
            done.append(_operation(op, new, entry.source, names.get(id)))
        elif new is None and old is not None:
            done.append(_gone(old, entry, after, names.get(id), {each.n: each for each in entries}))
    return done


def _gone(
    old: tuple[str, Line], entry: Entry, after: Placed, name: str | None, entries: Mapping[int, Entry]
) -> Operation:
    """A line that is not there any more: deleted, or it gave way together with another one."""
    main = entries.get(entry.part_of or 0)
    successor = after.get(main.line) if main else None
    if successor is not None:
        return _operation("supersede", successor, entry.source, name)
    page, line = old
    gone = Line(line.id, "", line.kind, Origin.EXPLICIT, line.when)
    return _operation("delete", (page, gone), entry.source, name)


def proposed(change: Change, source: Source, lines: Placed, names: Mapping[str, str]) -> Operation:
    """What a question would do if the person said yes."""
    page, line = CORE, Line("", "", Kind.INSTRUCTION, Origin.EXPLICIT)
    target = None if isinstance(change, Restore) else change.target
    old = lines.get(target or "")
    op = "add"
    match change:
        case Instruct():
            line = Line("", change.text, Kind.INSTRUCTION, change.origin, change.when, change.until)
        case Learn():
            page = "topics/"
            line = Line("", change.text, change.kind, change.origin, change.when, change.until)
        case Revise():
            page, known = old or (page, line)
            line = Line("", change.text, known.kind, change.origin or known.origin, change.when, change.until)
        case Retire():
            page, known = old or (page, line)
            op, line = "delete", Line("", "", known.kind, Origin.EXPLICIT, known.when)
        case Restore():
            op = "update"
    if old is not None and op == "add":
        op = _revised(old[1], line, source)
    return _operation(op, (page, line), source, names.get(target or "", target))


def _operation(op: str, placed: tuple[str, Line], source: Source, name: str | None) -> Operation:
    page, line = placed
    return Operation(
        op=op,
        layer="core" if page == CORE else "topic",
        kind=line.kind.value,
        origin=ORIGINS[line.origin],
        scope=from_when(line.when) if line.when else GLOBAL,
        expires=line.until.isoformat() if line.until else None,
        target=name,
        text=str(line) if line.text else "",
        quote=source.quote,
        turn=int(source.message) if source.message.isdigit() else None,
    )


def _revised(old: Line, new: Line, source: Source) -> str:
    """ "update" when the old line stays true and the new one says more, "supersede" when it does not."""
    if new.text == old.text:
        return "update"
    was, now = read_rule(old.text, old.when), read_rule(new.text, new.when)
    elsewhere = now is not None and not (same_place(was.where, now.where) if was else now.where in old.text)
    if elsewhere:
        return "supersede"
    if _FORMERLY.search(new.text) and not _FORMERLY.search(old.text):
        return "supersede"
    if _CHANGED.search(source.quote or source.words):
        return "supersede"
    held = [word for word in content(old.text) if word not in _HEDGES]
    about = "\n".join(clause for clause in _CLAUSE.split(new.text) if set(held) & set(content(clause)))
    if turned(about, old.text) or turned(old.text, about):
        return "supersede"
    return "update" if covered(held, content(new.text)) >= _MOSTLY else "supersede"
