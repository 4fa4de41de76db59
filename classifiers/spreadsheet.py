"""Excel files (.xlsx): each sheet as a table, with values as a person sees them; a formula only where none is kept."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from classifiers.cell_formats import Formats
from classifiers.packed import Element, Packed, Related, attribute, local, referred, row_of

MOST_SHEETS = 50
MOST_ROWS = 5_000  # of a sheet
MOST_COLUMNS = 200
MORE_ROWS = "[… the sheet goes on; only its beginning was read]"

_BOOK = "xl/workbook.xml"

Cell = str | int
"""What stands there, or the number of a shared string."""


@dataclass(slots=True)
class _Sheet:
    """A sheet as far as it has been read."""

    name: str
    rows: list[list[Cell]] = field(default_factory=list)
    length: int = 0  # characters, as far as that is known
    cut: bool = False

    def add(self, cells: dict[int, Cell]) -> None:
        """A row, by columns; an empty one is none."""
        if cells:
            self.rows.append([cells.get(place, "") for place in range(1, max(cells) + 1)])
            self.length += sum(len(cell) if isinstance(cell, str) else 1 for cell in cells.values())


def sheet_lines(packed: Packed, most: int) -> list[str]:
    """The text of all sheets, of a long book somewhat more than `most` characters."""
    book, related = packed.root(_BOOK), packed.related(_BOOK)
    settings = next((each for each in book if local(each.tag) == "workbookPr"), None)
    since_1904 = settings is not None and attribute(settings, "date1904") in ("1", "true")
    formats = Formats(packed.root(_part(related, "styles")), since_1904=since_1904)
    sheets: list[_Sheet] = []
    for each in [each for each in book.iter() if local(each.tag) == "sheet"][:MOST_SHEETS]:
        kind, part = referred(each, related)
        if kind == "worksheet" and most > 0:
            hidden = "" if attribute(each, "state") in ("", "visible") else " (hidden)"
            sheets.append(_read(packed, part, attribute(each, "name") + hidden, formats, most))
            most -= sheets[-1].length
    numbers = {cell for sheet in sheets for row in sheet.rows for cell in row if isinstance(cell, int)}
    shared = _shared(packed, _part(related, "sharedStrings"), numbers)
    return [line for sheet in sheets if sheet.rows for line in _told(sheet, shared)]


def _part(related: Related, wanted: str) -> str:
    return next((path for kind, path in related.values() if kind == wanted), "")


def _told(sheet: _Sheet, shared: dict[int, str]) -> Iterator[str]:
    yield f"## {sheet.name}"
    width = max(map(len, sheet.rows))
    for row in sheet.rows:
        cells = [shared.get(cell, "") if isinstance(cell, int) else cell for cell in row]
        yield row_of(cells + [""] * (width - len(cells)))
    if sheet.cut:
        yield MORE_ROWS
    yield ""


def _read(packed: Packed, part: str, name: str, formats: Formats, most: int) -> _Sheet:
    """One sheet. Rows and cells may leave out where they stand: then it is behind the last."""
    sheet, cells, column = _Sheet(name), dict[int, Cell](), 0
    for event, tag, element in packed.events(part):
        if event == "start":
            continue
        if tag == "c":
            column = _column(attribute(element, "r")) or column + 1
            value = _value(element, formats)
            if value != "" and column <= MOST_COLUMNS:
                cells[column] = value
            element.clear()
        elif tag == "row":
            sheet.cut = len(sheet.rows) >= MOST_ROWS or sheet.length > most
            if sheet.cut:
                break
            sheet.add(cells)
            cells, column = {}, 0
            element.clear()
        elif tag == "sheetData":
            break
    return sheet


def _value(cell: Element, formats: Formats) -> Cell:
    """What a cell shows; "" when it is empty."""
    kind = attribute(cell, "t") or "n"
    parts = {local(child.tag): child for child in cell}
    if kind == "inlineStr":
        return _words(parts["is"]) if "is" in parts else ""
    written = (parts["v"].text or "").strip("\r\n") if "v" in parts else ""
    if not written:
        formula = parts["f"].text if "f" in parts else None
        return f"={formula}" if formula else ""
    if kind == "s":
        return int(written)
    if kind == "b":
        return "TRUE" if written == "1" else "FALSE"
    return formats.shown(written, int(attribute(cell, "s") or 0)) if kind == "n" else written


def _column(reference: str) -> int:
    """3 of "C17"; 0 when it does not say."""
    number = 0
    for sign in reference[:4]:
        if not ("A" <= sign <= "Z"):
            break
        number = number * 26 + ord(sign) - 64
    return number


def _shared(packed: Packed, part: str, wanted: set[int]) -> dict[int, str]:
    """The shared strings that are wanted, by number."""
    found: dict[int, str] = {}
    if not wanted or part not in packed.parts:
        return found
    number, last = 0, max(wanted)
    for event, tag, element in packed.events(part):
        if event == "end" and tag == "si":
            if number in wanted:
                found[number] = _words(element)
            element.clear()
            number += 1
            if number > last:
                break
    return found


def _words(element: Element) -> str:
    """The words of a string, without how they are pronounced."""
    tag = local(element.tag)
    if tag == "rPh":
        return ""
    own = (element.text or "") if tag == "t" else ""
    return own + "".join(map(_words, element))
