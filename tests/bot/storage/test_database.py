"""Opening, migrating, and what a full or missing disk becomes."""

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
import sqlalchemy as sa
from alembic.config import Config
from alembic.script import ScriptDirectory

from bot.errors import HomeDamaged, HomeUnwritable
from bot.storage import database, sqlite
from bot.storage.database import open_database
from bot.storage.sqlite import Sqlite
from bot.storage.tables import consolidations, fresh_starts, metadata, people
from tests.bot.desks import NOW
from tests.bot.servers import FreshUrl, take_no_more


def test_head_is_the_newest_migration() -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(database.__file__).parent / "migrations"))
    assert ScriptDirectory.from_config(config).get_current_head() == database.HEAD


@pytest.fixture
def fresh(tmp_path: Path, fresh_url: FreshUrl) -> Callable[[], Path | sa.URL]:
    """Makes places for databases, of each kind there is."""

    def make() -> Path | sa.URL:
        url = fresh_url()
        return sa.make_url(url) if url else tmp_path / f"{uuid4().hex}.sqlite"

    return make


@pytest.fixture
def place(fresh: Callable[[], Path | sa.URL]) -> Path | sa.URL:
    """One of them."""
    return fresh()


def _tables(connection: sa.Connection) -> dict[str, object]:
    """Every table with its columns, keys and indexes; and the version they are of."""
    found = sa.inspect(connection)
    names = [name for name in found.get_table_names() if name != "alembic_version"]

    def described(name: str) -> object:
        parts: list[Any] = [
            [{**column, "type": str(column["type"])} for column in found.get_columns(name)],
            found.get_pk_constraint(name)["constrained_columns"],
            found.get_indexes(name),
            found.get_unique_constraints(name),
        ]
        return [sorted(map(str, part)) for part in parts]

    return {name: described(name) for name in names} | {"version": database._version(connection)}


async def test_migrations_make_the_same_tables_as_a_fresh_start(
    fresh: Callable[[], Path | sa.URL], monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_database(fresh()) as opened:
        at_once = await opened.read(_tables)
    monkeypatch.setattr(database, "_make", database._upgrade)
    async with open_database(fresh()) as opened:
        step_by_step = await opened.read(_tables)
    assert at_once == step_by_step
    assert set(at_once) == {*metadata.tables, "version"}
    assert at_once["version"] == database.HEAD


async def test_opening_again_keeps_what_is_there(place: Path | sa.URL) -> None:
    for _ in range(2):
        async with open_database(place) as opened:
            await opened.do(people.insert().values(name=f"p{_}", language="zh"))
    async with open_database(place) as opened:
        assert len(await opened.rows(sa.select(people))) == 2


@pytest.mark.parametrize("folder", ["with space", "what?x=1", "100%25", "#1", "文件夹", "semi;colon&"])
async def test_any_folder_name_will_do(tmp_path: Path, folder: str) -> None:
    place = tmp_path / folder
    place.mkdir()
    async with open_database(place / "kairos.sqlite") as opened:
        await opened.do(people.insert().values(name="me", language="zh"))
    assert (place / "kairos.sqlite").stat().st_size > 0


async def test_a_place_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "kairos.sqlite").mkdir()
    with pytest.raises(HomeUnwritable):
        async with open_database(tmp_path / "kairos.sqlite"):
            pass


async def test_a_full_disk_is_said_and_nothing_half_written(place: Path | sa.URL) -> None:
    async with open_database(place) as opened:
        await opened.do(people.insert().values(name="before", language="zh"))
        await opened.read(take_no_more)
        rows = [people.insert().values(name=f"{i}" * 3000, language="zh") for i in range(9)]
        with pytest.raises(HomeUnwritable):
            await opened.do(*rows)
        assert [row.name for row in await opened.rows(sa.select(people))] == ["before"]


