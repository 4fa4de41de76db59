"""A kind of failure that a system of this sort was publicly reported for, and the tests that hold it here."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of failure. The words are our own."""

    what: str
    tests: tuple[str, ...]  # "file::function"
    seen: str = ""  # the public report it was seen in
    open: str = ""  # why there is no test yet


def kind(what: str, seen: str, *tests: str, open: str = "") -> Kind:
    """One row of a table."""
    return Kind(what, tests, seen, open)
