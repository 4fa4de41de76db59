"""A part that says several things at once, each by itself: two filing rules, facts about two people or of two kinds.

What is filed where is read off the form of the words where it has one; else it is what the reader marked.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

from memory.concepts import concepts
from memory.offline.cues import concludes
from memory.offline.filing_forms import Placed, placed, speaks_of_filing, with_its_like
from memory.offline.filing_pairs import pairs_and_rest
from memory.offline.statements import statements
from memory.offline.understanding import Understanding
from memory.phrasing import stated
from memory.speech_acts import points_at, puts_somewhere
from memory.wording import Language

_GARBLED = re.compile(  # no kind and no place is called so: "receipts shouldn't", 照片不要再, "Expenses anymore"
    r"不要|别[再放把]|不再|\b(?:should|do|does|is)n['’]t\b|\bany ?more\b|\bno longer\b|\bstop\b|[\x00-\x1f\ufeff]",
    re.I,
)
_PLAIN = 0.9  # chance from which a wish is one for good, however it is put


def spread(part: Understanding, language: Language) -> Sequence[Understanding]:
    """What a part says, one thing each; itself where it says one."""
    if part.label == "rule" and speaks_of_filing(part.said) and _form(part.said, language) is not None:
        part = replace(part, label="filing")
    if part.files:
        return [one for one in _filed(part, language) if not _GARBLED.search(f"{one.what} {one.where}")]
    if part.label not in ("fact_self", "fact_other"):
        return [part]
    told, order = _concluded(part)
    return [*_facts(told, language), *order]


def _concluded(part: Understanding) -> tuple[Understanding, list[Understanding]]:
    """A fact, and the order that is drawn from it: "I work nights, so don't suggest mornings"."""
    for at in _SO.finditer(part.said):
        fact, order = part.said[: at.start()].strip(" ,，"), part.said[at.start() :].strip(" ,，")
        if fact and concludes(order):
            told = replace(
                part, said=fact, keep="" if order in part.keep or part.keep == part.said else part.keep
            )
            return told, [replace(part, label="rule", said=order, keep=_SO.sub("", order).strip(), line=None)]
    return part, []


_SO = re.compile(r"(?:\band )?\bso\b|所以|因此", re.I)


def _filed(part: Understanding, language: Language) -> Sequence[Understanding]:
    ruled, _ = pairs_and_rest(part.said, language)
    if len(ruled) > 1:
        return [
            replace(part, said=one.said, keep=one.said, what=one.rule.what, where=one.rule.where, line=None)
            for one in ruled
        ]
    form = _form(part.said, language) or (ruled[0].rule if ruled else None)
    if form is None or points_at(form.what):
        # perhaps only about the pictures that are there
        there = part.line is None and part.chance < _PLAIN and puts_somewhere(part.said) == "ask"
        return [replace(part, level="ask") if there else part]
    return [replace(part, what=form.what, where=form.where, level=part.level if form.sure else "ask")]


def _form(said: str, language: Language) -> Placed | None:
    other: Language = "en" if language == "zh" else "zh"  # "recipes go in 周末食谱"
    return with_its_like(said) or placed(said, language) or placed(said, other)


def _facts(part: Understanding, language: Language) -> Sequence[Understanding]:
    """Facts about several people, or of several kinds, so that each can be changed or forgotten alone."""
    told = statements(stated(part.keep or part.said, language), language)
    about = [concepts(one.text) for one in told]
    several = len({each.holders for each in about}) > 1 or (
        all(each.facts for each in about)
        and all(not left.facts & right.facts for left, right in combinations(about, 2))
    )
    if len(told) < 2 or not several:
        return [part]
    return [replace(part, said=one.quote, keep=one.text) for one in told]
