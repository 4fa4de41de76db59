"""Changing what lies in one person's archive: move, rename, delete, restore, merge; each can be taken back at once.

The rows and the journal change in one transaction, which also writes down where each file is leaving; then the files
follow. A crash in between is settled at the next start, so that a picture never lies in two places or in none.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from bot.errors import KairosError
from bot.storage.archive import Archive, Item
from bot.storage.edits import Edit, Edits, Kind, Merged, Step
from bot.storage.filings import LIVE, Filings
from bot.storage.records import FilingRow
from bot.storage.shelf import local
from bot.storage.sidecar import Sidecar, read, written
from classifiers.categories import clean_name
from classifiers.titles import clean_title

BINNED = "deleted"  # state of what lies in the bin
_BY_HAND: Mapping[str, object] = {
    "corrected": True,
    "rule": None,
    "why": "",
    "confidence": 1.0,
    "runner_up": None,
}  # what a picture is that the person put where it lies


_SAYS = {"category", "title", "state"}  # by these it is seen whether an edit still stands


class FileGone(KairosError):
    """The picture's file is not there any more."""


@dataclass(frozen=True, slots=True)
class Undone:
    """An edit that was taken back, with the pictures as they lie now."""

    edit: Edit
    rows: tuple[FilingRow, ...]


class Editing:
    """Bound to one person at birth."""

    def __init__(
        self, rows: Filings, archive: Archive, person: str, edits: Edits, now: Callable[[], datetime]
    ) -> None:
        self._rows = rows
        self._archive = archive
        self._person = person
        self._edits = edits
        self._now = now  # in the person's zone

    async def move(self, rows: Sequence[FilingRow], category: str) -> int:
        """Put pictures into one category, as a correction; returns the edit's id."""
        await self._rows.add_category(self._person, category)
        return await self._edit(Kind.MOVE, [(row, {"category": category, **_BY_HAND}) for row in rows])

    async def refile(self, moves: Sequence[tuple[FilingRow, str]], rule: str) -> int:
        """Put pictures where a new rule wants them, all as one edit; returns its id."""
        for category in dict.fromkeys(category for _, category in moves):
            await self._rows.add_category(self._person, category)
        by_rule = {"rule": rule, "why": "", "confidence": 1.0, "runner_up": None}
        return await self._edit(
            Kind.REFILE, [(row, {"category": category, **by_rule}) for row, category in moves]
        )

    async def rename(self, row: FilingRow, title: str) -> int:
        """Give a picture another title, which no later judgement touches; returns the edit's id."""
        return await self._edit(Kind.RENAME, [(row, {"title": title, "renamed": True})])

    async def delete(self, rows: Sequence[FilingRow]) -> int:
        """Put pictures into the bin; returns the edit's id."""
        stamp = self.stamp()
        return await self._edit(Kind.DELETE, [(row, {"state": BINNED, "binned_at": stamp}) for row in rows])

    def stamp(self) -> str:
        """This moment, as the journal keeps it."""
        return self._now().isoformat()

    async def restore(self, rows: Sequence[FilingRow]) -> int:
        """Take pictures out of the bin; returns the edit's id. Raises `FileGone`."""
        for row in rows:
            if await asyncio.to_thread(self._archive.read, (row.file, *row.leaving)) is None:
                raise FileGone()
        changes = [
            (row, {"state": "kept_unread" if row.problem else "filed", "binned_at": None}) for row in rows
        ]
        for row in rows:
            await self._rows.add_category(self._person, row.category)
        return await self._edit(Kind.RESTORE, changes)

    async def merge(self, old: str, new: str) -> tuple[int, int]:
        """Make two categories one: all of `old` goes to `new`, which answers to both names from now on.

        Returns (the edit's id, how many pictures moved).
        """
        await self._rows.add_category(self._person, new)
        known = {each.name: each for each in await self._rows.categories(self._person)}
        gone, stays = known[old], known[new]
        merged = Merged(old, gone.description, gone.aliases, new, stays.aliases)
        rows = [row for row in await self._rows.all(self._person) if row.category == old]
        aliases = list(dict.fromkeys((*stays.aliases, old, *gone.aliases)))
        also = (
            self._rows.dropping_category(self._person, old),
            self._rows.naming(self._person, new, aliases),
        )
        edit = await self._edit(
            Kind.MERGE, [(row, {"category": new}) for row in rows], also=also, merged=merged
        )
        return edit, len(rows)

    async def by_hand(self, changes: Sequence[tuple[FilingRow, dict[str, Any]]]) -> int:
        """What the person did in the folder, as corrections: the rows follow, and the files take the names that these
        want. A row's `file` says where its file lies now. Returns the edit's id."""
        changed = [(row, _as_corrected(row, values)) for row, values in changes]
        for category in {str(values["category"]) for _, values in changed if "category" in values}:
            await self._rows.add_category(self._person, category)
        moves = all("category" in values and "state" not in values for _, values in changed)
        return await self._edit(Kind.MOVE if moves else Kind.HAND, changed)

    async def tidy(self, rows: Sequence[FilingRow]) -> None:
        """Have files follow what their rows say; a row's `file` says where its file lies now."""
        if rows:
            await self._apply([(row, {}) for row in rows], ())

    async def sweep(self, moment: datetime) -> int:
        """Throw out what was put into the bin before a moment, with all that was known of it; returns how many."""
        old = [
            row for row in await self._rows.binned(self._person) if row.binned_at and row.binned_at < moment
        ]
        for row in old:
            await asyncio.to_thread(self._archive.remove, row.file)
            await self._rows.forget(row)
        return len(old)

    async def last(self) -> Edit | None:
        """The last edit that stands."""
        return await self._edits.standing(self._person)

    async def standing(self, number: int) -> Edit | None:
        """One edit, if it stands."""
        return await self._edits.standing(self._person, number)

    async def last_of(self, filings: Sequence[int]) -> Edit | None:
        """The last edit that stands and touched any of these rows."""
        return await self._edits.touching(self._person, set(filings))

    async def moves(self) -> list[Edit]:
        """The moves that stand, oldest first."""
        return await self._edits.moves(self._person)

    async def undo(self, number: int) -> Undone | None:
        """Take one edit back, as a whole; pictures that were changed again since stay as they are.

        None when it is not there, was taken back before, or nothing of it stands any more.
        """
        edit = await self._edits.standing(self._person, number)
        if edit is None:
            return None
        back: list[tuple[FilingRow, dict[str, Any]]] = []
        for step in edit.steps:
            row = await self._rows.find(step.filing)
            if row is not None and all(
                getattr(row, key) == step.after[key] for key in _SAYS & set(step.after)
            ):
                back.append((row, step.before))
        if not back and edit.merged is None:
            return None
        also: tuple[sa.Executable, ...] = ()
        if edit.merged is not None:
            also = (self._rows.naming(self._person, edit.merged.into, list(edit.merged.aliases_before)),)
            await self._rows.add_category(
                self._person, edit.merged.gone, edit.merged.description, edit.merged.aliases
            )
        for category in {str(values["category"]) for _, values in back if "category" in values}:
            await self._rows.add_category(self._person, category)
        await self._apply(back, (*also, self._edits.taking_back(edit.id)))
        return Undone(edit, tuple([await self._rows.get(row.id) for row, _ in back]))

    async def settle(self, row: FilingRow) -> None:
        """Bring the disk back to what the row says, after an edit that a crash cut short."""
        await self._apply([(row, {})], (), adopting=False)  # a sidecar that is behind is no word of theirs

    async def _edit(
        self,
        kind: Kind,
        changes: Sequence[tuple[FilingRow, dict[str, Any]]],
        *,
        also: Sequence[sa.Executable] = (),
        merged: Merged | None = None,
    ) -> int:
        steps = [Step(row.id, {key: _plain(getattr(row, key)) for key in new}, new) for row, new in changes]
        adding = self._edits.adding(self._person, kind, steps, self._now(), merged)
        result = await self._apply(changes, (*also, adding))
        return int(result.inserted_primary_key[0])  # type: ignore[index]

    async def _apply(
        self,
        changes: Sequence[tuple[FilingRow, dict[str, Any]]],
        also: Sequence[sa.Executable],
        *,
        adopting: bool = True,
    ) -> sa.CursorResult[Any]:
        """Change rows and journal at once, then let the files follow. The last statement's result."""
        statements: list[sa.Executable] = []
        changed: list[FilingRow] = []
        for row, given in changes:
            typed = await asyncio.to_thread(self._typed_beside, row) if adopting else {}
            values = {**typed, **_typed(given)}
            after = replace(row, **{**values, "tags": tuple(values.get("tags", row.tags))})
            target = self.item(after).file
            leaving = [
                file for file in dict.fromkeys((row.file, *row.leaving)) if file
            ]  # until all is in place
            statements.append(self._rows.updating(row.id, file=target, leaving=leaving, **values))
            changed.append(replace(after, file=target, leaving=tuple(leaving)))
        result = await self._rows.together(*statements, *also)
        for row in changed:
            await self._follow(row)
        return result

    def _typed_beside(self, row: FilingRow) -> dict[str, Any]:
        """What the person wrote into the sidecar since it was written: it would be lost when it is written anew."""
        files = [file for file in (row.file, *row.leaving) if file]
        known = next((each for file in files if (each := self._archive.sidecar(file))), None)
        said = {} if known is None else said_beside(self.item(row), known)
        # where it lies is what changes now
        return {key: value for key, value in said.items() if key != "category"}

    async def _follow(self, row: FilingRow) -> None:
        await asyncio.to_thread(self._archive.move, row.leaving, self.item(row))
        if row.leaving:
            await self._rows.update(row.id, leaving=[])

    def item(self, row: FilingRow) -> Item:
        """What the archive holds of it."""
        return Item(
            number=row.number or 0,
            category=row.category,
            title=row.title,
            summary=row.summary,
            tags=row.tags,
            text=row.text,
            at=local(row.at, self._now().tzinfo),
            extension="." + row.file.rsplit(".", 1)[-1],
            rule=row.rule,
            why=row.why,
            binned=row.state not in LIVE,
            sha256=row.sha256,
        )


