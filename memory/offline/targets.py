"""Which stored line is spoken of: by a changed mind, or by "forget …"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memory.changes import Instruct, Kind, Learn
from memory.concepts import answers, concepts
from memory.coverage import negations, numbers
from memory.filing_rules import kind_words, read_rule, same_place
from memory.offline.aiming import GENERIC, likeness, load_aims
from memory.page import CORE, Line
from memory.sameness import Relation, relation, subject
from memory.slots import asked_slot, slots_of
from memory.words import content, covered, has_han, squeeze

Lines = Sequence[tuple[str, Line]]
_SURE, _LEAD = 0.5, 0.15  # chance of the likeliest line, and how far it must be ahead
_MORE_THAN_HALF = 0.55  # share of a kind of picture that two rules have in common, to be about one
_A_NAME = 2  # words of content that a name may have
_MAYBE = 0.3  # chance from which a line is asked about


def same_matter(
    change: Instruct | Learn,
    message: str,
    lines: Lines,
    cosines: Sequence[float] | None,
    least: float = _SURE,
) -> str | None:
    """The line that a changed mind replaces: the one that the write check would replace, or the clearly nearest one.

    `least`: chance from which it is the nearest one.
    Looser than the write check, because the person said that something is changing; still None when nothing is near.
    """
    core = isinstance(change, Instruct)
    kind = Kind.INSTRUCTION if isinstance(change, Instruct) else change.kind
    new = Line("", change.text, kind, change.origin, change.when)
    there = [(i, line) for i, (page, line) in enumerate(lines) if (page == CORE) == core]
    for _, line in there:
        if relation(new, line) is Relation.REPLACES:
            return line.id
    rule = read_rule(change.text, change.when)
    if rule is None:
        same = [
            i
            for i, line in there
            if may_be_one(subject(line), subject(new))
            and not read_rule(line.text, line.when)
            and not (core and _of_other_matters(line.text, change.text))
        ]
        aimed = _likeliest(
            "change", message, change.text, [lines[i] for i in same], _of(cosines, same), least
        )
        return aimed[0] if len(aimed) == 1 else None
    scored: list[tuple[float, str]] = []
    for _, line in there:
        known = read_rule(line.text, line.when)
        if known is None:
            continue
        score = _shared(rule.what, known.what)
        if squeeze(known.where) in squeeze(message) and not same_place(known.where, rule.where):
            score += 0.6  # the old place is named: "not Utilities any more"
        scored.append((score, line.id))
    scored.sort(reverse=True)
    # half of it is no more than 票 of 机票 and 发票, or the passes of trains and of boarding
    if scored and scored[0][0] >= max(least, _MORE_THAN_HALF) and _clear(scored):
        return scored[0][1]
    return None


def _clear(scored: Sequence[tuple[float, str]]) -> bool:
    return len(scored) < 2 or scored[0][0] - scored[1][0] >= 0.1


_LISTED = re.compile(
    r"\s*(?:,\s*(?:and\s+)?|\band\b|[，、]|还有|以及|(?<=[\u4e00-\u9fff])[和跟与](?=[\u4e00-\u9fff]))\s*",
    re.I,
)


def split_list(about: str) -> list[str]:
    """The things that a "forget" lists: "my shoe size and my cat's name", 鞋码和血型."""
    return [part for part in _LISTED.split(about) if content(part)]


def may_be_one(left: tuple[str, ...], right: tuple[str, ...]) -> bool:
    """Whether two subjects may be one: "Ida" and "the user's cousin Ida"."""
    return left == right or (bool(left and right) and (set(left) <= set(right) or set(right) <= set(left)))


def _of_other_matters(left: str, right: str) -> bool:
    """Whether two rules lay down different things, as the length of answers and their language: both hold."""
    mine, theirs = slots_of(left).keys(), slots_of(right).keys()
    return bool(mine and theirs) and not mine & theirs


def _of(cosines: Sequence[float] | None, places: Sequence[int]) -> list[float] | None:
    return None if cosines is None else [cosines[i] for i in places]


def _likeliest(
    kind: str, said: str, new: str, lines: Lines, cosines: Sequence[float] | None, least: float = _SURE
) -> list[str]:
    """The line that is meant, or, where several are as likely, all of these."""
    if not lines:
        return []
    chances = load_aims()[kind](likeness(said, new, lines, cosines))
    best = max(chances)
    return [line.id for (_, line), p in zip(lines, chances, strict=True) if p >= max(least, best - _LEAD)]


def spoken_of(
    about: str, message: str, lines: Lines, cosines: Sequence[float] | None
) -> tuple[list[str], list[str]]:
    """Lines a "forget" is about: (sure, to ask about). Naming the id is sure, and so is the one clear match."""
    for _, line in lines:
        if line.id and (f"^{line.id}" in message or f"[{line.id}]" in message):
            return [line.id], []
    if (telling := _telling(about, message, lines)) is not None:
        return [telling], []
    if named := _all_of(about, message, lines):
        return named, []
    sure = _likeliest("forget", message, about, lines, cosines)
    if len(sure) > 1 and len(only := _holding(about, lines)) == 1 and only[0] in sure:
        sure = only  # "forget the allergy", and there is one
    if len(sure) == 1:
        return sure, []
    return [], sure[:3] or _likeliest("forget", message, about, lines, cosines, _MAYBE)[:3]


_ALL = re.compile(
    r"\b(?:everything|anything|all(?: of it| that)?|whatever)\b|全部|所有|一切|全都|通通|统统|有关|相关|的事",
    re.I,
)


def _all_of(about: str, message: str, lines: Lines) -> list[str]:
    """Every line about the one whose name is all that a "forget everything about …" says."""
    if not _ALL.search(message):
        return []
    words = [word for word in content(about) if word not in GENERIC]
    if not 1 <= len(words) <= _A_NAME:
        return []
    held = [line.id for _, line in lines if covered(words, content(line.text)) >= 0.99]
    return held if len(held) > 1 else []


def _holding(about: str, lines: Lines) -> list[str]:
    """The lines that hold all that is named."""
    words = [word for word in content(about) if word not in GENERIC]
    return [line.id for _, line in lines if words and covered(words, content(line.text)) >= 0.99]


def known(change: Instruct | Learn, lines: Lines) -> bool:
    """Whether a fact is on a page already, in these words or in more: saying it again changes nothing."""
    if not isinstance(change, Learn):
        return False
    mine = set(_matter(change.text))
    return bool(mine) and any(
        mine <= set(_matter(line.text))
        and numbers(change.text) == numbers(line.text)
        and negations(change.text) % 2 == negations(line.text) % 2
        for page, line in lines
        if page != CORE
    )


def _matter(text: str) -> list[str]:
    return content(re.sub(r"[-‐–]|用户|对(?=.*过敏)|[\u5440\u554a\u54e6\u5566]", " ", text))


def _telling(about: str, message: str, lines: Lines) -> str | None:
    """The one line that tells what is spoken of without saying it: "where I live", "my sister's name"."""
    asked = asked_slot(message)
    filling = [line.id for _, line in lines if asked and asked in slots_of(line.text)]
    if len(filling) == 1:
        return filling[0]
    whose = concepts(about)
    if not (whose.holders and whose.facts):
        return None
    told = [line.id for _, line in lines if answers(about, line.text)]
    return told[0] if len(told) == 1 else None


def of_other_kinds(left: str, right: str) -> bool:
    """Whether two kinds of pictures, named in one language, have little in common: 车票 and 发票."""
    return has_han(left) == has_han(right) and _shared(left, right) < _MORE_THAN_HALF


def _shared(left: str, right: str) -> float:
    """How much of the smaller one's kind of picture is in the larger one, 0..1."""
    a = [word for word in kind_words(left) if word not in GENERIC]
    b = [word for word in kind_words(right) if word not in GENERIC]
    if not a or not b:
        return 0.0
    return max(covered(a, b), covered(b, a))
