"""How an index ranks: what is asked, how meaning stands out, how three scores become one."""

from __future__ import annotations

import numpy as np
import pytest

from memory import index
from memory.index import Postings, Totals, asked, blend, choose, risen, worded


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


def standing(rows: list[int], times: int = 1) -> Postings:
    """A term that stands in these documents, all of ten words."""
    each = np.full(len(rows), times, np.uint8)
    ten = np.full(len(rows), 10, np.uint16)
    return Postings(np.array(rows, np.int64), each, each, ten, ten)


@pytest.fixture
def small_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in an index of a hundred thousand, in one of a hundred."""
    monkeypatch.setattr(index, "COMMON", 50)
    monkeypatch.setattr(index, "POOL", 3)


RARE, EVERYWHERE, TOTALS = [7, 8, 9], list(range(0, 100)), Totals(100, 1000, 1000)


@pytest.mark.usefixtures("small_is_large")
def test_a_very_common_word_ranks_what_rarer_ones_brought() -> None:
    """It tells 8 from 7, and brings none of the ninety-seven others."""
    common = standing([n for n in EVERYWHERE if n != 7])
    own, context = worded([common, standing(RARE)], TOTALS, 100)
    assert np.flatnonzero(own).tolist() == np.flatnonzero(context).tolist() == RARE
    assert own[8] == own[9] > own[7] > 0


@pytest.mark.usefixtures("small_is_large")
@pytest.mark.parametrize("few", [[], [7, 8]])
def test_where_rarer_words_bring_too_little_it_brings_the_rest(few: list[int]) -> None:
    own, _ = worded([standing(EVERYWHERE), standing(few)], TOTALS, 100)
    assert np.flatnonzero(own).tolist() == EVERYWHERE
    assert set(np.argsort(-own)[: len(few)].tolist()) == set(few)


@pytest.mark.usefixtures("small_is_large")
def test_what_may_not_be_found_hides_nothing_that_may() -> None:
    """The rarer word stands in other days only: then the common one has to do."""
    may = np.array([40, 41], np.int64)
    own, context = worded([standing(EVERYWHERE), standing(RARE)], TOTALS, 100, may)
    assert np.flatnonzero(own).tolist() == [40, 41]
    assert {each.row for each in choose(own, context, may[:0], None, 5, may)} == {40, 41}


def test_a_word_weighs_the_same_among_some_as_among_all() -> None:
    everywhere, _ = worded([standing(EVERYWHERE)], TOTALS, 100)
    some, _ = worded([standing(EVERYWHERE)], TOTALS, 100, np.array([40], np.int64))
    assert some[40] == everywhere[40] > 0
