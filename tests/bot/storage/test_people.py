"""Languages, a row a person."""

from __future__ import annotations

import asyncio

from bot.storage.people import People
from tests.bot.desks import Rig


async def test_met_by_two_at_once(rig: Rig) -> None:
    """A picture with words is looked at by a job and a turn in the same moment."""
    people = People(rig.storage.database, "zh")
    assert await asyncio.gather(*(people.language("new") for _ in range(6))) == ["zh"] * 6
    assert await people.names() == ["new"]


async def test_the_language_is_what_they_last_wrote(rig: Rig) -> None:
    people = rig.storage.people
    await people.wrote("me", "en")
    for each in (people, People(rig.storage.database, "zh")):
        assert await each.language("me") == "en"
    assert await people.wrote("me", None) == "en"
