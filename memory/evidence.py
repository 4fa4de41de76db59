"""What notes bear out: enough of them, of one matter, of one project; and what learning may never make.

The model that consolidates says which notes show a thing; here form decides whether they do.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from memory.changes import Origin
from memory.coverage import numbers
from memory.filing_rules import read_rule
from memory.grounding import akin
from memory.journal import Held
from memory.notes import Note
from memory.page import Line
from memory.sameness import Relation, relation
from memory.words import content, covered, fold, jaccard

ENOUGH = 2  # sittings that must show what nobody stated
_CHANGED = re.compile(
    r"换|改|切到|切换|搬|转到|转去|升级|迁|不再|现在|已经|如今|不用了|停了|分手|离职|跳槽|变成|升|"
    r"\b(?:no longer|not .{1,20}any ?more|moved|switched|changed|migrated|replaced|instead|now|left|quit|became|"
    r"upgraded|used to|stopped|since)\b",
    re.I,
)
_TERM = re.compile(
    r"[」”\"』]\s*(?:是指|指的是|指|就是|意思是|代表|等于|[=＝])|(?:说|提到|所说的|口中的).{0,12}(?:是指|指的是|意思是)"
    r"|[”\"]\s*(?:means|stands for|refers to|is short for|=)|\bby [“\"].{1,40}[”\"] .{0,20}means?\b"
    r"|\b(?:stands for|is short for|refers to)\b",
    re.I,
)
_DEFAULT = re.compile(
    r"默认|缺省|(?:查|查询|检索|搜索|筛选).{0,20}(?:时|默认|都|一律|按|只)"
    r"|\bby default\b|\bdefaults? (?:to|of|for)\b"
    r"|\b(?:quer(?:y|ies)|search(?:es)?|look(?:ing)? up) .{0,40}\b(?:use|filter|only|with)\b",
    re.I,
)


def beyond_learning(text: str, when: str | None) -> bool:
    """Whether only the person's own asking may make this: a term, a query default, a filing rule."""
    return (
        read_rule(text, when) is not None
        or _TERM.search(text) is not None
        or _DEFAULT.search(f"{when or ''} {text}") is not None
    )


def bearing(text: str, notes: Sequence[Note]) -> list[Note]:
    """Those of the notes that speak of the same matter, oldest first."""
    akin_ones = [note for note in notes if akin(text, f"{note.content}\n{note.quote}")]
    return sorted(akin_ones, key=lambda note: note.at)


def sittings(notes: Sequence[Note]) -> int:
    """In how many stretches of talk it came up."""
    return len({(note.conversation, note.sitting) for note in notes})


def mixed(notes: Sequence[Note]) -> bool:
    """Whether they belong to two projects or occasions."""
    named = [content(note.situation) for note in notes if content(note.situation)]
    return any(jaccard(named[0], other) < 0.5 and not _within(named[0], other) for other in named[1:])


def _within(left: Sequence[str], right: Sequence[str]) -> bool:
    return covered(left, right) == 1 or covered(right, left) == 1


def situation(notes: Sequence[Note]) -> str:
    """The project or occasion that all of them belong to; "" where one of them belongs to none."""
    return notes[-1].situation if notes and all(note.situation for note in notes) else ""


def placed(text: str, when: str | None, topic: str, notes: Sequence[Note]) -> tuple[str | None, str]:
    """(when, topic) of a new line: what belongs to one project says so, and lies on no other one's page."""
    about = situation(notes)
    if not about:
        return when, topic
    said = content(f"{text} {when or ''}")
    when = when if covered(content(about), said) == 1 else about
    return when, topic if topic and akin(topic, about) else about


def takes_over(text: str, line: Line, notes: Sequence[Note]) -> bool:
    """Whether the notes make another thing of a line: they stand in its place, or tell of a change to it.

    A note that only mentions the same person or thing does not ("Ana runs Acme's servers" leaves "Ana works at Acme").
    """
    new = Line("", text, line.kind, Origin.LEARNED, line.when)
    if relation(new, line) is not Relation.APART:
        return True
    told = any(_CHANGED.search(f"{note.quote}\n{note.content}") for note in notes)
    shared = covered(content(line.text), [*content(text), *(c for n in notes for c in content(n.content))])
    return told and akin(text, line.text) and shared >= 0.5


def says_all(text: str, lines: Sequence[Held], *, least: float = 0.75) -> bool:
    """Whether one sentence holds what several lines said: their numbers all, their words nearly all."""
    held, figures = content(text), numbers(text)
    return all(
        numbers(each.line.text) <= figures and covered(content(each.line.text), held) >= least
        for each in lines
    )


def alike_scope(lines: Sequence[Held]) -> bool:
    """Whether lines hold in the same circumstances and for the same time."""
    return len({(fold(each.line.when or ""), each.line.until) for each in lines}) == 1
