"""What the bytes of a file say: UTF-8, or what other editors make of Chinese; and whether they are text at all."""

from __future__ import annotations

import contextlib
import re
import unicodedata

_MARKS_ZH = "，。、；：？！「」『』“”‘’（）《》【】…—·～￥→"
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")


def decoded(data: bytes) -> str:
    """A file's text: UTF-8, or what editors on Windows make of Chinese (UTF-16 with its mark, rows in GB 18030).

    Bytes that are none of these are kept as they are; `page` leaves their rows alone. What is written is UTF-8.
    """
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        with contextlib.suppress(UnicodeDecodeError):
            text = data.decode("utf-16")
            if (
                not any(unicodedata.category(char) in ("Cn", "Co", "Cs") for char in text)
                and "\0" not in text
            ):
                return text
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return "".join(map(_row, data.splitlines(keepends=True)))


def broken(text: str) -> bool:
    """Whether a file holds no text at all (zeros after a power cut, a picture saved over it): then nothing that is
    missing there was removed by the person, and nothing is written over it.
    """
    odd = sum(1 for char in text if char == "\0" or "\ud800" <= char <= "\udfff")
    return "\0" in text or odd > len(text) / 10


def _row(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        pass
    with contextlib.suppress(UnicodeDecodeError):
        text = data.decode("gb18030")
        foreign = [char for char in text if not char.isascii()]
        if (
            len(foreign) > 1
            and sum(map(_everyday, foreign)) >= 0.9 * len(foreign)
            and not _CONTROL.search(text)
        ):
            return text
    return data.decode("utf-8", "surrogateescape")


def _everyday(char: str) -> bool:
    """Whether it is one of the 3,755 common characters, or a mark: broken UTF-8 read as GB is mostly neither."""
    return char in _MARKS_ZH or b"\xb0" <= char.encode("gb2312", "ignore")[:1] <= b"\xd7"
