"""A page ⇄ its lines. A person's own typing never crashes it: parsing returns (page, problems).

    ---
    title: 饮食
    purpose: 口味与忌口
    ---
    - 用户不吃羊肉 (until: 2027-01-31) ^t3

`memory.marks` reads what stands in brackets. Only bullets are lines. Headings, blank lines, prose, comments and
fenced blocks are kept byte for byte where they are, and so is a line nobody changes. Kind and origin do not stand in
the file: the journal knows them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache

from memory.changes import Kind, Origin
from memory.marks import PAUSED, marks_of
from memory.words import fold

CORE = "CORE.md"
TOPICS = "topics/"

_ROWS = re.compile(r"[^\n]*\n|[^\n]+")
_BULLET = re.compile(
    r"^(?P<lead>\ufeff?[ \t]*"
    r"(?:[-*+•·–・－●○▪][ \t\u3000]+|(?P<number>\d{1,4}(?:[.)][ \t]+|[、．][ \t]*))|"
    r"[-•·–・－●](?=[\u3400-\u9fff])|(?P<glued>-)(?![A-Za-z][ \t=])(?=[^\W\d_]))"
    r"(?:\[[ xX]\][ \t]+)?)"
    r"(?P<body>\S.*?)(?P<tail>[ \t]*\r?\n?)$"
)  # as people type them; a Chinese line often has no space behind the dash; rules may be numbered; "-v x" is a command
_ID = re.compile(r"(?:^|[ \t]+)\^(?P<id>[A-Za-z0-9][A-Za-z0-9-]{0,31})$")
_FENCE = re.compile(r"^[ \t]{0,3}(```+|~~~+)")
_FRONT = re.compile(r"^(?P<key>title|purpose)[ \t]*:[ \t]*(?P<value>.*?)[ \t]*$", re.I)


@dataclass(frozen=True, slots=True)
class Line:
    """One thing remembered."""

    id: str  # stable, e.g. "r7"; "" for a bullet that has none yet
    text: str  # one sentence, no line break
    kind: Kind = Kind.PERSONA
    origin: Origin = Origin.EDITED
    when: str | None = None  # scope in plain words
    until: date | None = None  # last day it holds
    paused: bool = False  # stays in the file and holds nowhere
    said: str = ""  # where it was said, if the file shows it: "telegram:7 #41, 2026-04-28"; none of its words

    def __str__(self) -> str:
        """As it stands in the file, without bullet and id."""
        when = f" (when: {self.when})" if self.when else ""
        until = f" (until: {self.until.isoformat()})" if self.until else ""
        return f"{self.text}{when}{until}{f' {PAUSED}' if self.paused else ''}"

    @property
    def row(self) -> str:
        """As it stands in the file, without the bullet: with its source, where it shows one, and its id."""
        said = f" (from: {self.said})" if self.said else ""
        return f"{self}{said} ^{self.id}"

    def active(self, today: date) -> bool:
        """Whether it holds today: it is not paused and has not expired."""
        return not self.paused and not self.expired(today)

    def expired(self, today: date) -> bool:
        """Whether its last day is over."""
        return self.until is not None and today > self.until


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the file: its very characters, and the line in it, if it is one."""

    raw: str
    line: Line | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """One Markdown file of memory."""

    name: str  # "CORE.md" or "topics/<slug>.md"
    rows: tuple[Row, ...] = ()
    title: str = ""
    purpose: str = ""

    @property
    def lines(self) -> tuple[Line, ...]:
        """The lines in the order of the file."""
        return tuple(row.line for row in self.rows if row.line is not None)

    @property
    def prose(self) -> str:
        """What stands on the page beside its lines and its front matter; "" when there is nothing."""
        rows = [row.raw for row in self.rows if row.line is None]
        if rows and rows[0].lstrip("\ufeff").rstrip() == "---":
            end = next((i for i, raw in enumerate(rows[1:], 1) if raw.rstrip() == "---"), 0)
            rows = rows[end + 1 :]
        return "".join(rows).strip()

    def line(self, id: str) -> Line | None:
        """The line of that id."""
        return next((line for line in self.lines if line.id == id), None)

    def render(self) -> str:
        """The file's text."""
        return "".join(row.raw for row in self.rows)

    def added(self, line: Line) -> Page:
        """With one line more, after the last line there is."""
        at = (
            max((i for i, row in enumerate(self.rows) if row.line is not None), default=len(self.rows) - 1)
            + 1
        )
        rows = list(self.rows)
        if at and not rows[at - 1].raw.endswith("\n"):
            rows[at - 1] = replace(rows[at - 1], raw=rows[at - 1].raw + "\n")
        rows.insert(at, Row(f"- {line.row}\n", line))
        return replace(self, rows=tuple(rows))

    def changed(self, line: Line) -> Page:
        """With the line of that id saying something else."""
        rows = list(self.rows)
        for i, row in enumerate(rows):
            if row.line is not None and row.line.id == line.id:
                rows[i] = named_row(row, line)
                break
        return replace(self, rows=tuple(rows))

    def without(self, id: str) -> Page:
        """With that line gone."""
        return replace(self, rows=tuple(row for row in self.rows if row.line is None or row.line.id != id))


