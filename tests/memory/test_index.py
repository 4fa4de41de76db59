"""How an index ranks: what is asked, how meaning stands out, how three scores become one."""

from __future__ import annotations

import numpy as np
import pytest

from memory.index import asked, blend, risen


def test_little_words_do_not_ask() -> None:
    assert asked("What did the dog do to my shoes?") == ["dog", "shoe"]


def test_a_question_of_little_words_only_asks_with_all_of_them() -> None:
    assert asked("who are you") == ["who", "are", "you"]


def test_han_is_asked_by_pairs_and_glued_ascii_falls_apart() -> None:
    assert asked("重跑gen-itgc后") == ["重跑", "gen", "itgc", "后"]


def test_the_middle_of_all_cosines_is_zero() -> None:
    assert risen(np.array([0.80, 0.82, 0.90], np.float32)) == pytest.approx([0, 0, 1])


@pytest.mark.parametrize("cosines", [[], [0.8], [0.8, 0.8]])
def test_cosines_that_say_nothing_rise_nowhere(cosines: list[float]) -> None:
    assert not risen(np.array(cosines, np.float32)).any()


def test_each_score_counts_by_its_own_best() -> None:
    own, context = np.array([10.0, 0.0, 0.0]), np.array([0.0, 0.1, 0.0])
    scores = blend(own, context, np.array([0.0, 0.0, 1.0]))
    assert scores[0] == pytest.approx(scores[1])
    assert scores[2] > scores[0]
    assert (scores <= 1).all()


def test_without_meaning_words_decide() -> None:
    assert blend(np.array([2.0, 1.0]), np.array([2.0, 1.0]), None).tolist() == [1.0, 0.5]
