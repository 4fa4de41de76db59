"""Word files (.docx): the words of every paragraph and table, in order.

Headings keep a `#`, list items a `-`, table rows their bars, so that a model sees how the document is built. What was
deleted under "track changes" is gone, field codes are left out, text boxes are read once.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from classifiers.packed import Element, Packed, attribute, row_of

PARTS = ("word/document.xml", "word/footnotes.xml", "word/endnotes.xml")

_HEADING = re.compile(r"(?:heading|标题)\s*(\d)", re.I)
_BREAKS = {"tab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}


def word_lines(packed: Packed, most: int) -> list[str]:
    """The text, of a long one somewhat more than `most` characters."""
    return [line for part in PARTS if part in packed.parts for line in _lines(packed, part, most)]


@dataclass(slots=True)
class _Table:
    """A table that is being read."""

    row: list[str] = field(default_factory=list)
    cell: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _Paragraph:
    """A paragraph that is being read; a text box in it holds others."""

    words: list[str] = field(default_factory=list)
    mark: str = ""  # before it: of a heading, of a list


@dataclass(slots=True)
class _Body:
    """A part as far as it has been read."""

    lines: list[str] = field(default_factory=list)
    tables: list[_Table] = field(default_factory=list)  # the innermost last
    paragraphs: list[_Paragraph] = field(default_factory=list)  # likewise
    aside: int = 0  # depth within what stands twice

    def begin(self, tag: str, element: Element) -> None:
        if tag == "Fallback":  # the same text box once more, for older programs
            self.aside += 1
        elif tag == "tbl" and not self.aside:
            self.tables.append(_Table())
        elif tag == "p":
            self.paragraphs.append(_Paragraph())
        elif tag == "numPr" and self.paragraphs:
            self.paragraphs[-1].mark = self.paragraphs[-1].mark or "- "
        elif tag == "pStyle" and self.paragraphs and (level := _HEADING.match(attribute(element, "val"))):
            self.paragraphs[-1].mark = "#" * int(level[1]) + " "

    def end(self, tag: str, element: Element) -> None:
        if tag == "Fallback":
            self.aside -= 1
        elif tag == "p" and self.paragraphs:
            paragraph = self.paragraphs.pop()
            if not self.aside:
                self._say(paragraph.mark + "".join(paragraph.words) if any(paragraph.words) else "")
        elif tag in ("t", *_BREAKS) and self.paragraphs and not self.aside:
            self.paragraphs[-1].words.append(_written(tag, element))
        elif self.tables and not self.aside:
            self._end_of_table(tag)

    def _end_of_table(self, tag: str) -> None:
        table = self.tables[-1]
        if tag == "tc":
            table.row.append(" ".join(table.cell))
            table.cell.clear()
        elif tag == "tr":
            told = row_of(table.row)
            table.row.clear()
            self._say(told, out=1)
        elif tag == "tbl":
            self.tables.pop()

    def _say(self, line: str, out: int = 0) -> None:
        """Put a line where it belongs: into the cell it stands in (`out` = 1: of the table around), or the page."""
        around = self.tables[: len(self.tables) - out]
        (around[-1].cell if around else self.lines).append(line)


def _written(tag: str, element: Element) -> str:
    if tag == "t":
        return element.text or ""
    return "" if tag == "tab" and element.attrib else _BREAKS[tag]  # one with a position only sets it


def _lines(packed: Packed, part: str, most: int) -> list[str]:
    body, length = _Body(), 0
    for event, tag, element in packed.events(part):
        if event == "start":
            body.begin(tag, element)
            continue
        body.end(tag, element)
        if tag == "p":
            length += sum(map(len, body.lines[-1:]))
            element.clear()
        if length > most:
            break
    return body.lines
