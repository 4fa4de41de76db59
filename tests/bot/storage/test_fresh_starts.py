"""Where a conversation begins: a row a person and chat."""

from __future__ import annotations

import sqlalchemy as sa

from bot.storage.fresh_starts import FreshStarts
from bot.storage.tables import messages
from tests.bot.desks import Rig


async def test_a_fresh_start_is_of_one_person_in_one_chat(rig: Rig) -> None:
    fresh = rig.storage.fresh
    first, topic = await rig.said("/new", chat="-100"), await rig.said("/new", chat="-100/7")
    await fresh.begin(first)
    await fresh.begin(topic)
    again = await rig.said("/new", chat="-100")
    await fresh.begin(again)
    loaded = FreshStarts(rig.storage.database)
    await loaded.load()
    for each in (fresh, loaded):
        assert each.after("me", "fake", "-100") == again.id
        assert each.after("me", "fake", "-100/7") == topic.id
        assert each.after("ann", "fake", "-100") == each.after("me", "other", "-100") == 0


async def test_what_was_begun_afresh_everywhere_stays_so(rig: Rig) -> None:
    """A home of before: one row number a person, for all that they had said anywhere."""
    old, other = await rig.said("old"), await rig.said("old too", chat="-100")
    await rig.said("hers", person="ann")
    later = await rig.said("new", chat="elsewhere")
    database = rig.storage.database
    await database.write(lambda connection: _as_before(connection, other.id))
    await database.write(_upgrade)
    fresh = FreshStarts(database)
    await fresh.load()
    places = [fresh.after("me", "fake", chat) for chat in (old.chat, "-100", later.chat)]
    assert places == [other.id, other.id, 0]
    assert fresh.after("ann", "fake", "ann") == 0


def _as_before(connection: sa.Connection, after: int) -> None:
    connection.execute(sa.text("ALTER TABLE people ADD COLUMN fresh_from INTEGER DEFAULT 0 NOT NULL"))
    connection.execute(sa.text("INSERT INTO people (name, language) VALUES ('ann', 'zh')"))
    connection.execute(
        sa.text(f"INSERT INTO people (name, language, fresh_from) VALUES ('me', 'zh', {after})")
    )
    connection.execute(sa.text("DROP TABLE fresh_starts"))
    connection.execute(sa.text("UPDATE alembic_version SET version_num = '0014'"))


def _upgrade(connection: sa.Connection) -> None:
    from bot.storage import database

    database._upgrade(connection)
    assert connection.execute(sa.select(sa.func.count()).select_from(messages)).scalar_one() == 4
