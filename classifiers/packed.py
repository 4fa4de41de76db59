"""The inside of an Office file: a zip of XML parts, which the standard library reads. Hostile ones are refused.

Parts are unpacked as far as somebody reads on, so that the beginning of a very long one costs only that.
"""

from __future__ import annotations

import posixpath
import zipfile
from collections import deque
from collections.abc import Iterator, Mapping
from typing import IO
from xml.etree import ElementTree

from classifiers.errors import Unreadable

MOST_XML = 64 * 2**20  # bytes unpacked of one part
MOST_OF_ALL = 2 * MOST_XML  # of all parts together
MOST_ELEMENTS = 3_000_000  # of one part: an empty one takes four bytes there and a hundred here
_DOCTYPES = tuple("<!DOCTYPE".encode(encoding) for encoding in ("utf-8", "utf-16-le", "utf-16-be"))
_LONGEST = max(map(len, _DOCTYPES))

Element = ElementTree.Element
Related = Mapping[str, tuple[str, str]]
"""What a part refers to: id → (kind, path)."""


class Packed:
    """An open file. Parts go by their path in it."""

    def __init__(self, archive: zipfile.ZipFile, name: str) -> None:
        self._archive = archive
        self._left = MOST_OF_ALL
        self.name = name
        self.parts = frozenset(archive.namelist())

    def events(self, part: str) -> Iterator[tuple[str, str, Element]]:
        """A part piece by piece: ("start" or "end", tag without its namespace, element).

        Raises `Unreadable` for what unpacks to an abnormal size, or defines entities that would.
        """
        with self._archive.open(part) as packed:
            most = min(MOST_XML, self._left)
            file = _Measured(packed, most)
            try:
                elements = 0
                for event, element in ElementTree.iterparse(file, events=("start", "end")):
                    elements += event == "start"
                    if elements > MOST_ELEMENTS:
                        raise _AbnormalError
                    yield event, local(element.tag), element
            except _AbnormalError:
                raise Unreadable(
                    f"「{self.name}」的内部数据不正常（可能是压缩炸弹），没有读。",
                    f"The inner data of “{self.name}” is abnormal (perhaps a bomb); it was not read.",
                    False,
                ) from None
            finally:
                self._left -= most - file.left

    def root(self, part: str) -> Element:
        """A small part as a whole; an empty one where there is none."""
        if part not in self.parts:
            return ElementTree.Element("none")
        [(_, _, last)] = deque(self.events(part), maxlen=1)  # what ends last is the root
        return last

    def related(self, part: str) -> Related:
        """What a part refers to by ids."""
        folder, _, file = part.rpartition("/")
        found = {}
        for each in self.root(f"{folder}/_rels/{file}.rels"):
            target = attribute(each, "Target")
            path = target.lstrip("/") if target.startswith("/") else posixpath.join(folder, target)
            kind = attribute(each, "Type").rpartition("/")[2]
            found[attribute(each, "Id")] = kind, posixpath.normpath(path)
        return found


class _AbnormalError(Exception):
    """More than anybody writes."""


class _Measured:
    """A stream that ends in `_AbnormalError` where too much comes, or a document type."""

    def __init__(self, file: IO[bytes], most: int) -> None:
        self._file = file
        self._before = b""
        self.left = most

    def read(self, size: int = -1) -> bytes:
        """The next bytes."""
        data = self._file.read(min(size, 65_536) if size > 0 else 65_536)
        self.left -= len(data)
        seen = self._before + data
        if self.left < 0 or any(mark in seen for mark in _DOCTYPES):
            raise _AbnormalError
        self._before = seen[-_LONGEST:]
        return data


def local(tag: str) -> str:
    """A tag or an attribute without its namespace, which differs from one edition of the format to the next."""
    return tag.rpartition("}")[2]


def attribute(element: Element, name: str) -> str:
    """One attribute whatever its namespace, "" when there is none."""
    return next((value for key, value in element.attrib.items() if local(key) == name), "")


def referred(element: Element, related: Related) -> tuple[str, str]:
    """(kind, path) of the part that an element stands for, by its id among the relations; it may have its own too."""
    ids = (value for key, value in element.attrib.items() if local(key) == "id")
    return next((related[each] for each in ids if each in related), ("", ""))


def row_of(cells: list[str]) -> str:
    """A table's row as a model sees that it is one; each cell on one line."""
    return f"| {' | '.join(' '.join(cell.split()) for cell in cells)} |"
