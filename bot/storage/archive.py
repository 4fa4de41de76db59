"""Pictures on disk as people like them: `archive/<category>/<date> <title> #<n>.<ext>` with a Markdown sidecar.

Written through a temporary file and one rename, so that no half file is ever seen under its name.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Sequence
from pathlib import Path
from uuid import uuid4

from bot.errors import HomeUnwritable
from bot.storage.item import Item, safe_name
from bot.storage.sidecar import Sidecar, SidecarUnread, read, written

__all__ = ["Archive", "Item", "safe_name"]


class Archive:
    """One person's pictures on disk."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder  # the person's folder

    def write(self, item: Item, data: bytes, olds: Sequence[str] = ()) -> None:
        """Put picture and sidecar in place; writing twice leaves one. What was added to a sidecar in `olds` stays.

        Raises `HomeUnwritable`.
        """
        target = self.folder / item.file
        try:
            _put(target, data)
            self._beside(target, item, olds)
        except OSError as error:
            raise HomeUnwritable() from error

    def move(self, olds: Sequence[str], item: Item) -> None:
        """Move a picture from where it lies to where `item` says, and write its sidecar anew. Safe to run twice.

        A picture that the person took away by hand stays away. Raises `HomeUnwritable`.
        """
        target = self.folder / item.file
        olds = [old for old in olds if old != item.file]
        try:
            for old in olds:
                if (self.folder / old).exists() and not target.exists():
                    target.parent.mkdir(parents=True, exist_ok=True)
                    os.replace(self.folder / old, target)
            if target.exists():
                self._beside(target, item, olds)
        except OSError as error:
            raise HomeUnwritable() from error
        for old in olds:
            self.remove(old)

    def _beside(self, target: Path, item: Item, olds: Sequence[str] = ()) -> None:
        """Write a sidecar; what the person added to the one before it stays."""
        known = None
        for file in (item.file, *olds):
            with contextlib.suppress(FileNotFoundError, NotADirectoryError):
                text = (self.folder / file).with_suffix(".md").read_text(encoding="utf-8", errors="replace")
                try:
                    known = read(text)
                except SidecarUnread:  # typed by hand: whatever it is, it is kept
                    known = Sidecar(notes=text.strip())
                break
        _put(
            target.with_suffix(".md"), written(item, known).encode("utf-8", "replace")
        )  # halves of characters

    def sidecar(self, file: str) -> Sidecar | None:
        """What stands beside a picture; None when nothing does, or nothing that can be read."""
        try:
            return read((self.folder / file).with_suffix(".md").read_text(encoding="utf-8", errors="replace"))
        except (OSError, SidecarUnread):
            return None

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
