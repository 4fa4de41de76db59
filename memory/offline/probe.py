"""What a sentence is, by a small probe trained on banks of examples; applied with NumPy alone.

Features: hashed character n-grams and the centred vector of the sentence, the vector of the message around it, and
hashed words of what stands before it and of what the assistant said last. A second head without vectors serves where
there are none. Weights come from `python -m memory.offline.training` and lie in `weights.npz`.
"""

from __future__ import annotations

import re
import unicodedata
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from memory.offline.said import Said, last_sentence, marks
from memory.words import has_han

Vectors = NDArray[np.float32]

BUCKETS = 1 << 13
AROUND = 1 << 10  # buckets of what surrounds a sentence
DIMENSIONS = 384
VECTOR_SCALE = (
    3.0  # centred vectors are short (their cosines crowd near 1); this puts them level with n-grams
)
_MARKS, _NEAR = 0.7, 0.5  # lengths of what surrounds a sentence, beside the 1 of its own n-grams
WEIGHTS = Path(__file__).with_name("weights.npz")

KEEPS = ("filing", "rule", "change", "fact_self", "fact_other")
# What a kept message is of in the end (a change is of one of these); each has its own levels.
KINDS = {"filing": ("filing",), "rule": ("rule",), "fact": ("fact_self", "fact_other")}
_NOT_MEANT = ("quoted", "hypothetical", "irony")
_LATIN = re.compile(r"[a-z]")
_WORDS = re.compile(r"[a-z0-9']+|[^\sa-z0-9']")
_QUOTES = re.compile(r"[「『“\"][^」』”\"]{6,}[」』”\"]")


def grams(text: str) -> list[str]:
    """Character n-grams (1–3 for Han, 2–5 within words for the rest), whole words, and a few marks of form; each as
    often as it stands there."""
    text = " ".join(unicodedata.normalize("NFKC", text).lower().replace("’", "'").split())
    found: list[str] = []
    han = has_han(text)
    if han:
        squeezed = f"^{text.replace(' ', '')}$"
        for n in (1, 2, 3):
            found += [squeezed[i : i + n] for i in range(len(squeezed) - n + 1)]
    if _LATIN.search(text):
        words = _WORDS.findall(text)
        bounded = ["^", *words, "$"]
        found += [f"w:{word}" for word in bounded]
        found += [f"w:{a} {b}" for a, b in pairwise(bounded)]
        for word in words:
            padded = f" {word} "
            for n in (3, 4, 5):
                found += [padded[i : i + n] for i in range(len(padded) - n + 1)]
    if text.rstrip().endswith(("?", "吗", "呢", "来着", "没")):
        found.append("<ask>")
    if "?" in text:
        found.append("<ask-in>")
    if _QUOTES.search(text):
        found.append("<quote>")
    if ":" in text:
        found.append("<colon>")
    if any(map(str.isdigit, text)):
        found.append("<digits>")
    found.append(f"<long{min(6, len(text) // (12 if han else 30))}>")
    return found


def _buckets(names: Sequence[str], count: int) -> list[int]:
    return [zlib.crc32(name.encode("utf-8", "replace")) % count for name in names]


def hashed(texts: Sequence[str]) -> Vectors:
    """(n, BUCKETS) counts of n-grams, sublinear."""
    rows = np.zeros((len(texts), BUCKETS), np.float32)
    for i, text in enumerate(texts):
        rows[i] = np.bincount(_buckets(grams(text), BUCKETS), minlength=BUCKETS)
    return np.log1p(rows, out=rows)


def around(sentences: Sequence[Said]) -> Vectors:
    """(n, AROUND) what each one's surroundings look like: marks of form, n-grams of what came before."""
    rows = np.zeros((len(sentences), AROUND), np.float32)
    for i, one in enumerate(sentences):
        _add(rows[i], [f"m:{mark}" for mark in marks(one)], _MARKS)
        _add(rows[i], _before("h", last_sentence(one.heard)), _NEAR)
        _add(rows[i], _before("b", one.before), _NEAR)
    return rows


@lru_cache(64)  # most often nothing; else the same words for each sentence of a message
def _before(where: str, text: str) -> tuple[str, ...]:
    return tuple(f"{where}:{gram}" for gram in dict.fromkeys(grams(text)))


