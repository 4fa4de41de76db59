"""Opening, migrating, and what a full or missing disk becomes."""

from __future__ import annotations

import asyncio
import os
import shutil
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.config import Config
from alembic.script import ScriptDirectory

from bot.errors import HomeDamaged, HomeUnwritable
from bot.storage import database
from bot.storage.database import Database, open_database
from bot.storage.tables import metadata, people


def test_head_is_the_newest_migration() -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(database.__file__).parent / "migrations"))
    assert ScriptDirectory.from_config(config).get_current_head() == database.HEAD


def _tables(engine: sa.Engine) -> dict[str, str]:
    """Every table and index with the words that made it."""
    with engine.connect() as connection:
        rows = connection.execute(sa.text("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL"))
        return {str(name): str(made) for name, made in rows if name != "alembic_version"}


async def test_migrations_make_the_same_tables_as_a_fresh_start(tmp_path: Path) -> None:
    async with open_database(tmp_path / "fresh.sqlite"):
        pass
    fresh, migrated = (
        database.engine_of(tmp_path / "fresh.sqlite"),
        database.engine_of(tmp_path / "old.sqlite"),
    )
    with migrated.begin() as connection:
        await asyncio.to_thread(database._upgrade, connection)
    both = [await asyncio.to_thread(_tables, engine) for engine in (fresh, migrated)]
    assert both[0] == both[1]
    assert set(metadata.tables) <= set(both[0])
    for engine in (fresh, migrated):
        with engine.connect() as connection:
            assert await asyncio.to_thread(database._version, connection) == database.HEAD
        await asyncio.to_thread(engine.dispose)


async def test_opening_again_keeps_what_is_there(tmp_path: Path) -> None:
    for _ in range(2):
        async with open_database(tmp_path / "a.sqlite") as opened:
            await opened.do(people.insert().values(name=f"p{_}", language="zh"))
    async with open_database(tmp_path / "a.sqlite") as opened:
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


async def full(opened: Database) -> None:
    """From here on the file may not grow: SQLite then says that the disk is full."""

    def stop(connection: sa.Connection) -> None:
        connection.execute(sa.text("PRAGMA max_page_count = 1"))

    await opened.read(stop)


async def test_a_full_disk_is_said_and_nothing_half_written(tmp_path: Path) -> None:
    async with open_database(tmp_path / "a.sqlite") as opened:
        await opened.do(people.insert().values(name="before", language="zh"))
        await full(opened)
        rows = [people.insert().values(name=f"{i}" * 3000, language="zh") for i in range(9)]
        with pytest.raises(HomeUnwritable):
            await opened.do(*rows)
        assert [row.name for row in await opened.rows(sa.select(people))] == ["before"]


async def test_statements_are_all_or_none(tmp_path: Path) -> None:
    async with open_database(tmp_path / "a.sqlite") as opened:
        with pytest.raises(sa.exc.IntegrityError):
            await opened.do(
                people.insert().values(name="me", language="zh"),
                people.insert().values(name="me", language="zh"),
            )
        assert await opened.rows(sa.select(people)) == []


async def test_many_writers_at_once_lose_nothing(tmp_path: Path) -> None:
    async with open_database(tmp_path / "a.sqlite") as opened:
        async with asyncio.TaskGroup() as group:
            for i in range(60):
                group.create_task(opened.do(people.insert().values(name=f"p{i}", language="zh")))
        assert len(await opened.rows(sa.select(people))) == 60


async def test_halves_of_characters_do_not_stop_a_row(tmp_path: Path) -> None:
    async with open_database(tmp_path / "a.sqlite") as opened:
        await opened.do(people.insert().values(name="a\ud83dz", language="zh"))
        assert [row.name for row in await opened.rows(sa.select(people))] == ["a?z"]


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
            for i in range(40):
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
    monkeypatch.setattr(database, "_writable", lambda path: path.parent != killed)
    async with open_database(killed / "a.sqlite", looking=True) as opened:
        assert [row.name for row in await opened.rows(sa.select(people))] == ["ann"]
    assert await asyncio.to_thread(_contents, killed) == before


def _contents(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


async def test_who_only_looks_finds_an_empty_home_where_none_can_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    async with open_database(tmp_path / "file" / "home" / "a.sqlite", looking=True) as opened:
        assert await opened.rows(sa.select(people)) == []
