"""Train and judge the embedded default: `python -m memory.offline.training [--report]`. Needs scikit-learn (dev only).

Reads the banks (see `banks.py`), writes `weights.npz`, prints how they do on the held-out banks; `--report` only
prints that.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memory.offline.aiming import KINDS as KINDS_OF_AIM
from memory.offline.aiming import Aim, likeness
from memory.offline.banks import (
    NATURAL,
    Example,
    Labelled,
    Target,
    embed,
    sentences_of,
    talk,
    targets,
    training_set,
)
from memory.offline.head_training import Directions, directions, fit_net, fit_plain, packed
from memory.offline.probe import (
    FACES,
    KINDS,
    REFERENCE,
    WEIGHTS,
    Head,
    Vectors,
    features,
    hashed,
    kind_in,
    storing,
)
from memory.offline.tagger_training import train_tagger
from memory.offline.training_report import report
from memory.page import CORE, Line

_FOLDS = 3
# Precision asked of saving without a question, at those frequencies. What ships does better: out of fold a part of the
# bank is missing, and structure (offline.py) says no to much of what the probe alone would take.
_SURE = {"filing": 0.55, "rule": 0.45, "fact": 0.50}
_ASK = 0.42  # precision asked of a question
_TEMPER = 0.6  # of the step from how often a class comes in the banks to how often it comes in talk
_GUESSED = 0.5  # weight below which a label was guessed


@dataclass(frozen=True, slots=True)
class _Bank:
    """What one face is trained on: sentences in their surroundings, and their features."""

    sentences: Sequence[Labelled]
    rows: Vectors
    full: bool  # vectors are among them
    along: Directions
    lengthways: Vectors  # the rows along the directions

    @property
    def labels(self) -> NDArray[Any]:
        """Labels of the sentences."""
        return np.asarray([each.label for each in self.sentences])

    @property
    def weights(self) -> NDArray[np.float64]:
        """How much each sentence counts."""
        return np.asarray([each.weight for each in self.sentences])

    @property
    def lean(self) -> Vectors:
        """How much commoner each class, in the order of their names, is in real talk than here; tempered."""
        there = {name: float(self.weights[self.labels == name].sum()) for name in NATURAL}
        return np.asarray([(NATURAL[name] / there[name]) ** _TEMPER for name in sorted(NATURAL)], np.float32)

    def net(self, mine: NDArray[np.bool_]) -> Head:
        """The head that tells what a sentence is, from some of them; n-grams alone do better without a net."""
        if not self.full:
            return fit_plain(self.rows[mine], self.labels[mine], self.weights[mine])
        return fit_net(self.lengthways[mine], self.labels[mine], self.weights[mine], self.along)


def train() -> None:
    """Train everything and write the weights."""
    examples = training_set()
    sentences = [*sentences_of(examples), *talk()]
    texts = [each.said.text for each in sentences]
    vectors, wholes = embed(texts), embed([each.said.whole for each in sentences])
    counts = (hashed(texts) > 0).sum(axis=0)
    idf = np.log((1 + len(texts)) / (1 + counts)).astype(np.float32) + 1
    centre = vectors.mean(axis=0)
    held: dict[str, Any] = {
        "idf": idf.astype(np.float16),
        "centre": centre,
        "reference": embed([REFERENCE])[0],
    }
    names, levels = list[str](), list[tuple[float, float]]()
    for face in FACES:
        full = face == "full"
        found = [each.said for each in sentences]
        rows = features(found, vectors if full else None, wholes if full else None, idf, centre)
        along = directions(rows)
        bank = _Bank(sentences, rows, full, along, along.of(rows))
        for name, head in _heads(bank, examples).items():
            names.append(f"{face}:{name}")
            held |= packed(f"{face}:{name}", head)
        held[f"{face}:lean"] = bank.lean
        levels += _levels(bank)
    held |= {"heads": np.asarray(names), "levels": np.asarray(levels)}
    held |= _aims()
    held |= train_tagger([*examples, *_tagged(sentences)])
    np.savez_compressed(WEIGHTS, **held)
    print(f"{WEIGHTS.name}: {WEIGHTS.stat().st_size / 1e6:.2f} MB from {len(sentences)} sentences")


def _aims() -> dict[str, Any]:
    """The scorers of `aiming.py`."""
    from sklearn.linear_model import LogisticRegression

    held: dict[str, Any] = {}
    for kind in KINDS_OF_AIM:
        cases = [case for case in targets() if case.kind == kind]
        faces = [(case, full) for full in (True, False) for case in cases]  # with vectors and without
        rows = np.vstack([_likeness(case, full=full) for case, full in faces])
        meant = np.concatenate([np.arange(len(case.lines)) == case.target for case, _ in faces])
        model = LogisticRegression(C=1.0, fit_intercept=False, max_iter=1000)
        model.fit(rows, meant)
        held[f"aim:{kind}"] = model.coef_[0]
        right = sum(_aimed(case, Aim(model.coef_[0])) == case.target for case in cases)
        print(f"aim at lines, {kind}: {right} of {len(cases)} of its own examples right")
    return held


def _likeness(case: Target, *, full: bool) -> NDArray[np.float64]:
    lines = [(CORE, Line("", text)) for text in case.lines]
    new = case.new or case.said
    if not full:
        return likeness(case.said, new, lines, None)
    vectors = embed([new, *case.lines])
    return likeness(case.said, new, lines, [float(v @ vectors[0]) for v in vectors[1:]])


def _aimed(case: Target, aim: Aim) -> int | None:
    chances = aim(_likeness(case, full=True))
    return int(np.argmax(chances)) if max(chances) >= 0.5 else None


def _tagged(sentences: Sequence[Labelled]) -> list[Example]:
    """Sentences of talk as examples for the tagger: those with something marked in them."""
    return [
        Example(
            each.said.text,
            each.lang,
            each.label,
            each.keep,
            each.what,
            each.where,
            "filing" if each.where else "",
        )
        for each in sentences
        if each.talk and each.keep
    ]


def _heads(bank: _Bank, examples: Sequence[Example]) -> dict[str, Head]:
    """label: what a sentence is; of: what a kept one is about; asked: whether keeping it was asked for."""
    wholes = [i for i, each in enumerate(bank.sentences) if each.said.alone and not each.talk]
    kept = [(i, e) for i, e in zip(wholes, examples, strict=True) if e.stores]
    place = [i for i, _ in kept]
    kinds = [e.of or {"filing": "filing", "rule": "rule"}.get(e.label, "fact") for _, e in kept]
    weight = np.asarray([4.0 if e.label == "change" else 1.0 for _, e in kept])
    asked = np.asarray(["yes" if e.asked else "no" for _, e in kept])
    return {
        "label": bank.net(np.ones(len(bank.sentences), bool)),
        "of": fit_plain(bank.rows[place], np.asarray(kinds), weight),
        "asked": fit_plain(bank.rows[place], asked),
    }


def _levels(bank: _Bank) -> list[tuple[float, float]]:
    """(ask, save) levels of each kind, from chances out of fold, at natural frequency."""
    chance, kind = _out_of_fold(bank)
    judged = np.asarray([_decides(bank.sentences, i) for i in range(len(bank.sentences))])
    kept = np.asarray([each.stores for each in bank.sentences])
    counts = Counter(each.label for each, mine in zip(bank.sentences, judged, strict=True) if mine)
    shares = np.asarray([NATURAL[each.label] / max(counts[each.label], 1) for each in bank.sentences])
    levels = []
    for i, name in enumerate(KINDS):
        mine = judged & (kind == i)
        low, high = (lowest(chance[mine], kept[mine], shares[mine], p) for p in (_ASK, _SURE[name]))
        levels.append((low, high))
    return levels


def _decides(sentences: Sequence[Labelled], i: int) -> bool:
    """Whether its chance decides: a sentence, or a message that is one; and its label was not guessed."""
    one = sentences[i]
    several = one.said.alone and i + 1 < len(sentences) and not sentences[i + 1].said.alone
    return not several and one.weight >= _GUESSED


def _out_of_fold(bank: _Bank) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """The chance and the kind of each sentence, by a net that has seen nothing of its message."""
    messages = np.cumsum([each.said.alone for each in bank.sentences]) - 1
    fold = np.random.default_rng(7).permutation(messages.max() + 1)[messages] % _FOLDS
    found = np.zeros((len(bank.rows), len(set(bank.labels))), np.float32)
    for k in range(_FOLDS):
        head = bank.net(fold != k)
        found[fold == k] = head(bank.rows[fold == k])
    starts = [i for i, each in enumerate(bank.sentences) if each.said.alone]
    chances, lean = np.zeros(len(bank.rows)), bank.lean
    for start, end in zip(starts, [*starts[1:], len(bank.rows)], strict=True):
        each = found[start + 1 : end] if end - start > 1 else found[start:end]
        chances[start:end][-len(each) :] = storing(found[start], each, head.classes, lean)
    return chances, np.asarray([list(KINDS).index(kind_in(row, head.classes)) for row in found])


def lowest(
    chances: NDArray[np.float64], kept: NDArray[np.bool_], shares: NDArray[np.float64], precision: float
) -> float:
    """The lowest level at which what is taken is right that often."""
    order = np.argsort(-chances)
    right = np.cumsum((shares * kept)[order]) / np.cumsum(shares[order])
    good = np.flatnonzero(right >= precision)
    return float(chances[order][good.max()]) if good.size else 0.999


if __name__ == "__main__":
    if "--report" not in sys.argv:
        train()
    report()
