"""OpenDocument files (.odt, .ods, .odp): the words of every paragraph and table, in order; one reader for the three."""

from __future__ import annotations

from dataclasses import dataclass, field

from classifiers.errors import locked, other_kind
from classifiers.packed import Element, Packed, attribute, local, row_of

MOST_COLUMNS = 200

_CONTENT = "content.xml"
_REPEATS = 5  # empty cells in a row that are shown; sheets are filled up with thousands
_SILENT = {"annotation", "tracked-changes", "forms", "scripts", "font-face-decls", "automatic-styles"}
_ASIDE = {"note-citation", "note-body", "text-box"}  # a mark, and paragraphs of their own within a paragraph
_CELLS = {"table-cell", "covered-table-cell"}
_BLANKS = {"tab": "\t", "line-break": "\n"}


@dataclass(slots=True)
class _Body:
    """The text as far as it has been read."""

    lines: list[str] = field(default_factory=list)
    rows: list[list[str]] = field(default_factory=list)  # the innermost last
    cells: list[list[str]] = field(default_factory=list)  # the lines of each open cell
    lists: int = 0
    silent: int = 0
    sheets: bool = False  # its tables have names that people see

    def begin(self, tag: str, element: Element) -> None:
        if tag in _SILENT:
            self.silent += 1
        elif tag == "spreadsheet":
            self.sheets = True
        elif tag == "list":
            self.lists += 1
        elif tag == "table-row":
            self.rows.append([])
        elif tag in _CELLS:
            self.cells.append([])
        elif tag == "page" or (tag == "table" and self.sheets):
            self.lines += ["", f"## {attribute(element, 'name')}"]

    def end(self, tag: str, element: Element) -> None:
        if tag in _SILENT:
            self.silent -= 1
        elif tag == "list":
            self.lists -= 1
        elif tag in ("p", "h") and not self.silent:
            self._say(self._mark(tag, element) + _words(element))
        elif tag in _CELLS and self.rows:
            told = " ".join(self.cells.pop())
            times = int(attribute(element, "number-columns-repeated") or 1)
            self.rows[-1] += [told] * min(times, MOST_COLUMNS if told else _REPEATS)
        elif tag == "table-row":
            row = self.rows.pop()[:MOST_COLUMNS]
            while row and not row[-1]:
                row.pop()
            if row:
                self._say(row_of(row))

    def _mark(self, tag: str, element: Element) -> str:
        if tag == "h":
            return "#" * min(int(attribute(element, "outline-level") or 1), 6) + " "
        return "- " if self.lists and not self.cells else ""

    def _say(self, line: str) -> None:
        (self.cells[-1] if self.cells else self.lines).append(line)


def open_document_lines(packed: Packed, most: int) -> list[str]:
    """The text, of a long one somewhat more than `most` characters. Raises `Unreadable`."""
    manifest = packed.root("META-INF/manifest.xml")
    if any(local(each.tag) == "encryption-data" for each in manifest.iter()):
        raise locked(packed.name)
    body, length, begun = _Body(), 0, False
    for event, tag, element in packed.events(_CONTENT):
        if not begun and tag != "document-content":
            raise other_kind(packed.name)
        begun = True
        if event == "start":
            body.begin(tag, element)
            continue
        before = len(body.lines)
        body.end(tag, element)
        length += sum(map(len, body.lines[before:]))
        if tag in ("p", "h", "table-row"):
            element.clear()
        if length > most:
            break
    return body.lines


def _words(element: Element) -> str:
    """The words of a paragraph; blanks, tabs and breaks are elements of their own."""
    tag = local(element.tag)
    if tag in _SILENT or tag in _ASIDE:
        return ""
    blank = " " * min(int(attribute(element, "c") or 1), 100) if tag == "s" else _BLANKS.get(tag, "")
    return blank + (element.text or "") + "".join(_words(child) + (child.tail or "") for child in element)
