"""What calls took, added up by quarters of an hour."""

from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from bot.storage.usage import Kind, Tokens, Used, quarter
from tests.bot.desks import NOW, Rig

CHAT = Kind("me", "chat", "m-1", estimated=False)


async def test_sums_of_each_kind_since_a_moment(rig: Rig) -> None:
    usage = rig.storage.usage
    here, before = quarter(NOW), quarter(NOW - timedelta(days=1))
    filing = Kind("me", "filing", "m-2", estimated=True)
    await usage.add([(here, Used(CHAT, Tokens(1, 100, 80, 10))), (before, Used(CHAT, Tokens(1, 7, 0, 1)))])
    await usage.add([(here, Used(CHAT, Tokens(2, 50, 0, 5))), (here, Used(filing, Tokens(1, 900, 0, 9)))])
    await usage.add([(here, Used(Kind("ann", "chat", "m-1", estimated=False), Tokens(1, 5, 0, 5)))])
    today = await usage.totals("me", here)
    assert today == [Used(filing, Tokens(1, 900, 0, 9)), Used(CHAT, Tokens(3, 150, 80, 15))]
    both = await usage.totals("me", before)
    assert both[-1] == Used(CHAT, Tokens(4, 157, 80, 16))
    assert await usage.totals("nobody", before) == []


def test_a_midnight_of_any_zone_begins_a_quarter() -> None:
    for zone in ("Asia/Kathmandu", "Asia/Kolkata", "America/St_Johns", "Pacific/Chatham", "UTC"):
        midnight = datetime(2026, 9, 1, tzinfo=ZoneInfo(zone))
        assert quarter(midnight) == midnight
        assert quarter(midnight + timedelta(minutes=14, seconds=59)) == midnight
        assert quarter(midnight - timedelta(seconds=1)) == midnight - timedelta(minutes=15)
