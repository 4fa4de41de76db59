"""Cues in how a sentence is put."""

from __future__ import annotations

import pytest

from memory.offline.cues import (
    for_good,
    mocks,
)


def test_what_holds_for_good_says_so() -> None:
    assert for_good("以后都写英文")
    assert for_good("from now on use metric")
    assert not for_good("this time in metric")


@pytest.mark.parametrize("text", ["oh great, another essay", "行行行，你最棒了"])
def test_rolling_eyes(text: str) -> None:
    assert mocks(text)


def test_a_sneer_is_not_meant() -> None:
    assert mocks("行，以后都给我写两千字，我可爱看了，呵呵")
    assert not mocks("以后都给我写两千字")
