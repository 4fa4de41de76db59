"""Opening the database: one engine, tuned for SQLite, its tables brought up to date at start."""

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from bot.errors import HomeDamaged, HomeUnwritable
from bot.storage.tables import metadata

T = TypeVar("T")
Values = Mapping[str, Any]

_FILES = ("", "-wal")  # the database, and what was written since it was last taken in
HEAD = "0006"  # the newest file in migrations/versions; a test compares them


class Database:
    """Statements run in one thread, a whole transaction at a time.

    SQLite has one writer anyway. A driver that crosses threads at every cursor, fetch and commit (aiosqlite) costs
    more than twice the CPU: 0.8 ms a query against 0.35.
    """

    def __init__(self, engine: sa.Engine) -> None:
        self._engine = engine
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="database")

    async def rows(self, statement: sa.Select[Any], values: Values | None = None) -> list[sa.Row[Any]]:
        """All rows of a query. `values` fill a statement built once: building costs thrice as much as running."""

        def read(connection: sa.Connection) -> list[sa.Row[Any]]:
            return list(connection.execute(statement, values).all())

        return await self.read(read)

    async def do(self, *statements: sa.Executable) -> sa.CursorResult[Any]:
        """Writing statements, all or none; the last one's result. Raises `HomeUnwritable`."""

        def write(connection: sa.Connection) -> sa.CursorResult[Any]:
            return [connection.execute(statement) for statement in statements][-1]

        return await self.write(write)

    async def read(self, work: Callable[[sa.Connection], T]) -> T:
        """Several queries at one moment. `work` runs in the database's thread. Raises `HomeUnwritable`."""

        def whole() -> T:
            with _disk_trouble(), self._engine.connect() as connection:
                return work(connection)

        return await asyncio.get_running_loop().run_in_executor(self._thread, whole)

    async def write(self, work: Callable[[sa.Connection], T]) -> T:
        """A transaction. Raises `HomeUnwritable` on a full or read-only disk; nothing is written then."""

        def whole() -> T:
            with _disk_trouble(), self._engine.begin() as connection:
                return work(connection)

        return await asyncio.get_running_loop().run_in_executor(self._thread, whole)

    async def damage(self) -> str:
        """What is broken in the file, "" when nothing is."""

        def look(connection: sa.Connection) -> str:
            try:
                found = str(connection.execute(sa.text("PRAGMA quick_check(1)")).scalar())
            except DBAPIError as error:
                return str(error.orig)
            return "" if found == "ok" else found

        return await self.read(look)

    async def close(self) -> None:
        """Close all files, after what was begun."""
        await asyncio.to_thread(self._thread.shutdown)
        await asyncio.to_thread(self._engine.dispose)


@contextmanager
def _disk_trouble() -> Iterator[None]:
    """Where the file, not the statement, is the trouble, `HomeUnwritable` or `HomeDamaged` is raised."""
    try:
        yield
    except (DBAPIError, sqlite3.Error) as error:  # the latter from pragmas, which nobody wraps
        words = str(error.orig) if isinstance(error, DBAPIError) else str(error)
        if any(sign in words for sign in ("is full", "readonly", "disk I/O", "unable to open")):
            raise HomeUnwritable() from error
        if any(sign in words for sign in ("not a database", "malformed")):
            raise HomeDamaged() from error
        raise


def engine_of(path: Path) -> sa.Engine:
    """An engine over a file, whatever characters its path has."""
    return sa.create_engine(sa.URL.create("sqlite", database=str(path)))


def _pragmas(connection: Any, _: Any) -> None:
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "busy_timeout=10000", "foreign_keys=ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


@asynccontextmanager
async def open_database(path: Path, *, looking: bool = False) -> AsyncIterator[Database]:
    """Open (and make, and migrate) the database at a path.

    Args:
        looking: nothing of it is to be kept; where the path cannot be written, a copy is opened that is gone afterwards
            (SQLite cannot even read a journal it may not write to).

    Raises:
        HomeUnwritable: it cannot be written, or not even copied.
    """
    if looking and not await asyncio.to_thread(_writable, path):
        folder = Path(await asyncio.to_thread(tempfile.mkdtemp, prefix="kairos-look-"))
        try:
            async with open_database(await asyncio.to_thread(_copied, path, folder)) as database:
                yield database
        finally:
            await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)
        return
    await asyncio.to_thread(_migrate, path)
    engine = engine_of(path)
    sa.event.listen(engine, "connect", _pragmas)
    database = Database(engine)
    try:
        yield database
    finally:
        await database.close()


def _writable(path: Path) -> bool:
    """Whether SQLite can work there: it writes to the file, and puts others beside it."""
    beside = [path.with_name(path.name + end) for end in _FILES]
    return os.access(path.parent, os.W_OK) and all(
        os.access(each, os.W_OK) for each in beside if each.exists()
    )


def _copied(path: Path, folder: Path) -> Path:
    """A copy of the database, with what its journal holds. Raises `HomeUnwritable`."""
    try:
        for end in _FILES:
            if (found := path.with_name(path.name + end)).exists():
                shutil.copyfile(found, folder / found.name)
    except OSError as error:
        raise HomeUnwritable() from error
    return folder / path.name


def _migrate(path: Path) -> None:
    """Make the tables, or run what is missing. Alembic costs 60 ms and 8 MB: it is loaded for an older home only."""
    engine = engine_of(path)
    sa.event.listen(engine, "connect", _pragmas)
    try:
        with _disk_trouble(), engine.begin() as connection:
            if not sa.inspect(connection).get_table_names():
                _make(connection)
            elif _version(connection) != HEAD:
                _upgrade(connection)
    finally:
        engine.dispose()


def _make(connection: sa.Connection) -> None:
    """All tables as they stand at HEAD; a test holds that the migrations lead to the same."""
    metadata.create_all(connection)
    version = sa.Table(
        "alembic_version", sa.MetaData(), sa.Column("version_num", sa.String(32), primary_key=True)
    )
    version.create(connection)
    connection.execute(version.insert().values(version_num=HEAD))


def _version(connection: sa.Connection) -> str | None:
    if not sa.inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar()


def _upgrade(connection: sa.Connection) -> None:
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
