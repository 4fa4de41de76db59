"""Dates as people say them ("tomorrow", 下周三, 这个月, until March) → calendar days.

Resolved against the moment the words were said, in the person's own zone: what is said at 23:30 about tomorrow
means the day after that evening, wherever the server stands.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

_ZH_DIGITS = {c: i for i, c in enumerate("零一二三四五六七八九")} | {"两": 2, "〇": 0, "廿": 2}
_ZH_NUMBER = r"[零〇一二两三四五六七八九十廿]{1,3}|\d{1,4}"
_MONTHS = {name.lower(): i for i, name in enumerate(calendar.month_name) if name} | {
    name.lower(): i for i, name in enumerate(calendar.month_abbr) if name
}
_MONTHS["sept"] = 9
_MONTH = r"(?P<month>" + "|".join(sorted(_MONTHS, key=len, reverse=True)) + r")\.?"
_DAYS = {name.lower(): i for i, name in enumerate(calendar.day_name)} | {
    name.lower(): i for i, name in enumerate(calendar.day_abbr)
}
_DAYS |= {"tues": 1, "weds": 2, "thur": 3, "thurs": 3}
_ON_DAY = rf"(?:(?:{'|'.join(_DAYS)})\.?,? (?:the )?)?"  # "Friday 22 May" is one date
CALENDAR = frozenset(_MONTHS) | frozenset(_DAYS)  # names that are no names
_DAY = r"(?P<day>" + "|".join(sorted(_DAYS, key=len, reverse=True)) + r")"
_NUMBER_WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_NUMBERS = {w: i for i, w in enumerate(_NUMBER_WORDS)} | {
    "a": 1,
    "an": 1,
    "a couple of": 2,
}
_COUNT = r"(?P<n>\d{1,3}|" + "|".join(sorted(_NUMBERS, key=len, reverse=True)) + r")"


@dataclass(frozen=True, slots=True)
class Dated:
    """A stretch of text that names a day or a stretch of days."""

    start: int
    end: int
    first: date
    last: date
    unit: str  # "day", "week", "month", "year"

    @property
    def iso(self) -> str:
        """2026-03-12, 2026-03, 2026, or two days with a slash."""
        if self.unit == "day":
            return self.first.isoformat()
        if self.unit == "month" and self.first.day == 1:
            return self.first.strftime("%Y-%m")
        if self.unit == "year":
            return str(self.first.year)
        return f"{self.first.isoformat()}/{self.last.isoformat()}"


def number_of(words: str) -> int | None:
    """A small number in digits or Chinese or English words."""
    words = words.strip().lower()
    if words.isdigit():
        return int(words)
    if words in _NUMBERS:
        return _NUMBERS[words]
    if not words or any(c not in _ZH_DIGITS and c != "十" for c in words):
        return None
    if "十" in words:
        tens, _, ones = words.partition("十")
        return (_ZH_DIGITS[tens[0]] if tens else 1) * 10 + (_ZH_DIGITS[ones[0]] if ones else 0)
    total = 0
    for c in words:
        total = total * 10 + _ZH_DIGITS[c]
    return total


def _day(day: date) -> tuple[date, date, str]:
    return day, day, "day"


def _month(year: int, month: int) -> tuple[date, date, str]:
    year, month = year + (month - 1) // 12, (month - 1) % 12 + 1
    return date(year, month, 1), date(year, month, calendar.monthrange(year, month)[1]), "month"


def _week(today: date, weeks: int) -> tuple[date, date, str]:
    monday = today - timedelta(days=today.weekday()) + timedelta(weeks=weeks)
    return monday, monday + timedelta(days=6), "week"


def _nearest(today: date, month: int, day: int) -> tuple[date, date, str] | None:
    """A day without a year: the next one, unless it lies less than two months back."""
    for year in (today.year, today.year + 1):
        try:
            found = date(year, month, day)
        except ValueError:
            continue
        if found >= today - timedelta(days=60):
            return _day(found)
    return None


def _next(m: re.Match[str], today: date) -> tuple[date, date, str] | None:
    """A day without a month: the next one there is."""
    day = number_of(m["d"]) or 0
    months = [_month(today.year, today.month + later) for later in range(3)]  # not every one has a 31st
    days = [first.replace(day=day) for first, last, _ in months if 1 <= day <= last.day]
    return next((_day(each) for each in days if each >= today), None)


Resolve = Callable[[re.Match[str], date], "tuple[date, date, str] | None"]


def _zh_month_day(m: re.Match[str], today: date) -> tuple[date, date, str] | None:
    day = number_of(m["d"])
    if day is None or not 1 <= day <= 31:
        return None
    lead = m["m"]
    offset = {"这": 0, "本": 0, "下": 1, "上": -1}.get(lead[0])
    try:
        if offset is not None:
            first = _month(today.year, today.month + offset)[0]
            return _day(first.replace(day=day))
        month = number_of(lead.removesuffix("月")) or 0
        year = {"今年": 0, "明年": 1, "后年": 2, "去年": -1}.get(m["y"] or "")
        if m["yn"]:
            return _day(date(int(m["yn"]), month, day))
        if year is not None:
            return _day(date(today.year + year, month, day))
    except ValueError:
        return None
    return _nearest(today, month, day)


def _zh_weekday(m: re.Match[str], today: date) -> tuple[date, date, str] | None:
    index = "一二三四五六日天1234567".find(m["d"])
    index = {7: 6}.get(index, index - 8 if index > 7 else index)
    lead = m["lead"] or ""
    weeks = {"下": 1, "下下": 2, "上": -1, "上上": -2, "这": 0, "本": 0}.get(lead.removesuffix("个"))
    if weeks is not None:
        return _day(_week(today, weeks)[0] + timedelta(days=index))
    return _day(today + timedelta(days=(index - today.weekday()) % 7))


def _zh_month(m: re.Match[str], today: date) -> tuple[date, date, str] | None:
    offset = {"这": 0, "本": 0, "下": 1, "上": -1}[m["lead"][0]]
    first, last, unit = _month(today.year, today.month + offset)
    return (last, last, "day") if m["end"] else (first, last, unit)


def _zh_named_month(m: re.Match[str], today: date) -> tuple[date, date, str] | None:
    month = number_of(m["m"])
    if month is None or not 1 <= month <= 12:
        return None
    year = {"今年": 0, "明年": 1, "后年": 2, "去年": -1}.get(m["y"] or "")
    if year is None:
        year = 1 if month < today.month - 2 else 0
    first, last, unit = _month(today.year + year, month)
    return (last, last, "day") if m["end"] else (first, last, unit)


def _zh_ago(m: re.Match[str], today: date) -> tuple[date, date, str] | None:
    count = number_of(m["n"])
    if count is None:
        return None
    sign = -1 if m["way"][-1] == "前" else 1
    if m["unit"] in ("天", "日"):
        return _day(today + timedelta(days=sign * count))
    if m["unit"] in ("周", "星期", "礼拜"):
        return _day(today + timedelta(weeks=sign * count))
    if m["unit"] == "月":
        return _month(today.year, today.month + sign * count)
    return date(today.year + sign * count, 1, 1), date(today.year + sign * count, 12, 31), "year"


def _weekday(m: re.Match[str], today: date) -> tuple[date, date, str] | None:
    index, lead = _DAYS[m["day"].lower()], (m["lead"] or "").strip().lower()
    if lead == "last":
        return _day(today - timedelta(days=(today.weekday() - index - 1) % 7 + 1))
    if lead == "next":
        return _day(_week(today, 1)[0] + timedelta(days=index))
    return _day(today + timedelta(days=(index - today.weekday()) % 7))


def _ago(m: re.Match[str], today: date) -> tuple[date, date, str] | None:
    count = number_of(m["n"])
    if count is None:
        return None
    sign = -1 if m["ago"] else 1
    unit = m["unit"].lower().rstrip("s")
    if unit == "day":
        return _day(today + timedelta(days=sign * count))
    if unit == "week":
        return _day(today + timedelta(weeks=sign * count))
    if unit == "month":
        return _month(today.year, today.month + sign * count)
    return date(today.year + sign * count, 1, 1), date(today.year + sign * count, 12, 31), "year"


def _month_day(m: re.Match[str], today: date) -> tuple[date, date, str] | None:
    month, day = _MONTHS[m["month"].lower()], int(m["d"])
    if m["y"]:
        try:
            return _day(date(int(m["y"]), month, day))
        except ValueError:
            return None
    return _nearest(today, month, day)


def _named_month(m: re.Match[str], today: date) -> tuple[date, date, str] | None:
    month = _MONTHS[m["month"].lower()]
    year = int(m["y"]) if m["y"] else today.year + (month < today.month - 2)
    first, last, unit = _month(year, month)
    return (last, last, "day") if m["end"] else (first, last, unit)


def _relative_period(m: re.Match[str], today: date) -> tuple[date, date, str] | None:
    step = {"this": 0, "next": 1, "last": -1}[m["lead"].lower()]
    unit = m["unit"].lower()
    if unit == "week":
        return _week(today, step)
    if unit == "month":
        first, last, name = _month(today.year, today.month + step)
        return (last, last, "day") if m["end"] else (first, last, name)
    if unit == "weekend":
        monday = _week(today, step)[0]
        return monday + timedelta(days=5), monday + timedelta(days=6), "week"
    return date(today.year + step, 1, 1), date(today.year + step, 12, 31), "year"


def _iso(m: re.Match[str], today: date) -> tuple[date, date, str] | None:
    try:
        return _day(date(int(m["y"]), int(m["m"]), int(m["d"])))
    except ValueError:
        return None


def _year(year: int) -> tuple[date, date, str]:
    return date(year, 1, 1), date(year, 12, 31), "year"


def _zh_week(m: re.Match[str], today: date) -> tuple[date, date, str]:
    weeks = {"下下": 2, "下": 1, "上": -1, "这": 0, "本": 0}[m["lead"].removesuffix("个")]
    first, last, unit = _week(today, weeks)
    return (last - timedelta(days=1), last, unit) if m["end"] else (first, last, unit)


_YEAR_ZH = r"(?:(?P<yn>20\d\d)年|(?P<y>今年|明年|后年|去年)的?)?"
_RULES: tuple[tuple[re.Pattern[str], Resolve], ...] = tuple(
    (re.compile(pattern, re.I), resolve)
    for pattern, resolve in (
        (r"(?<!\d)(?P<y>20\d\d)[-/.](?P<m>\d{1,2})[-/.](?P<d>\d{1,2})(?!\d)", _iso),
        (
            r"(?<![阴农]历)"  # a day of the lunar year is another one each year
            + _YEAR_ZH
            + rf"(?P<m>(?:这个?|本|下个?|上个?)月|(?:{_ZH_NUMBER})月)的?(?P<d>{_ZH_NUMBER})(?:号|日)?"
            r"(?![个天年月])",
            _zh_month_day,
        ),
        (
            r"(?<![每逢到至、和])(?P<lead>下下个?|上上个?|下个?|上个?|这个?|本)?(?:周|星期|"
            r"礼拜)(?P<d>[一二三四五六日天1-7])"
            r"(?![个天年月到至、和]|周)",
            _zh_weekday,
        ),
        (
            rf"(?<![每第月的到至和跟、住坐在号零〇一二两三四五六七八九十廿A-Za-z0-9-])(?P<d>{_ZH_NUMBER})号(?=\s*(?:$|[，。！,!早上中下晚前之以去到回出飞走交开考搬来做要]|那天|当天))",
            _next,
        ),
        (rf"(?P<n>{_ZH_NUMBER})个?(?P<unit>天|日|周|星期|礼拜|月|年)(?P<way>之?[前后])", _zh_ago),
        (r"(?P<lead>这个?|本|下个?|上个?)月(?P<end>底|末)?", _zh_month),
        (
            rf"(?<![阴农]历)(?P<y>今年|明年|后年|去年)?的?(?P<m>{_ZH_NUMBER})月份?(?P<end>底|末)?(?![个])",
            _zh_named_month,
        ),
        (r"月底", lambda m, today: (*(_month(today.year, today.month)[1],) * 2, "day")),
        (r"年底|今年底", lambda m, today: _day(date(today.year, 12, 31))),
        (
            r"(?P<lead>下下个?|下个?|上个?|这个?|本)(?:周|星期|礼拜)(?P<end>末)?",
            _zh_week,
        ),
        (r"大后天", lambda m, today: _day(today + timedelta(days=3))),
        (r"后天", lambda m, today: _day(today + timedelta(days=2))),
        (r"明天|明早|明晚|明儿|明日", lambda m, today: _day(today + timedelta(days=1))),
        (r"今天|今早|今晚|今儿|今日", lambda m, today: _day(today)),
        (r"大前天", lambda m, today: _day(today - timedelta(days=3))),
        (r"前天", lambda m, today: _day(today - timedelta(days=2))),
        (r"昨天|昨晚|昨日|昨儿", lambda m, today: _day(today - timedelta(days=1))),
        (
            r"(?P<y>明年|去年|今年|后年|前年)(?!底)",
            lambda m, today: _year(
                today.year + {"明年": 1, "去年": -1, "今年": 0, "后年": 2, "前年": -2}[m["y"]]
            ),
        ),
        (r"\bday after tomorrow\b", lambda m, today: _day(today + timedelta(days=2))),
        (r"\bday before yesterday\b", lambda m, today: _day(today - timedelta(days=2))),
        (
            r"\b(?:tomorrow|tmrw|tmr)(?: morning| afternoon| evening| night)?\b",
            lambda m, t: _day(t + timedelta(1)),
        ),
        (r"\b(?:yesterday|last night)\b", lambda m, today: _day(today - timedelta(days=1))),
        (r"\b(?:today|tonight|this (?:morning|afternoon|evening))\b", lambda m, today: _day(today)),
        (rf"\b{_ON_DAY}{_MONTH} (?P<d>\d{{1,2}})(?:st|nd|rd|th)?\b(?:,? (?P<y>20\d\d))?", _month_day),
        (
            rf"\b{_ON_DAY}(?P<d>\d{{1,2}})(?:st|nd|rd|th)? (?:of )?{_MONTH}\b(?:,? (?P<y>20\d\d))?",
            _month_day,
        ),
        (
            r"\b(?P<end>(?:the )?end of )?(?P<lead>this|next|last) (?P<unit>weekend|week|month|year)\b",
            _relative_period,
        ),
        (
            r"\b(?P<end>the end of |end of )(?:the )?(?P<unit>month)\b",
            lambda m, today: (*(_month(today.year, today.month)[1],) * 2, "day"),
        ),
        (
            rf"\b(?:(?P<end>(?:the )?end of )|(?<=in )|(?<=until )|(?<=till )|(?<=by )|(?<=since )){_MONTH}\b"
            r"(?:,? (?P<y>20\d\d))?",
            _named_month,
        ),
        (
            rf"\b(?<!every )(?<!each )(?:(?P<lead>next |last |this )|(?<=on )|(?<=by )|(?<=until )|"
            r"(?<=till )|(?<=back ))"
            rf"{_DAY}\b(?! (?:and|to|or|through)\b)",
            _weekday,
        ),
        (
            r"(?:(?<=\bon )|(?<=\bby )|(?<=\btill )|(?<=\buntil ))the (?P<d>\d{1,2})(?:st|nd|rd|th)\b"
            r"(?=\W*$|[.,;:!?)]| (?:at|in|with|for|to|from|i|we|he|she|they|my|our|so|but|because|though)\b)"
            r"(?![^.!?]*\b(?:every|each|monthly)\b)",
            _next,
        ),
        (rf"\b{_COUNT} (?P<unit>days?|weeks?|months?|years?) (?:(?P<ago>ago)|from now)\b", _ago),
        (rf"\bin {_COUNT} (?P<unit>days?|weeks?|months?|years?)(?P<ago>)\b(?! a)", _ago),
    )
)


_YEARLY = re.compile(
    r"生日|纪念日|忌日|诞辰|周年|每年|birthday|\bbday\b|anniversary|every year|\bborn\b", re.I
)
_NO_YEAR = re.compile(
    r"^(?!.*\d{4})(?!.*年).*(?:\d+\s*月|" + "|".join(sorted(_MONTHS, key=len, reverse=True)) + ")", re.I
)
_CLAUSE_END = re.compile(r"[，。；！？,;!?\n]")


def _returns(text: str, start: int, end: int) -> bool:
    """Whether a day without a year comes back every year (a birthday): no year may then be made up for it."""
    if not _NO_YEAR.match(text[start:end]):
        return False
    before = _CLAUSE_END.split(text[:start])[-1]
    after = _CLAUSE_END.split(text[end:])[0]
    return _YEARLY.search(f"{before} {after}") is not None


def find_dates(text: str, at: datetime) -> list[Dated]:
    """Every day or stretch of days named in the text, left to right, none overlapping."""
    today = at.date()
    found: list[Dated] = []
    for pattern, resolve in _RULES:
        for match in pattern.finditer(text):
            start, end = match.span()
            if any(start < other.end and other.start < end for other in found):
                continue
            days = resolve(match, today)
            if days is not None and not _returns(text, start, end):
                found.append(Dated(start, end, *days))
    return _in_turn(sorted(found, key=lambda dated: dated.start), text)


_BARE_WEEKDAY = re.compile(rf"(?:周|星期|礼拜)[一二三四五六日天]|{_DAY}", re.I)


_RETURNS = re.compile(r"[回返]|\b(?:back|return\w*|home)\b", re.I)
_NEAR = 10  # characters


def _in_turn(found: Sequence[Dated], text: str) -> list[Dated]:
    """A bare weekday on which somebody returns is the next one after they left: "off next Friday, back on Monday"."""
    turned = list[Dated]()
    for each in found:
        around = text[max(0, each.start - _NEAR) : each.end + _NEAR]
        bare = _BARE_WEEKDAY.fullmatch(text[each.start : each.end].strip()) and _RETURNS.search(around)
        behind = turned and bare and turned[-1].unit == "day" and each.first < turned[-1].first
        weeks = timedelta(days=-(-(turned[-1].first - each.first).days // 7) * 7) if behind else timedelta()
        turned.append(replace(each, first=each.first + weeks, last=each.last + weeks))
    return turned


def iso_day(value: object) -> date | None:
    """The day that a model wrote as YYYY-MM-DD, with or without a time; nothing for all else."""
    try:
        return date.fromisoformat(str(value)[:10]) if value else None
    except ValueError:
        return None
