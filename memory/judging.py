"""Whether a change may be written: the guard by its forms, and behind it somebody who reads what was typed.

Secrets and leave to act are told in a thousand wordings, of which forms know few; a reader knows more of them. It is
handed over by whoever makes a Memory, so that memory itself needs none.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Sequence
from typing import Literal

from memory.changes import Change, Did, Instruct, Learn, Outcome, Revise, Source
from memory.guard import refusal
from memory.never import forbidden
from memory.wording import Language, say

Verdict = Literal["secret", "permission", ""]
"""What the words are that is never kept; "" where they are neither."""
Judge = Callable[[str, str], Awaitable[Verdict]]
"""The verdict on (a message, the part of it that counts)."""

_DAY = re.compile(r"\b20\d\d-\d\d(?:-\d\d)?\b")
_FILES = re.compile(r"^(?:file|put|save|store|keep)\b|归档|归到|收进|放进|存到|存进", re.I)


async def refused(
    change: Change, source: Source, language: Language, also: Sequence[str] = (), judge: Judge | None = None
) -> Outcome | None:
    """The refusal of a change that must not be written, by form or by verdict; None when it may be.

    Args:
        source: whose words are judged, the quote among them, and then the text that is to be written.
        also: texts whose names and numbers count as covered: the line that gives way.
    """
    if reason := refusal(change, source, language, also):
        never = isinstance(change, Instruct | Learn | Revise) and reason == forbidden(change.text, language)
        return Outcome(change, Did.REFUSED, reason=reason, never=never)
    if judge is None or not isinstance(change, Instruct | Learn | Revise):
        return None
    verdict = await judge(source.words, source.quote)
    if not verdict and not (isinstance(change, Instruct) and _FILES.search(change.text)):
        # Not of filing: "file it without asking" gives no leave to act; a day in digits reads like a code.
        text = _DAY.sub("Monday", change.text)
        verdict = await judge(text, text)
    if not verdict:
        return None
    reason = say(language, verdict, what=say(language, "password"))  # the plainest name for a secret
    return Outcome(change, Did.REFUSED, reason=reason, never=True)
