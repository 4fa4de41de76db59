"""A stretch of time for which something is wished: “for the next two weeks”, 从现在到5月31号, “while I'm in Lisbon”.

What is wished for a time is a standing wish with an end. Where the words name no day (期末考完之前) it ends in words.
"""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta

from memory.dates import find_dates, number_of

_FEAST_ZH = {
    "元旦": (1, 1), "情人节": (2, 14), "五一": (5, 1), "劳动节": (5, 1), "六一": (6, 1), "儿童节": (6, 1),
    "国庆": (10, 1), "双十一": (11, 11), "双十二": (12, 12),
    "圣诞": (12, 25), "跨年": (12, 31),
}  # fmt: skip
_FEAST_EN = {
    "new year['’]?s eve": (12, 31), "new year(?:['’]?s)?(?: day)?": (1, 1), "valentine['’]?s(?: day)?": (2, 14),
    "halloween": (10, 31), "christmas eve": (12, 24), "christmas|xmas": (12, 25),
}  # fmt: skip
_TO_ZH = (
    r"(?:(?:从|自|打)?(?:现在|今天|今儿|即日|明天)(?:起|开始)?[，,\s]*)?(?:一?直|截止|截至)?"
    r"(?<![收看听提遇碰放存归丢扔搬移挪改换迟找想说买拿感得送传发回])(?:到|至)"
)
_BEFORE_ZH = r"(?:为止|之前|以前|结束前|前(?!面|天|台|端|年|后|两|三|几|任|者))"
_UNTIL_EN = r"\b(?:until|till|through|up to|before|by the end of)\s+(?:the )?"
_NAMED_ZH = re.compile(
    rf"(?:{_TO_ZH})?(?P<feast>{'|'.join(_FEAST_ZH)})(?:节|当天|假期)?(?:{_BEFORE_ZH}|(?<=\b))|"
    rf"{_TO_ZH}(?P<only>[\d一二三四五六七八九十]{{1,3}})(?:号|日)(?!楼|线|院|门|店|口)"
)
_NAMED_EN = re.compile(
    rf"{_UNTIL_EN}(?P<feast>{'|'.join(_FEAST_EN)}|easter|thanksgiving)\b|"
    rf"\b(?:until|till|up to|before)\s+(?:the )?(?P<only>\d{{1,2}})(?:st|nd|rd|th)\b(?! of)",
    re.I,
)
_COUNT_ZH = re.compile(
    r"(?:这|接下来的?|未来的?|往后的?|今后的?|之后的?|后面的?)(?P<n>[一二两三四五六七八九十]{1,3}|\d{1,3})(?:个)?"
    r"(?P<unit>天|周|星期|礼拜|月|年)(?!前)"
)
_COUNT_EN = re.compile(
    r"\b(?:(?:for|over|during|in) )?the (?:next|coming) (?P<n>\d{1,3}|[a-z]+|couple of)? ?(?P<unit>day|week|month|year|"
    r"fortnight)s?\b|\bfor (?:a|the next) (?P<fortnight>fortnight)\b",
    re.I,
)
_REST_EN = re.compile(r"\bthe (?:rest|remainder) of (?:the |this )?(?P<unit>week|month|year)\b", re.I)
_DATED_ZH = re.compile(rf"{_TO_ZH}$")
_IN_WORDS_ZH = re.compile(  # no day is named
    r"^\W*[^，,。！!？?]{2,14}?(?:期间|这段(?:时间|日子)(?:里|内)?|这阵子|这几[天周])[，,\s]*|"
    r"^\W*(?:这个?|本)(?:学期|季度|赛季|项目)(?:里|内)?[，,\s]*|"
    r"^\W*[^，,。！!？?]{2,12}?(?:完|结束|回来|搬走|毕业|出院|上线|交付?|下来|出来|好)(?:之前|以前|前)[，,\s]*"
)
_IN_WORDS_EN = re.compile(
    r"^\W*(?:(?:ok|and|so|please)\W+)*(?:(?:while|as long as) (?:i|we|my|the)\b|until (?:i|we|my|our|the|it|he|she)\b|"
    r"during (?:my|our|the)\b|for the (?:duration|time being)\b)|"
    r"\b(?:while|as long as) (?:i['’]?m|i am|we['’]?re|we are|i (?:have|stay|live)) [^?]{3,40}$",
    re.I,
)
_NOW = re.compile(
    r"^\W*(?:这个?|本)(?:月|周|星期|礼拜)(?:内|里|里面)?|^\W*今年(?:内|里)?|"
    r"^\W*(?:(?:for )?this (?:week|month|year))\b|\bthis (?:week|month)(?: only)?\W*$",
    re.I,
)


