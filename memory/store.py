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
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Protocol

from memory.decoding import decoded
from memory.errors import BadName, StaleError, StoreUnreadable, StoreUnwritable

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

    def write_all(self, pages: Mapping[str, tuple[str, str | None]]) -> list[str]:
        """As `write`, for many pages at once: name → (text, was). Returns those that are something else by now.

        Raises:
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

    def pages(self, under: str) -> Mapping[str, str]:
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


_Stamp = tuple[int, int, int, int]
_Listed = tuple[str, int, int, int, int]
"""A file's name, as the folder has it, and its stamp."""
_AT_ONCE = 16  # files flushed side by side
_COARSE = 2_500_000_000  # nanoseconds within which a file may change without its stamp showing it


def _stamp(status: os.stat_result) -> _Stamp:
    """Modified, changed (a copy may bring its old time along), size, and which file it is."""
    return status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino


def _composed(name: str) -> str:
    """As everybody else writes it: some systems take letters and their accents apart."""
    return name if name.isascii() else unicodedata.normalize("NFC", name)


@contextlib.contextmanager
def _scanned(folder: Path) -> Iterator[Iterator[os.DirEntry[str]]]:
    """A folder's entries. Opened first, where that goes: its files are then looked at by their names alone, which is
    a tenth of the time of a snapshot.
    """
    if os.scandir not in os.supports_fd:
        with os.scandir(folder) as found:
            yield found
        return
    handle = os.open(folder, os.O_RDONLY | getattr(os, "O_DIRECTORY", 0))
    try:
        with os.scandir(handle) as found:
            yield found
    finally:
        os.close(handle)


class FolderStore:
    """A folder of Markdown files."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._lock = threading.Lock()
        self._seen: dict[str, tuple[_Stamp | None, str]] = {}  # by path
        self._known: dict[str, tuple[list[_Listed], Mapping[str, str]]] = {}  # by what was asked for

    def read(self, name: str) -> str | None:
        """The text, or None when there is no such page."""
        path = str(self._path(name))
        try:
            return self._text(path, _stamp(os.stat(path)))
        except (FileNotFoundError, NotADirectoryError):
            self._seen.pop(path, None)
            return None
        except OSError as error:
            raise StoreUnreadable(name, error.strerror or "") from error

    def pages(self, under: str) -> Mapping[str, str]:
        """All pages whose name starts with `under`, by name; one look at the folder, not one a page.

        The very same object as before while no file differs: what was made of it holds.
        """
        listed = self._listed(under)
        known = self._known.get(under)
        if known is not None and known[0] == listed:
            return known[1]
        found: dict[str, str] = {}
        settled = True
        for name, *stamp in listed:
            path = f"{self.root}{os.sep}{name}"
            try:
                found[_composed(name)] = self._text(path, (stamp[0], stamp[1], stamp[2], stamp[3]))
                settled = settled and self._seen[path][0] is not None
            except FileNotFoundError:
                settled = False  # it went this moment
            except OSError as error:
                raise StoreUnreadable(name, error.strerror or "") from error
        pages = dict(sorted(found.items()))
        self._known.pop(under, None)
        if settled:
            self._known[under] = (listed, pages)
        return pages

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

    def _listed(self, under: str) -> list[_Listed]:
        """Markdown files, folder by folder, as the system lists them; only memory's own places are looked at."""
        listed: list[_Listed] = []
        folders = [(under.removesuffix("/"), under.endswith("/"))] if under.endswith("/") else [("", False)]
        while folders:
            folder, deep = folders.pop()
            within = f"{folder}/" if folder else ""
            with (
                contextlib.suppress(FileNotFoundError, NotADirectoryError, PermissionError),
                _scanned(self.root / folder) as found,
            ):
                for entry in found:
                    name = entry.name
                    if name[0] == ".":
                        continue
                    # a folder may have such a name, too
                    if name[-3:] == ".md" and (not deep or entry.is_file()):
                        name = within + name
                        if not _composed(name).startswith(under):
                            continue
                        try:
                            is_ = entry.stat()
                        except OSError:  # it went this moment, or leads nowhere
                            continue
                        listed.append((name, is_.st_mtime_ns, is_.st_ctime_ns, is_.st_size, is_.st_ino))
                    elif deep and entry.is_dir(follow_symlinks=False):
                        folders.append((within + name, True))
        return listed

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

    def write_all(self, pages: Mapping[str, tuple[str, str | None]]) -> list[str]:
        """Flush them side by side: a disk does many at once in little more than the time of one."""
        with self._lock:
            stale = [name for name, (_, was) in pages.items() if self.read(name) != was]
            paths = {self._path(name): text for name, (text, _) in pages.items() if name not in stale}
            try:
                _replace_all(paths)
            except OSError as error:
                raise _unwritable(next(iter(pages)), error) from error
        return stale

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
        return sorted(_composed(name) for name, *_ in self._listed(under))

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

    def write_all(self, pages: Mapping[str, tuple[str, str | None]]) -> list[str]:
        """One by one."""
        return one_by_one(self, pages)

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

    def pages(self, under: str) -> Mapping[str, str]:
        """All pages whose name starts with `under`, by name."""
        return {name: self.texts[name] for name in self.names(under)}

    def _set(self, name: str, text: str) -> None:
        if not self.writable:
            raise StoreUnwritable
        self.texts[checked(name)] = text


def one_by_one(store: Store, pages: Mapping[str, tuple[str, str | None]]) -> list[str]:
    """`Store.write_all` by `Store.write`."""
    stale = []
    for name, (text, was) in pages.items():
        try:
            store.write(name, text, was=was)
        except StaleError:
            stale.append(name)
    return stale


def _replace(path: Path, text: str) -> None:
    _replace_all({path: text})


def _replace_all(texts: Mapping[Path, str]) -> None:
    """All are on disk beside their places before the first is put there. Raises `OSError`."""
    temporary: dict[Path, str] = {}

    def prepare(path: Path) -> None:
        handle, temporary[path] = tempfile.mkstemp(prefix=".", suffix=".tmp", dir=path.parent)
        with os.fdopen(handle, "wb") as file:
            file.write(texts[path].encode("utf-8", "surrogateescape"))
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            os.chmod(temporary[path], path.stat().st_mode & 0o777)

    try:
        if len(texts) == 1:
            prepare(next(iter(texts)))
        else:
            with ThreadPoolExecutor(_AT_ONCE) as hands:
                for _ in hands.map(prepare, texts):
                    pass
        for path in texts:
            os.replace(temporary.pop(path), path)
    finally:
        for left in temporary.values():
            with contextlib.suppress(OSError):
                os.unlink(left)
    if os.name == "posix":  # the new names themselves must survive a power cut
        for place in {path.parent for path in texts}:
            folder = os.open(place, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)


def _unwritable(name: str, error: OSError) -> StoreUnwritable:
    return StoreUnwritable(f"{name} cannot be written ({error.strerror}); nothing was changed.")
