"""Days as people say them, resolved in the person's own zone."""

from __future__ import annotations

from datetime import date, datetime, timedelta, timezone

import pytest

from memory.dates import find_dates, number_of
from memory.dating import dated, end_of
from memory.past_dates import find_past
from memory.wording import Language

# a Wednesday, Thursday in Europe already
AT = datetime(2026, 3, 11, 23, 30, tzinfo=timezone(timedelta(hours=-7)))

SAID = [
    ("tomorrow", "2026-03-12"),
    ("the day after tomorrow", "2026-03-13"),
    ("yesterday", "2026-03-10"),
    ("two weeks ago", "2026-02-25"),
    ("in 3 days", "2026-03-14"),
    ("next month", "2026-04"),
    ("by the end of September", "2026-09-30"),
    ("on May 9th", "2026-05-09"),
    ("9 May 2027", "2027-05-09"),
    ("until Friday 22 May", "2026-05-22"),
    ("on Saturday, May 9th", "2026-05-09"),
    ("this Friday", "2026-03-13"),
    ("next Tuesday", "2026-03-17"),
    ("last Monday", "2026-03-09"),
    ("next week", "2026-03-16/2026-03-22"),
    ("明天", "2026-03-12"),
    ("大后天", "2026-03-14"),
    ("昨晚", "2026-03-10"),
    ("下周三", "2026-03-18"),
    ("周五", "2026-03-13"),
    ("上个月", "2026-02"),
    ("这个月", "2026-03"),
    ("月底", "2026-03-31"),
    ("下个月8号", "2026-04-08"),
    ("十月二号", "2026-10-02"),
    ("明年三月", "2027-03"),
    ("2026年5月6日", "2026-05-06"),
    ("三个月前", "2025-12"),
    ("两周后", "2026-03-25"),
    ("I land on the 12th", "2026-03-12"),
    ("it is due by the 3rd", "2026-04-03"),
    ("我12号去成都", "2026-03-12"),
    ("十号前交稿", "2026-04-10"),
]


@pytest.mark.parametrize(("words", "iso"), SAID)
def test_said_and_meant(words: str, iso: str) -> None:
    assert [found.iso for found in find_dates(words, AT)] == [iso]


@pytest.mark.parametrize(
    ("words", "iso"),
    [
        ("on the 2nd I fell", "2026-03-02"),
        ("on the 20th I fell", "2026-02-20"),
        ("on the 31st I fell", "2026-01-31"),
        ("on May 9th I fell", "2025-05-09"),
    ],
)
def test_of_what_has_been(words: str, iso: str) -> None:
    assert [found.iso for found in find_past(words, AT)] == [iso]


@pytest.mark.parametrize(
    "words",
    [
        "I may march on",
        "every Monday",
        "Mondays and Tuesdays",
        "每周三",
        "周一到周五",
        "农历八月初三",
        "阴历三月十五",
        "the sun is out",
        "十一年了",
        "3个月大",
        "2月31号x99",
        "on the 12th floor",
        "rent goes out on the 15th of every month",
        "每月15号交房租",
        "每月十五号交房租",
        "每月二十五号发钱",
        "on the 2nd attempt it worked",
        "1号和15号",
        "在3号会议室",
        "地铁2号线",
        "我住3号",
    ],
)
def test_no_day_in_it(words: str) -> None:
    found = [each for each in find_dates(words, AT) if each.unit == "day" or "历" in words]
    assert found == []


@pytest.mark.parametrize(
    ("words", "last"),
    [
        ("until May 9 no calls", date(2026, 5, 9)),
        ("no calls till the end of September", date(2026, 9, 30)),
        ("这个月提醒都晚点发", date(2026, 3, 31)),
        ("到月底为止别打电话", date(2026, 3, 31)),
        ("4月3号之前别排会", date(2026, 4, 3)),
        ("this week answer in German", date(2026, 3, 15)),
        ("提醒改到周四下午", None),
        ("we meet on May 9", None),
    ],
)
def test_how_long_it_holds(words: str, last: date | None) -> None:
    assert end_of(words, AT) == last


def test_a_fact_of_this_year_does_not_end_with_it() -> None:
    assert end_of("今年上小学", AT, implied=False) is None


@pytest.mark.parametrize(
    ("words", "language", "written"),
    [
        ("上个月搬家了", "zh", "2026年2月搬家了"),
        ("flight next Tuesday at 9", "en", "flight 2026-03-17 at 9"),
        ("2026-05-06 出发", "zh", "2026-05-06 出发"),
    ],
)
def test_written_out(words: str, language: Language, written: str) -> None:
    assert dated(words, AT, language) == written


def test_a_bare_weekday_in_a_rule_is_every_one_of_them() -> None:
    assert dated("提醒改到周四下午", AT, "zh", weekdays=False) == "提醒改到周四下午"


@pytest.mark.parametrize(
    ("words", "n"), [("十", 10), ("十二", 12), ("二十", 20), ("廿", 2), ("两", 2), ("三七", 37), ("x", None)]
)
def test_numbers_in_words(words: str, n: int | None) -> None:
    assert number_of(words) == n


@pytest.mark.parametrize(
    ("words", "days"),
    [
        ("off next Friday, back on Monday", ["2026-03-20", "2026-03-23"]),
        ("下周三飞北京，周日回来", ["2026-03-18", "2026-03-22"]),
        ("off this Saturday, back Tuesday", ["2026-03-14", "2026-03-17"]),
        ("周五开会，周四交稿", ["2026-03-13", "2026-03-12"]),
    ],
)
def test_who_leaves_returns_after_that(words: str, days: list[str]) -> None:
    assert [found.iso for found in find_dates(words, AT)] == days
