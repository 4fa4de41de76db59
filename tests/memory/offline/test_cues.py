"""Cues in how a sentence is put."""

from __future__ import annotations

import pytest

from memory.offline.cues import (
    for_good,
    mocks,
    settles,
)


def test_what_holds_for_good_says_so() -> None:
    assert for_good("以后都写英文")
    assert for_good("from now on use metric")
    assert not for_good("this time in metric")


@pytest.mark.parametrize("text", ["oh great, another essay", "行行行，你最棒了"])
def test_rolling_eyes(text: str) -> None:
    assert mocks(text)


@pytest.mark.parametrize(
    "text",
    [
        "In future would you kindly stop using emoji",
        "one thing for this and all site reports from now on: close with the weather",
        "for every invoice going forward, put the total first",
        "could you in future always round to the pound",
    ],
)
def test_a_wish_for_good_beyond_doubt(text: str) -> None:
    assert settles(text)


@pytest.mark.parametrize(
    "text",
    [
        "would you kindly stop",
        "for all guests: close the gate",
        "from now on I work in Bari",
        "以后咱家都用洗碗机了",
    ],
)
def test_a_wish_that_is_open_to_doubt(text: str) -> None:
    assert not settles(text)


def test_a_sneer_is_not_meant() -> None:
    assert mocks("行，以后都给我写两千字，我可爱看了，呵呵")
    assert not mocks("以后都给我写两千字")
