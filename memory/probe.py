"""What a message is, by a linear probe trained on banks of examples; applied with NumPy alone.

Features: the centred sentence vector beside hashed character n-grams. A second head over n-grams only serves where
there are no vectors. Weights come from `python -m memory.training` and lie in `weights.npz`.
"""

from __future__ import annotations

import re
import unicodedata
import zlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from memory.words import has_han

Vectors = NDArray[np.float32]

BUCKETS = 1 << 13
DIMENSIONS = 384
VECTOR_SCALE = (
    12.0  # centred vectors are short (their cosines crowd near 1); this puts them level with n-grams
)
WEIGHTS = Path(__file__).with_name("weights.npz")

KEEPS = ("filing", "rule", "change", "fact_self", "fact_other")
# What a kept message is of in the end (a change is of one of these); each has its own levels.
KINDS = {"filing": ("filing",), "rule": ("rule",), "fact": ("fact_self", "fact_other")}
_NOT_MEANT = ("quoted", "hypothetical", "irony", "once")
_QUOTES = re.compile(r"[「『“\"][^」』”\"]{6,}[」』”\"]")


def grams(text: str) -> Counter[str]:
    """Character n-grams (1–3 for Han, 2–5 within words for the rest), whole words, and a few marks of form."""
    text = " ".join(unicodedata.normalize("NFKC", text).lower().replace("’", "'").split())
    found: Counter[str] = Counter()
    if has_han(text):
        squeezed = f"^{text.replace(' ', '')}$"
        for n in (1, 2, 3):
            found.update(squeezed[i : i + n] for i in range(len(squeezed) - n + 1))
    words = re.findall(r"[a-z0-9']+|[^\sa-z0-9']", text)
    if re.search(r"[a-z]", text):
        bounded = ["^", *words, "$"]
        found.update(f"w:{word}" for word in bounded)
        found.update(f"w:{a} {b}" for a, b in pairwise(bounded))
        for word in words:
            padded = f" {word} "
            for n in (3, 4, 5):
                found.update(padded[i : i + n] for i in range(len(padded) - n + 1))
    marks = {
        "<ask>": text.rstrip().endswith(("?", "吗", "呢", "来着", "没")),
        "<ask-in>": "?" in text,
        "<quote>": _QUOTES.search(text) is not None,
        "<colon>": ":" in text,
        "<digits>": any(c.isdigit() for c in text),
        f"<long{min(6, len(text) // (12 if has_han(text) else 30))}>": True,
    }
    found.update(mark for mark, there in marks.items() if there)
    return found


def hashed(texts: Sequence[str]) -> Vectors:
    """(n, BUCKETS) counts of n-grams, sublinear."""
    rows = np.zeros((len(texts), BUCKETS), np.float32)
    for i, text in enumerate(texts):
        for gram, n in grams(text).items():
            rows[i, zlib.crc32(gram.encode("utf-8", "replace")) % BUCKETS] += n
    return np.log1p(rows, out=rows)


def features(texts: Sequence[str], vectors: Vectors | None, idf: Vectors, centre: Vectors) -> Vectors:
    """The row of each text: weighted n-grams of unit length, then the centred vector where there is one."""
    words = hashed(texts) * idf
    words /= np.maximum(np.linalg.norm(words, axis=1, keepdims=True), 1e-6)
    if vectors is None:
        return words
    return np.hstack([words, (vectors - centre) * VECTOR_SCALE / 4.0])


@dataclass(frozen=True, slots=True)
class Head:
    """A softmax over classes."""

    classes: tuple[str, ...]
    weights: Vectors  # (features, classes)
    bias: Vectors

    def __call__(self, rows: Vectors) -> Vectors:
        """(n, classes) probabilities."""
        logits = rows @ self.weights + self.bias
        logits -= logits.max(axis=1, keepdims=True)
        raised = np.exp(logits)
        return np.asarray(raised / raised.sum(axis=1, keepdims=True), np.float32)


@dataclass(frozen=True, slots=True)
class Probe:
    """All heads with what they need: "full:…" where vectors come along, "words:…" where not."""

    idf: Vectors
    centre: Vectors
    reference: Vectors  # the vector of REFERENCE when the probe was trained
    heads: dict[str, Head]
    levels: dict[str, tuple[float, float]]  # (ask, save) by "face:kind"

    def fits(self, vectors: Vectors) -> bool:
        """Whether a vector of REFERENCE comes from the embedder that the probe was trained with."""
        return vectors.shape == (1, DIMENSIONS) and float(vectors[0] @ self.reference) > 0.97

    def rows(self, texts: Sequence[str], vectors: Vectors | None) -> Vectors:
        """Feature rows."""
        return features(texts, vectors, self.idf, self.centre)


REFERENCE = "以后把购物小票都放进报销 / receipts go under Expenses from now on"
FACES = ("full", "words")


@cache
def load_probe() -> Probe:
    """The shipped probe, read once."""
    with np.load(WEIGHTS) as held:
        heads = {
            name: Head(
                tuple(str(c) for c in held[f"{name}:classes"]),
                held[f"{name}:weights"].astype(np.float32),
                held[f"{name}:bias"].astype(np.float32),
            )
            for name in (str(name) for name in held["heads"])
        }
        names = [f"{face}:{label}" for face in FACES for label in KINDS]
        levels = {
            name: (float(low), float(high)) for name, (low, high) in zip(names, held["levels"], strict=True)
        }
        return Probe(
            held["idf"].astype(np.float32),
            held["centre"].astype(np.float32),
            held["reference"].astype(np.float32),
            heads,
            levels,
        )


def kind_in(row: Vectors, classes: Sequence[str]) -> str:
    """The likeliest kind of a kept message."""
    return max(KINDS, key=lambda kind: sum(float(row[classes.index(label)]) for label in KINDS[kind]))


def storing(whole: Vectors, parts: Vectors, classes: Sequence[str]) -> float:
    """The chance that a message holds something to keep, 0..1.

    A rule among other sentences is clear in its own sentence only, so the most storing sentence counts, unless the
    whole message is one that means nothing of what it says.
    """
    keeps = [i for i, c in enumerate(classes) if c in KEEPS]
    meant = 1 - float(sum(whole[i] for i, c in enumerate(classes) if c in _NOT_MEANT))
    return max(float(whole[keeps].sum()), meant * float(parts[:, keeps].sum(axis=1).max()))
