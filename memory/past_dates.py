"""Days named in talk of what has been: "on 3 May" was the last third of May, not the next."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta

from memory.dates import Dated, find_dates

_NO_MONTH = re.compile(r"the \d|[^月]+号$")
_HAS_YEAR = re.compile(r"\d{4}|年")


def find_past(text: str, at: datetime) -> list[Dated]:
    """As `find_dates`, for talk of what has been: a day without a year, or of the week, is the last one there was."""
    today, found = at.date(), list[Dated]()
    for each in find_dates(text, at):
        words, first, last = text[each.start : each.end], each.first, each.last
        if first > today and not _HAS_YEAR.search(words):
            if _NO_MONTH.match(words):
                last = first = _last(first.day, today)
            elif each.unit == "day" and (first - today).days < 7 and not re.search(r"\d", words):
                first, last = first - timedelta(days=7), last - timedelta(days=7)
            else:
                first, last = _year_before(first), _year_before(last)
        found.append(Dated(each.start, each.end, first, last, each.unit))
    return found


def _last(number: int, today: date) -> date:
    """The last day of that number, in a month that has one."""
    day = today
    while day.day != number:
        day -= timedelta(days=1)
    return day


def _year_before(day: date) -> date:
    try:
        return day.replace(year=day.year - 1)
    except ValueError:  # 29 February
        return day.replace(year=day.year - 1, day=28)
