"""What stands in brackets at the end of a line: where it holds, until when, and whether it is paused.

    - 周报用表格 (when: 写周报) (until: 2027-01-31) (paused) ^r7
    - 诺亚对花生过敏 (from: telegram:7 #41, 2026-04-28) ^t3

That is how it is written. Read is also what people type: full-width brackets and colons, 「（仅限：写周报）」,
「（到 2027-01-31 为止）」, 「（暂停）」.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

PAUSED = "(paused)"

_LAST = re.compile(r"[ \t]*[(（](?P<inside>(?:[^()（）]|[(（][^()（）]*[)）])*)[)）]$")
_WHEN = re.compile(r"(?:when|仅限于?|只限|何时)[ \t]*[:：][ \t]*(?P<value>.*)$", re.I | re.S)
_UNTIL = re.compile(
    r"(?:(?:until|直到|截止|截至|有效期至)[ \t]*[:：]|until(?=[ \t]+\d)|到(?=[ \t]*\d{4}-))"
    r"[ \t]*(?P<value>.*?)[ \t]*(?:为止)?$",
    re.I | re.S,
)
_FROM = re.compile(r"from[:：][ \t]*(?P<said>\S[^()（）]* #\d+, \d{4}-\d\d-\d\d)$", re.I)
_PAUSED = re.compile(r"paused|on hold|已?暂停中?|已?停用", re.I)


@dataclass(frozen=True, slots=True)
class Marks:
    """A sentence, and what stood in brackets behind it."""

    text: str
    when: str | None = None
    until: date | None = None
    paused: bool = False
    said: str = ""  # where it was said, as tended pages show it: "telegram:7 #41, 2026-04-28"
    problem: str = ""  # what could not be read, a plain sentence


def marks_of(body: str) -> Marks:
    """Take the marks off the end of a sentence; brackets that are none of them belong to it."""
    text, when, until, paused, said = body.strip(), None, None, False, ""
    while found := _LAST.search(text):
        inside = found["inside"].strip()
        if not paused and _PAUSED.fullmatch(inside):
            paused = True
        elif not said and (source := _FROM.match(inside)):
            said = source["said"]
        elif when is None and (scope := _WHEN.match(inside)) and scope["value"].strip():
            when = scope["value"].strip()
        elif until is None and (end := _UNTIL.match(inside)):
            try:
                until = date.fromisoformat(end["value"])
            except ValueError:
                problem = f"“{end['value']}” is not a date like 2027-01-31; the line holds without an end"
                return Marks(text, when, None, paused, said, problem)
        else:
            break
        text = text[: found.start()].rstrip()
    return Marks(text, when, until, paused, said)
