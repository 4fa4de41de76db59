"""Does a filing rule fit this picture? With no model: the kinds it names, its words in the text, its meaning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from classifiers.kinds import fold
from classifiers.ports import Embed
from classifiers.probe import Vector, load
from classifiers.rules import Rule, covers_all, kinds_in, words_in

ENOUGH = 0.30  # chance of the rule's kinds from which it fits although another kind is likelier
NAMED = 0.45  # chance of a kind, read from the condition's words alone, from which it counts as named
ALL, KIND, WORDS = 0, 1, 2  # how special a rule is


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is known about the picture."""

    text: str  # its own words and the person's caption
    chances: Mapping[str, float]  # P(kind)
    vector: Vector  # 1 x 384: of its first words


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
    if words and all(fold(word) in text for word in words):
        return True
    vectors = await embed([what])
    guessed = load().names.chances(vectors)[0]
    kind = int(guessed.argmax())
    if guessed[kind] >= NAMED:
        return _likely([load().kinds[kind]], evidence)
    return _near(vectors, evidence)


def _likely(kinds: Sequence[str], evidence: Evidence, enough: float = ENOUGH) -> bool:
    chance = sum(evidence.chances.get(kind, 0.0) for kind in kinds)
    best = max(evidence.chances, key=lambda kind: evidence.chances[kind], default=None)
    return chance >= enough or (best in kinds and chance >= enough / 2)


def _near(vectors: Vector, evidence: Evidence) -> bool:
    """Whether the condition, taken as one more kind beside the known ones, is among the nearest to the text.

    The probe's weights are the directions of the known kinds; the condition's own direction is scored alike.
    """
    probe = load()
    offered = probe.names.chances(vectors)[0]
    seen = np_chances(evidence, probe.kinds)
    agreement = float(
        (offered * seen).sum() / max(1e-6, float((offered**2).sum() ** 0.5 * (seen**2).sum() ** 0.5))
    )
    direct = float(vectors[0] @ evidence.vector[0])
    return agreement >= 0.6 and direct >= 0.80


def np_chances(evidence: Evidence, kinds: Sequence[str]) -> Vector:
    """The chances as a row in the order of `kinds`."""
    import numpy as np

    return np.array([evidence.chances.get(kind, 0.0) for kind in kinds], dtype=np.float32)


def _speciality(rule: Rule) -> int:
    if covers_all(rule) or rule.negated:
        return ALL
    names, _ = words_in(rule.what)
    return WORDS if names or not kinds_in(rule.what) else KIND
