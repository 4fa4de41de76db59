"""How likely a sentence speaks of a stored line: a small learned scorer over what the two have in common.

Trained by `aiming_training.py` from the messages of the banks that stand beside stored lines; applied with NumPy.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from memory.concepts import answers, concepts
from memory.coverage import negations, numbers
from memory.page import Line
from memory.slots import asked_slot, slots_of
from memory.words import STOP_WORDS, bag, content, covered, tokens

GENERIC = bag(
    "事 件 条 那 规 矩 则 记 忆 忘 删 掉 别 留 存 说 过 关 于 原 来 前 全 部 所 有 东 西 用户 现在 已经 没有 不是 "
    "这个 那个 thing stuff "
    "rule note what told said anything everything have know about forget delete remove longer anymore ever again "
    "one line memory now not more drop lose keep remember user"
)
FEATURES = (
    "held", "meant", "cosine", "best cosine", "lead", "slot", "asked slot", "same holder", "other holder",
    "same facts", "answers", "shared pair", "only here", "same number", "turned", "bias",
)  # fmt: skip
DEEDS = ("forget", "change")
WEIGHTS = Path(__file__).with_name("aiming.npz")
_NEAR, _WIDTH = 0.80, 0.12  # cosines crowd between these


def nearness(cosine: float) -> float:
    """How near two short texts are: 0 of what has nothing in common, 1 of what says the same."""
    return max(0.0, (cosine - _NEAR) / _WIDTH)


def likeness(
    said: str, new: str, lines: Sequence[tuple[str, Line]], cosines: Sequence[float] | None
) -> NDArray[np.float64]:
    """(lines, FEATURES) what a sentence has in common with each line.

    Args:
        said: what was said.
        new: the line it would become; for a "forget" what is to be forgotten.
        cosines: of `new` and each line, where there are vectors.
    """
    words = [word for word in content(f"{said} {new}") if word not in GENERIC]
    wanted = [word for word in content(new) if word not in GENERIC]
    mine, own, slots, asked = _names(f"{said} {new}"), concepts(new), slots_of(new), asked_slot(said)
    shared = [mine & _names(f"{line.text} {line.when or ''}") for _, line in lines]
    often = Counter(name for names in shared for name in names)
    near = [min(1.0, nearness(c)) for c in cosines] if cosines else [0.0] * len(lines)
    order = sorted(near, reverse=True)
    rows = []
    for i, (_, line) in enumerate(lines):
        held = [word for word in content(line.text) if word not in GENERIC]
        theirs = concepts(line.text)
        second = order[1] if len(order) > 1 else 0.0
        rows.append(
            [
                covered(held, words) if held else 0.0,
                covered(wanted, held) if wanted else 0.0,
                near[i],
                float(near[i] == order[0] and near[i] > 0),
                near[i] - second if near[i] == order[0] else 0.0,
                float(bool(slots.keys() & slots_of(line.text).keys())),
                float(asked is not None and asked in slots_of(line.text)),
                float(bool(own.holders) and own.holders == theirs.holders),
                float(own.holders != theirs.holders),
                float(bool(own.facts & theirs.facts)),
                float(bool(own.holders and own.facts) and answers(new, line.text)),
                min(len(shared[i]), 3) / 3,
                float(any(often[name] == 1 for name in shared[i])),
                float(bool(numbers(new) & numbers(line.text))),
                float(negations(said) % 2 != negations(line.text) % 2),
                1.0,
            ]
        )
    return np.asarray(rows, np.float64).reshape(len(lines), len(FEATURES))


def _names(text: str) -> set[str]:
    """Words, and pairs of Han, that tell one line from another."""
    return {t for t in tokens(text) if t not in GENERIC and t not in STOP_WORDS and len(t) > 1}


@dataclass(frozen=True, slots=True)
class Aim:
    """The scorer of one kind of sentence."""

    weights: NDArray[np.float64]

    def __call__(self, rows: NDArray[np.float64]) -> list[float]:
        """The chance of each line to be the one that is meant."""
        return [float(p) for p in 1 / (1 + np.exp(-(rows @ self.weights)))]


@cache
def load_aims() -> dict[str, Aim]:
    """The shipped scorers, read once."""
    with np.load(WEIGHTS) as held:
        return {kind: Aim(held[kind].astype(np.float64)) for kind in DEEDS}
