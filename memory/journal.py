"""Every change with its before, after, quote and source, one JSON object a row of `journal.jsonl`.

Append-only: an undo is itself an entry. From it come `explain`, the tombstones that keep learning from bringing
back what the person deleted, the next free id, and who stands behind a line on a page.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Literal, get_args

from memory.changes import Kind, Origin, Source
from memory.errors import StoreUnwritable
from memory.page import CORE, Line, Page
from memory.store import Store

JOURNAL = "journal.jsonl"

# decline: offered, not wanted, never written
Op = Literal["add", "replace", "remove", "undo", "edit", "decline"]
_OPS = frozenset(get_args(Op))
_LONGEST_NAME = 10  # characters


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that happened to one line."""

    n: int  # 1, 2, 3 … ; never reused
    at: datetime  # when it was written
    op: Op  # "edit" = found in a file changed by hand
    page: str
    line: str  # id
    before: Line | None  # None = the line was not there
    after: Line | None  # None = the line is gone
    source: Source
    undoes: int | None = None  # entry that this one took back
    part_of: int | None = None  # first entry of the change that this one belongs to
    reason: str = ""

    @property
    def text(self) -> str:
        """What the line says now, or said last."""
        line = self.after or self.before
        return line.text if line else ""

    @property
    def removes(self) -> bool:
        """Whether it leaves a tombstone: the line is gone, or was never wanted, because the person said so.

        One that gave way to another in the same change leaves none, nor does what slow memory tidied away. All that
        goes with an undo does, a whole run of it too.
        """
        if self.after is not None or self.source.by != "person":
            return False
        return self.op in ("edit", "undo", "decline") or (self.op == "remove" and self.part_of is None)


@dataclass(frozen=True, slots=True)
class Held:
    """A line on a page, whether it still holds or not, with where its present words come from."""

    page: str
    line: Line
    said: Source


def held(pages: Sequence[Page], entries: Sequence[Entry]) -> list[Held]:
    """All lines of pages with the source of what they say now."""
    said = {entry.line: entry.source for entry in entries}
    return [Held(page.name, line, said[line.id]) for page in pages for line in page.lines if line.id in said]


def _line_json(line: Line | None) -> dict[str, Any] | None:
    if line is None:
        return None
    return {
        "text": line.text,
        "kind": line.kind.value,
        "origin": line.origin.value,
        "when": line.when,
        "until": line.until.isoformat() if line.until else None,
        **({"paused": True} if line.paused else {}),
        **({"from": line.said} if line.said else {}),
    }


def _line_of(id: str, found: dict[str, Any] | None) -> Line | None:
    if found is None:
        return None
    until = date.fromisoformat(found["until"]) if found.get("until") else None
    kind, origin, paused = Kind(found["kind"]), Origin(found["origin"]), bool(found.get("paused"))
    said = str(found.get("from") or "")
    return Line(id, found["text"], kind, origin, found.get("when"), until, paused, said)


def _encode(entry: Entry) -> str:
    source = entry.source
    row = {
        "n": entry.n,
        "at": entry.at.isoformat(),
        "op": entry.op,
        "page": entry.page,
        "line": entry.line,
        "before": _line_json(entry.before),
        "after": _line_json(entry.after),
        "source": {
            "conversation": source.conversation,
            "message": source.message,
            "at": source.at.isoformat(),
            "quote": source.quote,
        },
        "by": source.by,
        "undoes": entry.undoes,
        "part_of": entry.part_of,
        "reason": entry.reason,
    }
    return json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n"


def _decode(row: str) -> Entry | None:
    """An entry, or None for a torn or foreign row."""
    try:
        found = json.loads(row)
        said = found["source"]
        quote = str(said["quote"])
        if found["op"] not in _OPS:
            return None
        return Entry(
            n=int(found["n"]),
            at=datetime.fromisoformat(found["at"]),
            op=found["op"],
            page=str(found["page"]),
            line=str(found["line"]),
            before=_line_of(found["line"], found["before"]),
            after=_line_of(found["line"], found["after"]),
            source=Source(
                said["conversation"],
                said["message"],
                datetime.fromisoformat(said["at"]),
                quote,  # the journal keeps the quote only: the message itself lies in its conversation
                quote,
                found.get("by", "person"),
            ),
            undoes=found.get("undoes"),
            part_of=found.get("part_of"),
            reason=found.get("reason", ""),
        )
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


