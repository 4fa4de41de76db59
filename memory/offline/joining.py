"""Parts of a message that belong on one line: a rule and how it is meant, a fact told over two clauses."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

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
_OF_ONE = ("filing", "rule", "fact_self", "fact_other", "change")


def joined(parts: Sequence[Part], text: str) -> list[Part]:
    """The parts, neighbours that belong on one line made one."""
    found: list[Part] = []
    for part in parts:
        if found and "secret" in (found[-1].label, part.label):
            found.append(part)
        elif found and _one(found[-1], part, text):
            found[-1] = _both(found[-1], part)
        elif found and _underlines(found[-1], part, text):
            found[-1] = replace(found[-1], end=part.end)
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
    if _files(left):  # "Stock Prices folder. Any price tag goes there." is one, "A to B, C to D" are two
        return left.where == (0, 0) or right.where == (0, 0)
    if left.line(_MEANT) != right.line(_MEANT):
        return False
    free = left.label != "fact_other" and not _ended(left, text)  # else it is another's, or another thing
    return free or _LEANS.match(text[right.start : right.end]) is not None


def _underlines(left: Part, right: Part, text: str) -> bool:
    """Whether it only says once more what a filing rule says: 别跟别的图混一起, "don't ask"."""
    leans = _LEANS.match(text[right.start : right.end]) is not None
    return _files(left) and right.label == "rule" and leans and not _ended(left, text)


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
        what=left.what if left.what != (0, 0) else right.what,
        where=left.where if left.where != (0, 0) else right.where,
        asked=max(left.asked, right.asked),
        scores={**surer.scores, "secret": max(part.scores.get("secret", 0.0) for part in (left, right))},
    )


def _over(left: Span, right: Span) -> Span:
    """From the beginning of one to the end of the other, where both are there."""
    if (0, 0) in (left, right):
        return left if left != (0, 0) else right
    return left[0], right[1]
