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
import time
import unicodedata
from collections.abc import Iterator
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

    def pages(self, under: str) -> dict[str, str]:
        """All pages whose name starts with `under`, sorted by name, as `read` gives them."""
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


_Stamp = tuple[int, int, int, int]
_COARSE = 2_500_000_000  # nanoseconds within which a file may change without its stamp showing it


def _stamp(status: os.stat_result) -> _Stamp:
    """Modified, changed (a copy may bring its old time along), size, and which file it is."""
    return status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino


def _status(entry: os.DirEntry[str]) -> os.stat_result | None:
    try:
        return entry.stat()
    except OSError:  # it went this moment, or leads nowhere
        return None


class FolderStore:
    """A folder of Markdown files."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._lock = threading.Lock()
        self._seen: dict[str, tuple[_Stamp | None, str]] = {}  # by path

    def read(self, name: str) -> str | None:
        """The text, or None when there is no such page."""
        path = str(self._path(name))
        try:
            return self._text(path, _stamp(os.stat(path)))
        except (FileNotFoundError, NotADirectoryError):
            self._seen.pop(path, None)
            return None
        except OSError as error:
            raise StoreError(f"{name} cannot be read ({error.strerror}).") from error

    def pages(self, under: str) -> dict[str, str]:
        """All pages whose name starts with `under`, by name; one look at the folder, not one a page."""
        found: dict[str, str] = {}
        for name, path, status in self._listed(under):
            try:
                found[name] = self._text(path, _stamp(status))
            except FileNotFoundError:
                continue  # it went this moment
            except OSError as error:
                raise StoreError(f"{name} cannot be read ({error.strerror}).") from error
        return dict(sorted(found.items()))

    def _text(self, path: str, stamp: _Stamp) -> str:
        """A file's text, read again unless its stamp is the one it had, long enough after its last change, when read.

        Clocks of file systems are coarse, up to two seconds: a file that was read so soon after a change may have
        changed once more since, with the same stamp.
        """
        known = self._seen.get(path)
        if known is not None and known[0] == stamp:
            return known[1]
        began = time.time_ns()
        with open(path, "rb") as file:
            stamp = _stamp(os.fstat(file.fileno()))
            text = decoded(file.read())
        if known is not None and known[1] == text:
            text = known[1]  # the very same object: what was made of it holds
        settled = max(stamp[0], stamp[1]) + _COARSE < began
        self._seen[path] = (stamp if settled else None, text)
        return text

    def _listed(self, under: str) -> Iterator[tuple[str, str, os.stat_result]]:
        """(name, path, status) of Markdown files; only memory's own places are looked at."""
        folders = [(under.removesuffix("/"), under.endswith("/"))] if under.endswith("/") else [("", False)]
        while folders:
            folder, deep = folders.pop()
            with (
                contextlib.suppress(FileNotFoundError, NotADirectoryError, PermissionError),
                os.scandir(self.root / folder) as found,
            ):
                for entry in found:
                    if entry.name.startswith("."):
                        continue
                    name = f"{folder}/{entry.name}" if folder else entry.name
                    if entry.name.endswith(".md"):
                        name = name if name.isascii() else unicodedata.normalize("NFC", name)
                        if name.startswith(under) and (status := _status(entry)) is not None:
                            yield name, entry.path, status
                    elif deep and entry.is_dir(follow_symlinks=False):
                        folders.append((name, True))

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
        return sorted(name for name, _, _ in self._listed(under))

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

    def pages(self, under: str) -> dict[str, str]:
        """All pages whose name starts with `under`, by name."""
        return {name: self.texts[name] for name in self.names(under)}

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
        return sorted(self._mine(under) | set(self._store.names(under)))

    def _mine(self, under: str) -> set[str]:
        return {name for name in self._written if name.startswith(under) and name.endswith(".md")}

    def pages(self, under: str) -> dict[str, str]:
        """Texts of both."""
        found = {**self._store.pages(under), **{name: self._written[name] for name in self._mine(under)}}
        return dict(sorted(found.items()))


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
