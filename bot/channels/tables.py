"""A Markdown table as a phone can show it: aligned columns when they fit, else one small block a row."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

PHONE_WIDTH = 34  # columns of fixed-width type that fit a phone without wrapping

_NUMBER = re.compile(r"[-+−]?[\d.,\s]*\d\s*[%‰]?|[-–—]?")


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell: its words as shown, its Markdown, and whether plain type would lose something (a link)."""

    words: str
    source: str
    rich: bool = False


def table_markdown(rows: Sequence[Sequence[Cell]]) -> str:
    """The table, its head first, as Markdown without tables. Never empty when a cell is not."""
    columns = max((len(row) for row in rows), default=0)
    if not columns:
        return ""
    full = [[*row, *[Cell("", "")] * (columns - len(row))] for row in rows]
    widths = [max(_width(row[i].words) for row in full) for i in range(columns)]
    rich = any(cell.rich for row in full for cell in row)
    if rich or sum(widths) + 2 * (columns - 1) > PHONE_WIDTH:
        return _blocks(full)
    return _aligned(full, widths)


def _width(words: str) -> int:
    """Columns of fixed-width type: Han and emoji take two, combining marks none."""
    if words.isascii():
        return len(words)
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in words
    )


def _aligned(rows: list[list[Cell]], widths: list[int]) -> str:
    numeric = [all(_NUMBER.fullmatch(row[i].words) for row in rows[1:]) for i in range(len(widths))]
    lines = []
    for number, row in enumerate(rows):
        pieces = []
        for cell, width, right in zip(row, widths, numeric, strict=True):
            pad = " " * (width - _width(cell.words))
            pieces.append(pad + cell.words if right and len(rows) > 1 else cell.words + pad)
        lines.append("  ".join(pieces).rstrip())
        if number == 0 and len(rows) > 1:
            lines.append("  ".join("─" * width for width in widths))
    body = "\n".join(lines)
    ticks = max((len(run) for run in re.findall("`+", body)), default=0)
    fence = "`" * max(3, ticks + 1)
    return f"{fence}\n{body}\n{fence}"


def _blocks(rows: list[list[Cell]]) -> str:
    head, body = rows[0], rows[1:]
    if not body:
        return " · ".join(cell.source for cell in head if cell.source)
    blocks = []
    for row in body:
        lines = []
        title = row[0].source
        if title:
            lines.append(title if "*" in title or "`" in title else f"**{title}**")
        for name, cell in zip(head[1:], row[1:], strict=True):
            if cell.source:
                lines.append(f"- {name.source}: {cell.source}" if name.source else f"- {cell.source}")
        blocks.append("\n".join(lines))
    return "\n\n".join(block for block in blocks if block)
