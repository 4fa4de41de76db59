"""Bring back what an entry of the journal tells of: any entry, however long ago and whatever happened since.

An undo takes an entry back and refuses where its line went on; a restore says only what the line is to say again:
its words before that entry, or, where the entry made it, its words after it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from memory.changes import Did, Outcome, Restore
from memory.journal import Entry
from memory.ledger import Ledger, Why
from memory.page import CORE, Line
from memory.sameness import Relation, relation
from memory.wording import say


def restore(ledger: Ledger, number: int, now: datetime) -> Outcome:
    """Bring back one entry, with those of the same change where it is the first of them (blocking).

    A rule that contradicts what comes back gives way: two such are never both in force.

    Raises:
        StoreUnwritable: read-only, or the disk is full.
    """
    asked, journal = Restore(number), ledger.journal
    entry = journal.entry(number)
    if entry is None:
        return Outcome(asked, Did.REFUSED, reason=say(ledger.language, "no_such_entry", n=number))
    parts = journal.group(number) if entry.part_of is None else [entry]
    done: Entry | None = None
    gone: list[str] = []
    for part in parts:
        wanted = part.before or part.after
        if wanted is None:
            continue
        found = ledger.find(part.line)
        current = found[1] if found else None
        if current is not None and str(current) == str(wanted):
            continue
        source = replace(part.source, at=now, by="person")
        why = Why(
            "undo", source, now, None, done.n if done else None, say(ledger.language, "restored", n=part.n)
        )
        page = found[0].name if found else part.page
        if not page.endswith(".md"):  # declined before it had a page
            page = ledger.topic(say(ledger.language, "about_me"), say(ledger.language, "about_me_purpose"))
        written = ledger.put(page, wanted, current, why)
        done = done or written
        spared = [each.line for each in parts]
        gone += make_way(ledger, wanted, Why("remove", source, now, part_of=done.n), spared)
    if done is None:
        line = entry.before or entry.after
        text = line.text if line else ""
        return Outcome(asked, Did.KNOWN, entry.line, entry.page, text, text)
    before = done.before.text if done.before else None
    after = done.after.text if done.after else None
    return Outcome(asked, Did.RESTORED, done.line, done.page, before, after, done.n, gave_way=tuple(gone))


def make_way(ledger: Ledger, line: Line, why: Why, spare: Sequence[str] = ()) -> list[str]:
    """Remove the rules in force that a rule which is in force again contradicts (blocking); returns their words."""
    page = ledger.page(CORE)
    today = why.at.date()
    gone: list[str] = []
    if page is None or page.line(line.id) is None or not line.active(today):
        return gone
    reason = say(ledger.language, "superseded", text=line.text)
    for other in page.lines:
        if other.id in (line.id, *spare) or not other.active(today):
            continue
        if relation(line, other) is Relation.REPLACES:
            ledger.put(page.name, None, other, replace(why, reason=reason))
            gone.append(other.text)
    return gone