def last_day(text: str, at: datetime) -> date | None:
    """The last day of a period that its words name in a way of their own: a feast, a number of weeks, 到28号."""
    today = at.date()
    for pattern in (_COUNT_ZH, _COUNT_EN):
        if found := pattern.search(text):
            return _after(today, found.groupdict())
    if found := _REST_EN.search(text):
        return _rest(today, found["unit"].lower())
    for pattern, feasts in ((_NAMED_ZH, _FEAST_ZH), (_NAMED_EN, _FEAST_EN)):
        if found := pattern.search(text):
            if found["only"]:
                return _next_such(today, number_of(found["only"]) or 0)
            return _feast(today, found["feast"], feasts)
    for each in find_dates(text, at):
        if _DATED_ZH.search(text[: each.start]):
            return each.last
    return None


def in_dates(text: str, at: datetime) -> str:
    """With the periods that are counted from the day they were said on as the day they end."""
    today = at.date()
    for pattern, written in ((_COUNT_ZH, "到{}为止"), (_COUNT_EN, "until {}"), (_REST_EN, "")):
        if not (found := pattern.search(text)):
            continue
        end = _rest(today, found["unit"].lower()) if pattern is _REST_EN else _after(today, found.groupdict())
        if end is None:
            continue
        lead = re.search(r"\bfor\s+$", text[: found.start()], re.I)
        start = lead.start() if lead else found.start()
        tail = text[found.end() :].lstrip("之内里，, ")
        comma = "，" if written.startswith("到") and tail else " " if tail else ""
        text = f"{text[:start]}{(written or 'until {}').format(end.isoformat())}{comma}{tail}"
    return text


def for_a_time(text: str) -> bool:
    """Whether it opens or closes with a period for which it holds, or is nothing else."""
    return any(
        form.search(text)
        for form in (
            _COUNT_ZH,
            _COUNT_EN,
            _REST_EN,
            _NAMED_ZH,
            _NAMED_EN,
            _IN_WORDS_ZH,
            _IN_WORDS_EN,
            _NOW,
            _UNTIL,
        )
    )


_UNTIL = re.compile(
    rf"^\W*(?:from (?:now|today)[, ]*)?{_UNTIL_EN}[^,.!?]{{3,24}}|{_UNTIL_EN}[^,.!?]{{3,24}}\W*$|"
    rf"^\W*{_TO_ZH}[^，,。！!？?]{{2,10}}?(?:号|日|月|底|末|年|{_BEFORE_ZH})|"
    rf"^\W*[^，,。！!？?]{{0,4}}(?:[\d一二三四五六七八九十]{{1,3}}[月号日周]|周[一二三四五六日天末]|月底|年底)[^，,。！!？?]{{0,4}}"
    rf"{_BEFORE_ZH}",
    re.I,
)


def _after(today: date, said: dict[str, str | None]) -> date | None:
    """So many days, weeks, months on."""
    if said.get("fortnight"):
        return today + timedelta(weeks=2)
    unit = (said["unit"] or "").lower()
    words = said["n"] or "1"
    count = 2 if words.lower() == "couple of" else number_of(words)
    if not count:
        return None
    if unit in ("月", "month", "年", "year"):
        months = today.year * 12 + today.month - 1 + count * (12 if unit in ("年", "year") else 1)
        return _clipped(months // 12, months % 12 + 1, today.day)
    return today + timedelta(days=count * {"天": 1, "day": 1, "fortnight": 14}.get(unit, 7))


def _clipped(year: int, month: int, day: int) -> date:
    """That day, or the last one of a month that is shorter."""
    while True:
        try:
            return date(year, month, day)
        except ValueError:
            day -= 1


def _rest(today: date, unit: str) -> date:
    if unit == "week":
        return today + timedelta(days=6 - today.weekday())
    return _clipped(today.year, today.month if unit == "month" else 12, 31)


def _next_such(today: date, day: int) -> date | None:
    """The next day of that number."""
    if not 1 <= day <= 31:
        return None
    month = today.year * 12 + today.month - 1 + (day < today.day)
    return _clipped(month // 12, month % 12 + 1, day)


def _feast(today: date, said: str, feasts: dict[str, tuple[int, int]]) -> date | None:
    """The next one of that name."""
    years = (today.year, today.year + 1)
    if said.lower() == "easter":
        return next(day for year in years if (day := _easter(year)) >= today)
    if said.lower() == "thanksgiving":
        return next(day for year in years if (day := _thanksgiving(year)) >= today)
    named = next((day for name, day in feasts.items() if re.fullmatch(name, said, re.I)), None)
    return next((day for year in years if named and (day := date(year, *named)) >= today), None)


def _thanksgiving(year: int) -> date:
    """The fourth Thursday of November."""
    first = date(year, 11, 1)
    return first + timedelta(days=(3 - first.weekday()) % 7 + 21)


def _easter(year: int) -> date:
    """Easter Sunday of the Gregorian calendar (Gauss, in the form of Meeus, Jones and Butcher)."""
    a, b, c = year % 19, year // 100, year % 100
    d = (19 * a + b - b // 4 - (b - (b + 8) // 25 + 1) // 3 + 15) % 30
    e = (32 + 2 * (b % 4) + 2 * (c // 4) - d - c % 4) % 7
    f = d + e - 7 * ((a + 11 * d + 22 * e) // 451) + 114
    return date(year, f // 31, f % 31 + 1)
