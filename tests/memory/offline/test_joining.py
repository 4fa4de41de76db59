"""Parts that belong on one line are made one; what is another thing stays apart."""

from __future__ import annotations

import pytest

from memory.offline.joining import joined
from memory.offline.reader import Part


def parts(*told: tuple[str, str], where: bool = False) -> tuple[str, list[Part]]:
    """(the message, its parts) of labels and words."""
    text, found = "", list[Part]()
    for label, words in told:
        start, text = len(text), text + words
        place = (start, start + 1) if where else None
        found.append(Part(start, len(text), label, {label: 0.9}, keep=(start, len(text)), where=place))
    return text, found


@pytest.mark.parametrize(
    "told",
    [
        (("rule", "回我都别用表格，"), ("rule", "分行写就成")),
        (("rule", "Don't do bullets any more. "), ("rule", "Just talk normally.")),
        (("fact_self", "I drink tea, "), ("fact_self", "never coffee")),
        (("fact_other", "My son Teo is nine. "), ("fact_other", "He plays chess.")),
        (("filing", "Stock Prices folder. "), ("filing", "any price tag goes there")),
        (("filing", "code pics go to "), ("change", "工程备忘")),
        (("rule", "the boat shed on Quay Rd. "), ("rule", "whenever I say the hut that's what I mean")),
    ],
)
def test_what_goes_on_is_one_part(told: tuple[tuple[str, str], ...]) -> None:
    text, found = parts(*told)
    (one,) = joined(found, text)
    assert (one.start, one.end) == (0, len(text))
    assert one.keep == (0, len(text))


@pytest.mark.parametrize(
    "told",
    [
        (("rule", "Answer in French. "), ("rule", "Dates go day first.")),
        (("fact_other", "我姐在深圳，"), ("fact_other", "我哥在广州")),
        (("task", "Sum this up, "), ("rule", "and put risks first from now on")),
        (("fact_self", "I live in York. "), ("fact_self", "My shoe size is 41.")),
    ],
)
def test_another_thing_stays_apart(told: tuple[tuple[str, str], ...]) -> None:
    text, found = parts(*told)
    assert joined(found, text) == found


def test_two_filing_rules_stay_two() -> None:
    text, found = parts(("filing", "小票放账本，"), ("filing", "机票放旅行"), where=True)
    assert joined(found, text) == found


def test_what_only_underlines_a_filing_rule_is_no_rule_of_its_own() -> None:
    text, found = parts(("filing", "化验单都收进「健康」，"), ("rule", "别跟别的图混一起"))
    (one,) = joined(found, text)
    assert one.keep == (0, len("化验单都收进「健康」，"))
    assert one.end == len(text)


def test_parts_that_mean_different_lines_stay_apart() -> None:
    text = "no tea, no cake"
    left = Part(0, 8, "change", {"change": 0.9}, keep=(0, 8), lines=(0.9, 0.0))
    right = Part(8, 15, "change", {"change": 0.9}, keep=(8, 15), lines=(0.0, 0.9))
    assert joined([left, right], text) == [left, right]
