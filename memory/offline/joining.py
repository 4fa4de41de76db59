"""Parts of a message that belong on one line: a rule and how it is meant, a fact told over two clauses."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from memory.offline.cues import concludes
from memory.offline.denied import is_denied
from memory.offline.labels import KEEPS, NEVER
from memory.offline.reader import Part, Span
from memory.offline.terms import names_before

_SENTENCE_ENDS = re.compile(r"[。！？!?\n]|\.(?=\s|$)")
_LEANS = re.compile(  # what goes on with what was said before it
    r"^\W*(?:and|but|or|nor|then|so|never|not|don['’]?t|also|after that|before that|otherwise|else|except|only|just|"
    r"instead|simply|ever|it|they|them|he|she|that|those|these|which|who|"
    r"而且|但是?|不过|然后|之后|否则|其他|其它|别的|其余|除非|除了|只|也|都|还|就|它|他|她|这|那|并且|再|别|不要|不用|直接|改成|换成)",
    re.I,
)
_DANGLES = re.compile(  # a sentence cannot end so: "code pics go to | 工程备忘"
    r"(?:\b(?:to|in|into|under|as|at|the|an?|of|for|with|and|or|is)|(?:[放存归丢扔挪移搬]|改放)[到进入在])\s*$",
    re.I,
)
_MEANT = 0.5  # chance from which a line is the one that is meant
_OF_ONE = ("filing", "rule", "fact_self", "fact_other", "change", "more")


def joined(parts: Sequence[Part], text: str) -> list[Part]:
    """The parts, neighbours that belong on one line made one."""
    found: list[Part] = []
    for part in parts:
        if found and not any(map(str.isalnum, text[part.start : part.end])):
            found[-1] = replace(found[-1], end=part.end)  # a sign means nothing by itself
        elif found and (found[-1].label in NEVER or part.label in NEVER):
            found.append(part)
        elif found and _one(found[-1], part, text):
            found[-1] = _both(found[-1], part)
        elif found and _says_instead(found[-1], part, text):
            one = _both(found[-1], part)
            found[-1] = replace(found[-1], end=one.end, keep=one.keep)
        elif found and _underlines(found[-1], part, text):
            found[-1] = replace(found[-1], end=part.end)
        elif found and _says_where(found[-1], part, text):
            found[-1] = replace(part, start=found[-1].start, keep=(found[-1].start, _end_of(part)))
        elif found and names_before(text[part.start : part.end]):
            found[-1] = replace(part, start=found[-1].start, keep=(found[-1].start, part.end))
        else:
            found.append(part)
    return found


def _one(left: Part, right: Part, text: str) -> bool:
    """Whether the right one goes on with what the left one says."""
    if _DANGLES.search(text[left.start : left.end]):
        return True
    if left.label != right.label or left.label not in _OF_ONE:
        return False
    if left.label.startswith("fact") and concludes(text[right.start : right.end]):
        return False
    if _files(left):  # "Stock Prices folder. Any price tag goes there." is one, "A to B, C to D" are two
        return left.where is None or right.where is None
    if left.line(_MEANT) != right.line(_MEANT):
        return False
    free = left.label != "fact_other" and not _ended(left, text)  # else it is another's, or another thing
    return free or _LEANS.match(text[right.start : right.end]) is not None


def _says_instead(left: Part, right: Part, text: str) -> bool:
    """Whether a fact says what is so instead of what was just denied: "not due in May any more, I've got till June"."""
    denied = left.label == "change" and is_denied(text[left.start : left.end].strip(" ,，"))
    return denied and right.label in ("fact_self", "fact_other") and not _ended(left, text)


def _underlines(left: Part, right: Part, text: str) -> bool:
    """Whether it only says once more what a filing rule says: 别跟别的图混一起, "don't ask"."""
    leans = _LEANS.match(text[right.start : right.end]) is not None
    return _files(left) and right.label == "rule" and leans and not _ended(left, text)


_SCOPE = re.compile(  # For the "Lantern" project,
    r"\W*(?:(?:and|but|so|ok|oh)\W+)*(?:for|in|on|with|when|whenever|if|during)\b[^.!?]{2,60},\s*$"
    r"|\W*(?:对于|关于|凡是|如果|要是|每次|在)[^，。！？]{2,30}[，,]\s*$",
    re.I,
)


def _says_where(left: Part, right: Part, text: str) -> bool:
    """Whether it says only where, or when, the rule after it holds."""
    scope = _SCOPE.match(text[left.start : left.end]) is not None
    return scope and left.label not in KEEPS and right.label in ("rule", "change") and not _files(right)


def _end_of(part: Part) -> int:
    return part.keep[1] if part.keep else part.end


def _ended(part: Part, text: str) -> bool:
    """Whether a sentence ends with it."""
    return _SENTENCE_ENDS.search(text[part.start : part.end].rstrip()[-2:]) is not None


def _files(part: Part) -> bool:
    return part.label == "filing" or (part.label == "change" and part.of.get("filing", 0.0) >= 0.5)


def _both(left: Part, right: Part) -> Part:
    surer = max(left, right, key=lambda part: part.chance)
    return replace(
        surer,
        start=left.start,
        end=right.end,
        keep=_over(left.keep, right.keep),
        what=left.what or right.what,
        where=left.where or right.where,
        asked=max(left.asked, right.asked),
        scores={
            **surer.scores,
            **{name: max(part.scores.get(name, 0.0) for part in (left, right)) for name in NEVER},
        },
    )


def _over(left: Span | None, right: Span | None) -> Span | None:
    """From the beginning of one to the end of the other, where both are there."""
    return (left[0], right[1]) if left and right else left or right
