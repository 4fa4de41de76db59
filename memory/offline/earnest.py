"""Whether a sentence is meant as it is said, and meant to last: the second opinion that a silent save must pass.

A head of its own, learned from every bank by `earnest_training.py`, over the rows of the probe and what surrounds the
sentence: the signs of `signs.py`, the words of the message, of the one before it and of the assistant between them.
It finds nothing to keep; it only takes back. What it is sure of stays saved, what it doubts becomes the one question,
and the rest is let go. A form that is plain in itself ("from now on …", 记住…) is doubted only where much speaks
against it.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from memory.offline.probe import AROUND, BUCKETS, KEEPS, Vectors
from memory.offline.said import Said
from memory.offline.signs import signs

WEIGHTS = Path(__file__).with_name("earnest.npz")
SETTING = 1 << 11  # buckets of what surrounds a sentence
_SIGN, _NEAR = 0.5, 0.7  # weight of a sign; length of the words of one neighbour
_WORD = re.compile(r"[a-z0-9']+|[\u4e00-\u9fff]|[^\s\w]")


class Bar(NamedTuple):
    """The log odds from which a sentence that would be saved still is, and from which it is asked about.

    What would only be asked about must be as surely meant as what is saved.
    """

    save: float
    ask: float


def setting(sentences: Sequence[Said]) -> Vectors:
    """(n, SETTING) what surrounds each: its signs, and the words of its neighbours."""
    rows = np.zeros((len(sentences), SETTING), np.float32)
    for row, one in zip(rows, sentences, strict=True):
        _add(row, [f"sign:{name}" for name in signs(one)], _SIGN)
        for name, text in (("earlier", one.earlier), ("heard", one.heard), ("whole", one.whole)):
            if text and not (name == "whole" and one.alone):
                found = _words(text)
                _add(row, [f"{name}:{word}" for word in found], _NEAR / max(len(found), 1) ** 0.5)
    return rows


def _words(text: str) -> set[str]:
    found = _WORD.findall(text.lower().replace("’", "'"))
    return {*found, *(f"{a} {b}" for a, b in pairwise(["^", *found, "$"]))}


def _add(row: NDArray[np.float32], names: Sequence[str], weight: float) -> None:
    for name in names:
        row[zlib.crc32(name.encode("utf-8", "replace")) % SETTING] += weight


def laid_out(rows: Vectors, around: Vectors) -> Vectors:
    """Rows of the probe and of the setting as the head reads them: vectors last, so that it can do without."""
    return np.hstack([rows[:, : BUCKETS + AROUND], around, rows[:, BUCKETS + AROUND :]])


@dataclass(frozen=True, slots=True)
class Earnest:
    """The head with its bars."""

    classes: tuple[str, ...]
    weights: Vectors  # (features, classes)
    bias: Vectors
    lift: float  # what is added where there are no vectors: words alone are less sure of everything
    found: Bar  # for what the probe found
    plain: Bar  # for what is plain by its form

    def __call__(self, rows: Vectors, sentences: Sequence[Said]) -> Vectors:
        """(n,) log odds that a sentence is meant and lasts.

        Args:
            rows: of the probe; with vectors or without.
        """
        return self.odds(laid_out(rows, setting(sentences)))

    def odds(self, read: Vectors) -> Vectors:
        """The same of rows that are laid out."""
        known = read.shape[1]
        logits = read @ self.weights[:known] + self.bias
        lift = self.lift if known < len(self.weights) else 0.0
        kept = np.asarray([name in KEEPS for name in self.classes])
        return np.asarray(_log_sum(logits[:, kept]) - _log_sum(logits[:, ~kept]) + lift, np.float32)

    def allowed(self, level: str, odds: float, *, plain: bool) -> str:
        """What is left of a level: "save", "ask" or ""."""
        bar = self.plain if plain else self.found
        if level and odds >= bar.save:
            return level
        return "ask" if level == "save" and odds >= bar.ask else ""


def _log_sum(logits: Vectors) -> Vectors:
    most = logits.max(axis=1, keepdims=True)
    return np.asarray(most[:, 0] + np.log(np.exp(logits - most).sum(axis=1)), np.float32)


@cache
def load_earnest() -> Earnest:
    """The shipped head, read once. Its weights are whole numbers, each class with a scale of its own."""
    with np.load(WEIGHTS) as held:
        return Earnest(
            tuple(str(name) for name in held["classes"]),
            held["weights"].astype(np.float32) * held["scale"].astype(np.float32),
            held["bias"].astype(np.float32),
            float(held["lift"]),
            Bar(*map(float, held["found"])),
            Bar(*map(float, held["plain"])),
        )
