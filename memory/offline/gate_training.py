"""Train and judge the gate: `python -m memory.offline.gate_training [--report]`. Needs scikit-learn (dev only).

Reads all banks, and of its own `gate_nothing` (talk with nothing to keep: most messages) and `gate_told` (short plain
things to keep); writes `gate.npz`; prints how many of what is to be kept and of other talk passes, of the banks that
are held out. `gate_heldout` was written by whoever wrote those two, apart from them.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from memory.offline.banks import Example, Labelled, read, sentences_of, talk, training_set
from memory.offline.gate import BUCKETS, LEAST, WEIGHTS, Gate, answers, features, load_gate
from memory.offline.probe import KEEPS
from memory.offline.rewording import reworded
from memory.offline.said import Said, said
from memory.spelling import spelled

_HOLDS = (*KEEPS, "forget")
# Talk that looks like something to keep may pass; to tell it is left to the model that reads it.
_COUNTS = {
    "quoted": 0.05, "irony": 0.05, "live": 0.05, "hypothetical": 0.05, "once": 0.1, "move": 0.2, "ask_fact": 0.5,
    "ask_memory": 0.5, "undo": 0.0, "secret": 0.0,
}  # fmt: skip
_REWORDED = 0.3  # what a message counts that was said otherwise
_PART = 0.5  # what a sentence counts whose label is its message's
_LOOSE = 5.0  # inverse of the regularisation
_EVERYDAY = ("chat", "task", "help", "ask_pictures", "ask_why", "ask_fact", "ask_memory")


def train() -> None:
    """Train it and write the weights."""
    from scipy import sparse
    from sklearn.linear_model import LogisticRegression

    rows = list(_rows(np.random.default_rng(0)))
    found = [features(row.said) for row in rows]
    places = np.concatenate([list(each) for each in found])
    shares = np.concatenate([list(each.values()) for each in found])
    ends = np.cumsum([0, *map(len, found)])
    model = LogisticRegression(C=_LOOSE, max_iter=400)
    model.fit(
        sparse.csr_matrix((shares, places, ends), (len(rows), BUCKETS)),
        np.asarray([row.holds for row in rows]),
        sample_weight=np.asarray([row.counts for row in rows]),
    )
    scale = np.abs(model.coef_[0]).max() / 127
    weights = np.round(model.coef_[0] / scale).astype(np.int8)
    np.savez_compressed(
        WEIGHTS, weights=weights, scale=np.float32(scale), bias=np.float32(model.intercept_[0])
    )
    load_gate.cache_clear()
    print(f"{WEIGHTS.name}: {WEIGHTS.stat().st_size / 1e3:.0f} kB from {len(rows)} sentences")


@dataclass(frozen=True, slots=True)
class _Row:
    said: Said
    holds: bool
    counts: float


def _rows(random: np.random.Generator) -> Iterator[_Row]:
    """Sentences and messages of all banks, and the same said otherwise."""
    for each in [*sentences_of(training_set()), *talk(), *_of_the_gate()]:
        counts = each.weight * _COUNTS.get(each.label, 1.0)
        holds = each.label in _HOLDS
        if not counts or (holds and answers(each.said.text, each.said.heard)):
            continue  # "Jonno" passes as an answer, and alone it is nothing
        one = replace(each.said, text=spelled(each.said.text).text, before=spelled(each.said.before).text)
        yield _Row(one, holds, counts)
        if one.alone:
            for text in reworded(each.said.text, each.lang, random):
                yield _Row(replace(one, text=spelled(text).text), holds, counts * _REWORDED)


def _of_the_gate() -> Iterator[Labelled]:
    for example in read("gate_nothing", "gate_told"):
        for one in said(example.text):
            yield Labelled(one, example.lang, example.label, weight=1.0 if one.alone else _PART)


# ---- how it does


def report() -> None:
    """Print what passes of the held-out banks, at several levels."""
    gate = load_gate()
    banks = [_judged(gate, each) for each in (_elsewhere(), _own(""), _own(" (12)"))]
    names = ("held-out banks", "gate_heldout", "gate_heldout, a number behind each")
    for name, bank in zip(names, banks, strict=True):
        print(f"\n== {name}: {len(bank.kept)} messages hold something, {len(bank.talk)} are everyday talk")
        for least in sorted({0.06, 0.09, LEAST, 0.18, 0.25, 0.35}):
            kept, passed = float((bank.kept >= least).mean()), float((bank.talk >= least).mean())
            print(
                f"from {least:.2f}{' (shipped)' * (least == LEAST)}: {kept:.3f} of it passes, {passed:.3f} of talk"
            )
        few = ", ".join(f"{text} ({chance:.2f})" for chance, text in bank.lowest)
        print(f"closest to the door: {few}")


@dataclass(frozen=True, slots=True)
class _Judged:
    kept: np.ndarray[tuple[int], np.dtype[np.float64]]  # chances of messages that hold something
    talk: np.ndarray[tuple[int], np.dtype[np.float64]]
    lowest: Sequence[tuple[float, str]]


def _judged(gate: Gate, messages: Sequence[tuple[str, str, str]]) -> _Judged:
    """Args: messages: (text, label, what the assistant said before)."""
    found = [(gate.holding(text, heard), label, text) for text, label, heard in messages]
    kept = [(chance, text) for chance, label, text in found if label in _HOLDS]
    other = [chance for chance, label, _ in found if label in _EVERYDAY]
    return _Judged(np.asarray([chance for chance, _ in kept]), np.asarray(other), sorted(kept)[:8])


def _elsewhere() -> list[tuple[str, str, str]]:
    """Messages of the held-out banks of the embedded default, most of whose talk looks like something to keep."""
    found = [(each.text, each.label, "") for each in read("heldout")]
    return [
        *found,
        *((row.said.text, row.label, row.said.heard) for row in talk(held_out=True) if row.said.alone),
    ]


def _own(behind: str) -> list[tuple[str, str, str]]:
    rows: list[Example] = read("gate_heldout")
    return [(row.text + behind, row.label, "") for row in rows]


if __name__ == "__main__":
    if "--report" not in sys.argv:
        train()
    report()
