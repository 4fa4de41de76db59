"""Cultivation: what an agent that tends the pages may do to them, and how log.md says what was read.

The agent hands in a whole page; what is stored is the difference to the page it was shown. So what a person typed or
saved meanwhile survives, and no line comes in without the words of the person that it rests on.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from pathlib import Path

from memory.clauses import sentences
from memory.page import Line, Page, parse
from memory.snapshot import Snapshot
from memory.wording import Language, say
from memory.words import squeeze

SIGN = "🌱"  # of cultivation's rows in log.md
WINDOW = 6_000  # characters of talk that are read at once
INSTRUCTIONS = (Path(__file__).with_name("prompts") / "cultivate.md").read_text(encoding="utf-8").strip()
_READ = re.compile(
    rf"^- \S+ \S+ {SIGN} \S+ (?P<conversation>.+?) (?P<ids>#\d+(?:–\d+)?(?:, #\d+(?:–\d+)?)*) "
    r"\(\d+; (?P<first>[^→()]+) → (?P<last>[^→()]+)\)\s*$"
)
_OPEN_SOURCE = r"[(（]\s*(?:from|source|来源|出自)\s*[:：][^#()（）]*#(?P<message>\d{1,12})"
_SOURCE = re.compile(
    rf"[ \t]*{_OPEN_SOURCE}\s*[,，:：;；]?\s*[\"“”「『'‘](?P<quote>.+)[\"“”」』'’]\s*[)）]"
    r"(?P<tail>(?:[ \t]*[(（](?:when|until|paused|仅限|到)[^()（）]*[)）])*[ \t]*(?:\^[\w-]+)?\s*)$",
    re.I,
)
_HALF_SOURCE = re.compile(_OPEN_SOURCE, re.I)


def briefing(snapshot: Snapshot) -> str:
    """The fixed words, the rules with their ids, and the pages there are."""
    rules, index = snapshot.rules or "(none)", snapshot.index(2_000) or "(none)"
    return f"{INSTRUCTIONS}\n\n# CORE.md, their standing instructions\n{rules}\n\n# Pages\n{index}"


# ---- what was read


@dataclass(frozen=True, slots=True)
class Read:
    """Messages of one conversation that a run has read, as a row of log.md."""

    conversation: str
    ids: tuple[tuple[int, int], ...]  # first and last of each stretch, both included
    first: datetime  # of the oldest message, to the second
    last: datetime

    def covers(self, conversation: str, id: int, at: datetime) -> bool:
        """Whether it speaks of this message. Its time counts too: a new database numbers from 1 again."""
        return (
            conversation == self.conversation
            and self.first <= at < self.last + timedelta(seconds=1)
            and any(low <= id <= high for low, high in self.ids)
        )

    @property
    def count(self) -> int:
        """How many numbers it names."""
        return sum(high - low + 1 for low, high in self.ids)


def reading(conversation: str, messages: Sequence[tuple[int, datetime]]) -> Read:
    """The record of messages (id, when) of one conversation; there is at least one."""
    stretches: list[tuple[int, int]] = []
    for id in sorted(id for id, _ in messages):
        if stretches and id <= stretches[-1][1] + 1:
            stretches[-1] = (stretches[-1][0], id)
        else:
            stretches.append((id, id))
    times = sorted(at.replace(microsecond=0) for _, at in messages)
    return Read(conversation, tuple(stretches), times[0], times[-1])


def read_row(read: Read, count: int, now: datetime, language: Language) -> str:
    """The row of log.md, without its bullet: for people and for `reads`.

    Args:
        count: messages that were read; a stretch may run over numbers of other conversations.
    """
    ids = ", ".join(f"#{low}" if low == high else f"#{low}–{high}" for low, high in read.ids)
    span = f"{read.first.isoformat(' ')} → {read.last.isoformat(' ')}"
    return f"{stamp(now)} {say(language, 'cultivated_read')} {read.conversation} {ids} ({count}; {span})"


def stamp(now: datetime) -> str:
    """How cultivation's rows begin."""
    return f"{now:%Y-%m-%d %H:%M} {SIGN}"


