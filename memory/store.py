"""Where pages lie: a protocol, a folder on disk, and a dict for tests.

A store knows names and texts, nothing of lines. Because a person edits the same files by hand, every write says
what was read before (`was`), and a file that changed meanwhile is never overwritten.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import tempfile
import threading
import unicodedata
from pathlib import Path
from typing import Protocol

from memory.errors import BadName, StaleError, StoreError, StoreUnwritable

_NAME = re.compile(r"^[^\x00-\x1f\\:*?\"<>|]+\.(?:md|jsonl)$")


class Store(Protocol):
    """Texts by name. Blocking: call it from a thread."""

    def read(self, name: str) -> str | None:
        """The text, or None when there is no such page. Bytes that are not UTF-8 survive a round trip."""
        ...

    def write(self, name: str, text: str, *, was: str | None) -> None:
        """Replace the whole text, or none of it.

        Args:
            was: the text as last read; None = there was no page.

        Raises:
            StaleError: it is something else by now.
            StoreUnwritable: read-only, or the disk is full.
        """
        ...

    def append(self, name: str, text: str) -> None:
        """Add to the end and make sure that it is on disk.

        Raises:
            StoreUnwritable: read-only, or the disk is full.
        """
        ...

    def remove(self, name: str, *, was: str) -> None:
        """Take a page away, if its text is still `was`.

        Raises:
            StaleError: it is something else by now.
            StoreUnwritable: read-only.
        """
        ...

    def names(self, under: str = "") -> list[str]:
        """Names of all pages whose name starts with `under`, sorted."""
        ...


def checked(name: str) -> str:
    """The name in NFC.

    Raises:
        BadName: it would leave the folder, hide, or is no page.
    """
    name = unicodedata.normalize("NFC", name)
    parts = name.split("/")
    if not _NAME.match(name) or any(part in ("", ".", "..") or part.startswith(".") for part in parts):
        raise BadName(f"“{name}” is not a name a memory page can have.")
    return name


def slug(title: str) -> str:
    """A file name of a title; Chinese stays Chinese, and a title with no letters gets a name of its own.

    Two titles may share a slug ("a/b", "a b"); whoever creates the page looks whether the name is taken.
    """
    title = unicodedata.normalize("NFC", title).strip()
    kept = re.sub(r"[^\w]+", "-", title, flags=re.UNICODE).strip("-_").lower()
    while len(kept.encode()) > 120:  # a file name has 255 bytes, and suffixes come
        kept = kept[:-1]
    return kept or "page-" + hashlib.sha256(title.encode("utf-8", "surrogatepass")).hexdigest()[:8]


_MARKS_ZH = "，。、；：？！「」『』“”‘’（）《》【】…—·～￥→"
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")


def decoded(data: bytes) -> str:
    """A file's text: UTF-8, or what editors on Windows make of Chinese (UTF-16 with its mark, rows in GB 18030).

    Bytes that are none of these are kept as they are; `page` leaves their rows alone. What is written is UTF-8.
    """
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        with contextlib.suppress(UnicodeDecodeError):
            return data.decode("utf-16")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return "".join(map(_row, data.splitlines(keepends=True)))


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


class FolderStore:
    """A folder of Markdown files."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._lock = threading.Lock()

    def read(self, name: str) -> str | None:
        """The text, or None when there is no such page."""
        try:
            return decoded(self._path(name).read_bytes())
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise StoreError(f"{name} cannot be read ({error.strerror}).") from error

    def write(self, name: str, text: str, *, was: str | None) -> None:
        """Compare, write beside it, flush to disk, then put in place in one step."""
        path = self._path(name)
        with self._lock:
            if self.read(name) != was:
                raise StaleError(f"{name} was changed by someone else in the meantime.")
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                _replace(path, text)
            except OSError as error:
                raise _unwritable(name, error) from error

    def append(self, name: str, text: str) -> None:
        """Add to the end; on a failure half-way the file is cut back to what it was."""
        path = self._path(name)
        with self._lock:
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                with path.open("ab") as file:
                    size = file.tell()
                    try:
                        file.write(text.encode("utf-8", "surrogateescape"))
                        file.flush()
                        os.fsync(file.fileno())
                    except OSError:
                        with contextlib.suppress(OSError):
                            os.truncate(path, size)
                        raise
            except OSError as error:
                raise _unwritable(name, error) from error

    def remove(self, name: str, *, was: str) -> None:
        """Compare, then unlink."""
        path = self._path(name)
        with self._lock:
            if self.read(name) != was:
                raise StaleError(f"{name} was changed by someone else in the meantime.")
            try:
                path.unlink()
            except OSError as error:
                raise _unwritable(name, error) from error

    def names(self, under: str = "") -> list[str]:
        """Names of all pages whose name starts with `under`, sorted. Only memory's own places are looked at."""
        folder = self.root / under if under.endswith("/") else self.root
        found = folder.rglob("*.md") if under.endswith("/") else folder.glob("*.md")
        names = {unicodedata.normalize("NFC", path.relative_to(self.root).as_posix()) for path in found}
        return sorted(name for name in names if name.startswith(under) and "/." not in f"/{name}")

    def _path(self, name: str) -> Path:
        return self.root / checked(name)


