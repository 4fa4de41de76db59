"""How a spreadsheet shows its numbers: a day, a time, a share; Excel keeps all of them as numbers with a style."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime, timedelta

from classifiers.packed import Element, attribute, local

# formats that every program knows by number
_MOMENTS = {*range(14, 23), *range(27, 37), 45, 47, *range(50, 59)}
_LENGTHS = {46}
_SHARES = {9, 10}
_ELAPSED = re.compile(r"\[[hms]+\]", re.IGNORECASE)
_AS_IT_STANDS = re.compile(r'"[^"]*"|\\.|\[[^\]]*\]|_.|\*.')  # quoted signs, colours, spaces
_LAST_DAY = 2_958_466  # 10000-01-01
_DAY = 86_400  # seconds
_1900 = datetime(1899, 12, 30)  # noqa: DTZ001 - a clock on no wall
_1904 = datetime(1904, 1, 1)  # noqa: DTZ001


class Formats:
    """The formats of one file."""

    def __init__(self, styles: Element, *, since_1904: bool = False) -> None:
        """`styles`: the part that defines them."""
        moments, lengths, shares = set(_MOMENTS), set(_LENGTHS), set(_SHARES)
        for each in styles.iter():
            number = attribute(each, "numFmtId")
            if local(each.tag) != "numFmt" or not number.isdigit():
                continue
            written = attribute(each, "formatCode")
            code = _AS_IT_STANDS.sub("", written).lower()
            if _ELAPSED.search(written):
                lengths.add(int(number))
            elif re.search(r"[ymdhs]", code) and "general" not in code:
                moments.add(int(number))
            elif "%" in code:
                shares.add(int(number))
        cells: Iterable[Element] = next((each for each in styles if local(each.tag) == "cellXfs"), ())
        self._numbers = [int(attribute(each, "numFmtId") or 0) for each in cells]  # by style
        self._moments, self._lengths, self._shares = moments, lengths, shares
        self._start = _1904 if since_1904 else _1900

    def shown(self, written: str, style: int) -> str:
        """A number as a person sees it."""
        try:
            number = float(written)
        except ValueError:
            return written
        kind = self._numbers[style] if 0 <= style < len(self._numbers) else 0
        if kind in self._moments and 0 <= number < _LAST_DAY:
            return self._moment(number)
        if kind in self._lengths and abs(number) < _LAST_DAY:
            return _length(number)
        if kind in self._shares:
            return f"{number * 100:.10g}%"
        return f"{number:.15g}" if abs(number) < 1e15 else written

    def _moment(self, days: float) -> str:
        """A day, a time of day, or both, to the second."""
        at = self._start + timedelta(days=int(days), seconds=round(days % 1 * _DAY))
        if days < 1:
            return _clock(at)
        if self._start is _1900 and days < 60:  # to Excel 1900 is a leap year
            at += timedelta(days=1)
        return f"{at:%Y-%m-%d}" if not (at.hour or at.minute or at.second) else f"{at:%Y-%m-%d} {_clock(at)}"


def _clock(at: datetime) -> str:
    return f"{at:%H:%M:%S}" if at.second else f"{at:%H:%M}"


def _length(days: float) -> str:
    """36:00:00 of 1.5 days."""
    minutes, seconds = divmod(round(abs(days) * _DAY), 60)
    return f"{'-' if days < 0 else ''}{minutes // 60}:{minutes % 60:02}:{seconds:02}"
