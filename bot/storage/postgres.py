"""A database on a server: Postgres, in a schema of its own, so that other programs' tables are never touched.

The statements are those of SQLite. What differs is here: who may write, whose turn it is, and what goes wrong.
"""

from __future__ import annotations

import time
import zlib
from dataclasses import dataclass
from typing import ClassVar

import sqlalchemy as sa
import structlog
from sqlalchemy.exc import DBAPIError, OperationalError

from bot.errors import DatabaseUnusable, HomeBusy, HomeError, SettingsError

log = structlog.get_logger(__name__)

SCHEMA = "kairos"  # another one: ?schema=name at the end of the URL
_RUNNING, _WRITING = 0x6B61_6972, 0x6B61_6977  # what the advisory locks of this program are about
_PATIENCE = 2.0  # seconds that the server has to notice that the process before us is gone
_DEFAULTS = {
    "connect_timeout": "10",  # seconds
    "tcp_user_timeout": "30000",  # ms until a server that stopped answering counts as gone
    "application_name": "kairos",
}
_REASONS = {  # first characters of an SQLSTATE → why, in English and Chinese
    "28": ("it refuses the user or the password", "它不接受这个用户名或密码"),
    "3D": ("it has no database of that name", "没有这个名字的数据库"),
    "42501": ("the user may not write there", "这个用户没有写入的权限"),
    "25006": ("it takes no changes (read-only)", "它只读"),
    "53100": ("its disk is full", "它的磁盘满了"),
    "53": ("it has no room for another connection", "它的连接数已满"),
    "55P03": ("another process holds it", "别的进程占用着它"),
    "57P": ("it is being shut down", "它正在关闭"),
    "XX": ("it says that its data is damaged", "它报告数据已损坏"),
    "08": ("it cannot be reached", "连不上"),
}


@dataclass(frozen=True, slots=True)
class Postgres:
    """What only Postgres needs; a `bot.storage.database.Server`."""

    url: sa.URL
    lasting: ClassVar[bool] = False  # a server may be started anew, which the pool notices

    @property
    def schema(self) -> str:
        """Where our tables stand."""
        return str(self.url.query.get("schema", SCHEMA))

    @property
    def place(self) -> str:
        """`host/database`, for people: no user, no password."""
        host = self.url.host or str(self.url.query.get("host", "localhost"))
        return f"{host}{f':{self.url.port}' if self.url.port else ''}/{self.url.database or ''}"

    def engine(self) -> sa.Engine:
        """An engine that sees our schema alone.

        Raises:
            SettingsError: there is no driver.
        """
        try:
            import psycopg  # noqa: F401 - an extra, and one that needs a library of the system
        except ImportError:
            raise SettingsError(
                "KAIROS_DATABASE_URL names Postgres, whose driver is missing: pip install 'kairos[postgres]'."
                " 缺少 Postgres 驱动，请安装 kairos[postgres]。"
            ) from None
        given = dict(self.url.query)
        options = f"{given.pop('options', '')} -c search_path={self.schema} -c lock_timeout=10s".strip()
        more = {key: value for key, value in _DEFAULTS.items() if key not in given}
        return sa.create_engine(
            self.url.difference_update_query(["schema", "options"]),
            connect_args={**more, "options": options},
            pool_size=2,  # the one that works, and the one that holds our place
            max_overflow=0,
            pool_pre_ping=True,  # a server that was started anew is found again
            hide_parameters=True,
        )

    def prepare(self, connection: sa.Connection) -> None:
        """Make the schema unless it is there, while nobody else does."""
        self.turn(connection)
        if not sa.inspect(connection).has_schema(self.schema):
            connection.execute(sa.schema.CreateSchema(self.schema))

    def alone(self, engine: sa.Engine) -> sa.Connection:
        """Be the only one that runs on this schema for as long as the connection lives; the server forgets the dead.

        The lock of a home is of no use where two homes, on two machines, name one database.

        Raises:
            HomeBusy: another one does.
        """
        connection = engine.execution_options(isolation_level="AUTOCOMMIT").connect()
        until = time.monotonic() + _PATIENCE
        while not self._lock(connection, "pg_try_advisory_lock", _RUNNING):
            if time.monotonic() > until:
                connection.close()
                raise HomeBusy(
                    f"Another Kairos already runs on the database {self.place}."
                    f" 另一个 Kairos 正在使用数据库 {self.place}。"
                )
            time.sleep(0.05)
        return connection

    def look(self, connection: sa.Connection) -> None:
        """Queries of one transaction see one moment, which they do not by default."""
        connection.execution_options(isolation_level="REPEATABLE READ")

    def turn(self, connection: sa.Connection) -> None:
        """One writes at a time, as with SQLite: what a transaction has read still holds when it writes."""
        self._lock(connection, "pg_advisory_xact_lock", _WRITING)

    def _lock(self, connection: sa.Connection, function: str, what: int) -> bool:
        which = zlib.crc32(self.schema.encode()) - 2**31  # schemas of one database share the server's locks
        return bool(connection.execute(sa.text(f"SELECT {function}({what}, {which})")).scalar())

    def trouble(self, error: Exception) -> HomeError | None:
        """Where the server, not the statement, is the trouble: what to say."""
        if not isinstance(error, DBAPIError):
            return None
        state = str(getattr(error.orig, "sqlstate", None) or "")
        found = next((words for head, words in _REASONS.items() if state.startswith(head)), None)
        refused = not state and isinstance(error, OperationalError)
        if found is None and not refused and not error.connection_invalidated:
            return None
        log.error("database of no use", action="database_unusable", place=self.place, error=str(error.orig))
        english, chinese = found or _said(str(error.orig))
        return DatabaseUnusable(
            f"The database {self.place} cannot be used: {english}. 数据库 {self.place} 用不了：{chinese}。"
        )

    def damage(self, connection: sa.Connection) -> str:
        """Its own checks are the server's business; here, that it answers."""
        connection.execute(sa.text("SELECT 1"))
        return ""


def _said(words: str) -> tuple[str, str]:
    """A connection that was refused carries no SQLSTATE, only the server's words."""
    for sign, state in (("password", "28"), ("role ", "28"), ("does not exist", "3D"), ("too many", "53")):
        if sign in words:
            return _REASONS[state]
    return _REASONS["08"]
