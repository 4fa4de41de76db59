"""Does a filing rule fit this picture, and how well? With no model: kinds, topics, words and meaning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from classifiers.condition import Alternative, read
from classifiers.kinds import HAN, PHOTO, fold, plain
from classifiers.ports import Embed
from classifiers.probe import Vector, centre, load
from classifiers.rules import Rule, covers_all
from classifiers.topics import names_itself, signs_of

ENOUGH = 0.20  # chance of a kind that a rule names from which it fits: the person told us
SHARE = 0.30  # … if it is at least this share of the likeliest kind's
SIGNED = 0.08  # chance of the kind that is enough where two signs of the special case stand in the text
NAMED = 0.40  # chance of a kind, read from the condition's words alone, from which it counts as named
AGREED = 0.05  # chance that condition and text speak of one kind, from which half of its words are enough
ABOUT = 0.34  # cosine (centred) of condition and text from which the text is about it; of 144 strangers 1 reaches it
ALL, KIND, SPECIAL = 0, 1, 2  # how special a rule is


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is known about the picture."""

    text: str  # its own words and the person's caption
    chances: Mapping[str, float]  # P(kind)
    windows: Vector | None = None  # a vector for each piece of the text


@dataclass(frozen=True, slots=True, order=True)
class Fit:
    """How well a rule fits; the greater wins."""

    special: int
    strength: float  # of what it asks for in this picture, rounded: nearly equal ones are equal


async def which_rule(rules: Sequence[Rule], evidence: Evidence, embed: Embed) -> Rule | None:
    """The rule that decides: the most special that fits, among those the likeliest, among equals the newest."""
    best: tuple[Fit, int, Rule] | None = None
    for rule in rules:
        found = None if rule.forbids else await fit(rule, evidence, embed)
        if found is not None and (best is None or (found, rule.order) >= best[:2]):
            best = (found, rule.order, rule)
    return best[2] if best else None


async def forbidden(rules: Sequence[Rule], evidence: Evidence, embed: Embed) -> set[str]:
    """Names (folded) of the categories that rules keep this picture out of."""
    return {
        fold(rule.where) for rule in rules if rule.forbids and await fit(rule, evidence, embed) is not None
    }


async def fit(rule: Rule, evidence: Evidence, embed: Embed) -> Fit | None:
    """How well the picture meets the rule's condition; None if it does not."""
    if covers_all(rule):
        return None if rule.unless and await _meets(rule.unless, evidence, embed) else Fit(ALL, 0.0)
    met = await _meets(rule.what, evidence, embed, seen=rule.unfiled)
    if rule.negated:
        return Fit(ALL, 0.5) if met is None else None
    if met is None or (rule.unless and await _meets(rule.unless, evidence, embed)):
        return None
    return met


async def _meets(what: str, evidence: Evidence, embed: Embed, *, seen: bool = False) -> Fit | None:
    """`seen`: of a photograph it must be known that it shows more than any photograph does."""
    met = [
        await _meets_one(one, evidence, embed)
        for one in read(what)
        if not (seen and one.kinds == (PHOTO,) and one.others and not _shows_words(one, evidence))
    ]
    return max((each for each in met if each is not None), default=None)


async def _meets_one(one: Alternative, evidence: Evidence, embed: Embed) -> Fit | None:
    text = fold(evidence.text)
    if any(fold(name) not in text for name in one.names):
        return None
    if one.topics:
        return _on_topic(one, evidence)
    shown = sum(_stands(word, text) for word in one.others)
    all_shown = bool(one.names) or 0 < len(one.others) == shown
    if one.kinds:
        return _of_kind(one, await _meant(one, embed), evidence, all_shown=all_shown)
    return Fit(SPECIAL, 1.0) if all_shown else await _by_meaning(one, evidence, shown, embed)


def _shows_words(one: Alternative, evidence: Evidence) -> bool:
    return all(_stands(word, fold(evidence.text)) for word in one.others)


def _of_kind(one: Alternative, kinds: Sequence[str], evidence: Evidence, *, all_shown: bool) -> Fit | None:
    chance = _chance(kinds, evidence)
    if not (_likely(kinds, evidence) or (one.names and chance >= SIGNED)):
        return None
    if all_shown:
        return Fit(SPECIAL, round(chance, 1))
    return Fit(KIND, round(chance * (0.5 if one.others else 1.0), 2))


async def _meant(one: Alternative, embed: Embed) -> Sequence[str]:
    """Of several kinds in one phrase the one it speaks of: "error messages" are errors, no chats."""
    if len(one.kinds) < 2:
        return one.kinds
    offered = load().names.chances(await embed([one.words]))[0]
    ranked = sorted(one.kinds, key=lambda kind: -float(offered[load().kinds.index(kind)]))
    first, second = (float(offered[load().kinds.index(kind)]) for kind in ranked[:2])
    return ranked[:1] if first >= 2 * second else one.kinds


def _on_topic(one: Alternative, evidence: Evidence) -> Fit | None:
    text = plain(evidence.text)
    signs = [signs_of(topic, text) for topic in one.topics]
    kinds = one.kinds or tuple(dict.fromkeys(kind for topic in one.topics for kind in topic.kinds))
    chance = _chance(kinds, evidence) if kinds else 1.0
    if all(topic.loose for topic in one.topics) and kinds:
        return Fit(KIND, round(chance + 0.1 * min(signs), 2)) if _likely(kinds, evidence) else None
    if not kinds:
        named = bool(one.names) or any(names_itself(topic, text) for topic in one.topics)
        enough = min(signs) >= 1 and sum(signs) + named > len(one.topics)
    else:
        enough = min(signs) >= 1 and (_likely(kinds, evidence) or (min(signs) >= 2 and chance >= SIGNED))
    return Fit(SPECIAL, round(chance, 1) + 0.1 * min(signs)) if enough else None


async def _by_meaning(one: Alternative, evidence: Evidence, shown: int, embed: Embed) -> Fit | None:
    """A condition in words that no list knows: the kind it speaks of, or its nearness to the text."""
    offered = load().names.chances(await embed([one.words]))[0]
    kind = load().kinds[int(offered.argmax())]
    if offered.max() >= NAMED and kind != PHOTO:  # what a photograph shows cannot be known here
        chance = _chance([kind], evidence)
        return Fit(KIND, round(chance, 2)) if _likely([kind], evidence) else None
    if await _nearness(one.words, evidence, embed) >= ABOUT:
        return Fit(SPECIAL, 0.5)
    agreement = sum(float(offered[i]) * evidence.chances.get(id, 0.0) for i, id in enumerate(load().kinds))
    if 2 * shown >= len(one.others) > 0 and agreement >= AGREED:
        return Fit(SPECIAL, 0.3)
    return None


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


def _chance(kinds: Sequence[str], evidence: Evidence) -> float:
    return max((evidence.chances.get(kind, 0.0) for kind in kinds), default=0.0)


def _likely(kinds: Sequence[str], evidence: Evidence) -> bool:
    """Whether one of the kinds may well be the picture's, although another may be likelier."""
    chance = sum(evidence.chances.get(kind, 0.0) for kind in kinds)
    return chance >= ENOUGH and chance >= SHARE * max(evidence.chances.values(), default=0.0)