def named_row(row: Row, line: Line) -> Row:
    """A row that says a line and bears its name, its bullet as it was."""
    found = _BULLET.match(row.raw)
    lead, tail = (found["lead"], found["tail"]) if found else ("- ", "\n")
    return Row(f"{lead}{line.row}{tail}", line)


def fresh(name: str, title: str, purpose: str = "") -> Page:
    """A page that does not exist yet. Core has a heading, a topic page has front matter."""
    if name == CORE:
        return Page(name, (Row(f"# {title}\n"), Row("\n")), title)
    front = ["---\n", f"title: {_plain(title)}\n", f"purpose: {_plain(purpose)}\n", "---\n", "\n"]
    return Page(name, tuple(Row(raw) for raw in front), title, purpose)


def split_scope(body: str) -> tuple[str, str | None, date | None, str]:
    """Take `(when: …)` and `(until: …)` off the end of a sentence, and the source that a page may show there.

    Returns:
        The sentence, the scope, the last day, and a problem ("" when there is none).
    """
    found = marks_of(body)
    return found.text, found.when, found.until, found.problem


def parse(name: str, text: str, known: Mapping[str, Line] | None = None) -> tuple[Page, list[str]]:
    """Read a page as it lies on disk, whatever a person did to it.

    Args:
        known: lines by id as the journal has them; an unchanged one keeps its kind and origin, every other
            line is the person's own ("edited by you").

    Returns:
        The page, and what could not be read, one plain sentence each. `page.render()` is `text` again.
    """
    page, problems = _parsed(name, text)
    known = known or {}
    if any(line.id in known for line in page.lines):
        page = replace(page, rows=tuple(Row(row.raw, _owned(row.line, known)) for row in page.rows))
    return page, list(problems)


@lru_cache(maxsize=2_048)  # a change looks at every page several times; pages are small
def _parsed(name: str, text: str) -> tuple[Page, tuple[str, ...]]:
    raws = _ROWS.findall(text)
    plain = _never_closed(raws)
    rows: list[Row] = []
    problems: list[str] = [f"{name}:{n}: a block is opened here and never closed" for n, _ in plain.values()]
    seen: set[str] = set()
    outside = _Outside(plain)
    title, purpose = "", ""
    for number, raw in enumerate(raws, 1):
        if outside.covers(raw, first=number == 1):
            front = _FRONT.match(raw.rstrip("\r\n")) if outside.front else None
            if front and front["key"].lower() == "title":
                title = front["value"].strip("\"'")
            elif front:
                purpose = front["value"].strip("\"'")
            rows.append(Row(raw))
            continue
        line, problem = _line(name, raw, seen)
        if problem:
            problems.append(f"{name}:{number}: {problem}")
        rows.append(Row(raw, line))
        if name == CORE and not title and raw.startswith("# "):
            title = raw[2:].strip()
    return Page(name, tuple(rows), title or stem(name), purpose), tuple(problems)


