"""Memory as a case wants it before the talk: lines with their authority, and what the person deleted or declined.

Written past the guards, since a case may hold anything; in the form in which the bot would have written it, so that
the guards of what follows meet real files and a real journal.
"""

from __future__ import annotations

import re
from datetime import datetime

from bot.evals.cases import Case, Known
from bot.evals.scopes import to_when
from memory import Line, Source
from memory.changes import Kind, Origin
from memory.journal import Entry
from memory.ledger import Ledger, Why
from memory.page import CORE

_TELLS = re.compile(  # a line among the rules that tells of the person and orders nothing
    r"用户(?:的\w{1,4})?(?:现?在?住|是|有|叫|对|不?吃|不?喝|在|养|姓|从不|怕|会|属)(?!.*(?:时|的时候)[，,])|"
    r"The user(?:['’]s [\w ]{2,24})? (?:is|has|lives|works|eats|drinks|drives|"
    r"does(?: not|n['’]t) (?:eat|drink|drive)|owns|speaks)\b",
    re.I,
)
_OF_THE_PERSON = re.compile(r"用户|(?:The )?User\b", re.I)
BEFORE = "before"  # conversation and message of everything that was there already


def seed(case: Case, ledger: Ledger) -> dict[str, str]:
    """Write it (blocking); returns line id → the case's id."""
    names: dict[str, str] = {}
    for known in case.existing.core:
        _put(ledger, CORE, known, case.end, names)
    for topic in case.existing.topics:
        page = ledger.topic(_plain(topic.title) or "Topic", _plain(topic.purpose))
        for known in topic.items:
            _put(ledger, page, known, case.end, names)
    for known in case.existing.tombstones:
        _bury(ledger, known, case.end, "deleted")
    for known in case.existing.rejected_proposals:
        _bury(ledger, known, case.end, "declined")
    return names


def _put(ledger: Ledger, page: str, known: Known, end: datetime, names: dict[str, str]) -> None:
    line = _line(known, page)
    if not line.text:
        return
    at = known.created or end
    entry = ledger.put(page, line, None, Why("add", _source(line, at), at))
    if known.id:
        names[entry.line] = known.id


def _bury(ledger: Ledger, known: Known, end: datetime, reason: str) -> None:
    """A line that was there and is gone: what learning must not bring back."""
    page = "topics/gone.md" if _OF_THE_PERSON.match(_plain(known.text)) else CORE
    line = _line(known, page)
    if not line.text:
        return
    journal = ledger.journal
    at = known.when or known.created or end
    source, n, id = _source(line, at), journal.next_number(), journal.next_id(page)
    gone = Line(id, line.text, line.kind, line.origin, line.when, line.until)
    journal.append(
        [
            Entry(n, at, "add", page, id, None, gone, source),
            Entry(n + 1, at, "remove", page, id, gone, None, source, reason=reason),
        ]
    )


def _line(known: Known, page: str) -> Line:
    core = page == CORE
    kinds = {kind.value: kind for kind in Kind}
    told = not core or _TELLS.match(_plain(known.text)) is not None
    kind = kinds.get(known.kind.lower(), Kind.PERSONA if told else Kind.INSTRUCTION)
    origin = Origin.LEARNED if known.origin in ("auto", "learned") else Origin.EXPLICIT
    if known.edited_by or known.origin.startswith("edited"):
        origin = Origin.EDITED
    return Line("", _plain(known.text), kind, origin, to_when(known.scope), known.expires)


def _source(line: Line, at: datetime) -> Source:
    return Source(BEFORE, BEFORE, at, line.text, line.text)


def _plain(text: str) -> str:
    return " ".join(text.encode("utf-8", "replace").decode("utf-8").split())
