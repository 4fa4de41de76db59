"""When a rule ends, and which March is meant."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from memory.dating import dated, end_of

NOW = datetime(2026, 11, 30, 9, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("从今天到12月20号，都用英文回我", date(2026, 12, 20)),
        ("from today until December 9 answer in Spanish", date(2026, 12, 9)),
        ("从今天起，菜谱都放「厨房」", None),
        ("from today on recipes go to Kitchen", None),
        ("until December 9 answer in Spanish", date(2026, 12, 9)),
    ],
)
def test_the_end_of_a_range_is_the_end(text: str, end: date | None) -> None:
    assert end_of(text, NOW) == end


def test_a_month_told_of_is_the_last_one_there_was() -> None:
    assert dated("I moved here in March", NOW, "en") == "I moved here in 2026-03"
    assert dated("我三月份刚搬来", NOW, "zh") == "我2026年3月刚搬来"
    assert dated("I am moving in March", NOW, "en") == "I am moving in 2027-03"
