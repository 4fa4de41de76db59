"""What is said in a conversation or stands on a page, found again: the protocol of an index, and how it ranks.

A line is often only understood with the one before it ("Which colour?" "Blue."), so three scores are blended: the
line's words, its words with its neighbour's, and the meaning of both. `memory.search` ranks what fits in memory;
an index that needs a database keeps this protocol.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from memory.words import tokens

Scores = NDArray[np.float64]

OWN, CONTEXT, MEANING = 1.0, 1.0, 1.5
"""Weights of the three scores. Measured on two public sets of conversations; flat around these values."""

_LITTLE = (
    "a about also am an and any are as at be been both but by can could d did do doe doing don for from had has "
    "have he her him his how i if in into is isn it its just ll m me my no not of on or our re s she should so "
    "some such t than that the their them then there these they this those to ve was wasn we were what when where "
    "which who whom whose why will with would you your"
)
_SAYS_NOTHING = frozenset(_LITTLE.split())


@dataclass(frozen=True, slots=True)
class Document:
    """Something to be found: one message, one line."""

    id: str  # unique in an index; putting it again replaces it
    text: str
    group: str = ""  # conversation or page; the neighbour before it within the group is its context
    when: str = (
        ""  # its date in words that people may ask with ("8 May 2023", "2023-05-08"); searched like text
    )


@dataclass(frozen=True, slots=True)
class Hit:
    """A document that answers a question."""

    id: str
    score: float  # 0..1, best first; comparable within one search only
    cosine: float  # of question and document with its neighbour; 0 where there is no vector
    worded: bool  # it or its neighbour shares a word with the question


class Encoder(Protocol):
    """Unit vectors of texts, one row each, comparable between questions and passages."""

    async def passages(self, texts: Sequence[str], /) -> NDArray[np.float32]:
        """Of what is looked through."""
        ...

    async def queries(self, texts: Sequence[str], /) -> NDArray[np.float32]:
        """Of what is looked for."""
        ...


class Index(Protocol):
    """Documents of one person, found by words and meaning."""

    async def put(self, documents: Sequence[Document]) -> None:
        """Take documents in, in the order in which they were said."""
        ...

    async def drop(self, ids: Sequence[str]) -> None:
        """Forget documents; unknown ids are passed over."""
        ...

    async def find(self, words: str, most: int = 10) -> list[Hit]:
        """The documents that answer best, best first."""
        ...


def asked(words: str) -> list[str]:
    """The tokens of a question that say what it is about, each once; all of them when none does."""
    found = list(dict.fromkeys(tokens(words)))
    return [token for token in found if token not in _SAYS_NOTHING] or found


def risen(cosines: NDArray[np.float32]) -> Scores:
    """How far each cosine stands out, 0..1: vectors of unrelated texts lie close together, so the middle is zero."""
    if not cosines.size:
        return np.zeros(0)
    middle, top = float(np.median(cosines)), float(cosines.max())
    if top <= middle:
        return np.zeros(cosines.size)
    return np.clip((cosines.astype(np.float64) - middle) / (top - middle), 0.0, 1.0)


def blend(own: Scores, context: Scores, meaning: Scores | None) -> Scores:
    """One score of 0..1 for each candidate.

    Args:
        own: BM25 of each candidate's own words, unscaled.
        context: BM25 of its words with those of its neighbour before it, unscaled.
        meaning: what `risen` gives for it; None without vectors.
    """
    weights, parts = [OWN, CONTEXT], [_scaled(own), _scaled(context)]
    if meaning is not None:
        weights.append(MEANING)
        parts.append(meaning)
    return np.asarray(sum(w * part for w, part in zip(weights, parts, strict=True)) / sum(weights))


def _scaled(scores: Scores) -> Scores:
    top = float(scores.max(initial=0.0))
    return scores / top if top > 0 else np.zeros(scores.size)
