"""How full CORE.md is. Rules are never cut from a prompt, so what grows without end is said before it hurts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memory.page import Line
from memory.sameness import Relation, relation
from memory.search import Meanings
from memory.snapshot import rule_row, tokens_of
from memory.words import content, jaccard

BUDGET = 2_000  # tokens that the rules may take
_NEAR = 0.9  # share of the budget from which the person is told
_ALIKE = 0.5  # shared words, or 0.93 of cosine, from which two rules are worth a look side by side
_COSINE = 0.93
_MOST, _CLOSELY = 300, 30  # rules that are looked at, the newest, and pairs of them that are read closely


@dataclass(frozen=True, slots=True)
class Fullness:
    """What the rules in force take of their budget."""

    rules: int  # in force
    tokens: int  # about what a model counts for them
    budget: int

    @property
    def near(self) -> bool:
        """Whether it is time to say so."""
        return self.tokens >= _NEAR * self.budget

    @property
    def level(self) -> int:
        """0 = there is room, 1 = nearly full, 2 = over the budget."""
        return (self.tokens > self.budget) + self.near


def fullness_of(rules: Sequence[Line], budget: int) -> Fullness:
    """Of these rules, all in force."""
    return Fullness(len(rules), tokens_of("\n".join(rule_row(line) for line in rules)), budget)


async def alike(rules: Sequence[Line], meanings: Meanings, most: int = 3) -> list[tuple[Line, Line]]:
    """Pairs of rules that say nearly the same within one scope, nearest first: (older, newer).

    They are named to the person, never merged by this: a cosine takes a "never" for its "always".
    """
    rules = rules[-_MOST:]
    words = [set(content(line.text)) for line in rules]
    near: list[tuple[float, int, int]] = []
    for late, line in enumerate(rules):
        earlier = [at for at in range(late) if rules[at].when == line.when]
        cosines = await meanings.cosines(line.text, [rules[at].text for at in earlier])
        for place, early in enumerate(earlier):
            shared = jaccard(words[late], words[early])
            cosine = cosines[place] if cosines is not None else 0.0
            if shared >= _ALIKE or cosine >= _COSINE:
                near.append((max(shared, cosine), early, late))
    near.sort(reverse=True)
    found = [(score, rules[early], rules[late]) for score, early, late in near[:_CLOSELY]]
    found = [(score + (relation(b, a) is Relation.SAME), a, b) for score, a, b in found]
    found.sort(key=lambda each: -each[0])
    pairs: list[tuple[Line, Line]] = []
    for _, older, newer in found:
        if not any({older.id, newer.id} & {a.id, b.id} for a, b in pairs):
            pairs.append((older, newer))
    return pairs[:most]
