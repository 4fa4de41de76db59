"""Rules typed by hand that contradict another: two such are never silently both in force, and no word is lost.

What the person typed is theirs, so nothing is removed. Where both lines plainly fill the same place with different
things, the one typed later (or lower, where both are new) holds and the other is paused in the file. Where that is
only likely, both stay as they are. Either is told once, with the rows of the file.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from memory.changes import Source
from memory.errors import StaleError
from memory.filing_rules import read_rule
from memory.journal import Entry
from memory.ledger import Ledger, Why
from memory.page import CORE, Line, Page
from memory.sameness import Clash, clash
from memory.slots import slots_of
from memory.wording import say
from memory.words import content

BY = "contradiction"  # who paused a line, in the journal
_MOST = 2_000  # pairs that are compared: a file of thousands of lines is taken in all the same


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Two rules of CORE.md that cannot both be obeyed."""

    text: str  # typed later, or lower
    row: int  # of the file, from 1
    other: str
    other_row: int
    paused: int | None = None  # journal number, where the other was paused; None = both hold


def settle(ledger: Ledger, edits: Sequence[Entry], now: datetime) -> list[Contradiction]:
    """Look at what was typed into CORE.md just now (blocking).

    Raises:
        StoreUnwritable: read-only, or the disk is full.
    """
    fresh = {edit.line for edit in edits if edit.page == CORE and edit.after is not None}
    page = ledger.page(CORE) if fresh else None
    if page is None:
        return []
    rows = {row.line.id: n for n, row in enumerate(page.rows, 1) if row.line is not None}
    paused: set[str] = set()
    found: list[Contradiction] = []
    for new, old in _pairs(page, fresh, now):
        kind = clash(new, old) if not paused & {new.id, old.id} else None
        if kind is None:
            continue
        number = _pause(ledger, old, new, now) if kind is Clash.PLAIN else None
        if number is not None:
            paused.add(old.id)
        found.append(Contradiction(new.text, rows[new.id], old.text, rows[old.id], number))
    return found


def _pairs(page: Page, fresh: set[str], now: datetime) -> list[tuple[Line, Line]]:
    """(the one that would hold, another) for each line typed just now, the lowest first; those with nothing in
    common are left out."""
    lines = [line for line in page.lines if line.id and line.active(now.date())]
    marks = {line.id: _marks(line) for line in lines}
    pairs: list[tuple[Line, Line]] = []
    for n in range(len(lines) - 1, -1, -1):
        new = lines[n]
        if new.id not in fresh:
            continue
        for m, old in enumerate(lines):
            standing = old.id not in fresh
            if (standing or m < n) and m != n and marks[new.id] & marks[old.id]:
                pairs.append((new, old))
            if len(pairs) == _MOST:
                return pairs
    return pairs


def _marks(line: Line) -> set[str]:
    """What two lines must share for one to contradict the other."""
    filing = {"\0filing"} if read_rule(line.text, line.when) else set()
    return filing | {f"\0{name}" for name in slots_of(line.text)} | set(content(line.text))


def _pause(ledger: Ledger, old: Line, new: Line, now: datetime) -> int | None:
    """The journal number of the pause; None where the file changed that very moment: it is looked at again then."""
    words = str(new)
    source = Source(f"file:{CORE}", "", now, words, words, BY)
    why = Why("replace", source, now, reason=say(ledger.language, "superseded", text=new.text))
    try:
        return ledger.put(CORE, replace(old, paused=True), old, why).n
    except StaleError:
        return None
