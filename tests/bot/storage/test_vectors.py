"""The matrix against a plain dict, through many random changes."""

from __future__ import annotations

import random

import numpy as np
import pytest

from bot.storage.vectors import Matrix


@pytest.mark.parametrize("seed", range(5))
def test_it_holds_what_a_dict_would(seed: int) -> None:
    pick = random.Random(seed)
    start = sorted(pick.sample(range(300), 40))
    known = {row: np.full(4, row, np.float32) for row in start}
    frozen = np.frombuffer(np.stack(list(known.values())).tobytes(), np.float32).reshape(40, 4)
    matrix = Matrix(start, frozen)
    for _ in range(3_000):
        row = pick.randrange(1_500)
        if pick.random() < 0.6:
            known[row] = np.full(4, pick.random(), np.float32)
            matrix.put(row, known[row])
        else:
            known.pop(row, None)
            matrix.drop(row)
    assert matrix.rows.tolist() == sorted(known)
    wanted = [known[row] @ np.ones(4, np.float32) for row in sorted(known)]
    assert matrix.cosines(np.ones(4, np.float32)).tolist() == pytest.approx(wanted)


def test_an_empty_one() -> None:
    matrix = Matrix()
    matrix.drop(3)
    assert matrix.cosines(np.ones(4, np.float32)).size == 0
    matrix.put(3, np.ones(4, np.float32))
    assert matrix.rows.tolist() == [3]
