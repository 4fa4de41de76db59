"""Schedules in words, and when they are next, on clocks that jump."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from bot.timetable import DAILY, Asked, described, next_due, read, valid

BERLIN, SHANGHAI = ZoneInfo("Europe/Berlin"), ZoneInfo("Asia/Shanghai")


@pytest.mark.parametrize(
    ("words", "cron", "rest"),
    [
        ("每周五 18:00 整理项目页", "0 18 * * 5", "整理项目页"),
        ("每周五18:00整理3个项目页", "0 18 * * 5", "整理3个项目页"),
        ("每天晚上11点半，看看有什么要记的", "30 23 * * *", "看看有什么要记的"),
        ("每晚十点 回顾", "0 22 * * *", "回顾"),
        ("每周一、三 9点 站会纪要", "0 9 * * 1,3", "站会纪要"),
        ("每周末 10：30 相册", "30 10 * * 0,6", "相册"),
        ("工作日 21:00 日报", "0 21 * * 1-5", "日报"),
        ("每月1号 9:00 总结上个月", "0 9 1 * *", "总结上个月"),
        ("每天下午三点 喝水", "0 15 * * *", "喝水"),
        ("every friday 6pm tidy the project pages", "0 18 * * 5", "tidy the project pages"),
        ("every day at 11:30 pm: look back", "30 23 * * *", "look back"),
        ("daily 12am new page", "0 0 * * *", "new page"),
        ("monday and thursday 8:30 stand-up notes", "30 8 * * 1,4", "stand-up notes"),
        ("Weekdays 9am standup", "0 9 * * 1-5", "standup"),
        ("every month on the 1st at 9:00 sum up", "0 9 1 * *", "sum up"),
        ("0  18 * *  fri tidy", "0 18 * * fri", "tidy"),
        ("每天 23:00", "0 23 * * *", ""),
    ],
)
def test_read(words: str, cron: str, rest: str) -> None:
    assert read(words) == Asked(cron, rest)


@pytest.mark.parametrize(
    "words",
    [
        "",
        "整理项目页",
        "每周五",
        "friday",
        "sunny 18:00 x",
        "每天 25:00 x",
        "每天 9:75 x",
        "61 * * * * x",
        "0 0 30 2 * x",
        "* * * * * * x",
        "每周八 9点",
        "每天 一百点",
    ],
)
def test_what_is_no_schedule(words: str) -> None:
    assert read(words) is None


@pytest.mark.parametrize(
    ("cron", "zh", "en"),
    [
        (DAILY, "每天 23:00", "every day at 23:00"),
        ("0 18 * * 5", "每周五 18:00", "every Friday at 18:00"),
        ("5 9 * * 1,3", "每周一、三 09:05", "every Monday and Wednesday at 09:05"),
        ("0 21 * * 1-5", "工作日 21:00", "weekdays at 21:00"),
        ("0 9 1 * *", "每月 1 号 09:00", "every month on day 1 at 09:00"),
        ("*/5 9 * * *", "*/5 9 * * *", "*/5 9 * * *"),
        ("0 9 * * fri", "0 9 * * fri", "0 9 * * fri"),
    ],
)
def test_described(cron: str, zh: str, en: str) -> None:
    assert (described(cron, "zh"), described(cron, "en")) == (zh, en)


def days(cron: str, start: datetime, count: int) -> list[str]:
    found = []
    for _ in range(count):
        start = next_due(cron, start)
        found.append(start.isoformat())
    return found


def test_eleven_at_night_stays_eleven_when_clocks_go_back() -> None:
    assert days(DAILY, datetime(2026, 10, 23, 23, 0, tzinfo=BERLIN), 3) == [
        "2026-10-24T23:00:00+02:00",
        "2026-10-25T23:00:00+01:00",
        "2026-10-26T23:00:00+01:00",
    ]


def test_and_when_they_go_forward() -> None:
    assert days(DAILY, datetime(2027, 3, 26, 23, 0, tzinfo=BERLIN), 3) == [
        "2027-03-27T23:00:00+01:00",
        "2027-03-28T23:00:00+02:00",
        "2027-03-29T23:00:00+02:00",
    ]


def test_an_hour_that_comes_twice_counts_once() -> None:
    assert days("30 2 * * *", datetime(2026, 10, 24, 12, 0, tzinfo=BERLIN), 2) == [
        "2026-10-25T02:30:00+02:00",
        "2026-10-26T02:30:00+01:00",
    ]


def test_an_hour_that_is_skipped_is_made_up_for() -> None:
    assert days("30 2 * * *", datetime(2027, 3, 27, 12, 0, tzinfo=BERLIN), 2) == [
        "2027-03-28T03:00:00+02:00",
        "2027-03-29T02:30:00+02:00",
    ]


def test_the_persons_zone_counts_not_the_servers() -> None:
    now = datetime(2026, 9, 1, 14, 59, tzinfo=UTC).astimezone(SHANGHAI)
    assert next_due(DAILY, now).astimezone(UTC) == datetime(2026, 9, 1, 15, 0, tzinfo=UTC)


def test_valid() -> None:
    assert valid("0 23 * * *")
    assert not valid("0 23 * *")
    assert not valid("@daily")
    assert not valid("0 0 31 2 *")
