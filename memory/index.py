"""What is said in a conversation or stands on a page, found again: the protocol of an index, and how it ranks.

A line is often only understood with what stands before it ("Which colour?" "Blue."; a page's title), so three scores
are blended: the line's words, its words with those before it, and the meaning of both. `DictIndex` keeps in memory
what fits there; an index that needs a database keeps the same protocol and gives the same answers.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from memory.words import asking_terms, tokens

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
    group: str = ""  # conversation or page; without a head, the neighbour before it in there is its context
    # its date in words that people may ask with ("8 May 2023", "2023-05-08"); searched like text
    when: str = ""
    head: str = ""  # what it stands under (a page's title): its context, in place of a neighbour

    @property
    def own(self) -> str:
        """The words that are its own."""
        return f"{self.text}\n{self.when}"


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


@dataclass(frozen=True, slots=True)
class Held:
    """All documents of one group, and a mark that is another one as soon as any of them differs."""

    mark: str
    documents: tuple[Document, ...]


def held(documents: Iterable[Document]) -> Held:
    """A group's documents, marked by what they say."""
    found = tuple(documents)
    sums = hashlib.blake2b(digest_size=12)
    for each in found:
        sums.update(repr((each.id, each.text, each.when, each.head)).encode("utf-8", "replace"))
    return Held(sums.hexdigest(), found)


class Index(Protocol):
    """Documents of one person, found by words and meaning. It is made from them alone and can be made again.

    All raise `memory.errors.IndexUnusable` when what the index is kept in cannot be used.
    """

    async def put(self, documents: Sequence[Document], mark: str = "") -> None:
        """Take documents in, in the order in which they were said; their meanings may follow later.

        `mark`: how far its owner has come, to be the mark of the group "" when all are in.
        """
        ...

    async def drop(self, ids: Sequence[str]) -> None:
        """Forget documents; unknown ids are passed over."""
        ...

    async def clear(self) -> None:
        """Forget everything."""
        ...

    async def marks(self) -> Mapping[str, str]:
        """Group → the mark of what is held of it, for those that came by `hold`."""
        ...

    async def hold(self, groups: Mapping[str, Held], gone: Collection[str] = ()) -> None:
        """Make these groups hold exactly this, and forget others, all or nothing."""
        ...

    async def understand(self, most: int | None = None) -> int:
        """Give up to `most` documents the meanings they still lack, newest first; returns how many lack them yet.

        A failure of the encoder leaves them as they are: found by their words, and tried again at the next call.
        """
        ...

    async def find(
        self,
        words: str,
        most: int = 10,
        *,
        among: Collection[str] | None = None,
        also: str = "",
        meant: bool = True,
    ) -> list[Hit]:
        """The documents that answer best, best first. `among`: the ids that may; None = all. `also`: more words that
        they are looked up by, which say nothing of what is meant. `meant`: by meaning too, not by words alone."""
        ...


Whole = NDArray[np.integer[Any]]


@dataclass(frozen=True, slots=True)
class Postings:
    """Where one term stands: a row each, each once, all arrays of one length."""

    rows: NDArray[np.int64]
    own: Whole  # times among the document's own words, often 0
    context: Whole  # times among these and its context's
    own_length: Whole  # terms in the document
    context_length: Whole  # … with its context

    def at(self, places: NDArray[Any]) -> Postings:
        """Some of them."""
        return Postings(
            self.rows[places],
            self.own[places],
            self.context[places],
            self.own_length[places],
            self.context_length[places],
        )


@dataclass(frozen=True, slots=True)
class Totals:
    """Of a whole index."""

    documents: int
    own: int  # terms in all documents
    context: int  # … with their contexts


_K1, _B = 1.2, 0.75
POOL = 300  # candidates that each of the three ways of looking brings
COMMON = 8_192  # documents; a term that stands in more of them brings none where others have brought enough


