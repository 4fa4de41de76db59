"""A database that is a file of the home: SQLite."""

from __future__ import annotations

import os
import shutil
import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from bot.errors import HomeDamaged, HomeError, HomeUnwritable

_FILES = ("", "-wal")  # the database, and what was written since it was last taken in
# "is locked": another program (one that copies it, say) has held it for longer than `busy_timeout`
_UNWRITABLE = ("is full", "readonly", "disk I/O", "unable to open", "is locked")
_PRAGMAS = ("journal_mode=WAL", "synchronous=NORMAL", "busy_timeout=10000", "foreign_keys=ON")


@dataclass(frozen=True, slots=True)
class Sqlite:
    """What only SQLite needs; a `bot.storage.database.Server`."""

    path: Path
    lasting: ClassVar[bool] = True

    def engine(self) -> sa.Engine:
        """An engine over the file, whatever characters its path has."""
        engine = sa.create_engine(sa.URL.create("sqlite", database=str(self.path)))
        sa.event.listen(engine, "connect", _tune)
        return engine

    def prepare(self, connection: sa.Connection) -> None:
        """The file is there as soon as somebody writes into it."""
        self.turn(connection)

    def alone(self, engine: sa.Engine) -> None:
        """The home's lock keeps others away."""

    def look(self, connection: sa.Connection) -> None:
        """Queries of one transaction see one moment; Python's driver begins none for them by itself."""
        _begin(connection, "BEGIN")

    def turn(self, connection: sa.Connection) -> None:
        """Begun as a writer: a transaction that has read first may find that it cannot write any more."""
        _begin(connection, "BEGIN IMMEDIATE")

    def trouble(self, error: Exception) -> HomeError | None:
        """Where the file, not the statement, is the trouble: what to say."""
        words = str(error.orig) if isinstance(error, DBAPIError) else str(error)
        if any(sign in words for sign in _UNWRITABLE):
            return HomeUnwritable()
        if any(sign in words for sign in ("not a database", "malformed")):
            return HomeDamaged()
        return None

    def damage(self, connection: sa.Connection) -> str:
        """What is broken in the file, "" when nothing is."""
        try:
            found = str(connection.execute(sa.text("PRAGMA quick_check(1)")).scalar())
        except DBAPIError as error:
            return str(error.orig)
        return "" if found == "ok" else found

    def writable(self) -> bool:
        """Whether SQLite can work there: it writes to the file, and puts others beside it."""
        beside = [self.path.with_name(self.path.name + end) for end in _FILES]
        return os.access(self.path.parent, os.W_OK) and all(
            os.access(each, os.W_OK) for each in beside if each.exists()
        )

    def copied(self, folder: Path) -> Path:
        """A copy of the database in a folder, with what its journal holds. Raises `HomeUnwritable`."""
        try:
            for end in _FILES:
                if (found := self.path.with_name(self.path.name + end)).exists():
                    shutil.copyfile(found, folder / found.name)
        except OSError as error:
            raise HomeUnwritable() from error
        return folder / self.path.name


def _begin(connection: sa.Connection, how: str) -> None:
    """By the driver itself: SQLAlchemy takes longer over these words than SQLite does."""
    if not connection.in_transaction():
        connection.begin()  # says nothing to the driver; without it nobody would end the transaction
    driver = connection.connection.driver_connection
    assert isinstance(driver, sqlite3.Connection)
    driver.execute(how)


def _tune(connection: sqlite3.Connection, _: Any) -> None:
    connection.isolation_level = None  # the driver begins nothing by itself; `look` and `turn` do
    for pragma in _PRAGMAS:
        connection.execute(f"PRAGMA {pragma}")
