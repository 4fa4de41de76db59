"""Is what happened what a careful person expects? The scoring of case files, every clause of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from bot.evals.cases import Case, Expected
from bot.evals.operations import Operation
from bot.evals.scopes import same_scope

_OPS = {"add", "update", "supersede", "delete"}
_LAYERS = {"core", "topic", "style"}
_KINDS = {"instruction", "persona", "episodic"}
_ORIGINS = {"explicit": "explicit", "auto": "auto", "learned": "auto", "edited": "explicit"}
_NOTHING = {"nothing", "none", "silent"}
_ASKED = {"proposal", "question", "ask"}
_MOST_TRIED = 7  # operations up to which every pairing with what is expected is tried

_LEANING = re.compile(
    r"就这样|就那样|这样(?:做|写|弄|办|来|子)?(?=$|[，。；！!,.;])|那样(?=$|[，。；！!,.;])|(?:这|那)么(?:弄|做|写|办|来)|"
    r"如上|同上|上述|上面(?:说|提|讲|那|的)|照刚才|像刚才|刚才(?:说|那|的)|^(?:这个|那个|这些|那些|它们?)(?![\w])|"
    r"\bas (?:above|before|discussed|mentioned|described)\b|\bthe above\b|\blike (?:this|that)\b|"
    r"\b(?:this|that) way\b|\bdo (?:this|that)\b|\bthe same way\b|"
    r"\b(?:this|these|those)(?=$|\s*[.,;!?]|\s+(?:is|are|was|were|should|must|will)\b)|"
    r"(?:^|\b(?:like|do|with|to|keep|remember|of)\s)that(?=$|\s*[.,;!?])",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Happened:
    """What one case did."""

    operations: Sequence[Operation]
    questions: Sequence[Operation] = ()
    stored: Sequence[str] = ()  # every other text the case left behind: titles, rows of the index
    refused: Sequence[str] = ()  # what the guards said about changes that were tried
    problem: str = ""  # why it could not be run to its end


@dataclass(frozen=True, slots=True)
class Verdict:
    """How one case ended."""

    right: bool
    faults: tuple[str, ...] = ()
    expects: bool = False  # whether it expects an operation
    silent: bool = True  # nothing stored and nothing asked
    false_store: bool = False  # something stored where nothing was due
    missed: int = 0  # operations expected that have no counterpart
    forbidden: bool = False  # a forbidden string stored or proposed
    wrong: int = 0  # lines stored or proposed where nothing was due, or that hold something forbidden


@dataclass(frozen=True, slots=True)
class _Form:
    """One acceptable (op, layer, kind, origin); "" = anything."""

    op: str
    layer: str
    kind: str
    origin: str

    def fits(self, operation: Operation) -> bool:
        pairs = (
            (self.op, operation.op),
            (self.layer, operation.layer),
            (self.kind, operation.kind),
            (self.origin, operation.origin),
        )
        return all(not wanted or wanted == got for wanted, got in pairs)


@dataclass(frozen=True, slots=True)
class _Slot:
    """One expected operation with everything that also counts as it."""

    expected: Expected
    forms: tuple[_Form, ...]
    scopes: tuple[str, ...]  # that count as its own; none = any
    optional: bool


def judge(case: Case, happened: Happened) -> Verdict:
    """Compare; every fault is said in a few words."""
    slots = [_slot(case, each, happened.questions) for each in case.wanted]
    paired = _pair(case, happened.operations, slots)
    faults = list(paired) if paired is not None else [_mismatch(happened.operations, slots)]
    found = _forbidden(case, happened)
    faults += [f"forbidden: {each}" for each in found]
    if happened.problem:
        faults.append(happened.problem)
    nothing_due = not case.wanted
    wrote, asked = bool(happened.operations), bool(happened.questions)
    return Verdict(
        right=not faults,
        faults=tuple(faults),
        expects=not nothing_due,
        silent=not (wrote or asked or found),
        false_store=nothing_due and wrote and paired is None,
        missed=_missed(happened.operations, slots),
        forbidden=bool(found),
        wrong=_wrong(case, happened),
    )


def _slot(case: Case, expected: Expected, questions: Sequence[Operation]) -> _Slot:
    base = _Form(
        expected.op.lower(),
        _wanted(expected.layer),
        _wanted(expected.kind),
        _ORIGINS.get(expected.origin, ""),
    )
    forms, optional = [base], False
    for other in (*expected.accept_also, *case.accept_also):
        form, nothing, asked = _other(base, other)
        asked_so = any(replace(form, op="", origin="").fits(question) for question in questions)
        if nothing or (asked and asked_so):
            optional = True
        else:
            forms.append(form)
    scopes = [expected.scope] if expected.scope is not None else []
    if scopes:
        others = [each for each in (*expected.accept_also, *case.accept_also) if isinstance(each, dict)]
        scopes += [str(each["scope"]) for each in others if each.get("scope")]
    return _Slot(expected, tuple(forms), tuple(scopes), optional)


def _wanted(value: str) -> str:
    return "" if value.lower() in ("none", "null") else value.lower()


def _other(base: _Form, other: str | dict[str, Any]) -> tuple[_Form, bool, bool]:
    """Another outcome that counts: `core:direct`, `nothing`, or an object of fields.

    Returns:
        Its form, whether it is "nothing", and whether a question is enough.
    """
    words = (
        [str(other.get(key) or "") for key in ("op", "layer", "kind", "origin", "via")]
        if isinstance(other, dict)
        else re.split(r"[\s:/,+]+", other)
    )
    form, nothing, asked = base, False, False
    for word in (each.strip().lower() for each in words):
        if word in _OPS:
            form = replace(form, op=word)
        elif word in _LAYERS:
            form = replace(form, layer=word)
        elif word in _KINDS:
            form = replace(form, kind=word)
        elif word in _ORIGINS:
            form = replace(form, origin=_ORIGINS[word])
        nothing = nothing or word in _NOTHING
        asked = asked or word in _ASKED
    return form, nothing, asked


def _pair(case: Case, operations: Sequence[Operation], slots: Sequence[_Slot]) -> list[str] | None:
    """The faults of the best pairing of what happened with what is expected; None when the two do not pair off."""
    best: list[str] | None = None
    for paired in _pairings(list(operations), list(range(len(slots))), slots):
        faults = [fault for place, operation in paired for fault in _faults(case, operation, slots[place])]
        if best is None or len(faults) < len(best):
            best = faults
        if not faults or len(operations) > _MOST_TRIED:
            break
    return best


def _pairings(
    operations: list[Operation], free: list[int], slots: Sequence[_Slot]
) -> Iterator[list[tuple[int, Operation]]]:
    if not operations:
        if all(slots[place].optional for place in free):
            yield []
        return
    first, rest = operations[0], operations[1:]
    for place in free:
        if any(form.fits(first) for form in slots[place].forms):
            for others in _pairings(rest, [each for each in free if each != place], slots):
                yield [(place, first), *others]


def _faults(case: Case, operation: Operation, slot: _Slot) -> list[str]:
    """What is wrong with an operation whose form is right."""
    faults, expected = [], slot.expected
    if expected.target and operation.target != expected.target:
        faults.append(f"target {operation.target}, not {expected.target}")
    if slot.scopes and not any(same_scope(operation.scope, scope) for scope in slot.scopes):
        faults.append(f"scope {operation.scope}, not {expected.scope}")
    if operation.op != "delete":
        faults += [
            f"lacks {each}"
            for each in expected.must_contain
            if not any(part in operation.text for part in each.split("|"))
        ]
        faults += [f"holds {each}" for each in expected.must_not_contain if each and each in operation.text]
        if expected.says_expires and operation.expires != (
            expected.expires.isoformat() if expected.expires else None
        ):
            faults.append(f"expires {operation.expires}, not {expected.expires}")
        if leaning := _LEANING.search(operation.text):
            faults.append(f"not understandable alone: {leaning[0]}")
    if not _quoted(case, operation, expected):
        faults.append(f"quote is not in the source turn: {operation.quote[:60]}")
    return faults


def _quoted(case: Case, operation: Operation, expected: Expected) -> bool:
    """Whether the quote stands, letter by letter, in the turn it should be from (or in any of the person's)."""
    own = dict(case.own_turns())
    source = own.get(expected.source_turn) if expected.source_turn is not None else None
    turns = [source] if source is not None else list(own.values())
    return bool(operation.quote.strip()) and any(operation.quote in turn.text for turn in turns)


def _forbidden(case: Case, happened: Happened) -> list[str]:
    """Forbidden strings in anything the case left behind. A deletion may quote what it deletes."""
    texts = [*happened.stored, *(each.text for each in (*happened.operations, *happened.questions))]
    texts += [each.quote for each in (*happened.operations, *happened.questions) if each.op != "delete"]
    return [each for each in case.forbid if each and any(each in text for text in texts)]


def _wrong(case: Case, happened: Happened) -> int:
    """Wrong writes: lines stored or proposed where nothing was due, or that hold a forbidden string.

    A forbidden string in anything else that was left behind (a title, a row of the index) counts as one.
    """
    writes = [*happened.operations, *happened.questions]
    held = [each for each in writes if not case.wanted or _forbidden(case, Happened((each,)))]
    return len(held) or int(bool(_forbidden(case, happened)))


def _missed(operations: Sequence[Operation], slots: Sequence[_Slot]) -> int:
    """Operations expected for which nothing of their form happened."""
    left = list(operations)
    missed = 0
    for slot in slots:
        found = next((each for each in left if any(form.fits(each) for form in slot.forms)), None)
        if found is not None:
            left.remove(found)
        elif not slot.optional:
            missed += 1
    return missed


def _mismatch(operations: Sequence[Operation], slots: Sequence[_Slot]) -> str:
    got = ["/".join((each.op, each.layer, each.kind, each.origin)) for each in operations]
    wanted = ["/".join((f.op, f.layer, f.kind, f.origin)) for f in (slot.forms[0] for slot in slots)]
    return f"expected {', '.join(wanted) or 'nothing'}; got {', '.join(got) or 'nothing'}"
