"""Office files: Word, Excel, PowerPoint and OpenDocument. Each kind tells its own text, by the part it has."""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections.abc import Callable
from xml.etree import ElementTree

from classifiers.errors import Unreadable, other_kind
from classifiers.open_document import open_document_lines
from classifiers.packed import Packed
from classifiers.slides import slide_lines
from classifiers.spreadsheet import sheet_lines
from classifiers.word import word_lines

READERS: dict[str, tuple[str, Callable[[Packed, int], list[str]]]] = {
    "word/document.xml": ("docx", word_lines),
    "xl/workbook.xml": ("xlsx", sheet_lines),
    "ppt/presentation.xml": ("pptx", slide_lines),
    "content.xml": ("opendocument", open_document_lines),
}
"""The part that only this kind has → (its name, what tells its lines)."""


def read_office(data: bytes, name: str, most: int) -> tuple[str, str]:
    """(the text of an Office file, of a long one somewhat more than `most` characters; its kind). Blocking.

    Raises `Unreadable`.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            packed = Packed(archive, name)
            for part, (kind, lines) in READERS.items():
                if part in packed.parts:
                    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines(packed, most))), kind
    except (
        zipfile.BadZipFile,
        zlib.error,
        EOFError,
        OSError,
        NotImplementedError,
        RuntimeError,  # a part is encrypted
        ElementTree.ParseError,
        ValueError,
        KeyError,  # it names a part that is not there
    ) as error:
        raise Unreadable(
            f"「{name}」已损坏，打不开。", f"“{name}” is damaged and cannot be opened.", False
        ) from error
    raise other_kind(name)
