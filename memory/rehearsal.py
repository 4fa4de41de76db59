"""A store in which a change can be tried: what it would come to is seen, and nothing is written."""

from __future__ import annotations

from collections.abc import Mapping

from memory.errors import StaleError, StoreUnwritable
from memory.store import Store, checked, one_by_one


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

    def write_all(self, pages: Mapping[str, tuple[str, str | None]]) -> list[str]:
        """One by one."""
        return one_by_one(self, pages)

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

    def pages(self, under: str) -> Mapping[str, str]:
        """Texts of both."""
        found = {**self._store.pages(under), **{name: self._written[name] for name in self._mine(under)}}
        return dict(sorted(found.items()))
