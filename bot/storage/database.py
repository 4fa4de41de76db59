"""Opening the database: one engine, tuned for SQLite, its tables brought up to date at start."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from bot.errors import HomeUnwritable

HEAD = "0001"  # the newest file in migrations/versions; a test compares them


class Database:
    """Every statement runs on its own connection from the pool; `begin()` groups some into one transaction."""

    def __init__(self, engine: AsyncEngine) -> None:
        self.engine = engine

    async def rows(self, statement: sa.Select[Any]) -> list[sa.Row[Any]]:
        """All rows of a query."""
        async with self.engine.connect() as connection:
            return list((await connection.execute(statement)).all())

    async def do(self, statement: Any) -> sa.CursorResult[Any]:
        """One writing statement in its own transaction. Raises `HomeUnwritable` on a full or read-only disk."""
        async with self.begin() as connection:
            result: sa.CursorResult[Any] = await connection.execute(statement)
            return result

    @asynccontextmanager
    async def begin(self) -> AsyncIterator[AsyncConnection]:
        """A transaction. Raises `HomeUnwritable` on a full or read-only disk."""
        try:
            async with self.engine.begin() as connection:
                yield connection
        except DBAPIError as error:
            if unwritable(error):
                raise HomeUnwritable() from error
            raise


def unwritable(error: DBAPIError) -> bool:
    """Whether the disk, not the statement, is the trouble."""
    words = str(error.orig)
    return any(sign in words for sign in ("is full", "readonly", "disk I/O", "unable to open"))


def _pragmas(connection: Any, _: Any) -> None:
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "busy_timeout=10000", "foreign_keys=ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


@asynccontextmanager
async def open_database(url: str | Path) -> AsyncIterator[Database]:
    """Open (and make, and migrate) the database at a path or an SQLAlchemy URL."""
    address = f"sqlite+aiosqlite:///{url}" if isinstance(url, Path) else url
    engine = create_async_engine(address, pool_size=5)
    if engine.dialect.name == "sqlite":
        sa.event.listen(engine.sync_engine, "connect", _pragmas)
    database = Database(engine)
    try:
        await _migrate(database)
        yield database
    finally:
        await engine.dispose()


async def _migrate(database: Database) -> None:
    """Run what is missing. Alembic costs 60 ms and 8 MB, so it is only loaded when something is."""
    async with database.begin() as connection:
        if await connection.run_sync(_version) != HEAD:
            await connection.run_sync(_upgrade)


def _version(connection: sa.Connection) -> str | None:
    if not sa.inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar()


def _upgrade(connection: sa.Connection) -> None:
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
