"""Learn `earnest.py` from every bank: `python -m memory.offline.earnest_training`. Needs scikit-learn (dev only).

Run after `training.py`, whose probe and forms it doubts. Bars are set on sentences of messages that the head at hand
has not seen (five folds), at the rate at which real talk holds something to keep; what it does on the held-out fifth
is printed. Fails when what is plainly worded would be lost.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from memory.offline.banks import NATURAL, Labelled, embed, read, sentences_of
from memory.offline.earnest import WEIGHTS, Bar, Earnest, laid_out, load_earnest, setting
from memory.offline.earnest_banks import Row, rows
from memory.offline.head_training import fit_plain
from memory.offline.probe import DIMENSIONS, Vectors, features, load_probe
from memory.offline.understanding import Understanding, understood

_FOLDS = 5
_CLOSELY, _ROUNDS = 3.0, 200  # more closely it learns words by heart
_ALIKE = {
    "ask_fact": "ask", "ask_pictures": "ask", "ask_memory": "ask", "ask_why": "ask", "help": "ask", "undo": "forget",
}  # fmt: skip
_PLAYED = 6  # how often a sentence of a game comes in real talk, per thousand
_MOST_DOUBTED = {"found": 0.02, "plain": 0.003}  # share of what is rightly saved that may become a question
_MOST_LOST = {"found": 0.01, "plain": 0.001}  # and that may be let go
_WEIGHTS = {"plain": 2.0, "earnest": 1.5}
_PRECISION = 0.5  # weight of recall against precision (the beta of F)
_NONE = Bar(0.0, 0.0)


@dataclass(frozen=True, slots=True)
class _Taken:
    """A sentence that the probe or a form would keep."""

    at: int  # its row
    level: str
    plain: bool
    right: bool
    share: float  # how often such a one comes in real talk


@dataclass(frozen=True, slots=True)
class _Bank:
    """Rows as the head reads them."""

    rows: Sequence[Row]
    read: Vectors
    vectors: Vectors

    @property
    def sentences(self) -> list[Labelled]:
        """Theirs."""
        return [each.labelled for each in self.rows]

    @property
    def words(self) -> Vectors:
        """What the head reads where there are no vectors."""
        return self.read[:, : -2 * DIMENSIONS]

    def head(self, mine: NDArray[np.bool_]) -> Earnest:
        """What is learned from some of the rows, with their vectors and without; it has no bars yet."""
        labels = np.asarray([_ALIKE.get(each.label, each.label) for each in self.sentences])[mine]
        weight = (
            np.asarray([row.labelled.weight * _WEIGHTS.get(row.bank, 1.0) for row in self.rows])[mine] / 2
        )
        bare = np.pad(self.words[mine], ((0, 0), (0, 2 * DIMENSIONS)))
        head = fit_plain(
            np.vstack([self.read[mine], bare]),
            np.tile(labels, 2),
            np.tile(weight, 2),
            closely=_CLOSELY,
            rounds=_ROUNDS,
        )
        weights, bias = (array.astype(np.float32) for array in head.layers[0])
        return Earnest(head.classes, weights, bias, 0.0, _NONE, _NONE)

    def out_of_fold(self) -> tuple[Vectors, Vectors]:
        """Log odds of each row, with vectors and without, by a head that has seen nothing of its message."""
        messages = np.cumsum([each.said.alone for each in self.sentences]) - 1
        fold = np.random.default_rng(7).permutation(messages.max() + 1)[messages] % _FOLDS
        full, words = np.zeros((2, len(self.read)), np.float32)
        for k in range(_FOLDS):
            mine, head = fold == k, self.head(fold != k)
            full[mine], words[mine] = head.odds(self.read[mine]), head.odds(self.words[mine])
        return full, words


def _bank(found: Sequence[Row]) -> _Bank:
    probe = load_probe()
    said = [each.labelled.said for each in found]
    vectors, wholes = embed([one.text for one in said]), embed([one.whole for one in said])
    return _Bank(
        found, laid_out(features(said, vectors, wholes, probe.idf, probe.centre), setting(said)), vectors
    )


def train() -> None:
    """Train, set the bars, write the weights, and see that nothing plain is lost."""
    bank = _bank(rows())
    taken, (odds, bare) = _taken(bank), bank.out_of_fold()
    learned = bank.head(np.ones(len(bank.rows), bool))
    found, plain = (_bar(name, taken, odds) for name in ("found", "plain"))
    sure = [each.at for each in taken if each.right and each.level == "save"]
    lift = np.quantile(odds[sure], _MOST_DOUBTED["found"]) - np.quantile(bare[sure], _MOST_DOUBTED["found"])
    scale = np.abs(learned.weights).max(axis=0) / 127
    np.savez_compressed(
        WEIGHTS,
        classes=np.asarray(learned.classes),
        weights=np.round(learned.weights / scale).astype(np.int8),
        scale=scale.astype(np.float32),
        bias=learned.bias,
        lift=np.asarray(lift),
        found=np.asarray(found),
        plain=np.asarray(plain),
    )
    load_earnest.cache_clear()
    print(f"{WEIGHTS.name}: {WEIGHTS.stat().st_size / 1e3:.0f} kB from {len(bank.rows)} sentences")
    print(f"bars: found {found}, plain {plain}; with no vectors {lift:.2f} more")
    _judged("out of fold", bank, taken, odds, load_earnest())
    plainly_worded()


def report() -> None:
    """What the shipped head does on the held-out fifth and on banks by other writers."""
    bank = _bank(rows(held_out=True))
    _judged("held out", bank, _taken(bank), load_earnest().odds(bank.read), load_earnest())


def _taken(bank: _Bank) -> list[_Taken]:
    """What would be kept with nobody to doubt it."""
    sentences = bank.sentences
    starts = [i for i, each in enumerate(sentences) if each.said.alone] + [len(sentences)]
    found: list[tuple[int, Understanding, bool]] = []
    for start, end in pairwise(starts):
        said = [each.said for each in sentences[start:end]]
        whole = understood(said, bank.vectors[start:end], load_probe(), None)
        for part in whole.parts or (whole,):
            if part.level and bank.rows[start].bank != "frames":
                at = next((start + i for i, one in enumerate(said) if i and one.text == part.said), start)
                own = sentences[at : end if at == start else at + 1]
                found.append((at, part, any(each.stores for each in own)))
    counts = Counter(each.label for each in sentences)
    natural = NATURAL | {"played": _PLAYED}
    return [
        _Taken(at, part.level, part.plain, right, natural[sentences[at].label] / counts[sentences[at].label])
        for at, part, right in found
    ]


def _bar(name: str, taken: Sequence[_Taken], odds: Vectors) -> Bar:
    """Where silent saves are most often right, recall counting half, with no more of them lost than may be."""
    mine = [each for each in taken if each.level == "save" and each.plain is (name == "plain")]
    own, right = odds[[each.at for each in mine]], np.asarray([each.right for each in mine])
    share = np.asarray([each.share for each in mine])
    most, least = (float(np.quantile(own[right], share)) for share in (_MOST_DOUBTED[name], _MOST_LOST[name]))
    tried = np.arange(least, most + 0.05, 0.05)
    worth = [_worth(right & (own >= bar), ~right & (own >= bar), right, share) for bar in tried]
    return Bar(round(float(tried[int(np.argmax(worth))]), 2), round(least, 2))


def _worth(
    kept: NDArray[np.bool_], wrong: NDArray[np.bool_], right: NDArray[np.bool_], share: NDArray[np.float64]
) -> float:
    """F of silent saves at natural frequency."""
    precision = share[kept].sum() / max(share[kept].sum() + share[wrong].sum(), 1e-9)
    recall = share[kept].sum() / share[right].sum()
    squared = _PRECISION**2
    return float((1 + squared) * precision * recall / (squared * precision + recall))


def _judged(title: str, bank: _Bank, taken: Sequence[_Taken], odds: Vectors, earnest: Earnest) -> None:
    """Print what is saved and asked of what would be, before the doubt and with it, at natural frequency."""
    for lang in ("zh", "en"):
        due = sum(each.stores and each.lang == lang for each in bank.sentences)
        mine = [each for each in taken if bank.sentences[each.at].lang == lang]
        after = [earnest.allowed(each.level, float(odds[each.at]), plain=each.plain) for each in mine]
        for name, levels in (("before", [each.level for each in mine]), ("with it", after)):
            print(f"{title}, {lang}, {name}: {_figures(mine, levels, ('save',), due)} saved; ", end="")
            print(f"{_figures(mine, levels, ('save', 'ask'), due)} saved or asked")


def _figures(mine: Sequence[_Taken], levels: Sequence[str], counted: Sequence[str], due: int) -> str:
    told = [each for each, level in zip(mine, levels, strict=True) if level in counted]
    right = [each for each in told if each.right]
    precision = sum(each.share for each in right) / max(sum(each.share for each in told), 1e-9)
    return (
        f"precision {precision:.2f} ({len(right)} of {len(told)} on the bank), recall {len(right) / due:.2f}"
    )


def plainly_worded() -> None:
    """Fail where a message of the plain bank that would be kept no longer is."""
    bank = _bank([Row("plain", each) for each in sentences_of(read("plain"))])
    odds, earnest = load_earnest().odds(bank.read), load_earnest()
    lost = [
        bank.sentences[each.at].said.text
        for each in _taken(bank)
        if each.right and earnest.allowed(each.level, float(odds[each.at]), plain=each.plain) != each.level
    ]
    if lost:
        raise SystemExit(f"{WEIGHTS.name}: plainly worded and no longer kept: {'; '.join(lost)}")


if __name__ == "__main__":
    if "--report" not in sys.argv:
        train()
    report()
