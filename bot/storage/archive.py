"""Pictures on disk as people like them: `archive/<category>/<date> <title> #<n>.<ext>` with a Markdown sidecar.

Written through a temporary file and one rename, so that no half file is ever seen under its name.
"""

from __future__ import annotations

import json
import os
import re
import unicodedata
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from uuid import uuid4

from bot.errors import HomeUnwritable

MOST_CHARACTERS = 60  # of a file name's stem
MOST_BYTES = 180
_UNSAFE = re.compile(r'[\\/:*?"<>|\x00-\x1f\x7f]+')


def safe_name(words: str, *, most: int = MOST_CHARACTERS) -> str:
    """`words` as part of a file name on any system: NFC, no separators, no leading dot, never empty."""
    name = unicodedata.normalize("NFC", _UNSAFE.sub("-", words))
    name = " ".join(name.split()).strip(" .-")[:most]
    while len(name.encode()) > MOST_BYTES - 30:
        name = name[:-1]
    return name.strip(" .-") or "_"


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

    @property
    def stem(self) -> str:
        """`<date> <title> #<n>`, at most 60 characters and 180 bytes."""
        head, tail = f"{self.at:%Y-%m-%d} ", f" #{self.number}"
        return head + safe_name(self.title, most=MOST_CHARACTERS - len(head) - len(tail)) + tail

    @property
    def file(self) -> str:
        """Path below the person's folder, with forward slashes."""
        return f"archive/{safe_name(self.category)}/{self.stem}{self.extension}"


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
    head = "\n".join(f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in matter.items())
    picture = Path(item.file).name
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall(r"`+", item.text)), default=0))
    body = f"\n{fence}text\n{item.text}\n{fence}\n" if item.text else ""
    return f"---\n{head}\n---\n\n![[{picture}]]\n\n{item.summary}\n{body}"


class Archive:
    """One person's pictures on disk."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder  # the person's folder

    def write(self, item: Item, data: bytes) -> None:
        """Put picture and sidecar in place; writing twice leaves one. Raises `HomeUnwritable`."""
        target = self.folder / item.file
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            _put(target, data)
            _put(target.with_suffix(".md"), sidecar(item).encode())
        except OSError as error:
            raise HomeUnwritable() from error

    def move(self, old: str, item: Item) -> None:
        """Move a picture to where `item` says, and write its sidecar anew. Safe to run twice."""
        source, target = self.folder / old, self.folder / item.file
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            if source != target and source.exists():
                os.replace(source, target)
            _put(target.with_suffix(".md"), sidecar(item).encode())
            if source != target:
                source.with_suffix(".md").unlink(missing_ok=True)
                if source.parent != target.parent and not any(source.parent.iterdir()):
                    source.parent.rmdir()
        except OSError as error:
            raise HomeUnwritable() from error

    def remove(self, file: str) -> None:
        """Take a picture and its sidecar away, if they are there."""
        (self.folder / file).unlink(missing_ok=True)
        (self.folder / file).with_suffix(".md").unlink(missing_ok=True)


def _put(target: Path, data: bytes) -> None:
    part = target.with_name(f".{uuid4().hex[:12]}.part")
    try:
        with part.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, target)
    finally:
        part.unlink(missing_ok=True)
