"""Word files (.docx): the words of every paragraph and table, in order. A zip of XML; the standard library reads both.

Headings keep a `#`, list items a `-`, table rows their bars, so that a model sees how the document is built. What was
deleted under "track changes" is gone, field codes are left out, text boxes are read once.
"""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from dataclasses import dataclass, field
from xml.etree import ElementTree

from classifiers.errors import Unreadable, other_kind

MOST_XML = 64 * 2**20  # bytes of one part, unpacked
PARTS = ("word/document.xml", "word/footnotes.xml", "word/endnotes.xml")

_HEADING = re.compile(r"(?:heading|标题)\s*(\d)", re.I)
_BREAKS = {"tab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}


def read_word(data: bytes, name: str, most: int) -> str:
    """The text of a Word file, of a long one somewhat more than `most` characters. Blocking. Raises `Unreadable`."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            there = set(archive.namelist())
            if PARTS[0] not in there:
                raise other_kind(name)
            lines: list[str] = []
            for part in PARTS:
                if part in there:
                    lines += _lines(_unpacked(archive, part, name), most)
    except (
        zipfile.BadZipFile,
        zlib.error,
        EOFError,
        OSError,
        NotImplementedError,
        RuntimeError,  # a part is encrypted
        ElementTree.ParseError,
        ValueError,
    ) as error:
        raise Unreadable(
            f"「{name}」已损坏，打不开。", f"“{name}” is damaged and cannot be opened.", False
        ) from error
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines))


def _unpacked(archive: zipfile.ZipFile, part: str, name: str) -> bytes:
    """One part; what unpacks to an abnormal size, or defines entities that would, is not read."""
    with archive.open(part) as packed:
        xml = packed.read(MOST_XML + 1)
    if len(xml) > MOST_XML or b"<!DOCTYPE" in xml[:4096]:
        raise Unreadable(
            f"「{name}」的内部数据不正常（可能是压缩炸弹），没有读。",
            f"The inner data of “{name}” is abnormal (perhaps a bomb); it was not read.",
            False,
        )
    return xml


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

    def begin(self, tag: str, element: ElementTree.Element) -> None:
        if tag == "Fallback":  # the same text box once more, for older programs
            self.aside += 1
        elif tag == "tbl" and not self.aside:
            self.tables.append(_Table())
        elif tag == "p":
            self.paragraphs.append(_Paragraph())
        elif tag == "numPr" and self.paragraphs:
            self.paragraphs[-1].mark = self.paragraphs[-1].mark or "- "
        elif tag == "pStyle" and self.paragraphs and (level := _HEADING.match(_value(element))):
            self.paragraphs[-1].mark = "#" * int(level[1]) + " "

    def end(self, tag: str, element: ElementTree.Element) -> None:
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
            table.row.append(" ".join(" ".join(table.cell).split()))
            table.cell.clear()
        elif tag == "tr":
            told = f"| {' | '.join(table.row)} |"
            table.row.clear()
            self._say(told, out=1)
        elif tag == "tbl":
            self.tables.pop()

    def _say(self, line: str, out: int = 0) -> None:
        """Put a line where it belongs: into the cell it stands in (`out` = 1: of the table around), or the page."""
        around = self.tables[: len(self.tables) - out]
        (around[-1].cell if around else self.lines).append(line)


def _written(tag: str, element: ElementTree.Element) -> str:
    if tag == "t":
        return element.text or ""
    return "" if tag == "tab" and element.attrib else _BREAKS[tag]  # one with a position only sets it


def _lines(xml: bytes, most: int) -> list[str]:
    body, length = _Body(), 0
    for event, element in ElementTree.iterparse(io.BytesIO(xml), events=("start", "end")):
        tag = element.tag.rpartition("}")[2]
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


def _value(element: ElementTree.Element) -> str:
    return next((value for key, value in element.attrib.items() if key.rpartition("}")[2] == "val"), "")