class Journal:
    """Reads and appends; keeps what it has parsed until the file is something else."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._text = ""
        self._entries: list[Entry] = []
        self._derived = _Derived()
        self._lock = threading.Lock()  # threads that only read may be several
        self.problems: list[str] = []

    def entries(self) -> Sequence[Entry]:
        """All entries, oldest first. A torn last row (a crash in the middle of a write) is passed over."""
        with self._lock:
            return self._taken_in(self._store.read(JOURNAL) or "")

    def _taken_in(self, text: str) -> Sequence[Entry]:
        if text is self._text or text == self._text:
            return self._entries
        known = self._text if self._text.endswith("\n") and text.startswith(self._text) else ""
        if not known:
            self._entries, self.problems, self._derived = [], [], _Derived()
        fresh: list[Entry] = []
        for number, row in enumerate(text[len(known) :].split("\n"), 1):
            if not row.strip():
                continue
            entry = _decode(row)
            if entry is None:
                self.problems.append(
                    f"{JOURNAL}: row {number} after {len(self._entries) + len(fresh)} entries cannot be read"
                )
            else:
                fresh.append(entry)
        self._entries.extend(fresh)
        self._derived = self._derived.with_(fresh)
        self._text = text
        return self._entries

    def append(self, entries: Sequence[Entry]) -> None:
        """Write entries in one go.

        Raises:
            StoreUnwritable: read-only, or the disk is full; nothing was written.
        """
        self.entries()
        rows = "".join(_encode(entry) for entry in entries)
        torn = "\n" if self._text and not self._text.endswith("\n") else ""
        try:
            self._store.append(JOURNAL, torn + rows)
        except OSError as error:
            raise StoreUnwritable from error

    def _now(self) -> _Derived:
        self.entries()
        return self._derived

    def next_number(self) -> int:
        """The number of the next entry."""
        return self._now().number + 1

    def known(self) -> Mapping[str, tuple[str, Line]]:
        """Where every live line is and what it says: id → (page, line). The same object while nothing changes."""
        return self._now().live

    def touched(self) -> Mapping[str, int]:
        """How many entries each page has: another number as soon as anything about its lines is written down."""
        return self._now().touched

    def last(self) -> Mapping[str, Entry]:
        """The newest entry of every line that ever was."""
        return self._now().last

    def next_id(self, page: str, taken: Sequence[str] = ()) -> str:
        """A name that no line of this kind of page ever had: r1, r2 … in CORE.md, t1, t2 … in topics."""
        letter = "r" if page == CORE else "t"
        return f"{letter}{max(_number(taken, letter), self._now().ids.get(letter, 0)) + 1}"

    def highest(self) -> Mapping[str, int]:
        """Letter → the highest number that a line's name of that letter ever had."""
        return self._now().ids

    def explain(self, line: str) -> list[Entry]:
        """All that happened to a line, oldest first."""
        return [entry for entry in self.entries() if entry.line == line]

    def undone(self) -> set[int]:
        """Numbers of entries that have been taken back (and whose taking back was not taken back)."""
        gone: set[int] = set()
        for entry in self.entries():
            if entry.undoes is not None:
                gone.add(entry.undoes)
                if (target := self.entry(entry.undoes)) and target.undoes is not None:
                    gone.discard(target.undoes)
        return gone

    def entry(self, n: int) -> Entry | None:
        """The entry of that number."""
        return next((entry for entry in reversed(self.entries()) if entry.n == n), None)

    def first_by(self, by: str) -> int | None:
        """The number of the first entry of a job's run, which the rest of that run is part of."""
        return next((entry.n for entry in self.entries() if entry.source.by == by), None)

    def group(self, n: int) -> list[Entry]:
        """That entry and those of the same change."""
        return [entry for entry in self.entries() if n in (entry.n, entry.part_of)]

    def tombstones(self) -> list[Line]:
        """Lines the person removed, or did not want when they were offered, and has not taught again."""
        gone: dict[str, Line] = {}
        for entry in self.entries():
            if entry.removes and entry.before is not None:
                gone[entry.line] = entry.before
            elif entry.after is not None:
                gone.pop(entry.line, None)
        return list(gone.values())


class _Derived:
    """What follows from entries, kept as they come; a value, so that no reader sees it half done."""

    def __init__(self) -> None:
        self.live: dict[str, tuple[str, Line]] = {}
        self.last: dict[str, Entry] = {}
        self.touched: dict[str, int] = {}
        self.ids: dict[str, int] = {}  # letter → the highest number that a line ever had
        self.number = 0

    def with_(self, fresh: Sequence[Entry]) -> _Derived:
        """With entries that came after."""
        new = _Derived()
        new.live, new.last, new.touched = dict(self.live), dict(self.last), dict(self.touched)
        for entry in fresh:
            if entry.after is None:
                new.live.pop(entry.line, None)
            else:
                new.live[entry.line] = (entry.page, entry.after)
            new.last[entry.line] = entry
            new.touched[entry.page] = new.touched.get(entry.page, 0) + 1
        lines = [entry.line for entry in fresh]
        new.ids = {letter: max(self.ids.get(letter, 0), _number(lines, letter)) for letter in "rt"}
        new.number = max(self.number, max((entry.n for entry in fresh), default=0))
        return new


def number_of(id: str) -> int:
    """The 7 of r7; 0 for a name that is none of ours, however it looks: we never counted to a billion."""
    ours = id[:1] in ("r", "t") and id[1:].isdecimal() and len(id) <= _LONGEST_NAME
    return int(id[1:]) if ours else 0


def _number(ids: Sequence[str], letter: str) -> int:
    return max((number_of(id) for id in ids if id[:1] == letter), default=0)
