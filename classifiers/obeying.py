"""Does a filing rule fit this picture? With no model: the kinds it names, its words in the text, its meaning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from classifiers.kinds import HAN, PHOTO, fold
from classifiers.ports import Embed
from classifiers.probe import Vector, centre, load
from classifiers.rules import Rule, covers_all, kinds_in, words_in

ENOUGH = 0.30  # chance of the rule's kinds from which it fits, even if another kind is likelier
MORE = 0.50  # the same where the condition says more than the kind, and the picture shows nothing of that
NAMED = 0.40  # chance of a kind, read from the condition's words alone, from which it counts as named
AGREED = 0.05  # chance that condition and text speak of one kind, from which half of its words are enough
ABOUT = 0.34  # cosine (centred) of condition and text from which the text is about it; of 144 strangers 1 reaches it
ALL, KIND, WORDS = 0, 1, 2  # how special a rule is


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is known about the picture."""

    text: str  # its own words and the person's caption
    chances: Mapping[str, float]  # P(kind)
    windows: Vector | None = None  # a vector for each piece of the text


async def which_rule(rules: Sequence[Rule], evidence: Evidence, embed: Embed) -> Rule | None:
    """The rule that decides: the most special that fits; among equals the one nearer in meaning, then the newest.

    Two rules on one kind ("supermarket receipts", "restaurant receipts") are told apart by what the picture says.
    """
    fitting = [rule for rule in rules if not rule.forbids and await fits(rule, evidence, embed)]
    if len(fitting) < 2:
        return fitting[0] if fitting else None
    near = {rule: round(await _nearness(rule.what, evidence, embed), 1) for rule in fitting}
    newest = {fold(rule.what): rule for rule in sorted(fitting, key=lambda rule: rule.order)}
    return max(newest.values(), key=lambda rule: (_speciality(rule), near[rule], rule.order))


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
    found = [word for word in words if _stands(word, text)]
    shown = len(found) == len(words)
    if kinds:
        return _likely(kinds, evidence, ENOUGH if shown else MORE) or (
            bool(names) and _likely(kinds, evidence, ENOUGH / 3)
        )
    if names or (words and shown):
        return True
    return await _means(what, len(found), len(words), evidence, embed)


async def _means(what: str, found: int, words: int, evidence: Evidence, embed: Embed) -> bool:
    """Whether a condition that names no kind, `found` of whose words stand in the picture, fits it by meaning."""
    offered = load().names.chances(await embed([what]))[0]
    kind = load().kinds[int(offered.argmax())]
    if offered.max() >= NAMED and kind != PHOTO:  # what a photograph shows cannot be known here
        return _likely([kind], evidence)
    if await _nearness(what, evidence, embed) >= ABOUT:
        return True
    agreement = sum(float(offered[i]) * evidence.chances.get(id, 0.0) for i, id in enumerate(load().kinds))
    return 2 * found >= words > 0 and agreement >= AGREED


def _stands(word: str, text: str) -> bool:
    """Whether a word is in a (folded) text; of a Chinese compound its parts may stand apart (检查单: 检查报告单)."""
    word = fold(word)
    if word in text:
        return True
    if len(word) < 3 or not all(HAN.match(char) for char in word):
        return False
    return word[:2] in text and all(char in text for char in word[2:])


async def _nearness(what: str, evidence: Evidence, embed: Embed) -> float:
    """How near the picture's text comes to a condition in meaning: a centred cosine, 0 where there is no text."""
    if evidence.windows is None or not evidence.text.strip() or not what.strip():
        return 0.0
    mean = load().mean
    return float((centre(evidence.windows, mean) @ centre(await embed([what]), mean)[0]).max())


def _likely(kinds: Sequence[str], evidence: Evidence, enough: float = ENOUGH) -> bool:
    return sum(evidence.chances.get(kind, 0.0) for kind in kinds) >= enough


def _speciality(rule: Rule) -> int:
    if covers_all(rule) or rule.negated:
        return ALL
    names, _ = words_in(rule.what)
    return WORDS if names or not kinds_in(rule.what) else KIND
