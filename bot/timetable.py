"""Schedules in words: "每周五 18:00", "every friday 6pm" or five cron fields → when that is next, in a person's zone.

Kept as cron: five fields that programs know. What is due next is a moment, so that a server's own zone, a restart and
daylight saving change nothing about it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any

from bot.types import Language

DAILY = "0 23 * * *"

_DAYS_ZH = {"一": 1, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6, "日": 0, "天": 0, "末": 6}
_DAYS_EN = {"sun": 0, "mon": 1, "tue": 2, "wed": 3, "thu": 4, "fri": 5, "sat": 6}
_NAMES_EN = ("Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")
_NUMBERS_ZH = {char: i for i, char in enumerate("零一二三四五六七八九十")} | {"两": 2, "〇": 0}

_DAY_EN = r"(?:sun|mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?)(?:day)?s?"
_WHEN = re.compile(
    r"\s*(?:"
    r"(?P<week>每(?:个)?(?:周|星期|礼拜)(?P<days>[一二三四五六日天](?:[、,，和及]?(?:周|星期|礼拜)?[一二三四五六日天])*|末))"
    r"|(?P<work>每个?工作日|工作日|every (?:weekday|working day)|(?:on )?weekdays)"
    r"|每(?:个)?月(?P<date>\d{1,2})[号日]"
    r"|(?P<daily>每[天日晚]|每个?(?:早上|晚上|上午|下午)|天天|every ?day|daily|every (?:night|evening|morning)|nightly)"
    rf"|(?:every |on )?(?P<en>{_DAY_EN}(?:(?:, ?| and |, and ){_DAY_EN})*)"
    r"|(?:every month|monthly) on (?:the )?(?P<date_en>\d{1,2})(?:st|nd|rd|th)?"
    r")(?![a-z])",
    re.IGNORECASE,
)
_CLOCK = re.compile(
    r"[\s,，的]*(?:at )?(?P<part>凌晨|早上|上午|中午|下午|傍晚|晚上|夜里|早|晚)?\s*"
    r"(?:(?P<hour>\d{1,2})|(?P<zh>[零一二两三四五六七八九十]{1,3})(?=[点點时時]))"
    r"(?:[:：](?P<minute>\d{2})|[点點时時](?:(?P<minutes>\d{1,2})分?|(?P<half>半)|整|钟)?)?"
    r"(?![\d:：])\s*(?P<half_day>[ap]\.?m\b\.?)?\s*",
    re.IGNORECASE,
)
_CRON = re.compile(
    r"\s*(?P<cron>(?:[\d*/,-]+ +){2}(?:[\d*/,-]+) +(?:[\w*/,-]+) +(?:[\w*/,#-]+))(?:\s+(?!\*)|$)"
)


@dataclass(frozen=True, slots=True)
class Asked:
    """What somebody wrote: when, and what is to be done then."""

    cron: str
    rest: str


def read(words: str) -> Asked | None:
    """A schedule at the beginning of a sentence, and what follows it; None when there is none that can come true."""
    if (found := _CRON.match(words)) and valid(cron := " ".join(found["cron"].split())):
        return Asked(cron, words[found.end() :].strip())
    day = _WHEN.match(words)
    if day is None:
        return None
    clock = _CLOCK.match(words, day.end())
    if clock is None:
        return None
    part = clock["part"] or ("晚上" if day[0].strip() in ("每晚", "每晚上", "每个晚上") else "")
    time = _time(clock, part)
    if time is None:
        return None
    cron = f"{time[1]} {time[0]} {_fields(day)}"
    return Asked(cron, words[clock.end() :].strip(" ，,、：:-")) if valid(cron) else None


def _time(clock: re.Match[str], part: str) -> tuple[int, int] | None:
    """(hour, minute) on a 24-hour clock."""
    hour = int(clock["hour"]) if clock["hour"] else _number_zh(clock["zh"])
    minute = int(clock["minute"] or clock["minutes"] or (30 if clock["half"] else 0))
    half = (clock["half_day"] or "").lower()[:1]
    late = half == "p" or part in ("下午", "傍晚", "晚上", "晚") or (part == "中午" and hour < 3)
    if late and hour < 12:
        hour += 12
    elif (half == "a" or part in ("凌晨", "早上", "上午", "早")) and hour == 12:
        hour = 0
    return (hour % 24, minute) if hour <= 24 and minute < 60 else None


def _number_zh(words: str) -> int:
    """十一 → 11, 二十三 → 23."""
    tens, ten, ones = words.partition("十")
    if not ten:
        return _NUMBERS_ZH[words[0]]
    return (_NUMBERS_ZH[tens[0]] if tens else 1) * 10 + (_NUMBERS_ZH[ones[0]] if ones else 0)


def _fields(day: re.Match[str]) -> str:
    """Day of month, month and day of week."""
    if day["week"]:
        named = day["days"]
        numbers = {6, 0} if named == "末" else {_DAYS_ZH[char] for char in named if char in _DAYS_ZH}
        return f"* * {_listed(numbers)}"
    if day["work"]:
        return "* * 1-5"
    if date := day["date"] or day["date_en"]:
        return f"{int(date)} * *"
    if day["en"]:
        found = re.findall(_DAY_EN, day["en"], re.IGNORECASE)
        return f"* * {_listed({_DAYS_EN[each[:3].lower()] for each in found})}"
    return "* * *"


def _listed(numbers: set[int]) -> str:
    return ",".join(str(each) for each in sorted(numbers))


@cache
def _croniter() -> Any:
    from croniter import croniter  # at first need: 20 ms that a bot without schedules is spared

    return croniter


def valid(cron: str) -> bool:
    """Whether it is five fields, and such a day ever comes (not on 30 February)."""
    if len(cron.split()) != 5 or not _croniter().is_valid(cron):
        return False
    from croniter import CroniterError

    try:
        _croniter()(cron, datetime(2026, 1, 1)).get_next(datetime)  # noqa: DTZ001 - only whether there is one
    except CroniterError:
        return False
    return True


def next_due(cron: str, after: datetime) -> datetime:
    """The first moment later than `after` (aware, in the person's zone), as their clock on the wall shows it.

    An hour that is skipped in spring is made up for right after; one that comes twice in autumn counts once.
    """
    following = _croniter()(cron, after)
    found: datetime = following.get_next(datetime)
    while found.replace(tzinfo=None, fold=0) <= after.replace(tzinfo=None, fold=0) and found.fold:
        found = following.get_next(datetime)
    return found


def described(cron: str, language: Language) -> str:
    """How a person would say it; cron that is no plain daily, weekly or monthly time stays cron."""
    minute, hour, date, month, week = cron.split()
    if not (minute.isdigit() and hour.isdigit() and month == "*"):
        return cron
    clock = f"{int(hour):02}:{int(minute):02}"
    days = _days(date, week)
    return cron if days is None else f"{days[0]} {clock}" if language == "zh" else f"{days[1]} at {clock}"


def _days(date: str, week: str) -> tuple[str, str] | None:
    """Which days, in Chinese and English."""
    if date == "*" and week == "*":
        return "每天", "every day"
    if date == "*" and week == "1-5":
        return "工作日", "weekdays"
    if date == "*" and re.fullmatch(r"[0-6](?:,[0-6])*", week):
        days = [int(each) for each in week.split(",")]
        return (
            "每周" + "、".join("日一二三四五六"[each] for each in days),
            "every " + " and ".join(_NAMES_EN[each] for each in days),
        )
    return (
        (f"每月 {int(date)} 号", f"every month on day {int(date)}")
        if week == "*" and date.isdigit()
        else None
    )