def _add(row: Vectors, names: Sequence[str], length: float) -> None:
    """Add names to a row so that together they are of that length, however many they are."""
    np.add.at(row, _buckets(names, AROUND), np.float32(length / len(names) ** 0.5))


def features(
    sentences: Sequence[Said], vectors: Vectors | None, wholes: Vectors | None, idf: Vectors, centre: Vectors
) -> Vectors:
    """The row of each sentence: weighted n-grams of unit length, its surroundings, then vectors where there are any.

    Args:
        vectors: of the sentences.
        wholes: of the messages that they stand in; not looked at where a sentence is all of its message.
    """
    words = hashed([one.text for one in sentences]) * idf
    words /= np.maximum(np.linalg.norm(words, axis=1, keepdims=True), 1e-6)
    parts = [words, around(sentences)]
    if vectors is not None and wholes is not None:
        among = np.asarray([[0.0 if one.alone else 1.0] for one in sentences], np.float32)
        parts += [(vectors - centre) * VECTOR_SCALE, (wholes - centre) * VECTOR_SCALE * among * 0.7]
    return np.hstack(parts)


@dataclass(frozen=True, slots=True)
class Head:
    """A softmax over classes, with hidden layers before it or none."""

    classes: tuple[str, ...]
    layers: tuple[tuple[Vectors, Vectors], ...]  # (weights, bias) of each, first to last

    def __call__(self, rows: Vectors) -> Vectors:
        """(n, classes) probabilities."""
        for weights, bias in self.layers[:-1]:
            rows = np.maximum(rows @ weights + bias, 0.0)
        weights, bias = self.layers[-1]
        logits = rows @ weights + bias
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
    leans: dict[str, Vectors]  # by face: how much commoner each class is in real talk than in the banks

    def fits(self, vectors: Vectors) -> bool:
        """Whether a vector of REFERENCE comes from the embedder that the probe was trained with."""
        return vectors.shape == (1, DIMENSIONS) and float(vectors[0] @ self.reference) > 0.97

    def rows(self, sentences: Sequence[Said], vectors: Vectors | None) -> Vectors:
        """Feature rows of one message: first the whole, then its sentences; `vectors` in the same order."""
        wholes = None if vectors is None else np.repeat(vectors[:1], len(sentences), axis=0)
        return features(sentences, vectors, wholes, self.idf, self.centre)


REFERENCE = "以后把购物小票都放进报销 / receipts go under Expenses from now on"
FACES = ("full", "words")


@cache
def load_probe() -> Probe:
    """The shipped probe, read once."""
    with np.load(WEIGHTS) as held:
        heads = {
            name: Head(
                tuple(str(c) for c in held[f"{name}:classes"]),
                tuple(
                    (
                        held[f"{name}:weights{i}"].astype(np.float32),
                        held[f"{name}:bias{i}"].astype(np.float32),
                    )
                    for i in range(int(held[f"{name}:layers"]))
                ),
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
            {face: held[f"{face}:lean"].astype(np.float32) for face in FACES},
        )


def kind_in(row: Vectors, classes: Sequence[str]) -> str:
    """The likeliest kind of a kept message."""
    return max(KINDS, key=lambda kind: sum(float(row[classes.index(label)]) for label in KINDS[kind]))


def storing(whole: Vectors, each: Vectors, classes: Sequence[str], lean: Vectors) -> Vectors:
    """The chance of each sentence to hold something to keep, 0..1.

    A rule among other sentences is clear in its own sentence only; one in a message that means nothing of what it
    says is none.

    Args:
        lean: how much commoner each class is in real talk than in the banks. What a message is called is read off
            the bare chances; whether to write it down must count with how seldom there is anything to.
    """
    keeps = [i for i, c in enumerate(classes) if c in KEEPS]
    meant = 1 - float(sum(whole[i] for i, c in enumerate(classes) if c in _NOT_MEANT))
    likely = each * lean
    chances = likely[:, keeps].sum(axis=1) / likely.sum(axis=1)
    return np.asarray(chances if len(each) == 1 else chances * min(1.0, 1.5 * meant), np.float32)
