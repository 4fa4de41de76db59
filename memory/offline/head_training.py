"""Training of the heads in `probe.py`. Needs scikit-learn (dev only).

The head that tells what a sentence is has a hidden layer: it learns over the strongest directions of the n-grams
(a truncated SVD, which is what keeps it from learning single words by heart), and since those are linear, they are
folded into its first layer, so that applying it takes no more than two matrix products.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memory.offline.probe import AROUND, BUCKETS, Head, Vectors

_DIRECTIONS = 300  # of n-grams
_GRAMS, _VECTORS = 3.0, 2.0  # how much louder n-grams and vectors are than as features
_HIDDEN = 48
_SEEDS = (0, 1)  # nets whose logits are averaged; one alone is luck
_ROUNDS = 25
_ALPHA = 0.06


@dataclass(frozen=True, slots=True)
class Directions:
    """The strongest directions of n-grams and surroundings: (features, directions)."""

    basis: Vectors

    def of(self, rows: Vectors) -> Vectors:
        """Rows along the directions, whatever follows the n-grams beside them."""
        n = len(self.basis)
        return np.hstack([rows[:, :n] @ self.basis * _GRAMS, rows[:, n:] * _VECTORS]).astype(np.float32)

    def folded(self, weights: Vectors) -> Vectors:
        """Weights over rows along the directions, as weights over the rows themselves."""
        k = self.basis.shape[1]
        return np.vstack([self.basis @ weights[:k] * _GRAMS, weights[k:] * _VECTORS]).astype(np.float32)


def directions(rows: Vectors) -> Directions:
    """Of a set of rows."""
    from scipy.sparse import csr_matrix
    from sklearn.decomposition import TruncatedSVD

    model = TruncatedSVD(_DIRECTIONS, random_state=0)
    model.fit(csr_matrix(rows[:, : BUCKETS + AROUND]))
    return Directions(model.components_.T.astype(np.float32))


def fit_net(
    rows: Vectors, labels: NDArray[Any], weight: NDArray[np.float64], along: Directions, rounds: int = _ROUNDS
) -> Head:
    """A head with a hidden layer over rows that lie *along the directions*; its first layer is for plain rows."""
    from sklearn.neural_network import MLPClassifier

    hidden: list[tuple[Vectors, Vectors]] = []
    last: list[tuple[Vectors, Vectors]] = []
    classes: tuple[str, ...] = ()
    for seed in _SEEDS:
        model = MLPClassifier(
            (_HIDDEN,),
            alpha=_ALPHA,
            max_iter=rounds,
            learning_rate_init=1e-3,
            batch_size=64,
            random_state=seed,
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the rounds are as many as do good
            model.fit(rows, labels, sample_weight=weight)
        classes = tuple(str(c) for c in model.classes_)
        hidden.append((along.folded(model.coefs_[0]), model.intercepts_[0]))
        last.append((model.coefs_[1] / len(_SEEDS), model.intercepts_[1] / len(_SEEDS)))
    first = (np.hstack([w for w, _ in hidden]), np.hstack([b for _, b in hidden]))
    second = (np.vstack([w for w, _ in last]), np.sum([b for _, b in last], axis=0))
    return Head(classes, (first, second))


def fit_plain(
    rows: Vectors,
    labels: NDArray[Any],
    weight: NDArray[np.float64] | None = None,
    *,
    closely: float = 8.0,
    rounds: int = 60,
) -> Head:
    """A head without a hidden layer.

    Args:
        closely: how closely it may follow the examples; the inverse of what its weights cost.
    """
    from scipy.sparse import csr_matrix
    from sklearn.linear_model import LogisticRegression

    model = LogisticRegression(C=closely, max_iter=rounds, tol=1e-3)
    model.fit(csr_matrix(rows), labels, sample_weight=weight)
    weights, bias = model.coef_.T, model.intercept_
    if len(model.classes_) == 2:
        weights, bias = np.hstack([np.zeros_like(weights), weights]), np.asarray([0.0, bias[0]])
    return Head(tuple(str(c) for c in model.classes_), ((weights, bias),))


def packed(name: str, head: Head) -> dict[str, Any]:
    """A head as arrays of the file of weights."""
    held: dict[str, Any] = {f"{name}:classes": np.asarray(head.classes), f"{name}:layers": len(head.layers)}
    for i, (weights, bias) in enumerate(head.layers):
        held |= {f"{name}:weights{i}": weights.astype(np.float16), f"{name}:bias{i}": bias.astype(np.float32)}
    return held
