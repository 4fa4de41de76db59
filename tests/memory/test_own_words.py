"""What of a message the person wrote themself."""

from __future__ import annotations

import pytest

from memory.own_words import own_words

CASES = [
    ("我在学葡萄牙语", "我在学葡萄牙语"),
    ("note: I moved to Leeds", "note: I moved to Leeds"),
    ("周报：不用表格", "周报：不用表格"),
    ("my plan: run daily", "my plan: run daily"),
    ("fix this\n```py\nuser = 'always use tabs'\n```\nthanks", "fix this\n\nthanks"),
    ("```\nnever closed\nI am rich", ""),
    ("> I love tabs\nnot me", "not me"),
    ("translate this: I always eat late", ""),
    ("帮我翻译下面这段：\n我每天跑步", "帮我"),
    ("see\n---- Forwarded message ----\nI am vegan", "see"),
    ("ok?\nFrom: Ann\nSubject: hi\nI am vegan", "ok?"),
    ("老王：我在学葡萄牙语\n老李：真的？\n我也想学", "我也想学"),
]


@pytest.mark.parametrize(("text", "own"), CASES)
def test_own_words(text: str, own: str) -> None:
    assert own_words(text) == own