class DictStore:
    """A store in memory, for tests; `writable = False` plays a read-only folder."""

    def __init__(self, texts: dict[str, str] | None = None) -> None:
        self.texts: dict[str, str] = {checked(name): text for name, text in (texts or {}).items()}
        self.writable = True

    def read(self, name: str) -> str | None:
        """The text, or None when there is no such page."""
        return self.texts.get(checked(name))

    def write(self, name: str, text: str, *, was: str | None) -> None:
        """Compare, then set."""
        if self.read(name) != was:
            raise StaleError
        self._set(name, text)

    def append(self, name: str, text: str) -> None:
        """Add to the end."""
        self._set(name, (self.read(name) or "") + text)

    def remove(self, name: str, *, was: str) -> None:
        """Compare, then forget."""
        if self.read(name) != was:
            raise StaleError
        if not self.writable:
            raise StoreUnwritable
        del self.texts[checked(name)]

    def names(self, under: str = "") -> list[str]:
        """Names of all pages whose name starts with `under`, sorted."""
        depth = under.count("/")
        found = (name for name in self.texts if name.startswith(under) and name.endswith(".md"))
        return sorted(name for name in found if depth or "/" not in name)

    def _set(self, name: str, text: str) -> None:
        if not self.writable:
            raise StoreUnwritable
        self.texts[checked(name)] = text


class Rehearsal:
    """Another store, read through, with every write kept to itself."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._written: dict[str, str] = {}

    def read(self, name: str) -> str | None:
        """What was written here, else what the other store has."""
        name = checked(name)
        return self._written[name] if name in self._written else self._store.read(name)

    def write(self, name: str, text: str, *, was: str | None) -> None:
        """Compare, then keep it here."""
        if self.read(name) != was:
            raise StaleError
        self._written[checked(name)] = text

    def append(self, name: str, text: str) -> None:
        """Add to the end, here."""
        self._written[checked(name)] = (self.read(name) or "") + text

    def remove(self, name: str, *, was: str) -> None:
        """A rehearsal takes nothing away.

        Raises:
            StoreUnwritable: always.
        """
        raise StoreUnwritable(name)

    def names(self, under: str = "") -> list[str]:
        """Names of both."""
        mine = {name for name in self._written if name.startswith(under) and name.endswith(".md")}
        return sorted(mine | set(self._store.names(under)))


def _replace(path: Path, text: str) -> None:
    handle, temporary = tempfile.mkstemp(prefix=".", suffix=".tmp", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(text.encode("utf-8", "surrogateescape"))
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            os.chmod(temporary, path.stat().st_mode & 0o777)
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
    if os.name == "posix":  # the new name itself must survive a power cut
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _unwritable(name: str, error: OSError) -> StoreUnwritable:
    return StoreUnwritable(f"{name} cannot be written ({error.strerror}); nothing was changed.")
