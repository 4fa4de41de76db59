"""What only a server can do to us: be away, refuse, be shared, drop a connection in the middle."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest
import sqlalchemy as sa

from bot.errors import DatabaseUnusable, HomeBusy
from bot.storage.database import Database, open_database
from bot.storage.postgres import Postgres
from bot.storage.tables import people
from tests.bot.servers import POSTGRES, fresh_urls, server

needs_server = pytest.mark.skipif(not POSTGRES, reason="KAIROS_TEST_POSTGRES names no server")

NAMES = sa.select(people.c.name).order_by(people.c.name)
CUT = sa.select(sa.func.pg_terminate_backend(sa.column("pid"))).select_from(
    sa.text("pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database()")
)


@pytest.fixture
def url() -> Iterator[sa.URL]:
    """A schema that nobody has used, dropped at the end."""
    with fresh_urls("postgres") as fresh:
        yield sa.make_url(fresh())


def met(name: str) -> sa.Insert:
    return people.insert().values(name=name, language="zh")


async def names(database: Database) -> list[str]:
    return [row.name for row in await database.rows(NAMES)]


async def test_a_server_that_is_not_there_is_a_sentence_without_the_password() -> None:
    nobody = sa.make_url("postgresql+psycopg://ann:hunter2hunter2@127.0.0.1:1/notes")
    with pytest.raises(DatabaseUnusable) as raised:
        async with open_database(nobody):
            pass
    assert str(raised.value) == (
        "The database 127.0.0.1:1/notes cannot be used: it cannot be reached."
        " 数据库 127.0.0.1:1/notes 用不了：连不上。"
    )


@pytest.mark.parametrize(
    ("url", "place"),
    [
        ("postgresql+psycopg://ann:pw@db.example:6543/notes", "db.example:6543/notes"),
        ("postgresql+psycopg:///notes?host=/run/postgresql", "/run/postgresql/notes"),
        ("postgresql+psycopg://localhost", "localhost/"),
    ],
)
def test_its_place_names_no_person(url: str, place: str) -> None:
    assert Postgres(sa.make_url(url)).place == place


@needs_server
async def test_a_database_of_another_name_is_said() -> None:
    with pytest.raises(DatabaseUnusable, match="it has no database of that name"):
        async with open_database(server().set(database="no_such_database")):
            pass


@needs_server
async def test_a_user_whom_it_does_not_know_is_said() -> None:
    with pytest.raises(DatabaseUnusable, match="it refuses the user or the password"):
        async with open_database(server().set(username="no_such_user")):
            pass


@needs_server
async def test_two_homes_never_run_on_one_database(url: sa.URL) -> None:
    async with open_database(url) as first:
        with pytest.raises(HomeBusy, match="Another Kairos already runs on the database"):
            async with open_database(url):
                pass
        async with open_database(url, looking=True) as looking:
            await first.do(met("ann"))
            assert await names(looking) == ["ann"]
    async with open_database(url) as again:
        assert await names(again) == ["ann"]


@needs_server
async def test_tables_of_other_programs_are_not_touched(url: sa.URL) -> None:
    """Some have names like ours."""
    engine = sa.create_engine(url.difference_update_query(["schema"]), poolclass=sa.NullPool)
    theirs = sa.Table("people", sa.MetaData(), sa.Column("salary", sa.Integer))

    def make() -> None:
        theirs.create(engine)

    def look() -> list[int]:
        with engine.connect() as connection:
            found = [row.salary for row in connection.execute(sa.select(theirs))]
        theirs.drop(engine)
        return found

    await asyncio.to_thread(make)
    try:
        async with open_database(url) as database:
            await database.do(met("ann"))
    finally:
        found = await asyncio.to_thread(look)
    assert found == []


@needs_server
async def test_a_connection_that_was_cut_is_made_anew(url: sa.URL) -> None:
    async with open_database(url) as database, open_database(url, looking=True) as other:
        await database.do(met("ann"))
        await other.rows(CUT)
        await database.do(met("bob"))
        assert await names(database) == ["ann", "bob"]


@needs_server
async def test_cut_in_the_middle_nothing_is_half_written(url: sa.URL) -> None:
    async with open_database(url) as database, open_database(url, looking=True) as other:

        def work(connection: sa.Connection) -> None:
            connection.execute(met("half"))
            with other._engine.begin() as theirs:
                theirs.execute(CUT)
            connection.execute(met("whole"))

        with pytest.raises(DatabaseUnusable, match=r"it is being shut down|cannot be reached"):
            await database.write(work)
        assert await names(database) == []


@needs_server
async def test_a_server_that_takes_no_changes_is_said(url: sa.URL) -> None:
    async with open_database(url):
        pass
    read_only = url.update_query_dict({"options": "-c default_transaction_read_only=on"})
    async with open_database(read_only) as database:
        with pytest.raises(DatabaseUnusable, match=r"it takes no changes \(read-only\)"):
            await database.do(met("ann"))
        assert await names(database) == []


@needs_server
async def test_a_user_who_may_make_nothing_is_said(url: sa.URL) -> None:
    """Such a user is helped by an owner who makes the schema beforehand."""
    admin = sa.create_engine(server(), poolclass=sa.NullPool)
    schema = Postgres(url).schema
    guest = f"guest_{schema}"

    def run(*statements: str) -> None:
        with admin.begin() as connection:
            for each in statements:
                connection.execute(sa.text(each))

    await asyncio.to_thread(run, f"CREATE ROLE {guest} LOGIN")
    try:
        with pytest.raises(DatabaseUnusable, match="the user may not write there"):
            async with open_database(url.set(username=guest)):
                pass
        await asyncio.to_thread(run, f"CREATE SCHEMA {schema} AUTHORIZATION {guest}")
        async with open_database(url.set(username=guest)) as database:
            await database.do(met("ann"))
            assert await names(database) == ["ann"]
    finally:
        await asyncio.to_thread(run, f"DROP OWNED BY {guest} CASCADE", f"DROP ROLE {guest}")


@needs_server
async def test_writers_of_two_processes_take_turns(url: sa.URL) -> None:
    """What a transaction has read still holds when it writes: no two take one number."""

    def take(connection: sa.Connection) -> None:
        taken = connection.execute(sa.select(sa.func.count()).select_from(people)).scalar_one()
        connection.execute(met(f"p{taken:02}"))

    async with open_database(url) as one, open_database(url, looking=True) as other:
        async with asyncio.TaskGroup() as group:
            for database in (one, other) * 20:
                group.create_task(database.write(take))
        assert await names(one) == [f"p{each:02}" for each in range(40)]
