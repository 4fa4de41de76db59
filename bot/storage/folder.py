"""What lies in one person's archive folder right now, whoever put it there."""

from __future__ import annotations

import hashlib
import os
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

BIN = "bin"  # folder of what was deleted, beside `archive`
_NUMBER = re.compile(r"\s*[#＃]([0-9]{1,9})$")
_DATE = re.compile(r"^[0-9]{4}-[0-9]{2}-[0-9]{2}(?:\s+|$)")
_OURS_NOT = {".md", ".part", ".tmp", ".icloud", ".ds_store"}
PLACEHOLDER = ".icloud"  # `.name.png.icloud`: the file is in the cloud, and not gone


def nfc(name: str) -> str:
    """As we spell names; some disks give them back taken apart."""
    return unicodedata.normalize("NFC", name)


@dataclass(frozen=True, slots=True)
class Found:
    """One file that may be a picture of theirs."""

    file: str  # below the person's folder, with forward slashes, as it is spelled on disk
    binned: bool

    @property
    def stem(self) -> str:
        """Its name without extension, NFC."""
        return nfc(Path(self.file).stem)

    @property
    def folder(self) -> str:
        """The folder that stands for a category, NFC; folders in folders are one name. "" in the archive itself."""
        return nfc("/".join(Path(self.file).parts[1:-1]))

    @property
    def number(self) -> int | None:
        """The #n at the end of its name."""
        match = _NUMBER.search(self.stem)
        return int(match[1]) if match else None

    @property
    def title(self) -> str:
        """Its name without date and number."""
        return _DATE.sub("", _NUMBER.sub("", self.stem)).strip()

    @property
    def dated(self) -> str:
        """The ISO date that its name begins with, or ""."""
        return self.stem[:10] if _DATE.match(self.stem) else ""


def walk(folder: Path) -> list[Found]:
    """Every file in archive and bin but sidecars, hidden and half-written ones; by name. Blocking."""
    return sorted(
        (
            Found(path.relative_to(folder).as_posix(), top == BIN)
            for top in ("archive", BIN)
            for path in _files(folder / top)
        ),
        key=lambda found: (found.binned, found.file),
    )


def _files(top: Path) -> Iterator[Path]:
    for at, folders, names in os.walk(top):
        folders[:] = sorted(name for name in folders if not name.startswith("."))  # .obsidian, .trash
        for name in names:
            if not name.startswith(".") and Path(name).suffix.lower() not in _OURS_NOT:
                yield Path(at) / name


def elsewhere(folder: Path, file: str) -> bool:
    """Whether a file that is not there is only kept by a cloud for now. Blocking."""
    path = folder / file
    return path.with_name(f".{path.name}{PLACEHOLDER}").exists()


def sha256_of(path: Path) -> str:
    """Of a file's bytes; "" when it cannot be read. Blocking."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return ""
