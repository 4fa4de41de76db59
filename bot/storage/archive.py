"""Pictures on disk as people like them: `archive/<category>/<date> <title> #<n>.<ext>` with a Markdown sidecar.

Written through a temporary file and one rename, so that no half file is ever seen under its name.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from urllib.parse import quote
from uuid import uuid4

from bot.errors import HomeUnwritable

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


def sidecar(item: Item) -> str:
    """The Markdown beside the picture: front matter for Obsidian, then summary and text for everybody."""
    matter = {
        "number": item.number,
        "title": item.title,
        "category": item.category,
        "tags": list(item.tags),
        "date": item.at.isoformat(timespec="seconds"),
        "rule": item.rule or "",
        "why": item.why,
    }
    head = "\n".join(
        f"{key}: {_NOT_IN_YAML.sub(' ', json.dumps(value, ensure_ascii=False))}"
        for key, value in matter.items()
    )
    picture = quote(Path(item.file).name)  # a bare # in a link would be read as a heading's name
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall(r"`+", item.text)), default=0))
    body = f"\n{fence}text\n{item.text}\n{fence}\n" if item.text else ""
    return f"---\n{head}\n---\n\n![]({picture})\n\n{item.summary}\n{body}"


_NOT_IN_YAML = re.compile(r"[\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")  # or ends a line there


class Archive:
    """One person's pictures on disk."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder  # the person's folder

    def write(self, item: Item, data: bytes) -> None:
        """Put picture and sidecar in place; writing twice leaves one. Raises `HomeUnwritable`."""
        target = self.folder / item.file
        try:
            _put(target, data)
            _put(target.with_suffix(".md"), _bytes(sidecar(item)))
        except OSError as error:
            raise HomeUnwritable() from error

    def move(self, olds: Sequence[str], item: Item) -> None:
        """Move a picture from where it lies to where `item` says, and write its sidecar anew. Safe to run twice.

        A picture that the person took away by hand stays away. Raises `HomeUnwritable`.
        """
        target = self.folder / item.file
        try:
            for old in olds:
                if (self.folder / old).exists() and not target.exists():
                    target.parent.mkdir(parents=True, exist_ok=True)
                    os.replace(self.folder / old, target)
            if target.exists():
                _put(target.with_suffix(".md"), _bytes(sidecar(item)))
        except OSError as error:
            raise HomeUnwritable() from error
        for old in olds:
            self.remove(old)

    def remove(self, file: str) -> None:
        """Take a picture and its sidecar away, if they are there, and their folder when it is empty.

        Raises `HomeUnwritable`.
        """
        path = self.folder / file
        try:
            path.unlink(missing_ok=True)
            path.with_suffix(".md").unlink(missing_ok=True)
        except OSError as error:
            raise HomeUnwritable() from error
        with contextlib.suppress(OSError):  # others lie in it, or somebody made it anew
            path.parent.rmdir()

    def place(self, files: Sequence[str]) -> Path | None:
        """The first of these that is there."""
        return next((self.folder / file for file in files if file and (self.folder / file).is_file()), None)

    def read(self, files: Sequence[str]) -> bytes | None:
        """The bytes of the first of these that is there."""
        for file in files:
            with contextlib.suppress(FileNotFoundError, NotADirectoryError):
                return (self.folder / file).read_bytes()
        return None


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "replace")  # OCR and models may leave halves of characters


def _put(target: Path, data: bytes) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(f".{uuid4().hex[:12]}.part")
    try:
        with part.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, target)
    finally:
        part.unlink(missing_ok=True)
