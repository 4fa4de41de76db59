"""A time zone in the words people have for it."""

from __future__ import annotations

from zoneinfo import ZoneInfo

import pytest

from bot.settings.zones import zone_named


@pytest.mark.parametrize(
    ("said", "zone"),
    [
        ("Asia/Shanghai", "Asia/Shanghai"),
        ("asia/shanghai", "Asia/Shanghai"),
        ("Shanghai", "Asia/Shanghai"),
        ("北京", "Asia/Shanghai"),
        ("los angeles", "America/Los_Angeles"),
        ("San Francisco", "America/Los_Angeles"),
        ("utc", "UTC"),
        ("UTC+8", "Etc/GMT-8"),
        ("+08:00", "Etc/GMT-8"),
        ("gmt-5", "Etc/GMT+5"),
        ("UTC+0", "UTC"),
        ("nowhere", None),
        ("UTC+15", None),
        ("UTC+5:30", None),
        ("", None),
        ("../../etc/passwd", None),
    ],
)
def test_names(said: str, zone: str | None) -> None:
    assert zone_named(said) == zone
    if zone:
        ZoneInfo(zone)


def test_hours_east_are_ahead() -> None:
    from datetime import UTC, datetime, timedelta

    name = zone_named("UTC+8")
    assert name is not None
    assert datetime.now(UTC).astimezone(ZoneInfo(name)).utcoffset() == timedelta(hours=8)