async def test_a_file_that_another_program_holds_is_tried_again_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on a full disk: whoever writes waits and tries again."""
    monkeypatch.setattr(sqlite, "_PRAGMAS", ("journal_mode=WAL", "busy_timeout=20"))
    async with open_database(tmp_path / "kairos.sqlite") as opened:
        with closing(sqlite3.connect(tmp_path / "kairos.sqlite", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(HomeUnwritable):
                await opened.do(people.insert().values(name="me", language="zh"))
            other.execute("ROLLBACK")
        await opened.do(people.insert().values(name="me", language="zh"))
        assert len(await opened.rows(sa.select(people))) == 1


async def test_statements_are_all_or_none(place: Path | sa.URL) -> None:
    async with open_database(place) as opened:
        with pytest.raises(sa.exc.IntegrityError):
            await opened.do(
                people.insert().values(name="me", language="zh"),
                people.insert().values(name="me", language="zh"),
            )
        assert await opened.rows(sa.select(people)) == []


async def test_many_writers_at_once_lose_nothing(place: Path | sa.URL) -> None:
    async with open_database(place) as opened:
        async with asyncio.TaskGroup() as group:
            for i in range(60):
                group.create_task(opened.do(people.insert().values(name=f"p{i}", language="zh")))
        assert len(await opened.rows(sa.select(people))) == 60


async def test_halves_of_characters_and_zeros_do_not_stop_a_row(place: Path | sa.URL) -> None:
    async with open_database(place) as opened:
        await opened.do(people.insert().values(name="a\ud83dz\0", language="zh"))
        assert [row.name for row in await opened.rows(sa.select(people))] == ["a?z?"]


async def test_words_and_moments_sort_by_their_characters(place: Path | sa.URL) -> None:
    """Whatever language the server sorts in: capitals first, and a moment's fraction after none."""
    names = ["b", "a", "B", "Z", "一", "-"]
    moments = [NOW.replace(microsecond=parts) for parts in (0, 5, 100_000)]
    async with open_database(place) as opened:
        await opened.do(*(people.insert().values(name=name, language="zh") for name in names))
        rows = await opened.rows(sa.select(people.c.name).order_by(people.c.name))
        assert [row.name for row in rows] == sorted(names)
        for at, moment in enumerate(reversed(moments)):
            values = {"person": f"p{at}", "wanted": moment}
            await opened.do(consolidations.insert().values(**values))
        first = consolidations.c.wanted
        rows = await opened.rows(sa.select(first).where(first > moments[0]).order_by(first))
        assert [row.wanted for row in rows] == moments[1:]


async def test_whole_numbers_have_64_bits(place: Path | sa.URL) -> None:
    async with open_database(place) as opened:
        await opened.do(fresh_starts.insert().values(person="me", channel="c", chat="1", after=2**40))
        rows = await opened.rows(sa.select(fresh_starts.c.after).where(fresh_starts.c.after < 2**62))
        assert [row.after for row in rows] == [2**40]


async def test_several_queries_see_one_moment(place: Path | sa.URL) -> None:
    """Though another process writes between them."""
    count = sa.select(sa.func.count()).select_from(people)
    async with open_database(place) as opened, open_database(place, looking=True) as other:

        def look(connection: sa.Connection) -> list[int]:
            before = connection.execute(count).scalar_one()
            write = people.insert().values(name="new", language="zh")
            with other._engine.begin() as theirs:
                theirs.execute(write)
            return [before, connection.execute(count).scalar_one()]

        assert await opened.read(look) == [0, 0]
        assert (await opened.rows(count))[0][0] == 1


async def test_a_file_that_is_no_database_is_a_sentence(tmp_path: Path) -> None:
    file = tmp_path / "kairos.sqlite"
    file.write_bytes(b"garbage" * 1000)
    with pytest.raises(HomeDamaged, match=r"kairos\.sqlite is damaged"):
        async with open_database(file):
            pass
    assert file.read_bytes() == b"garbage" * 1000, "it is the person's to move away"


async def test_damage_is_found(tmp_path: Path) -> None:
    place = tmp_path / "a.sqlite"
    async with open_database(place) as opened:
        async with asyncio.TaskGroup() as group:
            for i in range(200):
                group.create_task(opened.do(people.insert().values(name=f"{i}" * 900, language="zh")))
        assert await opened.damage() == ""
    data = bytearray(place.read_bytes())
    data[len(data) // 2 :] = os.urandom(len(data) - len(data) // 2)
    place.write_bytes(data)
    async with open_database(place) as opened:
        assert await opened.damage() != ""


async def test_who_only_looks_reads_a_home_that_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With what is still in the journal of a process that was killed; and nothing is left behind."""
    home, killed = tmp_path / "home", tmp_path / "killed"
    home.mkdir()
    async with open_database(home / "a.sqlite") as opened:
        await opened.do(people.insert().values(name="ann", language="zh"))
        await asyncio.to_thread(shutil.copytree, home, killed)
    (killed / "a.sqlite-shm").unlink()
    before = await asyncio.to_thread(_contents, killed)
    assert before["a.sqlite-wal"]
    monkeypatch.setattr(Sqlite, "writable", lambda self: self.path.parent != killed)
    async with open_database(killed / "a.sqlite", looking=True) as opened:
        assert [row.name for row in await opened.rows(sa.select(people))] == ["ann"]
    assert await asyncio.to_thread(_contents, killed) == before


def _contents(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


async def test_who_only_looks_finds_an_empty_home_where_none_can_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    async with open_database(tmp_path / "file" / "home" / "a.sqlite", looking=True) as opened:
        assert await opened.rows(sa.select(people)) == []
