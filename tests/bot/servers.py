"""The databases that tests run on: a file, and a Postgres server where `KAIROS_TEST_POSTGRES` names one."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from uuid import uuid4

import sqlalchemy as sa

POSTGRES = os.environ.get("KAIROS_TEST_POSTGRES", "")  # read here: tests see no setting of their machine
KINDS = ["sqlite", *(["postgres"] if POSTGRES else [])]

FreshUrl = Callable[[], str]
"""Makes the `database_url` of a database that nobody has used; "" = a file in the home."""


@contextmanager
def fresh_urls(kind: str) -> Iterator[FreshUrl]:
    """Databases of one kind, gone at the end."""
    made: list[str] = []

    def fresh() -> str:
        if kind == "sqlite":
            return ""
        made.append(f"test_{uuid4().hex[:12]}")
        return with_schema(made[-1]).render_as_string(hide_password=False)

    yield fresh
    if made:
        engine = sa.create_engine(server(), poolclass=sa.NullPool)
        with engine.begin() as connection:
            for name in made:
                connection.execute(sa.schema.DropSchema(name, cascade=True, if_exists=True))


def server() -> sa.URL:
    """Where the server of the tests is."""
    return sa.make_url(POSTGRES).set(drivername="postgresql+psycopg")


def with_schema(name: str) -> sa.URL:
    """The same, our tables in a schema of this name."""
    return server().update_query_dict({"schema": name})


def take_no_more(connection: sa.Connection) -> None:
    """From here on the database takes nothing, as on a full disk: its file may not grow, or its session not write."""
    if connection.dialect.name == "sqlite":
        connection.execute(sa.text("PRAGMA max_page_count = 1"))
    else:
        connection.execute(sa.text("SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY"))
        connection.commit()
