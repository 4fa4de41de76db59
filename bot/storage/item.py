"""What the archive holds of one picture, and the name that it has on any disk."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from datetime import datetime

MOST_CHARACTERS = 60  # of a file name's stem
MOST_BYTES = 180
_UNSAFE = re.compile(
    # what some system cannot hold, and what is not seen: controls, marks that turn the direction of writing
    r'[\\/:*?"<>|\x00-\x1f\x7f-\x9f\ud800-\udfff\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]+'
)
_EXTENSION = re.compile(r"\.[A-Za-z0-9]{1,8}")
_DEVICES = {"con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(1, 10))}


def safe_name(words: str, *, most: int = MOST_CHARACTERS) -> str:
    """`words` as part of a file name on any system: NFC, no separators, no leading dot, never empty."""
    name = unicodedata.normalize("NFC", _UNSAFE.sub("-", words))
    name = " ".join(name.split()).strip(" .-")[:most]
    while len(name.encode()) > MOST_BYTES - 30:
        name = name[:-1]
    name = name.strip(" .-") or "_"
    return f"_{name}" if name.split(".")[0].casefold() in _DEVICES else name


@dataclass(frozen=True, slots=True)
class Item:
    """Everything the sidecar says about one picture."""

    number: int
    category: str
    title: str
    summary: str
    tags: tuple[str, ...]
    text: str
    at: datetime
    extension: str  # with the dot
    rule: str | None = None
    why: str = ""
    binned: bool = False  # it lies in the bin
    sha256: str = ""  # of the picture's bytes

    @property
    def stem(self) -> str:
        """`<date> <title> #<n>`, at most 60 characters and 180 bytes."""
        head, tail = f"{self.at:%Y-%m-%d} ", f" #{self.number}"
        return head + safe_name(self.title, most=MOST_CHARACTERS - len(head) - len(tail)) + tail

    @property
    def file(self) -> str:
        """Path below the person's folder, with forward slashes."""
        fits = _EXTENSION.fullmatch(self.extension) and self.extension.lower() != ".md"  # that is the sidecar
        folder = "bin" if self.binned else f"archive/{safe_name(self.category)}"
        return f"{folder}/{self.stem}{self.extension if fits else '.bin'}"
