"""What a person did to a page by hand, told line by line: typed, changed, removed. Reads and writes nothing itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from memory.changes import Origin, Source
from memory.journal import Entry, number_of
from memory.page import CORE, Line, Page, named_row


@dataclass(frozen=True, slots=True)
class Found:
    """One page."""

    page: str
    was: str | None  # its text; None = there is no such page
    now: str | None  # with the names that its lines have been given
    entries: tuple[Entry, ...]  # without their numbers


class Adoption:
    """Looks at pages one after the other, each in the light of what was found on those before."""

    def __init__(self, known: Mapping[str, tuple[str, Line]], highest: Mapping[str, int]) -> None:
        """`known`: where every line is, as the journal has it. `highest`: letter → highest number of a line's name."""
        self._known = dict(known)
        self._highest = dict(highest)
        self._at_home: dict[str, dict[str, Line]] = {}
        for id, (home, line) in known.items():
            self._at_home.setdefault(home, {})[id] = line

    def holds(self, page: str) -> bool:
        """Whether the journal knows lines there."""
        return page in self._at_home

    def look(self, name: str, text: str | None, page: Page, at: datetime) -> Found:
        """`page`: as parsed from `text`."""
        entries: list[Entry] = []
        present = {line.id for line in page.lines}
        gone = {id: line for id, line in self._at_home.get(name, {}).items() if id not in present}
        bare = {str(line): line for line in reversed(gone.values())}  # whose name alone was deleted
        rows = list(page.rows)
        self._seen(present)
        for i, row in enumerate(rows):
            line = row.line
            if line is None:
                continue
            home, before = self._known.get(line.id, ("", None))
            if line.id and before and home == name and str(before) == str(line):
                continue
            if not line.id and (same := bare.pop(str(line), None)) is not None:
                rows[i] = named_row(row, same)
                del gone[same.id]
                continue
            if not line.id or (before and home != name):  # typed without a name, or copied from another page
                line, before = replace(line, id=self._next(name), origin=Origin.EDITED), None
                rows[i] = named_row(row, line)
            entries.append(_by_hand(name, before, line, at))
            self._known[line.id] = (name, line)
        for line in gone.values():
            entries.append(_by_hand(name, line, None, at))
            del self._known[line.id]
        now = None if text is None else replace(page, rows=tuple(rows)).render()
        return Found(name, text, now, tuple(entries))

    def _next(self, page: str) -> str:
        """A name that no line of this kind of page ever had."""
        letter = "r" if page == CORE else "t"
        self._highest[letter] = self._highest.get(letter, 0) + 1
        return f"{letter}{self._highest[letter]}"

    def _seen(self, ids: set[str]) -> None:
        """Names that a person has typed are taken."""
        for id in ids:
            if number := number_of(id):
                self._highest[id[0]] = max(self._highest.get(id[0], 0), number)


def _by_hand(name: str, before: Line | None, after: Line | None, at: datetime) -> Entry:
    said = after or before
    words = str(said) if said else ""
    source = Source(f"file:{name}", "", at, words, words, "person")
    return Entry(0, at, "edit", name, said.id if said else "", before, after, source)
