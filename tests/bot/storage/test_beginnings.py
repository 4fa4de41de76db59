"""How often what is still undone was begun."""

from __future__ import annotations

from bot.storage.beginnings import Begun
from tests.bot.desks import Rig

ONE, TWO, FILE = ("turn", 1), ("turn", 2), ("file", 1)


async def test_what_a_start_finds_was_begun_once_by_whoever_left_it(rig: Rig) -> None:
    rows = rig.storage.beginnings
    assert await rows.left([ONE, FILE]) == {ONE: Begun(1, 0), FILE: Begun(1, 0)}
    await rows.again([ONE])
    await rows.again([])
    assert await rows.left([ONE, FILE]) == {ONE: Begun(2, 0), FILE: Begun(1, 0)}
    await rows.again([ONE], -1)
    assert await rows.left([ONE, TWO]) == {ONE: Begun(1, 0), TWO: Begun(1, 0)}
    await rows.again([FILE])
    assert await rows.left([FILE]) == {FILE: Begun(1, 0)}, "what was done is forgotten"
    assert await rows.left([]) == {}


async def test_a_clean_stop_is_no_death(rig: Rig) -> None:
    rows = rig.storage.beginnings
    await rows.stopped([ONE])
    await rows.stopped([])
    begun = (await rows.left([ONE]))[ONE]
    assert (begun, begun.deaths) == (Begun(1, 1), 0)
    await rows.again([ONE])
    assert (await rows.left([ONE]))[ONE].deaths == 1
    await rows.stopped([ONE])
    assert (await rows.left([ONE]))[ONE] == Begun(2, 2)
