"""Does a filing rule fit this picture? With no model: the kinds it names, its words in the text, its meaning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from classifiers.kinds import PHOTO, fold
from classifiers.ports import Embed
from classifiers.probe import load
from classifiers.rules import Rule, covers_all, kinds_in, words_in

ENOUGH = 0.30  # chance of the rule's kinds from which it fits, even if another kind is likelier
NAMED = 0.45  # chance of a kind, read from the condition's words alone, from which it counts as named
AGREED = 0.05  # chance that condition and text speak of one kind, from which half of its words are enough
ALL, KIND, WORDS = 0, 1, 2  # how special a rule is


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is known about the picture."""

    text: str  # its own words and the person's caption
    chances: Mapping[str, float]  # P(kind)


async def which_rule(rules: Sequence[Rule], evidence: Evidence, embed: Embed) -> Rule | None:
    """The rule that decides: the most special that fits; among equals the newest."""
    fitting = [rule for rule in rules if not rule.forbids and await fits(rule, evidence, embed)]
    return max(fitting, key=lambda rule: (_speciality(rule), rule.order), default=None)


async def forbidden(rules: Sequence[Rule], evidence: Evidence, embed: Embed) -> set[str]:
    """Names (folded) of the categories that rules keep this picture out of."""
    return {fold(rule.where) for rule in rules if rule.forbids and await fits(rule, evidence, embed)}


async def fits(rule: Rule, evidence: Evidence, embed: Embed) -> bool:
    """Whether the picture meets the rule's condition."""
    if covers_all(rule):
        return True
    return await _meets(rule.what, evidence, embed) is not rule.negated


async def _meets(what: str, evidence: Evidence, embed: Embed) -> bool:
    kinds = kinds_in(what)
    names, words = words_in(what)
    text = fold(evidence.text)
    if any(fold(name) not in text for name in names):
        return False
    if kinds:
        return _likely(kinds, evidence) or (bool(names) and _likely(kinds, evidence, ENOUGH / 3))
    if names:
        return True
    found = [word for word in words if fold(word) in text]
    if words and len(found) == len(words):
        return True
    offered = load().names.chances(await embed([what]))[0]
    kind = load().kinds[int(offered.argmax())]
    if offered.max() >= NAMED and not (
        kind == PHOTO and words
    ):  # what a photograph shows cannot be known here
        return _likely([kind], evidence)
    agreement = sum(float(offered[i]) * evidence.chances.get(id, 0.0) for i, id in enumerate(load().kinds))
    return 2 * len(found) >= len(words) > 0 and agreement >= AGREED


def _likely(kinds: Sequence[str], evidence: Evidence, enough: float = ENOUGH) -> bool:
    return sum(evidence.chances.get(kind, 0.0) for kind in kinds) >= enough


def _speciality(rule: Rule) -> int:
    if covers_all(rule) or rule.negated:
        return ALL
    names, _ = words_in(rule.what)
    return WORDS if names or not kinds_in(rule.what) else KIND