def said_beside(item: Item, known: Sidecar) -> dict[str, Any]:
    """Columns that a sidecar has other words for than what we wrote: the person's own."""
    ours, found = read(written(item)), dict[str, Any]()
    title, category = clean_title(known.title or ""), clean_name(known.category or "")
    if known.title != ours.title and title not in ("", item.title):
        found |= {"title": title, "renamed": True}
    if known.category != ours.category and category not in ("", item.category):
        found["category"] = category
    if known.tags is not None and known.tags != ours.tags:
        found["tags"] = list(known.tags)
    if known.summary != ours.summary:
        found["summary"] = known.summary
    if known.text != ours.text:
        found["text"] = known.text
    return found


def _as_corrected(row: FilingRow, values: dict[str, Any]) -> dict[str, Any]:
    return {**values, **_BY_HAND} if values.get("category", row.category) != row.category else values


def _plain(value: object) -> object:
    if isinstance(value, tuple):
        return list(value)
    return value.isoformat() if isinstance(value, datetime) else value


def _typed(values: Mapping[str, Any]) -> dict[str, Any]:
    """JSON values as the columns take them."""
    stamp = values.get("binned_at")
    return {**values, "binned_at": datetime.fromisoformat(stamp)} if isinstance(stamp, str) else dict(values)
