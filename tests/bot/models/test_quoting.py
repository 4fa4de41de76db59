"""Questions about a picture with no model: the lines that answer them, with what stands behind a label."""

from __future__ import annotations

import pytest

from bot.models.quoting import lines_about

RECEIPT = "BLUE DOOR CAFE\nFlat white\n7.60\nSUBTOTAL\n10.85\n\nTOTAL\n13.02\nThank you"


@pytest.mark.parametrize(
    ("question", "text", "lines"),
    [
        ("what is the total?", RECEIPT, ["TOTAL 13.02"]),
        ("how much was the flat white?", RECEIPT, ["Flat white 7.60"]),
        ("when is boarding?", "GATE 14 BOARDING 08:35\nSEAT 23A", ["GATE 14 BOARDING 08:35"]),
        ("哪个登机口？", "航班 MU523\n登机口：\nC12", ["登机口： C12"]),
        ("what is the total?", "Milk 3.49\nTOTAL", ["TOTAL"]),
        ("who is the owner?", RECEIPT, []),
    ],
)
def test_the_lines_that_answer(question: str, text: str, lines: list[str]) -> None:
    assert lines_about(question, [text]) == lines
