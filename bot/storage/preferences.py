"""What each person chose for themselves; for all else the settings hold.

Kept in memory too, since every message asks. Secrets and addresses are none of these: they are only in the settings.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo
from zoneinfo import ZoneInfo

import sqlalchemy as sa

from bot.settings.values import Learning, Wish
from bot.storage.database import Database
from bot.storage.tables import preferences
from bot.types import Language


@dataclass(frozen=True, slots=True)
class Choices:
    """How things are for one person."""

    learning: Learning = "on"  # of facts told in passing
    language: Wish = "auto"
    timezone: str = ""  # "" = the one of the settings, or the machine's
    streaming: str = "on"  # on, off: whether a slow answer is shown while it grows


_ALLOWED = {"learning": ("on", "ask", "off"), "language": ("zh", "en", "auto"), "streaming": ("on", "off")}


class Preferences:
    """The rows of `preferences`."""

    def __init__(self, database: Database, given: Choices) -> None:
        """`given`: for those who have chosen nothing."""
        self._database = database
        self._given = given
        self._chosen: dict[str, dict[str, str]] = {}
        self._zones: dict[str, tzinfo] = {}

    async def load(self) -> None:
        """Take in what was chosen so far, by other processes too."""
        chosen: dict[str, dict[str, str]] = {}
        for row in await self._database.rows(sa.select(preferences)):
            if await self._holds(row.name, row.value):
                chosen.setdefault(row.person, {})[row.name] = row.value
        self._chosen = chosen

    def of(self, person: str) -> Choices:
        """How things are for a person."""
        chosen = self._chosen.get(person)
        return replace(self._given, **chosen) if chosen else self._given  # type: ignore[arg-type]  # `_holds`

    def language(self, person: str) -> Language | None:
        """The language to speak to a person in; None = the one they write in."""
        wish = self.of(person).language
        return None if wish == "auto" else wish

    def watches(self, person: str) -> bool:
        """Whether a slow answer is shown to a person while it grows."""
        return self.of(person).streaming == "on"

    def here(self, person: str, now: datetime) -> datetime:
        """A moment on a person's own clock."""
        chosen = self._chosen.get(person, {}).get("timezone")
        return now.astimezone(self._zones[chosen]) if chosen else now

    async def choose(self, person: str, name: str, value: str) -> None:
        """Keep a choice; "" takes it back. Raises `ValueError` for what cannot be chosen, `HomeUnwritable`."""
        if value and not await self._holds(name, value):
            raise ValueError(f"{name} cannot be {value!r}")
        here = sa.and_(preferences.c.person == person, preferences.c.name == name)
        statements: list[sa.Executable] = [preferences.delete().where(here)]
        if value:
            statements.append(preferences.insert().values(person=person, name=name, value=value))
        await self._database.do(*statements)
        mine = self._chosen.setdefault(person, {})
        mine.pop(name, None)
        if value:
            mine[name] = value

    async def _holds(self, name: str, value: str) -> bool:
        """Whether a value may be chosen; makes its time zone ready, which reads the disk."""
        if name != "timezone":
            return value in _ALLOWED.get(name, ())
        try:
            self._zones[value] = await asyncio.to_thread(ZoneInfo, value)
        except (LookupError, ValueError, OSError):
            return False
        return True
