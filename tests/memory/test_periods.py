"""Until when something is wished: weeks that are counted, feasts, a bare day, and ends that no day names."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from memory.dating import end_of
from memory.periods import for_a_time, in_dates, last_day

AT = datetime(2026, 3, 11, 21, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("for the next two weeks answer me in italian", date(2026, 3, 25)),
        ("for the rest of the month keep answers short", date(2026, 3, 31)),
        ("no dairy ideas until easter please", date(2026, 4, 5)),
        ("from now until thanksgiving skip sweets", date(2026, 11, 26)),
        ("up to the 28th skip the morning news", date(2026, 3, 28)),
        ("over the next month quote prices in yen", date(2026, 4, 11)),
        ("从现在到4月30号，给我推荐的都要素的", date(2026, 4, 30)),
        ("到国庆之前别给我推荐奶茶", date(2026, 10, 1)),
        ("这两周回我都用粤语吧", date(2026, 3, 25)),
        ("接下来十天回我都简短点", date(2026, 3, 21)),
        ("到28号为止，每天早上别发新闻", date(2026, 3, 28)),
        ("这个月查快递默认查顺丰", date(2026, 3, 31)),
        ("期末考完之前别给我推剧", None),
        ("while I'm in Lisbon use euros", None),
        ("收到5月3号的信放信件", None),
        ("我看到28号楼了", None),
    ],
)
def test_the_last_day_is_found(text: str, end: date | None) -> None:
    assert end_of(text, AT) == end


@pytest.mark.parametrize(
    "text", ["期末考完之前别给我推剧", "while I'm in Lisbon use euros", "暑假期间回答都带上拼音"]
)
def test_what_ends_with_an_event_is_for_a_time_too(text: str) -> None:
    assert for_a_time(text)
    assert last_day(text, AT) is None


def test_a_count_of_weeks_is_written_as_its_end() -> None:
    assert in_dates("for the next two weeks answer in Italian", AT) == "until 2026-03-25 answer in Italian"
    assert in_dates("这两周回我都用粤语", AT) == "到2026-03-25为止，回我都用粤语"
    assert (
        in_dates("keep answers short for the rest of the month", AT) == "keep answers short until 2026-03-31"
    )
