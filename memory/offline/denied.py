"""What a message says no longer holds, or never did: "it's Ines, not Inez", 在苏州上班，不是无锡, "no longer a nurse".

The stored line that says so is the one to put right: a named value is surer than how alike two sentences are.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from memory.offline.aiming import GENERIC
from memory.page import Line
from memory.words import content, covered

_DENIED = re.compile(
    r"(?<![是能会])(?:不|没)(?:再)?(?:是|叫|在|住|姓|当|做|干|养|用|学|读|吃|喝)+(?P<zh>[^，,。.！!？?；;\s了嘛吗么]{1,10})"
    r"(?:了|啦)?(?=[，,。.！!；;\s]|$)|"  # 我不是…嘛 reminds of what holds
    r"\b(?:not|no longer|n['’]t)(?: (?:a|an|the|in|at|on|called|named|from|to|my|with|for))* "
    r"(?P<en>[\w'’-]+(?: [\w'’-]+){0,2}?)"
    r"(?= any ?more\b| any longer\b| now\b|\s*[,.!;:…)]|\s+(?:but|and|it|you|since)\b|\s*$)",
    re.I,
)


def is_denied(text: str) -> bool:
    """Whether a clause only says what does not hold."""
    return _DENIED.search(text) is not None


def denied_line(text: str, lines: Sequence[Line]) -> Line | None:
    """The one line that holds what a message denies; None where none does, or several do."""
    found: dict[str, Line] = {}
    for match in _DENIED.finditer(text):
        words = [word for word in content(match["zh"] or match["en"]) if word not in GENERIC]
        if words:
            found |= {line.id: line for line in lines if covered(words, content(line.text)) == 1}
    return next(iter(found.values())) if len(found) == 1 else None
