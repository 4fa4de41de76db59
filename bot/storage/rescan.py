"""What a person did to their pictures in the folder, read as their corrections.

A file that was renamed or dragged into another folder, a sidecar that was edited, a file that was deleted: each is what
they want. Where the sidecar says something else than we wrote, it wins over the names of file and folder. All of it is
one entry of the journal and one undo; what was deleted by hand cannot be brought back, and is only told.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from bot.storage.archive import Archive, safe_name
from bot.storage.editing import BINNED, Editing, said_beside
from bot.storage.filings import LIVE, Filings
from bot.storage.folder import Found, elsewhere, nfc, sha256_of, walk
from bot.storage.records import FilingRow
from classifiers.categories import clean_name
from classifiers.titles import clean_title

FEW = 3  # pictures that may all be deleted at once; when more are nowhere, the disk is, and nothing is concluded
GONE = "gone"  # state of what was deleted by hand, or thrown out of the bin


@dataclass(frozen=True, slots=True)
class Change:
    """One picture as it was, and what the person made of it: columns with their new values."""

    row: FilingRow
    values: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Rescanned:
    """What a look at the folder came to."""

    changes: tuple[Change, ...] = ()
    edit: int | None = None  # the journal's entry, by which they can be taken back
    gone: tuple[FilingRow, ...] = ()
    unknown: tuple[str, ...] = ()  # files that are no picture we know; they are left alone
    # the whole archive is away (a disk that is not there?); nothing was concluded from that
    missing: bool = False

    @property
    def news(self) -> bool:
        """Whether there is anything to tell."""
        return bool(self.changes or self.gone)


class Rescan:
    """Bound to one person at birth."""

    def __init__(self, rows: Filings, archive: Archive, person: str, editing: Editing) -> None:
        self._rows = rows
        self._archive = archive
        self._person = person
        self._editing = editing

    async def run(self) -> Rescanned:
        """Look, and follow. Raises `HomeUnwritable`."""
        rows = await self._rows.known(self._person)
        settled = [row for row in rows if row.state in (*LIVE, BINNED, GONE) and not row.leaving]
        folder = self._archive.folder
        live = [row for row in settled if row.state in LIVE]
        if live and not await asyncio.to_thread((folder / "archive").is_dir):
            return Rescanned(missing=True)
        busy = {file for row in rows if row not in settled for file in (row.file, *row.leaving)}
        found = [each for each in await asyncio.to_thread(walk, folder) if each.file not in busy]
        if len(live) > FEW and not any(not each.binned for each in found):
            return Rescanned(missing=True)
        pairs, lost, unknown = await asyncio.to_thread(_matched, settled, found, folder)
        known = {each.name for each in await self._rows.categories(self._person)}
        changes, at = [], {}
        for row, file in pairs:
            if values := await asyncio.to_thread(self._said, row, file, known):
                at[row.id] = file.file
                changes.append(Change(row, values))
            # only spelled otherwise, or put somewhere that is no category
            elif nfc(file.file) != nfc(row.file):
                at[row.id] = file.file
                changes.append(Change(row, {}))
        now = [change for change in changes if await self._as_seen(change.row)]
        gone = [row for row in lost if await self._as_seen(row)]
        told = [change for change in now if change.values]
        edit = None
        await self._editing.tidy([_at(each.row, at[each.row.id]) for each in now if not each.values])
        if told:
            edit = await self._editing.by_hand(
                [(_at(each.row, at[each.row.id]), each.values) for each in told]
            )
        for row in gone:
            await self._rows.update(row.id, state=GONE, file="", leaving=[])
            await asyncio.to_thread(self._archive.remove, row.file)  # its sidecar
        return Rescanned(tuple(told), edit, tuple(row for row in gone if row.state in LIVE), tuple(unknown))

    async def _as_seen(self, row: FilingRow) -> bool:
        """Whether nobody else has changed the picture while we looked."""
        now = await self._rows.find(row.id)
        return now is not None and (now.file, now.state, now.leaving) == (row.file, row.state, row.leaving)

    def _said(self, row: FilingRow, found: Found, known: set[str]) -> dict[str, Any]:
        """What the person says about a picture by where it lies, what it is called and what stands beside it."""
        item = self._editing.item(row)
        values: dict[str, Any] = {}
        if row.state == GONE or found.binned != (row.state == BINNED):
            values = (
                {"state": BINNED, "binned_at": self._editing.stamp()}
                if found.binned
                else {"state": "kept_unread" if row.problem else "filed", "binned_at": None}
            )
        if not found.binned and (category := _category(row, found, known)):
            values["category"] = category
        if found.title != Found(item.file, False).title and (title := clean_title(found.title)):
            values |= {"title": title, "renamed": True}
        files = (found.file, row.file)
        beside = next((each for file in files if file and (each := self._archive.sidecar(file))), None)
        return values | (said_beside(item, beside) if beside is not None else {})


def _at(row: FilingRow, file: str) -> FilingRow:
    """The row as if the file had been there by us: where it lay before is only to be cleared of its sidecar."""
    return replace(row, file=file, leaving=tuple(each for each in (row.file,) if each and each != file))


def _category(row: FilingRow, found: Found, known: set[str]) -> str:
    """The category that a folder stands for, when it is another one than the row's; "" when it is not."""
    if not found.folder or found.folder == safe_name(row.category):
        return ""
    named = next((name for name in known if safe_name(name).casefold() == found.folder.casefold()), "")
    name = named or clean_name(found.folder) or safe_name(found.folder)
    return "" if name == row.category else name


def _matched(
    rows: Sequence[FilingRow], found: Sequence[Found], folder: Path
) -> tuple[list[tuple[FilingRow, Found]], list[FilingRow], list[str]]:
    """(each picture with its file, pictures whose file is nowhere, files that belong to none). Blocking.

    A file is a picture's when it lies where the row says; else when its bytes are those of a picture that lies nowhere;
    else when its name ends with the number of one.
    """
    by_file = {nfc(each.file): each for each in found}
    pairs = [(row, by_file[nfc(row.file)]) for row in rows if nfc(row.file) in by_file]
    taken = {each.file for _, each in pairs}
    homeless = {row.id: row for row in rows if nfc(row.file) not in by_file}
    strays = [each for each in found if each.file not in taken]
    hashes = {each.file: sha256_of(folder / each.file) for each in strays} if homeless else {}
    for by_bytes in (True, False):
        for each in strays:
            if each.file in taken:
                continue
            fits = [
                row
                for row in homeless.values()
                if (by_bytes and row.sha256 and row.sha256 == hashes.get(each.file))
                or (not by_bytes and row.number == each.number and row.state != GONE)
            ]
            if fits:
                best = min(fits, key=lambda row: (row.number != each.number, row.state == GONE))
                pairs.append((homeless.pop(best.id), each))
                taken.add(each.file)
    lost = [row for row in homeless.values() if row.state != GONE and not elsewhere(folder, row.file)]
    return pairs, lost, [each.file for each in strays if each.file not in taken]
