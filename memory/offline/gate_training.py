"""Train and judge the gate: `python -m memory.offline.gate_training [--report]`. Needs scikit-learn (dev only).

Reads all banks, among them `everyday` (talk with nothing to keep: most messages) and `told` (short plain things to
keep); writes `gate.npz`; prints how many of what is to be kept and of other talk passes, of the banks that
are held out. `heldout_gate` was written by whoever wrote those two, apart from them.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from memory.offline.banks import UNKNOWN, Message, names, read
from memory.offline.gate import BUCKETS, LEAST, WEIGHTS, Gate, answers, features, load_gate
from memory.offline.labels import ASKS, HOLDS
from memory.offline.rewording import reworded
from memory.offline.said import Said, said
from memory.spelling import spelled

# Talk that looks like something to keep may pass; to tell it is left to the model that reads it.
_COUNTS = {
    "quoted": 0.05, "irony": 0.05, "live": 0.05, "hypothetical": 0.05, "once": 0.1, "move": 0.2, "ask": 0.5,
    "ask_fact": 0.5, "ask_memory": 0.5, "undo": 0.0, "secret": 0.0, "same": 0.0, UNKNOWN: 0.0,
}  # fmt: skip
_REWORDED = 0.3  # what a message counts that was said otherwise
_PART = 0.5  # what a sentence counts whose label is its message's
_LOOSE = 5.0  # inverse of the regularisation
_EVERYDAY = ("chat", "task", *ASKS)


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
    for message in read(*names()):
        for one, label, weight in _sentences(message):
            counts = weight * _COUNTS.get(label, 1.0)
            holds = label in HOLDS
            if not counts or (holds and answers(one.text, one.heard)):
                continue  # "Jonno" passes as an answer, and alone it is nothing
            long = replace(one, text=spelled(one.text).text, before=spelled(one.before).text)
            yield _Row(long, holds, counts)
            if one.alone:
                for text in reworded(one.text, message.language, random):
                    yield _Row(replace(one, text=spelled(text).text), holds, counts * _REWORDED)


def _sentences(message: Message) -> Iterator[tuple[Said, str, float]]:
    """(the message or one of its sentences, its label, how much it counts)."""
    whole, *each = said(message.text, message.heard, message.earlier)
    yield whole, message.label, _PART if each else 1.0
    at = 0
    for one in each:
        at = message.text.find(one.text, at)
        over = max(message.parts, key=lambda part: min(part.end, at + len(one.text)) - max(part.start, at))
        yield one, over.label, 1.0


# ---- how it does


def report() -> None:
    """Print what passes of the held-out banks, at several levels."""
    gate = load_gate()
    own = "heldout_gate"
    others = [name for name in names(held_out=True) if name != own]
    banks = [
        _judged(gate, each) for each in (_messages(*others), _messages(own), _messages(own, behind=" (12)"))
    ]
    titles = ("held-out banks", "heldout_gate", "heldout_gate, a number behind each")
    for name, bank in zip(titles, banks, strict=True):
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
    kept = [(chance, text) for chance, label, text in found if label in HOLDS]
    other = [chance for chance, label, _ in found if label in _EVERYDAY]
    return _Judged(np.asarray([chance for chance, _ in kept]), np.asarray(other), sorted(kept)[:8])


def _messages(*banks: str, behind: str = "") -> list[tuple[str, str, str]]:
    return [(each.text + behind, each.label, each.heard) for each in read(*banks)]


if __name__ == "__main__":
    if "--report" not in sys.argv:
        train()
    report()
