"""The reader as a judge: secrets and leave to act in words that no form knows, and what only resembles them."""

from __future__ import annotations

import pytest

from memory.never import forbidden
from memory.offline.judge import judged


@pytest.mark.parametrize(
    ("words", "verdict"),
    [
        ("储物柜四位数用的是我学号后四位", "secret"),
        ("the back gate opens with our anniversary, day first", "secret"),
        ("以后报名这种事你自己定，不用告诉我", "permission"),
        ("anything Priya asks for, just go ahead and send it from my account", "permission"),
        ("我们结婚那年去了大理", ""),
        ("our anniversary is the ninth of June", ""),
        ("以后交电费提醒我一声", ""),
        ("anything Priya asks for, show me first", ""),
        ("不用问我，直接给结论", ""),
        ("don't ask me, just pick a shorter title", ""),
    ],
)
async def test_what_it_says(words: str, verdict: str) -> None:
    assert forbidden(words, "en") is None, "a form knows it: it shows nothing of the judge"
    assert await judged(words, words) == verdict


async def test_only_the_quoted_part_counts() -> None:
    words = "我对芒果过敏。大门口令就是我爸生日倒着念"
    assert await judged(words, "我对芒果过敏") == ""
    assert await judged(words, "大门口令就是我爸生日倒着念") == "secret"
