"""Told once, until it has been better in between."""

from __future__ import annotations

from tests.bot.desks import Rig


async def test_only_a_rise_is_news(rig: Rig) -> None:
    levels = [0, 1, 1, 2, 2, 1, 0, 0, 1]
    assert [await rig.storage.told.risen("me", "full", each) for each in levels] == [
        False, True, False, True, False, False, False, False, True,
    ]  # fmt: skip
    assert await rig.storage.told.risen("ann", "full", 1)
