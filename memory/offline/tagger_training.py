"""Training of the tagger in `spans.py`. Needs scikit-learn (dev only)."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from memory.offline.banks import Example
from memory.offline.spans import BUCKETS, TAGS, group_of, token_features
from memory.offline.tokens import Token, tokenise


def gold(example: Example, tokens: Sequence[Token]) -> list[str]:
    """Tags of an example as annotated."""
    text, tags = example.text, ["O"] * len(tokens)
    kept = text.find(example.keep) if example.keep else -1
    what = text.find(example.what, max(kept, 0)) if example.what else -1
    after = what + len(example.what) if what >= 0 else 0
    where = text.find(example.where, after) if example.where else -1
    if example.where and where < 0:
        where = text.rfind(example.where)
    for span, start, kind in (
        (example.keep, kept, ""),
        (example.what, what, "W"),
        (example.where, where, "P"),
    ):
        held = [i for i, t in enumerate(tokens) if span and start <= t.start and t.end <= start + len(span)]
        for i in held:
            step = "S" if len(held) == 1 else "B" if i == held[0] else "E" if i == held[-1] else "I"
            tags[i] = f"{step}-{kind}" if kind else "K"
    return tags


def _varied(examples: Sequence[Example], copies: int = 10) -> list[Example]:
    """More examples, with kinds of pictures and places of one put into the words of another."""
    random = np.random.default_rng(5)
    out = list(examples)
    for lang in ("zh", "en"):
        mine = [e for e in examples if e.lang == lang and e.where]
        whats, wheres = [e.what for e in mine if e.what], [e.where for e in mine]
        for e in mine:
            for _ in range(copies if e.what else copies // 2):
                what = str(random.choice(whats)) if e.what else ""
                other = _swapped(e, what, str(random.choice(wheres)))
                out.extend([other] if other else [])
    return out


def _swapped(e: Example, what: str, where: str) -> Example | None:
    """With another kind and place; None where they could not be told apart any more."""
    if e.text.count(e.where) != 1 or (
        e.what and (e.text.count(e.what) != 1 or e.where in e.what or e.what in e.where)
    ):
        return None

    def put(text: str) -> str:
        marked = text.replace(e.what, "\0") if e.what else text
        return marked.replace(e.where, "\1").replace("\0", what).replace("\1", where)

    text = put(e.text)
    if text.count(where) != 1 or (what and (text.count(what) != 1 or what in where or where in what)):
        return None
    return replace(e, text=text, keep=put(e.keep), what=what, where=where)


def train_tagger(examples: Sequence[Example]) -> dict[str, Any]:
    """A regularised linear classifier of tokens; sequences are put together when it is applied."""
    from scipy.sparse import csr_matrix
    from sklearn.linear_model import LogisticRegression

    counts = Counter(word for e in examples for word in {t.text.lower() for t in tokenise(e.text)})
    common = frozenset(word for word, _ in counts.most_common(400))
    rows, tags = [], list[str]()
    for example in _varied(examples):
        if example.keep or example.where:
            tokens = tokenise(example.text)
            rows.append(token_features(tokens, group_of(example.label, example.of), common))
            tags += gold(example, tokens)
    found = np.vstack(rows)
    n, width = found.shape
    ends = np.arange(0, n * width + 1, width)
    matrix = csr_matrix((np.ones(n * width, np.float32), found.ravel(), ends), shape=(n, BUCKETS))
    model = LogisticRegression(C=0.3, max_iter=60)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # sixty rounds are enough; the rest only costs time
        model.fit(matrix, tags)
    order = [list(model.classes_).index(tag) for tag in TAGS]
    weights = model.coef_[order].T
    weights[np.abs(weights) < 0.02] = 0.0
    return {
        "tagger:weights": weights.astype(np.float16),
        "tagger:bias": model.intercept_[order],
        "tagger:common": np.asarray(sorted(common)),
    }
