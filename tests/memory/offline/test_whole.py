"""A stored line is a whole sentence."""

from __future__ import annotations

import pytest

from memory.offline.whole import stands_alone
from memory.wording import Language


@pytest.mark.parametrize(
    ("text", "language", "asked", "whole"),
    [
        ("It's the user's dad", "en", False, False),
        ("And that the rent is due", "en", False, False),
        ("Hardly ate, the lift broke again", "en", False, False),
        ("The user's dad", "en", False, False),
        ("The user can never remember", "en", False, False),
        ("The user's dad is a joiner", "en", False, True),
        ("Rosa moved to Porto", "en", False, True),
        ("The bins go out on Thursdays", "en", True, True),
        ("用户自己总记不住", "zh", False, False),
        ("这就是用户的晚饭", "zh", False, False),
        ("用户对虾过敏", "zh", False, True),
        ("48格的收纳盒", "zh", False, False),
        ("隔壁的小雨在学琴", "zh", False, True),
        ("The coffee van by Pier Rd", "en", False, False),
        ("The Golf has a new clutch", "en", False, True),
    ],
)
def test_what_stands_alone(text: str, language: Language, asked: bool, whole: bool) -> None:
    assert stands_alone(text, language, asked=asked) is whole
