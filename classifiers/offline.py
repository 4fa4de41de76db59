"""Judge with no language model.

A standing instruction that fits decides. Else two ways of judging are weighed against each other: what the
probe says the picture is, carried over to the person's own categories by what their names mean; and how near
the picture is to each category's words and to what the person filed (and above all corrected) before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypedDict, Unpack

import numpy as np

from classifiers import kinds, probe, topics
from classifiers.categories import UNFILED, UNSORTED, clean_name, default_name, find, named_kinds
from classifiers.conversation import told_as_talk
from classifiers.kinds import PHOTO, fold
from classifiers.obeying import Evidence, forbidden, which_rule
from classifiers.ports import Embed
from classifiers.probe import Vector
from classifiers.program import told_apart
from classifiers.rules import Rule, read_rules
from classifiers.titles import summary_of, tags_of, title_of
from classifiers.types import Case, Category, Filing, Language

PHOTO_COLOUR = 0.45  # colourfulness from which a picture without words is taken for a photograph
FEW_WORDS = 25  # characters of text; below this colour counts more than words
UNSURE = 0.2  # a lead smaller than this is said to be unsure
NEW_FROM = 0.2  # chance of a kind from which it may open its own category
FITS_FROM = 0.3  # a kind with a category that fits it this well never opens a new one


@dataclass(frozen=True, slots=True)
class Scores:
    """Each category by the two ways, highest first in `total`."""

    total: dict[str, float]
    by_kind: dict[str, float]
    by_likeness: dict[str, float]


class _Decided(TypedDict, total=False):
    """The parts of a filing that its words do not give."""

    is_new: bool
    rule: str
    confidence: float
    runner_up: str | None
    why: str


class OfflineJudge:
    """`await judge(case)`; a `Judge`. `embed` gives the sentence vectors."""

    def __init__(self, embed: Embed) -> None:
        self._embed = embed
        self._named: dict[tuple[str, ...], Vector] = {}

    async def __call__(self, case: Case) -> Filing:
        """Where the picture goes. Never fails for want of a good answer: then it is 待整理."""
        await kinds.ready()
        await topics.ready()
        await probe.ready()
        evidence, windows = await self._evidence(case)
        kind = max(evidence.chances, key=lambda id: evidence.chances[id])
        rules = read_rules(case.rules, [category.name for category in case.categories])
        rule = await which_rule(rules, evidence, self._embed)
        if rule is not None:
            return await self._obey(rule, case, kind)
        out = await forbidden(rules, evidence, self._embed)
        allowed = [category for category in case.categories if fold(category.name) not in out]
        return await self._weigh(replace(case, categories=tuple(allowed)), evidence, windows, kind)

    async def _evidence(self, case: Case) -> tuple[Evidence, Vector]:
        words = f"{case.caption}\n{case.reading.text}".strip()
        chances = dict.fromkeys(kinds.load(), 0.0)
        pieces = probe.windows(words)
        windows = await self._embed(pieces)
        if words:
            by_text = probe.load().chances(windows, pieces)
            chances = dict(zip(probe.load().kinds, map(float, by_text), strict=True))
            chances = told_as_talk(told_apart(chances, case.reading.text), case.reading.text)
        said = [mention.kind for mention in kinds.mentions(case.caption)]
        if said:
            for id in set(said):
                chances[id] += 1.0
        elif len(fold(words)) < FEW_WORDS:
            chances = _without_words(chances, case, len(fold(words)))
        total = sum(chances.values())
        return Evidence(words, {id: chance / total for id, chance in chances.items()}, windows), windows

    async def _obey(self, rule: Rule, case: Case, kind: str) -> Filing:
        why = {
            "zh": f"按你的规则「{rule.line}」归档。",
            "en": f"Filed by your rule “{rule.line}”.",
        }[case.language]
        if rule.unfiled:
            return self._filing(
                case,
                kind,
                UNFILED[case.language],
                rule=rule.line,
                why=unfiled_because(rule.line, case.language),
            )
        found = find(rule.where, case.categories)  # to the letter: the person chose this name
        category = found.name if found else clean_name(rule.where)
        return self._filing(case, kind, category, is_new=found is None, rule=rule.line, why=why)

    async def _weigh(self, case: Case, evidence: Evidence, windows: Vector, kind: str) -> Filing:
        scores = await self._scores(case, evidence, windows)
        ranked = sorted(scores.total, key=lambda name: -scores.total[name])
        if not ranked:
            return self._filing(case, kind, UNSORTED[case.language], is_new=True, confidence=0.2)
        best = ranked[0]
        second = ranked[1] if len(ranked) > 1 else None
        lead = scores.total[best] - (scores.total[second] if second else 0.0)
        one = max(scores.by_kind, key=lambda name: scores.by_kind[name])
        two = max(scores.by_likeness, key=lambda name: scores.by_likeness[name], default=one)
        unsure = lead < UNSURE or (two not in (one, best) and lead < 2 * UNSURE)
        confidence = min(0.45, 0.3 + lead) if unsure else min(0.99, 0.55 + lead / 2)
        return self._filing(
            case,
            kind,
            best,
            is_new=find(best, case.categories) is None,
            confidence=round(confidence, 2),
            runner_up=second if unsure else None,
            why=_why(case, kind, best),
        )

    async def _scores(self, case: Case, evidence: Evidence, windows: Vector) -> Scores:
        known = probe.load()
        order = known.kinds
        chances = np.array([evidence.chances[id] for id in order], dtype=np.float32)
        fit = await self._fit(case.categories)  # categories x kinds
        by_kind = {category.name: float(fit[i] @ chances) for i, category in enumerate(case.categories)}
        best_fit = fit.max(axis=0) if len(case.categories) else np.zeros(len(order), dtype=np.float32)
        for i, id in enumerate(order):
            if chances[i] >= (NEW_FROM if case.categories else 0.0) and best_fit[i] < FITS_FROM:
                name = default_name(id, case.language)
                if find(name, case.categories) is None:
                    by_kind[name] = by_kind.get(name, 0.0) + float(chances[i])
        by_likeness = await self._likeness(case, evidence, windows)
        total = {
            name: by_kind.get(name, 0.0) + by_likeness.get(name, 0.0) for name in {**by_kind, **by_likeness}
        }
        return Scores(total, by_kind, by_likeness)

    async def _fit(self, categories: Sequence[Category]) -> Vector:
        """How far each kind's pictures belong in each category (categories x kinds; ≤ 1 over a kind's column)."""
        order = list(probe.load().kinds)
        fit = np.zeros((len(categories), len(order)), dtype=np.float32)
        for row, category in enumerate(categories):
            named = named_kinds(category.name)
            for place, id in enumerate(named):
                fit[row, order.index(id)] = 1.0 if place == 0 else 0.5
            for id in named_kinds(" ".join((*category.aliases, category.description))):
                fit[row, order.index(id)] = max(fit[row, order.index(id)], 0.4)
        meant = await self._meant(categories)
        for column in range(len(order)):
            if len(categories) and fit[:, column].max() == 0:  # no category names this kind: by meaning
                fit[:, column] = np.where(fit.max(axis=1) < 1.0, meant[:, column], 0.4 * meant[:, column])
            total = fit[:, column].sum()
            if total > 1.0:
                fit[:, column] /= total
        return fit

    async def _meant(self, categories: Sequence[Category]) -> Vector:
        """P(kind) of each category's words, by the probe over names."""
        if not categories:
            return np.zeros((0, len(probe.load().kinds)), dtype=np.float32)
        texts = tuple(f"{c.name} {c.description}".strip() for c in categories)
        if texts not in self._named:
            self._named.clear()
            self._named[texts] = await self._embed(texts)
        return probe.load().names.chances(self._named[texts])

    async def _likeness(self, case: Case, evidence: Evidence, windows: Vector) -> dict[str, float]:
        """A category's own words in the picture's, and the votes of earlier filings near to it."""
        votes: dict[str, float] = {}
        text = fold(evidence.text)
        for category in case.categories:
            own = [fold(name) for name in (category.name, *category.aliases)]
            if not named_kinds(category.name) and any(len(name) > 1 and name in text for name in own):
                votes[category.name] = votes.get(category.name, 0.0) + 0.5
        for near in case.nearest:
            strength = min(1.0, max(0.0, (near.likeness - 0.87) / 0.08))
            if strength > 0 and (place := find(near.category, case.categories)) is not None:
                weight = 0.8 if near.corrected else 0.25
                votes[place.name] = votes.get(place.name, 0.0) + weight * strength
        if case.categories and evidence.text:
            await self._meant(case.categories)
            names = probe.centre(self._named[next(iter(self._named))], probe.load().names.mean)
            texts = probe.centre(windows, probe.load().mean)
            near_words = (names @ texts.T).mean(axis=1)
            # nearer than the others, if there are any
            shares = probe.softmax(near_words * 12) - 1 / len(near_words)
            for category, share in zip(case.categories, shares, strict=True):
                votes[category.name] = votes.get(category.name, 0.0) + 0.3 * max(0.0, float(share))
        return votes

    def _filing(
        self,
        case: Case,
        kind: str,
        category: str,
        **decided: Unpack[_Decided],
    ) -> Filing:
        title = title_of(case, kind)
        words = Filing(
            category,
            title,
            summary_of(case, kind, title),
            tags_of(case, kind),
            confidence=0.95,
            judged_by="offline",
        )
        return replace(words, **decided)


