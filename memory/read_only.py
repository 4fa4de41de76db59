"""A store that is looked at and never written: another process may be writing it at this very moment."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NoReturn

from memory.errors import StoreUnwritable
from memory.store import Store


class ReadOnly:
    """Another store, as it is. What the person typed into it by hand is read, and left for its owner to take in."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def read(self, name: str) -> str | None:
        """As the other store."""
        return self._store.read(name)

    def write(self, name: str, text: str, *, was: str | None) -> NoReturn:
        """Raises `StoreUnwritable`, always."""
        raise StoreUnwritable(name)

    def write_all(self, pages: Mapping[str, tuple[str, str | None]]) -> NoReturn:
        """Raises `StoreUnwritable`, always."""
        raise StoreUnwritable(next(iter(pages), ""))

    def append(self, name: str, text: str) -> NoReturn:
        """Raises `StoreUnwritable`, always."""
        raise StoreUnwritable(name)

    def remove(self, name: str, *, was: str) -> NoReturn:
        """Raises `StoreUnwritable`, always."""
        raise StoreUnwritable(name)

    def names(self, under: str = "") -> list[str]:
        """As the other store."""
        return self._store.names(under)

    def pages(self, under: str) -> Mapping[str, str]:
        """As the other store."""
        return self._store.pages(under)
