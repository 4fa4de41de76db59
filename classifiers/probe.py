"""A linear probe: which kind of picture is a text from? Logistic regression over centred sentence vectors.

The weights are made by `python -m classifiers.training` from examples/ and applied with NumPy.
Vectors are centred because those of this model crowd together (any two texts are 0.8 alike or more).
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

import numpy as np
from numpy.typing import NDArray

from classifiers.layout import features

WINDOW = 400  # characters of a text that one vector stands for; the examples are about that long
LOOKS = 0.07  # how much a text's looks weigh beside its meaning (cross-validated)
WINDOWS = 4  # of one text at most: with 2 or 3, long documents are told apart less well

Vector = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Names:
    """A second probe, over what people call the kinds: for categories' names and rules' conditions."""

    mean: Vector
    weights: Vector  # (kinds + 1) x 384: the last row is for words that name none of the kinds
    bias: Vector

    def chances(self, vectors: Vector) -> Vector:
        """P(kind) for each row of `vectors`; what is missing to 1 is the chance that no kind is named."""
        return softmax(centre(vectors, self.mean) @ self.weights.T + self.bias)[..., :-1]


@dataclass(frozen=True, slots=True)
class Probe:
    """The trained weights."""

    kinds: tuple[str, ...]
    mean: Vector  # 384: what is subtracted from a vector
    layout: Vector  # 2 x layout.SIZE: mean and spread of the bank's looks
    weights: Vector  # kinds x (384 + layout.SIZE)
    bias: Vector  # kinds
    names: Names  # the same for a few words that *name* pictures

    def chances(self, vectors: Vector, texts: Sequence[str]) -> Vector:
        """P(kind) of one text from its windows (`texts`, and a row of `vectors` for each)."""
        looks = (np.stack([features(text) for text in texts]) - self.layout[0]) * (LOOKS / self.layout[1])
        seen = np.hstack([centre(vectors, self.mean), looks])
        return softmax((seen @ self.weights.T + self.bias).mean(axis=0))


def centre(vectors: Vector, mean: Vector) -> Vector:
    """Unit vectors around a bank's middle: cosines of these spread, so that they can be compared."""
    moved = vectors - mean
    lengths = np.maximum(np.linalg.norm(moved, axis=-1, keepdims=True), 1e-6)
    return np.asarray(moved / lengths, dtype=np.float32)


def softmax(logits: Vector) -> Vector:
    """Chances along the last axis."""
    powers = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=-1, keepdims=True), dtype=np.float32)


def windows(text: str) -> list[str]:
    """Cut a text into at most WINDOWS pieces at line ends, spread over its whole length."""
    pieces: list[str] = []
    piece = ""
    for line in text.splitlines() or [""]:
        if piece and len(piece) + len(line) > WINDOW:
            pieces.append(piece)
            piece = ""
        piece += f"{line[:WINDOW]}\n"
    pieces.append(piece)
    if len(pieces) > 1 and len(pieces[-1]) < WINDOW // 4:
        last = pieces.pop()
        pieces[-1] += last
    if len(pieces) > WINDOWS:
        pieces = [pieces[round(i * (len(pieces) - 1) / (WINDOWS - 1))] for i in range(WINDOWS)]
    return [piece.strip() for piece in pieces]


async def ready() -> None:
    """Load the weights off the event loop; after the first time this costs nothing."""
    if not load.cache_info().currsize:
        await asyncio.to_thread(load)


@cache
def load() -> Probe:
    """The shipped weights."""
    with resources.files("classifiers").joinpath("probe.npz").open("rb") as file, np.load(file) as stored:
        return Probe(
            kinds=tuple(str(kind) for kind in stored["kinds"]),
            mean=stored["mean"].astype(np.float32),
            layout=stored["layout"].astype(np.float32),
            weights=stored["weights"].astype(np.float32),
            bias=stored["bias"].astype(np.float32),
            names=Names(
                *(stored[f"names_{part}"].astype(np.float32) for part in ("mean", "weights", "bias"))
            ),
        )