def reads(log: str) -> list[Read]:
    """What log.md says was read. A row that a person broke says nothing: its messages are read again."""
    return [read for row in log.splitlines() if (found := _READ.match(row)) and (read := _read(found))]


def _read(found: re.Match[str]) -> Read | None:
    stretches = [part.strip(" #").split("–") for part in found["ids"].split(",")]
    try:
        first, last = (datetime.fromisoformat(found[key].strip()) for key in ("first", "last"))
        ids = tuple((int(each[0]), int(each[-1])) for each in stretches)
    except (ValueError, OverflowError):
        return None
    return Read(found["conversation"], ids, first, last) if first.tzinfo and last.tzinfo else None


def ingest_since(found: Iterable[Read]) -> datetime | None:
    """The time of the newest message that was read; None when nothing was."""
    return max((read.last for read in found), default=None)


# ---- what a page may become


@dataclass(frozen=True, slots=True)
class Written:
    """A line as the agent wrote it, with the words it names as its source."""

    text: str
    when: str | None = None
    until: date | None = None
    message: int | None = None  # number of the message; None = it named none
    quote: str = ""

    @property
    def garbled(self) -> bool:
        """Whether a source is left in the middle of its text, where it was not read as one."""
        return _HALF_SOURCE.search(self.text) is not None


@dataclass(frozen=True, slots=True)
class Difference:
    """What a rewritten page adds, changes and leaves out."""

    title: str = ""
    added: tuple[Written, ...] = ()
    changed: tuple[tuple[Line, Written], ...] = ()
    gone: tuple[Line, ...] = ()

    def loses_too_much(self, base: Page) -> bool:
        """Whether more than a quarter of the page's lines would go: a page cut short, not a page tidied."""
        return len(self.gone) * 4 > len(base.lines)


def difference(base: Page, content: str) -> Difference:
    """Compare a page with what the agent made of it. Headings and prose are the person's: they are not compared."""
    marks: list[re.Match[str] | None] = []
    rows: list[str] = []
    for raw in content.splitlines():
        found = _SOURCE.search(raw)
        marks.append(found)
        rows.append((raw[: found.start()] + found["tail"] if found else raw).rstrip() + "\n")
    page, _ = parse(base.name, "".join(rows))
    by_id = {line.id: line for line in base.lines}
    by_words = {_words(line): line for line in base.lines}
    added, changed, kept = list[Written](), list[tuple[Line, Written]](), set[str]()
    for row, mark in zip(page.rows, marks, strict=True):
        if row.line is None:
            continue
        old = by_id.get(row.line.id) or by_words.get(_words(row.line))
        written = Written(
            row.line.text,
            row.line.when,
            row.line.until,
            int(mark["message"]) if mark else None,
            mark["quote"].strip() if mark else "",
        )
        if old is None or old.id in kept:
            if old is None or _words(old) != _words(row.line):
                added.append(written)
            continue
        kept.add(old.id)
        if _words(old) != _words(row.line):
            changed.append((old, written))
    gone = tuple(line for line in base.lines if line.id not in kept)
    title = page.title if page.title != base.title else ""
    return Difference(title, tuple(added), tuple(changed), gone)


def _words(line: Line) -> str:
    return squeeze(str(line))


def in_full(quote: str, words: str) -> str:
    """The whole sentences of `words` that a quote stands in: half a sentence can say the opposite.

    The quote itself, where it stands in none of them alone.
    """
    wanted = squeeze(quote)
    found = [part.text for part in sentences(words) if wanted and wanted in squeeze(part.text)]
    return found[0] if found and found[0] in words else quote


def page_title(name: str) -> str:
    """How the agent's name of a page reads as a title: without folder of topics and ending."""
    return name.strip().removeprefix("/").removeprefix("topics/").removesuffix(".md").strip()


def is_day(title: str) -> bool:
    """Whether a page is that of one day."""
    try:
        return bool(date.fromisoformat(title)) and len(title) == len("2026-01-31")
    except ValueError:
        return False