def worded(
    found: Iterable[Postings], totals: Totals, size: int, allowed: NDArray[np.int64] | None = None
) -> tuple[Scores, Scores]:
    """BM25 by row (0 … size - 1): of documents' own words, and with their contexts'. 0 = shares no term.

    The rarest terms come first. Once they have brought as many rows as are looked at, a very common one only says
    which of these is better: in a large index it would bring most of it, and none of that would be the best.

    Args:
        allowed: rows that may have a score; None = all.
    """
    own, context = np.zeros(size), np.zeros(size)
    within = None
    if allowed is not None:
        within = np.zeros(size, bool)
        within[allowed] = True
    documents = totals.documents
    brought = 0  # rows, by the one term that brought most
    for whole in sorted(found, key=lambda one: one.rows.size):
        each = whole if within is None else whole.at(within[whole.rows])
        if whole.rows.size > COMMON and brought >= POOL:
            each = each.at(context[each.rows] > 0)
        brought = max(brought, each.rows.size)
        weight = _weight(whole.rows.size, documents)
        _add(context, each.rows, each.context, each.context_length, weight, totals.context / documents)
        held = np.flatnonzero(each.own)
        if held.size < each.rows.size:  # most terms of a context stand in few documents themselves
            each = each.at(held)
        weight = _weight(int(np.count_nonzero(whole.own)), documents)
        _add(own, each.rows, each.own, each.own_length, weight, totals.own / documents)
    return own, context


def _weight(there: int, documents: int) -> float:
    """Of a term that stands in so many of all documents."""
    return float(np.log1p((documents - there + 0.5) / (there + 0.5)))


def _add(
    scores: Scores, rows: NDArray[np.int64], counts: Whole, lengths: Whole, weight: float, mean: float
) -> None:
    """`mean`: length of all documents. What is added up by hundred thousands is added up in place."""
    times = counts.astype(np.float32)
    norm = lengths.astype(np.float32)
    norm *= _K1 * _B / max(mean, 1e-9)
    norm += _K1 * (1 - _B)
    norm += times
    times *= weight * (_K1 + 1)
    times /= norm
    scores[rows] += times


def best(scores: NDArray[Any], most: int) -> NDArray[np.int64]:
    """Where the highest positive scores stand, in no order."""
    there = np.flatnonzero(scores > 0)
    if there.size <= most:
        return there
    return there[np.argpartition(-scores[there], most - 1)[:most]]


@dataclass(frozen=True, slots=True)
class Chosen:
    """A row that answers."""

    row: int
    score: float
    cosine: float
    worded: bool


def choose(
    own: Scores,
    context: Scores,
    rows: NDArray[np.int64],
    cosines: NDArray[np.float32] | None,
    most: int,
    allowed: NDArray[np.int64] | None = None,
) -> list[Chosen]:
    """The best rows, best first, of the three ways of looking.

    Args:
        allowed: rows that may be chosen; None = all.
        own, context: what `worded` gives.
        rows: those that have a vector.
        cosines: of the question and each of `rows`; None without vectors.
    """
    pool = max(POOL, most)
    if allowed is not None and cosines is not None:
        may = np.zeros(own.size, bool)
        may[allowed] = True
        rows, cosines = rows[may[rows]], cosines[may[rows]]
    candidates = [best(own, pool), best(context, pool)]
    near, meant = np.zeros(own.size), np.zeros(own.size)
    if cosines is not None and rows.size:
        near[rows], meant[rows] = cosines, risen(cosines)
        top = np.argpartition(-cosines, pool - 1)[:pool] if rows.size > pool else np.arange(rows.size)
        candidates.append(rows[top])
    found = np.unique(np.concatenate(candidates))
    scores = blend(own[found], context[found], meant[found] if cosines is not None and rows.size else None)
    order = np.argsort(-scores, kind="stable")[:most]
    return [
        Chosen(
            int(found[i]),
            float(scores[i]),
            float(near[found[i]]),
            bool(own[found[i]] or context[found[i]]),
        )
        for i in order
    ]


def asked_for(words: str, also: str = "") -> list[str]:
    """The terms that a question is looked up by; one Han character alone stands for every term it begins."""
    return asking_terms([*asked(words), *telling(also)])


def telling(words: str) -> list[str]:
    """The tokens of a question that say what it is about, each once."""
    return [token for token in dict.fromkeys(tokens(words)) if token not in _SAYS_NOTHING]


def asked(words: str) -> list[str]:
    """As `telling`; all tokens when none says anything."""
    return telling(words) or list(dict.fromkeys(tokens(words)))


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
