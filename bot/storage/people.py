"""Who talks to us, and the language they last wrote in."""

from __future__ import annotations

from collections.abc import Callable

import sqlalchemy as sa

from bot.storage.database import Database
from bot.storage.tables import people
from bot.types import Language

Fixed = Callable[[str], Language | None]
"""The language that was chosen for a person; None = the one they write in."""


def as_written(name: str) -> Language | None:
    """Nobody has one."""
    return None


class People:
    """One row a person; kept in memory too, since every message asks."""

    def __init__(self, database: Database, default: Language, fixed: Fixed = as_written) -> None:
        """`default`: until somebody has written. `fixed`: whatever they write."""
        self._database = database
        self._default = default
        self._fixed = fixed
        self._known: dict[str, Language] = {}

    async def _get(self, name: str, default: Language | None = None) -> Language:
        if name not in self._known:
            first = default or self._default

            def met(connection: sa.Connection) -> Language:
                """Looked up and, the first time, written down in one transaction: turn and job ask at once."""
                row = connection.execute(sa.select(people).where(people.c.name == name)).first()
                if row is None:
                    connection.execute(people.insert().values(name=name, language=first))
                return row.language if row else first

            found = await self._database.write(met)
            self._known.setdefault(name, found)
        return self._known[name]

    async def meet(self, name: str, language: Language) -> None:
        """Somebody who may be new uses an interface in this language: theirs, until they have written something."""
        await self._get(name, language)

    async def language(self, name: str) -> Language:
        """The language they last wrote in."""
        return self._fixed(name) or await self._get(name)

    async def wrote(self, name: str, language: Language | None) -> Language:
        """Remember the language of what they just wrote (None = cannot be told); returns the one in force."""
        known = await self._get(name)
        if language is None or language == known:
            return known
        await self._database.do(people.update().where(people.c.name == name).values(language=language))
        self._known[name] = language
        return language

    async def names(self) -> list[str]:
        """Everybody who ever wrote."""
        query = sa.select(people.c.name).order_by(people.c.name)
        return [row.name for row in await self._database.rows(query)]