def _without_words(chances: dict[str, float], case: Case, letters: int) -> dict[str, float]:
    """Little or no text: its words say little, and the colours say whether it is a photograph."""
    known = letters / FEW_WORDS
    even = 1.0 / len(chances)
    words = {id: known * chance + (1 - known) * even for id, chance in chances.items()}
    if letters == 0:
        photo = 1.0
    elif case.picture.colourfulness >= PHOTO_COLOUR:
        photo = 1.0 - 0.5 * known
    else:  # flat colours and a word or two: more likely an interface than a photograph
        photo = 0.0
        words[PHOTO] *= 0.4
    return {id: chance * (1 - photo) + (photo if id == PHOTO else 0.0) for id, chance in words.items()}


def unfiled_because(rule: str, language: Language) -> str:
    """Why a picture lies in no category."""
    if language == "zh":
        return f"你的规则「{rule}」说不归档，所以没有分类，原图留着。"
    return f"Your rule “{rule}” says not to file it, so it is in no category; the original is kept."


def _why(case: Case, kind: str, category: str) -> str:
    name = kinds.load()[kind].name(case.language)
    if case.language == "zh":
        return (
            f"内容看起来是{name}，和「{category}」最接近。"
            if case.reading.text
            else "图中没有文字，按照片归档。"
        )
    if not case.reading.text:
        return "There is no text in it, so it was filed as a photo."
    return f"It looks like {name.lower()}, which is nearest to “{category}”."
