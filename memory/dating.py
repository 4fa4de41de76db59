"""When what is said holds: relative days become dates, and the last day of a rule is found."""

from __future__ import annotations

import re
from datetime import date, datetime
from itertools import pairwise

from memory.dates import Dated, find_dates
from memory.past_dates import find_past
from memory.periods import last_day
from memory.wording import Language

_RANGE = re.compile(r"\s*(?:一?直?到|至|[-–—~～]+|to|until|till|through|thru)\s*(?:the )?", re.I)
_FROM = re.compile(
    r"(?:从|自从?|打从?)$|\b(?:from|starting|beginning|effective|since|as of|as from)(?: on)? (?:the )?$",
    re.I,
)
_ONWARDS = re.compile(r"^(?:起|开始|以后|往后|之后)|^ (?:on(?:wards?)?|forwards?)\b(?! (?:the|my|a)\b)", re.I)
_WEEKDAY = re.compile(r"^(?:周|星期|礼拜).$|^(?:mon|tues|wednes|thurs|fri|satur|sun)day$", re.I)
_UNTIL_ZH = re.compile(r"^(?:为止|之前|以前|前(?!面)|结束前|这段时间)")
_UNTIL_EN = re.compile(
    r"(?:\buntil|\btill|\bthrough|\buntil (?:\w+ ){1,6}on|\bup to|\bbefore)\s+(?:the )?$", re.I
)


_BEFORE_ZH = re.compile(
    r"刚(?!好)|已经|(?:搬|买|卖|换|入职|毕业|结婚|离婚|出生|生|开始|辞|离|升|满|去|来|做|拿|拔|"
    r"考)\S{0,8}?[了的](?:$|[，,。！!\s])"
)
_AHEAD_ZH = re.compile(r"要|准备|打算|计划|会|将|想|得|约|订|预|才能|快")
_BEFORE_EN = re.compile(
    r"\b(?:[Ii]|we|he|she|they|user|[A-Z]\w+)(?:['’]ve| have| has)? (?:just |only |finally |recently |also )?"
    r"(?:[a-z]+(?<!ne)ed|bought|sold|left|got|began|was|were|had|went|became|came|quit|took|gave|lost|broke|met|"
    r"built)\b"
)
_AHEAD_EN = re.compile(
    r"\b(?:will|going to|gonna|until|till|by|next|plan(?:ning)?|due|booked|scheduled)\b|['’]ll\b", re.I
)


def told_of_before(text: str, language: Language) -> bool:
    """Whether it tells of what has been ("moved here in March"): a month it names is the last one there was."""
    before, ahead = (_BEFORE_ZH, _AHEAD_ZH) if language == "zh" else (_BEFORE_EN, _AHEAD_EN)
    return before.search(text) is not None and ahead.search(text) is None


def dated(text: str, at: datetime, language: Language, *, weekdays: bool = True) -> str:
    """With relative days as dates; "tomorrow at noon" → "2026-03-12 at noon".

    Args:
        weekdays: whether a bare weekday is the next one; in a rule it is every one of them.
    """
    out, last = [], 0
    for found in (find_past if told_of_before(text, language) else find_dates)(text, at):
        named = text[found.start : found.end]
        out.append(text[last : found.start])
        shown = _SHOWN.search(text[: found.start]) is not None
        keep = _absolute(named) or shown or (not weekdays and _WEEKDAY.match(named))
        ends = named.lower().startswith(("the end", "end of")) or _UNTIL_ZH.match(text[found.end :])
        said = named if keep else found.last.isoformat() if ends else _written(found, language)
        out.append(said)
        last = found.end
    return "".join([*out, text[last:]])


_SHOWN = re.compile(  # how a date is to be written, not a day: "dates like 9 May", 写成3月14日
    r"(?:like|such as|e\.?g\.?,?|rather than|instead of|as in|written as|format(?:ted)?(?: as)?)\s+[\"“'‘]?$|(?:像|"
    r"比如|例如|而不是|不是|写成|写作|格式[是为]?)[「“\"]?$",
    re.I,
)
_EVERY = re.compile(
    r"每|固定|一般|通常|平时|都|总是|老是|经常|向来|雷打不动|定期|常年|照例|轮休|值班|例会|有课|"
    r"上课|开门|关门|\b(?:every|each|usually|always|normally|generally|"
    r"regular(?:ly)?|weekly|standing|as a rule|on \w+days)\b",
    re.I,
)
_ONCE = re.compile(
    r"[这下上本][个周星礼]|明天|后天|今天|约了|订了|打算|准备|这次|\b(?:this|next|last|tomorrow|tonight)\b",
    re.I,
)


def recurs(text: str) -> bool:
    """Whether the weekdays it names are every one of their kind (羽毛球固定周四), not the next."""
    return _EVERY.search(text) is not None and _ONCE.search(text) is None


_BEFORE_THAT_ZH = re.compile(  # 12月20号考完之前都别…
    r"[^，。！？,]{1,8}?(?:之前|以前|前)[，,]?(?:都|就|一律|先|你)*(?:别|不|不要|少|只|按|用|每|提醒)"
)


def end_of(text: str, at: datetime, *, implied: bool = True) -> date | None:
    """The last day it holds, where the words name one: "until May 9", 到月底为止.

    Args:
        implied: a rule for "this month" ends with the month; a fact told of this year does not end with it.
    """
    days = find_dates(text, at)
    for earlier, later in pairwise(days):
        if _RANGE.match(text[earlier.end : later.start]):
            return later.last
    for found in days:
        before, after = text[: found.start], text[found.end :]
        if _FROM.search(before) or _ONWARDS.match(after):
            continue  # "from today on", 从5月起: that is when it begins
        named = text[found.start : found.end].lower()
        if _BEFORE_THAT_ZH.match(after):
            return found.last
        if _UNTIL_ZH.match(after) or re.search(r"(?:直到|截止到?|截至)$", before) or _UNTIL_EN.search(before):
            return found.last
        if implied and re.match(
            r"^(?:这个?|本)(?:月|周|星期|礼拜)|^(?:今天|今晚|今年)|^(?:this (?:week|month|year)|"
            r"today|tonight)",
            named,
        ):
            return found.last
    return last_day(text, at) if implied else None


def _absolute(named: str) -> bool:
    return re.match(r"^20\d\d[-/.年]", named) is not None


def _written(found: Dated, language: Language) -> str:
    if language == "en" or found.unit == "day":
        return found.iso if found.unit != "week" else f"{found.first.isoformat()} to {found.last.isoformat()}"
    if found.unit == "month":
        return f"{found.first.year}年{found.first.month}月"
    if found.unit == "year":
        return f"{found.first.year}年"
    return f"{found.first.isoformat()}至{found.last.isoformat()}"
