"""Plans whose day has passed: "is going to Singapore on 3 May" → "was in Singapore on 3 May 2026".

By form only, so that it needs no model and invents nothing: where it is not sure that a thing came about, the plan is
told as a plan that was made ("was going to have surgery", 原定做手术). What fits no form is left as it stands.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, datetime

from memory.changes import Kind, Origin
from memory.dates import Dated, find_dates
from memory.journal import Held
from memory.words import has_han

_EVERY = re.compile(
    r"每|一直|生日|纪念日|周年|以来|开始|\b(?:every|each|always|since|birthday|anniversary|daily|weekly|monthly|"
    r"until|till|deadline|due)\b|截止|为止|之前",
    re.I,
)
_PAST = re.compile(
    r"了|过(?!敏)|曾|原定|\b(?:was|were|went|had|did|visited|planned|intended|returned|moved|flew|attended)\b",
    re.I,
)
_CALLED_OFF = re.compile(r"不|没|别|取消|\b(?:not|never|cancel\w*|without)\b|n['’]t\b", re.I)
_PLACE = r"(?P<place>(?:the )?[A-Z][\w'’-]*(?:[ -](?:of |the )?[A-Z][\w'’-]*)*)"
_SURE_EN: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), put)
    for pattern, put in (
        (
            rf"\b(?:is|are|will be) (?:going|flying|travell?ing|heading|off|driving) (?:to|for) {_PLACE}",
            r"was in \g<place>",
        ),
        (rf"\b(?:plans|intends|wants|is going) to (?:go|fly|travel|drive) to {_PLACE}", r"was in \g<place>"),
        (rf"\bwill (?:go|fly|travel|drive) to {_PLACE}", r"was in \g<place>"),
        (rf"\b(?:will be|is going to be|plans to be|is) in {_PLACE}", r"was in \g<place>"),
        (
            rf"\b(?:is visiting|will visit|will be visiting|plans to visit|is going to visit) {_PLACE}",
            r"visited \g<place>",
        ),
        (r"\b(?:flies|is flying|will fly)\b", "flew"),
        (r"\b(?:has|have|will have) (?=an? |the |his |her |their )", "had "),
    )
)
_MADE_EN: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), put)
    for pattern, put in (
        (r"\b(?:is|are) going to\b", "was going to"),
        (r"\bwill\b", "was going to"),
        (r"\bplans to\b", "planned to"),
        (r"\bintends to\b", "intended to"),
        (r"\bwants to\b", "wanted to"),
        (r"\bhopes to\b", "hoped to"),
        (r"\b(?:is|are) (?=(?:\w+ ){0,2}?\w+ing\b)", "was "),
        (r"\b(?:is|are) (?=due|scheduled|planned|booked|set|on\b|at\b)", "was "),
        (r"\bleaves\b", "was to leave"),
        (r"\barrives\b", "was to arrive"),
        (r"\bmoves\b", "was to move"),
        (r"\bstarts\b", "was to start"),
        (r"\breturns\b", "was to return"),
        (r"\btakes place\b", "took place"),
    )
)
_MARK_ZH = r"(?:(?:正|就)?(?:打算|计划|准备|预计|即将|将要|将会|将|要|会|想)(?:在|于)?)"
_GO_ZH = re.compile(
    rf"{_MARK_ZH}?(?P<when>(?:在|于)?\s?__DAY__\s?)?{_MARK_ZH}?(?P<go>飞往|前往|飞去|去|飞到|回)(?=[^了过年来家头去])"
)
_MADE_ZH = re.compile(
    r"(?:正|就)?(?:打算|计划|准备|预计|即将|将要|将会|(?<!需)(?<!重)(?<!主)要(?!求|是|点|紧|好)|将|会(?!议|员|计|"
    r"场|面|见))(?P<at>在|于)?"
)


def passed(held: Sequence[Held], today: date) -> list[tuple[Held, Dated]]:
    """Lines that spoke of a day to come when they were said, and that day is over; not those typed by hand."""
    found = []
    for each in held:
        day = _planned(each)
        if day is not None and day.last < today and each.line.origin is not Origin.EDITED:
            found.append((each, day))
    return found


def _planned(held: Held) -> Dated | None:
    """The last day a line plans for; None for what is no plan."""
    line, said = held.line, held.said.at
    if line.kind is Kind.INSTRUCTION or _EVERY.search(line.text) or _PAST.search(line.text):
        return None
    days = [each for each in find_dates(line.text, said) if each.unit in ("day", "week")]
    if days:
        day = max(days, key=lambda each: each.last)
        return day if day.last >= said.date() else None
    if line.kind is Kind.EPISODIC and line.until is not None:
        return Dated(-1, -1, line.until, line.until, "day")
    return None


def in_the_past(text: str, day: Dated, said: datetime) -> str | None:
    """The plan told as past with its whole date; None where no form fits."""
    zh = has_han(text)
    if _CALLED_OFF.search(text):
        return None
    before = text if day.start < 0 else text[: day.start] + "__DAY__" + text[day.end :]
    told = _zh(before) if zh else _en(before)
    if told is None:
        return None
    written = _written(text[day.start : day.end] if day.start >= 0 else "", day, zh=zh)
    if "__DAY__" in told:
        return told.replace("__DAY__", written)
    end = "。" if told.endswith("。") else "." if told.endswith(".") else ""
    return f"{told.rstrip('。.')}（{written}）{end}" if zh else f"{told.rstrip('.')} on {written}{end}"


def _written(words: str, day: Dated, *, zh: bool) -> str:
    """A day with its year: as it was written where that holds one, else completed."""
    if re.search(r"\d{4}", words):
        return words
    if day.unit != "day" or not re.search(r"\d", words):
        return day.iso
    if zh:
        return f"{day.first.year}年{words.lstrip('今明后去年的')}"
    return f"{words.rstrip(' ,')} {day.first.year}"


def _en(text: str) -> str | None:
    for forms in (_SURE_EN, _MADE_EN):
        for pattern, put in forms:
            told, n = pattern.subn(put, text, count=1)
            if n:
                return re.sub(r"\bThe users? were\b", "The user was", told)
    return None


def _zh(text: str) -> str | None:
    if found := _GO_ZH.search(text):
        go = {"飞往": "飞去", "前往": "去", "飞去": "飞去", "飞到": "飞到"}.get(found["go"], found["go"])
        return f"{text[: found.start()]}{found['when'] or ''}{go}了{text[found.end() :]}"
    told, n = _MADE_ZH.subn(lambda m: f"原定{m['at'] or ''}", text, count=1)
    return told if n else None
