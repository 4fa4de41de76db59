"""Keeps each person's pictures and their folder in step: at start, and every hour while it runs."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta

import structlog

from bot.errors import HomeUnwritable
from bot.household import Household
from bot.storage import Storage
from bot.storage.rebuild import Rebuild, Rebuilt
from bot.storage.rescan import Change, Rescan, Rescanned
from bot.types import Button, Language, Words
from bot.wording import say
from classifiers.errors import Unreadable
from classifiers.image import Open
from classifiers.ports import Embed

log = structlog.get_logger(__name__)

EVERY = 3600.0  # seconds between two looks at the folders
IN_BIN = timedelta(days=30)  # how long what was deleted can be restored
TOLD = 8  # pictures that a notice names


class Keeper:
    """One for the whole app."""

    def __init__(
        self,
        storage: Storage,
        household: Household,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._storage = storage
        self._household = household
        self._sleep = sleep

    async def run(self) -> None:
        """Look again and again, until cancelled."""
        while True:
            await self._sleep(EVERY)
            await self.all()

    async def all(self) -> None:
        """Look at everybody's folder; trouble with the disk waits for the next look."""
        for person in await self._storage.people.names():
            try:
                await self.rescan(person)
                await self.sweep(person)
            except HomeUnwritable as error:
                log.warning("folder not looked at", action="rescan_failed", person=person, error=str(error))

    async def rescan(self, person: str) -> Rescanned:
        """Read what a person did in their folder as corrections, and tell them once. Raises `HomeUnwritable`."""
        archive, editing = self._household.archive(person), self._household.library(person).edit
        found = await Rescan(self._storage.filings, archive, person, editing).run()
        if found.missing or found.unknown:
            log.info("folder", action="rescan_odd", missing=found.missing, unknown=len(found.unknown))
        about = await self._storage.messages.newest_alone(person)
        if found.news and about is not None:
            words = told(found, await self._storage.people.language(person))
            await self._storage.outbox.add(about, words)
        return found

    async def rebuild(self, person: str, reader: Open, embed: Embed | None) -> Rebuilt:
        """Make the rows of a person's pictures from their folder alone. Raises `HomeUnwritable`."""

        async def look(data: bytes, name: str) -> str:
            try:
                return (await reader(data, name)).phash
            except Unreadable:
                return ""

        archive, editing = self._household.archive(person), self._household.library(person).edit
        work = Rebuild(self._storage.filings, archive, person, editing, look=look, embed=embed)
        await self._storage.people.wrote(person, None)
        return await work.run(self._household.here(person).tzinfo)

    async def sweep(self, person: str) -> int:
        """Throw out what has been in the bin for long; returns how many."""
        moment = self._household.now() - IN_BIN
        return await self._household.library(person).edit.sweep(moment)


def told(found: Rescanned, language: Language) -> Words:
    """What was followed and what is gone, with an undo where there is one."""
    lines = [line for change in found.changes[:TOLD] for line in _lines(change, language)]
    if len(found.changes) > TOLD:
        lines.append(say(language, "folder.more", count=len(found.changes) - TOLD))
    if lines:
        lines.insert(0, say(language, "folder.followed"))
    lines += [say(language, "folder.gone", number=row.number, title=row.title) for row in found.gone[:TOLD]]
    if len(found.gone) > TOLD:
        lines.append(say(language, "folder.more", count=len(found.gone) - TOLD))
    buttons = () if found.edit is None else (Button(say(language, "undo"), f"unmove:{found.edit}"),)
    return Words("\n".join(lines), "notice", buttons)


def _lines(change: Change, language: Language) -> list[str]:
    row, values, lines = change.row, change.values, list[str]()
    new = values.get("category", row.category)
    if (state := values.get("state")) is not None:
        key = "folder.deleted" if state == "deleted" else "folder.back"
        lines.append(say(language, key, number=row.number, new=new))
    elif new != row.category:
        lines.append(say(language, "folder.moved", number=row.number, old=row.category, new=new))
    if "title" in values:
        lines.append(say(language, "folder.renamed", number=row.number, old=row.title, new=values["title"]))
    if "tags" in values:
        lines.append(say(language, "folder.tagged", number=row.number, tags=", ".join(values["tags"])))
    if {"summary", "text"} & set(values):
        lines.append(say(language, "folder.edited", number=row.number))
    return lines
