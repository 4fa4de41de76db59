"""Documents that are read and not filed: text in any encoding, Markdown, web pages, Office files.

`is_paper` only looks at a name and the first bytes. `read_paper` is for the worker process (`worker.py`), where a
hostile file harms nobody. PDF files are pictures too, and are read where those are (`pdf.py`).
"""

from __future__ import annotations

import re
from html.parser import HTMLParser

from classifiers.errors import Unreadable, locked, other_kind
from classifiers.types import Reading

MOST_TEXT = 200_000  # characters that are read; a book has more
MOST_BYTES = 32 * 2**20
MORE = "\n[… the file goes on; only its beginning was read]"

_PICTURE_NAME = re.compile(
    r"\.(?:jpe?g|jfif|a?png|webp|hei[cf]|gif|bmp|tiff?|avif|jp2|svg|pdf|mp4|mov|mpo|ico|cur|icns|psd|qoi|p[bgnp]m|tga|pcx|dds)$",
    re.IGNORECASE,
)
_PICTURE_BYTES = re.compile(
    rb"\x89PNG|\xff\xd8\xff|GIF8|BM.{4}\0\0\0\0|II\*\0|MM\0\*|RIFF.{4}WEBP|.{4}ftyp|\0\0\0\x0cjP|"
    rb"\xff\x4f\xff\x51|\0\0[\1\2]\0.\0|icns|8BPS|qoif|P[1-6]\s+(?:#[^\n]*\n\s*)*\d+\s+\d+\s|DDS ",
    re.DOTALL,
)
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_WEB_PAGE = re.compile(r"\s*(?:<!doctype html|<html|<head|<body)", re.I)
_COMMON_HAN = (
    range(0xA1, 0xA4),
    range(0xB0, 0xD8),
)  # lead bytes of marks and of the 3,755 commonest characters


def is_paper(data: bytes, name: str) -> bool:
    """Whether a file is read as a document: it has a name, and neither that nor its bytes are a picture's."""
    if not data or not name or _PICTURE_NAME.search(name) or _PICTURE_BYTES.match(data):
        return False
    head = data[:2048]
    return b"%PDF-" not in head and b"<svg" not in head.lower()


def read_paper(data: bytes, name: str) -> Reading:
    """The text of a document. Blocking.

    Raises:
        Unreadable: it is of a kind we cannot read, damaged, or too large; the error says which.
    """
    if len(data) > MOST_BYTES:
        raise Unreadable(
            f"「{name}」太大了（超过 {MOST_BYTES // 2**20} MB），没有读。",
            f"“{name}” is too large (over {MOST_BYTES // 2**20} MB) and was not read.",
            False,
        )
    if data.startswith(b"PK\x03\x04"):
        from classifiers.office import read_office

        text, kind = read_office(data, name, MOST_TEXT)
    else:
        text, kind = _decoded(data, name), "text"
        if _WEB_PAGE.match(text):
            text, kind = _text_of_page(text), "html"
    text = text.replace("\0", "").strip()
    if not text:
        raise Unreadable(f"「{name}」里没有文字。", f"There is no text in “{name}”.", False)
    if len(text) > MOST_TEXT:
        text = text[:MOST_TEXT] + MORE
    return Reading(text, text.count("\n") + 1, 1.0, kind)


def _decoded(data: bytes, name: str) -> str:
    """Text in whatever encoding it was written. Raises `Unreadable`."""
    for mark, encoding in (
        (b"\xef\xbb\xbf", "utf-8-sig"),
        (b"\xff\xfe", "utf-16"),
        (b"\xfe\xff", "utf-16"),
    ):
        if data.startswith(mark):
            return data.decode(encoding, "replace")
    if data.startswith(b"\xd0\xcf\x11\xe0"):
        raise locked(name)
    if data.startswith(b"{\\rtf"):
        raise other_kind(name)
    if _CONTROL.search(data):
        return _without_mark(data, name)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return _regional(data, name)


def _without_mark(data: bytes, name: str) -> str:
    """UTF-16 by its zeros (every other byte of Latin text), else no text at all."""
    sample = data[:4096]
    for place, encoding in ((1, "utf-16-le"), (0, "utf-16-be")):
        if sample[place::2].count(0) > 0.4 * len(sample) / 2 > sample[1 - place :: 2].count(0) * 10:
            return data.decode(encoding, "replace")
    raise other_kind(name)


def _regional(data: bytes, name: str) -> str:
    """Chinese (GB18030), or a Western European page; others cannot be told apart for sure. Raises `Unreadable`."""
    high = re.findall(rb"[\x80-\xff]+", data)
    alone = sum(len(run) == 1 for run in high)
    if alone > 0.8 * len(high):
        return data.decode("cp1252", "replace")
    leads = re.findall(rb"([\x81-\xfe])[\x40-\x7e\x80-\xfe]", data)
    common = sum(any(lead[0] in each for each in _COMMON_HAN) for lead in leads)
    if leads and common > 0.7 * len(leads):
        return data.decode("gb18030", "replace")
    raise Unreadable(
        f"认不出「{name}」的文字编码，请存成 UTF-8 再发。",
        f"I cannot tell how the text of “{name}” is encoded; please save it as UTF-8 and send it again.",
        False,
    )


class _Page(HTMLParser):
    """Collects the words of a page, a line for each of its blocks."""

    SILENT = frozenset({"script", "style", "head", "template", "noscript", "svg"})
    INLINE = frozenset(
        {"a", "abbr", "b", "code", "em", "i", "kbd", "mark", "s", "small", "span", "strong", "sub", "u"}
    )

    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []
        self._silent: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in self.SILENT:
            self._silent.append(tag)
        elif tag == "body":
            self._silent.clear()  # a head that was never closed
        if tag not in self.INLINE:
            self.words.append("\n")

    def handle_endtag(self, tag: str) -> None:
        if tag in self._silent:
            del self._silent[self._silent.index(tag) :]
        if tag not in self.INLINE:
            self.words.append("\n")

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self.words.append(" ".join(re.split(r"\s+", data)))


def _text_of_page(page: str) -> str:
    parser = _Page()
    parser.feed(page)
    parser.close()
    lines = (line.strip() for line in "".join(parser.words).split("\n"))
    return "\n".join(line for line in lines if line)
