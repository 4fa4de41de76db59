"""The matrix against a plain dict, through many random changes; and many vectors against all of them in full."""

from __future__ import annotations

import random

import numpy as np
import pytest

from bot.storage.vectors import MANY, Matrix, packed, unpacked


@pytest.mark.parametrize("seed", range(5))
def test_it_holds_what_a_dict_would(seed: int) -> None:
    pick = random.Random(seed)
    start = sorted(pick.sample(range(300), 40))
    known = {row: np.full(4, row, np.float32) for row in start}
    matrix = Matrix(start, [packed(vector) for vector in known.values()])
    for _ in range(3_000):
        row = pick.randrange(1_500)
        if pick.random() < 0.6:
            known[row] = np.full(4, pick.random(), np.float32)
            matrix.put(row, packed(known[row]))
        else:
            known.pop(row, None)
            matrix.drop(row)
    assert matrix.rows.tolist() == sorted(known)
    wanted = [known[row] @ np.ones(4, np.float32) for row in sorted(known)]
    assert matrix.cosines(np.ones(4, np.float32)).tolist() == pytest.approx(wanted, rel=1e-5)


def test_an_empty_one() -> None:
    matrix = Matrix()
    matrix.drop(3)
    assert matrix.cosines(np.ones(4, np.float32)).size == 0
    matrix.put(3, packed(np.ones(4, np.float32)))
    assert matrix.rows.tolist() == [3]


def test_eight_bits_a_number_lose_next_to_nothing() -> None:
    vector = np.random.default_rng(1).standard_normal(384).astype(np.float32)
    vector /= np.linalg.norm(vector)
    blob = packed(vector)
    assert len(blob) == 388
    assert float(unpacked(np.frombuffer(blob, np.uint8)[None, :])[0] @ vector) == pytest.approx(1, abs=1e-3)


def test_of_many_the_nearest_are_exact() -> None:
    made = np.random.default_rng(2)
    topics = made.standard_normal((60, 384))
    vectors = (
        topics[made.integers(60, size=MANY + 500)] + 0.7 * made.standard_normal((MANY + 500, 384))
    ).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    blobs = [packed(vector) for vector in vectors]
    matrix = Matrix(range(MANY), blobs[:MANY])
    for row in range(MANY, MANY + 500):
        matrix.put(row, blobs[row])
    for number in (0, 7, MANY + 3):
        exact = vectors @ vectors[number]
        found = matrix.cosines(vectors[number])
        best = np.argsort(-exact)[:10]
        assert (
            len({*np.argsort(-found)[:10].tolist()} & {*best.tolist()}) >= 9
        )  # 8 bits may swap two that tie
        assert found[best] == pytest.approx(exact[best], abs=2e-3)
