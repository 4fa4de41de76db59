"""Filing rules that are plain by their form."""

from __future__ import annotations

import pytest

from memory.filing_forms import Placed, placed, speaks_of_filing
from memory.wording import Language


@pytest.mark.parametrize(
    ("text", "language", "rule"),
    [
        ("车票登机牌这些，统统放进路上", "zh", Placed("车票登机牌", "路上")),
        ("球赛截图和战术板归在一块儿，叫「足球」好了", "zh", Placed("球赛截图和战术板", "足球")),
        (
            "Sketches and moodboards should live in the same folder, call it Studio",
            "en",
            Placed("Sketches and moodboards", "Studio"),
        ),
        ("Payslips? Stick them all in Work.", "en", Placed("Payslips", "Work")),
        (
            "Until July 3 put anything about the move under Flat",
            "en",
            Placed("anything about the move", "Flat"),
        ),
        ("sketches go to Studio instead", "en", Placed("sketches", "Studio")),
        ("put payslips in Work now, please", "en", Placed("payslips", "Work")),
        ("keep your answers under 50 words", "en", None),
        ("put it under Flat", "en", None),
        ("she goes to Leeds", "en", None),
        ("今天好累，叫外卖吧", "zh", None),
    ],
)
def test_a_rule_is_read_from_its_form(text: str, language: Language, rule: Placed | None) -> None:
    assert placed(text, language) == rule


def test_a_wish_without_picture_folder_or_verb_of_filing_is_none() -> None:
    assert not speaks_of_filing("in letters I want British spelling, always")
    assert speaks_of_filing("receipts go in Money")
    assert speaks_of_filing("小票放进「开销」")
