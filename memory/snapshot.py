"""Everything memory holds at one moment, as a main model reads it: rules in full, topics by title, the last changes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from memory.page import Line
from memory.words import has_han


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic page in the index."""

    page: str  # "topics/<slug>.md", what `read` takes
    title: str
    purpose: str
    count: int  # lines that hold today

    def __str__(self) -> str:
        purpose = f" — {self.purpose}" if self.purpose else ""
        return f"- {self.title} ({self.count}){purpose}"


def tokens_of(text: str) -> int:
    """About how many tokens a model counts: a Han character is one, four others are one."""
    han = sum(1 for c in text if has_han(c))
    return han + (len(text) - han + 3) // 4


def rule_row(line: Line) -> str:
    """A standing instruction as models read it, its id in front so that they can name the one they applied."""
    return f"[{line.id}] {line}"


def plain(row: str) -> str:
    """The line in such a row, without its id."""
    return _ROW.sub("", row, count=1)


_ROW = re.compile(r"^\[\w[\w-]{0,31}\] ")


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One moment. Frozen: a prompt built from it agrees with itself."""

    core: tuple[Line, ...] = ()
    topics: tuple[Topic, ...] = ()
    log: tuple[str, ...] = ()  # newest last

    @property
    def rules(self) -> str:
        """Standing instructions, one a line; never cut."""
        return "\n".join(rule_row(line) for line in self.core)

    def index(self, budget: int = 600) -> str:
        """Topics within a budget of tokens; what does not fit is counted, not dropped in silence."""
        rows, left = _fitting([str(topic) for topic in self.topics], budget)
        if left:
            rows.append(f"- … {left} more")
        return "\n".join(rows)

    def tail(self, budget: int = 400) -> str:
        """The last changes within a budget of tokens, newest kept."""
        rows, _ = _fitting(list(reversed(self.log)), budget)
        return "\n".join(reversed(rows))

    def render(self, budget: int = 2000) -> str:
        """All of it, about `budget` tokens long. Instructions are never dropped, even where they alone exceed it."""
        left = max(0, budget - tokens_of(self.rules))
        index = self.index(left * 2 // 3)
        tail = self.tail(max(0, left - tokens_of(index)))
        parts = (("Standing instructions", self.rules), ("Topics", index), ("Last changes", tail))
        return "\n\n".join(f"## {title}\n{body}" for title, body in parts if body)


def _fitting(rows: Sequence[str], budget: int) -> tuple[list[str], int]:
    """As many rows from the front as fit, and how many do not."""
    kept: list[str] = []
    for row in rows:
        budget -= tokens_of(row) + 1
        if budget < 0:
            break
        kept.append(row)
    return kept, len(rows) - len(kept)
