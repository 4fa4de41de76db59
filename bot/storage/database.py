"""Opening the database, a file of the home or one on a server: its tables are brought up to date at start."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, ClassVar, Protocol, TypeVar

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from bot.errors import HomeError
from bot.storage.postgres import Postgres
from bot.storage.sqlite import Sqlite
from bot.storage.tables import metadata

T = TypeVar("T")
Values = Mapping[str, Any]

HEAD = "0015"  # the newest file in migrations/versions; a test compares them


class Server(Protocol):
    """What differs from one kind of database to the next; the statements are the same."""

    lasting: ClassVar[bool]
    """Whether a connection holds for as long as it is wanted."""

    def engine(self) -> sa.Engine:
        """Where connections come from."""
        ...

    def prepare(self, connection: sa.Connection) -> None:
        """Begin the transaction that makes the tables: their place first."""
        ...

    def alone(self, engine: sa.Engine) -> sa.Connection | None:
        """Be the only one that runs here while the connection lives, if that needs one. Raises `HomeBusy`."""
        ...

    def look(self, connection: sa.Connection) -> None:
        """Begin a transaction whose queries all see one moment, whatever other processes write."""
        ...

    def turn(self, connection: sa.Connection) -> None:
        """Begin one that writes. Wait until nobody else writes; until the end of the transaction nobody does."""
        ...

    def trouble(self, error: Exception) -> HomeError | None:
        """What to say when the database, not the statement, is the trouble."""
        ...

    def damage(self, connection: sa.Connection) -> str:
        """What is broken, "" when nothing is."""
        ...


class Database:
    """Statements run in one thread, a whole transaction at a time.

    SQLite has one writer anyway. A driver that crosses threads at every cursor, fetch and commit (aiosqlite) costs
    more than twice the CPU: 0.8 ms a query against 0.35.
    """

    def __init__(self, server: Server, engine: sa.Engine) -> None:
        self._server = server
        self._engine = engine
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="database")
        self._kept: sa.Connection | None = None  # the thread's, where connections last

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
            with _trouble(self._server), self._connected() as connection:
                self._server.look(connection)
                return work(connection)

        return await asyncio.get_running_loop().run_in_executor(self._thread, whole)

    async def write(self, work: Callable[[sa.Connection], T]) -> T:
        """A transaction. Raises `HomeUnwritable` on a full or read-only disk; nothing is written then."""

        def whole() -> T:
            with _trouble(self._server), self._connected() as connection, connection.begin():
                self._server.turn(connection)
                return work(connection)

        return await asyncio.get_running_loop().run_in_executor(self._thread, whole)

    async def damage(self) -> str:
        """What is broken in the database, "" when nothing is."""
        return await self.read(self._server.damage)

    async def close(self) -> None:
        """Close all files, after what was begun."""
        if self._kept is not None:
            await asyncio.get_running_loop().run_in_executor(self._thread, self._kept.close)
        await asyncio.to_thread(self._thread.shutdown)
        await asyncio.to_thread(self._engine.dispose)

    @contextmanager
    def _connected(self) -> Iterator[sa.Connection]:
        """In the thread: a connection with nothing begun. Asking the pool each time costs as much as a query."""
        if not self._server.lasting:
            with self._engine.connect() as connection:
                yield connection
            return
        if self._kept is None:
            self._kept = self._engine.connect()
        try:
            yield self._kept
        finally:
            self._kept.rollback()


@contextmanager
def _trouble(server: Server) -> Iterator[None]:
    """Where the database, not the statement, is the trouble, `HomeUnwritable` or `HomeDamaged` is raised."""
    try:
        yield
    except (DBAPIError, sqlite3.Error) as error:  # the latter from pragmas, which nobody wraps
        if (found := server.trouble(error)) is not None:
            raise found from error
        raise


@asynccontextmanager
async def open_database(place: Path | sa.URL, *, looking: bool = False) -> AsyncIterator[Database]:
    """Open (and make, and migrate) the database in a file, or in the schema of a Postgres server.

    Args:
        looking: nothing of it is to be kept; where the path cannot be written, a copy is opened that is gone afterwards
            (SQLite cannot even read a journal it may not write to).

    Raises:
        HomeBusy: another process runs on that server's database.
        HomeUnwritable: it cannot be written, or not even copied; `DatabaseUnusable` of a server.
        SettingsError: the driver for the server is not installed.
    """
    server = Sqlite(place) if isinstance(place, Path) else Postgres(place)
    if isinstance(server, Sqlite) and looking and not await asyncio.to_thread(server.writable):
        folder = Path(await asyncio.to_thread(tempfile.mkdtemp, prefix="kairos-look-"))
        try:
            async with open_database(await asyncio.to_thread(server.copied, folder)) as database:
                yield database
        finally:
            await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)
        return
    engine = await asyncio.to_thread(server.engine)
    database = Database(server, engine)
    held: sa.Connection | None = None
    try:
        held = None if looking else await asyncio.to_thread(_alone, server, engine)
        await asyncio.to_thread(_migrate, server, engine)
        yield database
    finally:
        if held is not None:
            await asyncio.to_thread(held.close)
        await database.close()


def _alone(server: Server, engine: sa.Engine) -> sa.Connection | None:
    with _trouble(server):
        return server.alone(engine)


def _migrate(server: Server, engine: sa.Engine) -> None:
    """Make the tables, or run what is missing. Alembic costs 60 ms and 8 MB: it is loaded for an older home only."""
    with _trouble(server), engine.begin() as connection:
        server.prepare(connection)
        if not sa.inspect(connection).get_table_names():
            _make(connection)
        elif _version(connection) != HEAD:
            _upgrade(connection)


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