def _owned(line: Line | None, known: Mapping[str, Line]) -> Line | None:
    """With what the journal knows of a line; one whose words differ is the person's own."""
    before = known.get(line.id) if line else None
    if line is None or before is None:
        return line
    return replace(
        line, kind=before.kind, origin=before.origin if str(before) == str(line) else Origin.EDITED
    )


def _line(name: str, raw: str, seen: set[str]) -> tuple[Line | None, str]:
    """The line in a row, if it is one, and a problem with it."""
    found = _BULLET.match(raw)
    # among the rules both are meant as one
    if not found or ((found["number"] or found["glued"]) and name != CORE):
        return None, ""
    body = found["body"]
    if any("\ud800" <= c <= "\udfff" for c in body):
        return None, "these bytes are not UTF-8 text; the row was left alone"
    named = _ID.search(body)
    id = named["id"] if named else ""
    marks = marks_of(body[: named.start()] if named else body)
    problem = marks.problem
    if not marks.text:
        return None, problem
    if id in seen:
        id, problem = "", problem or f"^{id} is used twice; the second line gets a name of its own"
    if id:
        seen.add(id)
    kind = Kind.INSTRUCTION if name == CORE else Kind.PERSONA
    end = (marks.when, marks.until, marks.paused, marks.said)
    return Line(id, marks.text, kind, Origin.EDITED, *end), problem


def _never_closed(raws: Sequence[str]) -> dict[str, tuple[int, str]]:
    """Kinds of blocks that are opened and never closed, each with the number of that row and the row.

    They hide nothing: what the person asked for must not go out of force because of a slip of the pen.
    """
    plain: dict[str, tuple[int, str]] = {}
    while True:  # at most once for each kind
        outside = _Outside(plain)
        for number, raw in enumerate(raws, 1):
            outside.covers(raw, first=number == 1)
        if not outside.open:
            return plain
        plain[outside.open] = outside.since


class _Outside:
    """Keeps track of the places where a bullet is not a line: front matter, fences, comments."""

    def __init__(self, plain: Mapping[str, tuple[int, str]]) -> None:
        """`plain`: kinds of blocks that are never closed, each from a row on."""
        self._plain = plain
        self._row = 0
        self.since = (0, "")  # the row that opened the block we are in
        self.front = False
        self.fence = ""
        self.comment = False

    @property
    def open(self) -> str:
        """The kind of block we are in, "" outside."""
        return "front" if self.front else "fence" if self.fence else "comment" if self.comment else ""

    def covers(self, raw: str, *, first: bool) -> bool:
        """Whether this row lies in such a place."""
        self._row += 1
        was = self.open
        covered = self._covers(raw, first=first)
        if not was and self.open:
            if self.open in self._plain and self._row >= self._plain[self.open][0]:
                self.front, self.fence, self.comment = False, "", False
                return first and raw.lstrip("\ufeff").rstrip() == "---"
            self.since = (self._row, raw)
        return covered

    def _covers(self, raw: str, *, first: bool) -> bool:
        bare = raw.lstrip("\ufeff").rstrip()
        if self.front:
            if bare == "---":
                self.front = False
            return True
        if first and bare == "---":
            self.front = True
            return True
        if self.fence:
            if bare.lstrip().startswith(self.fence):
                self.fence = ""
            return True
        if self.comment or bare.lstrip().startswith("<!--"):
            self.comment = "-->" not in bare
            return True
        if fence := _FENCE.match(bare):
            self.fence = fence[1]
            return True
        return False


def named(pages: Sequence[Page], title: str) -> Page | None:
    """The topic page of that title, compared as people do: without case and width."""
    return next((page for page in pages if page.name != CORE and fold(page.title) == fold(title)), None)


def _plain(value: str) -> str:
    return " ".join(value.split())


def stem(name: str) -> str:
    """The file's bare name: the title of a page that says none."""
    return name.rsplit("/", 1)[-1].removesuffix(".md")
