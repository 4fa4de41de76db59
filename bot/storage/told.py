"""What a person has been told once and need not hear again."""

from __future__ import annotations

import sqlalchemy as sa

from bot.storage.database import Database
from bot.storage.tables import told


class Told:
    """The rows of `told`: by person and matter, how far it has been told."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def risen(self, person: str, matter: str, level: int) -> bool:
        """Note the level that a matter stands at; whether it is higher than what was noted last."""

        def note(connection: sa.Connection) -> bool:
            here = sa.and_(told.c.person == person, told.c.matter == matter)
            known = connection.execute(sa.select(told.c.level).where(here)).scalar()
            if known is None and level:
                connection.execute(told.insert().values(person=person, matter=matter, level=level))
            elif known is not None and known != level:
                connection.execute(told.update().where(here).values(level=level))
            return level > (known or 0)

        return await self._database.write(note)
