"""The rows of one person's pictures, made from the folder alone: after a lost database, or on another machine.

Nothing is asked and nothing is deleted. A number that a sidecar or a name gives is kept; one that two pictures claim
stays with the first, and the other gets a new one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from typing import Any

import numpy as np

from bot.errors import KairosError
from bot.storage.archive import Archive, safe_name
from bot.storage.editing import BINNED, Editing
from bot.storage.filings import Filings
from bot.storage.folder import Found, sha256_of, walk
from bot.storage.shelf import HEAD
from bot.storage.sidecar import Sidecar
from classifiers.categories import UNSORTED, clean_name
from classifiers.ports import Embed
from classifiers.titles import clean_title

Look = Callable[[bytes, str], Awaitable[str]]
"""(bytes, name) → the picture's perceptual hash; "" when it is none that can be opened."""


ALIKE = 20  # first characters by which a file's name is its sidecar's title; the rest may have been cut
LONGEST = 200  # characters of a title or category that are taken over


@dataclass(frozen=True, slots=True)
class Unread:
    """A file that was not taken in, and why: `unreadable`, or the number of the picture that it is a copy of."""

    file: str
    copy_of: int | None = None


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """What it came to."""

    taken: int = 0  # pictures that were not known before
    known: int = 0
    unread: tuple[Unread, ...] = ()
    renumbered: tuple[tuple[str, int, int], ...] = ()  # (file, number that is taken, number it got)


@dataclass(slots=True)
class _Tally:
    taken: int = 0
    known: int = 0
    unread: list[Unread] = field(default_factory=list)
    renumbered: list[tuple[str, int, int]] = field(default_factory=list)
    numbers: dict[int, str] = field(default_factory=dict)  # number → sha256 of its bytes
    hashes: dict[str, int] = field(default_factory=dict)


class Rebuild:
    """Bound to one person at birth."""

    def __init__(
        self,
        rows: Filings,
        archive: Archive,
        person: str,
        editing: Editing,
        *,
        look: Look,
        embed: Embed | None,
    ) -> None:
        self._rows = rows
        self._archive = archive
        self._person = person
        self._editing = editing
        self._look = look
        self._embed = embed

    async def run(self, zone: tzinfo | None) -> Rebuilt:
        """Take in every picture that no row knows. `zone`: of dates in names. Raises `HomeUnwritable`."""
        tally, files = _Tally(), set[str]()
        for row in await self._rows.known(self._person):
            tally.numbers[row.number or 0] = row.sha256
            if row.sha256:
                tally.hashes.setdefault(row.sha256, row.number or 0)
            files |= {row.file, *row.leaving}
        found = await asyncio.to_thread(walk, self._archive.folder)
        fresh = [each for each in found if each.file not in files]
        tally.known = len(found) - len(fresh)
        beside = {each.file: await asyncio.to_thread(self._archive.sidecar, each.file) for each in fresh}
        claims = {each.file: _claimed(each, beside[each.file]) for each in fresh}
        highest = max([*tally.numbers, *(claim or 0 for claim in claims.values())], default=0)
        # those with a sidecar first: of two that claim a number, the one we wrote has it
        for each in sorted(fresh, key=lambda one: (beside[one.file] is None, one.binned, one.file)):
            highest = await self._take(each, beside[each.file], claims[each.file], highest, zone, tally)
        return Rebuilt(tally.taken, tally.known, tuple(tally.unread), tuple(tally.renumbered))

    async def _take(
        self,
        found: Found,
        beside: Sidecar | None,
        claim: int | None,
        highest: int,
        zone: tzinfo | None,
        tally: _Tally,
    ) -> int:
        """Take one in; returns the highest number that is given."""
        path = self._archive.folder / found.file
        sha256 = await asyncio.to_thread(sha256_of, path)
        if not sha256:
            tally.unread.append(Unread(found.file))
            return highest
        if sha256 in tally.hashes:
            tally.unread.append(Unread(found.file, tally.hashes[sha256]))
            return highest
        number = claim
        if number is None or number in tally.numbers:
            highest += 1
            if number is not None:
                tally.renumbered.append((found.file, number, highest))
            number = highest
        tally.numbers[number], tally.hashes[sha256] = sha256, number
        values = await asyncio.to_thread(_values, found, beside, path, zone)
        values["phash"] = await self._look(await asyncio.to_thread(path.read_bytes), path.name)
        values["vector"] = await self._vector(str(values["text"]))
        if not found.binned:
            values["state"] = "filed" if values["phash"] or values["text"] else "kept_unread"
            await self._rows.add_category(self._person, str(values["category"]))
        row = await self._rows.take_in(
            self._person, {**values, "number": number, "sha256": sha256, "blob": sha256, "file": found.file}
        )
        await self._editing.tidy([await self._rows.get(row)])
        tally.taken += 1
        return highest

    async def _vector(self, text: str) -> bytes | None:
        if self._embed is None or not text.strip():
            return None
        try:
            return np.asarray((await self._embed([text[:HEAD]]))[0], np.float32).tobytes()
        except KairosError:
            return None


def _line(words: str | None) -> str:
    return " ".join((words or "").split())[:LONGEST]


def _claimed(found: Found, beside: Sidecar | None) -> int | None:
    return (beside.number if beside and beside.number else None) or found.number or None


def _values(found: Found, beside: Sidecar | None, path: Path, zone: tzinfo | None) -> dict[str, Any]:
    """The columns that sidecar, names and dates give. Blocking."""
    known = beside or Sidecar()
    folder = clean_name(found.folder) or (safe_name(found.folder) if found.folder else "")
    named, called = _line(known.category), _line(known.title)
    # names on disk that are not what the sidecar says are where the person put it, and what they call it, since
    stands = bool(named) and (found.binned or not folder or safe_name(named) == found.folder)
    category = named if stands else folder
    same = bool(called) and safe_name(called)[:ALIKE] == found.title[:ALIKE]
    title = called if same else clean_title(found.title) or called
    at = known.at or _dated(found, zone) or datetime.fromtimestamp(path.stat().st_mtime, UTC)
    return {
        "name": path.name,
        "at": at if at.tzinfo else at.replace(tzinfo=zone or UTC),
        "state": BINNED,
        "binned_at": datetime.now(UTC) if found.binned else None,
        "category": category or UNSORTED["en"],
        "title": title or path.stem[:40],
        "summary": known.summary,
        "text": known.text,
        "tags": list(known.tags or ()),
        "rule": known.rule or None,
        "why": known.why,
        "rules_seen": "rebuilt",
        "corrected": not stands,
    }


def _dated(found: Found, zone: tzinfo | None) -> datetime | None:
    try:
        return (
            datetime.fromisoformat(found.dated).replace(hour=12, tzinfo=zone or UTC) if found.dated else None
        )
    except ValueError:
        return None
