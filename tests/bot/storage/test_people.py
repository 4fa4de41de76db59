"""Languages and fresh starts, a row a person."""

from __future__ import annotations

import asyncio

from bot.storage.people import People
from tests.bot.desks import Rig


async def test_met_by_two_at_once(rig: Rig) -> None:
    """A picture with words is looked at by a job and a turn in the same moment."""
    people = People(rig.storage.database, "zh")
    assert await asyncio.gather(*(people.language("new") for _ in range(6))) == ["zh"] * 6
    assert await people.names() == ["new"]


async def test_language_and_fresh_start_do_not_undo_each_other(rig: Rig) -> None:
    people = rig.storage.people
    await asyncio.gather(people.wrote("me", "en"), people.start_afresh("me", 7))
    again = People(rig.storage.database, "zh")
    for each in (people, again):
        assert await each.language("me") == "en"
        assert await each.fresh_from("me") == 7
    assert await people.wrote("me", None) == "en"
    assert await people.fresh_from("bob") == 0
