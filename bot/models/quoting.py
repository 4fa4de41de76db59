"""Answering from a picture's text without a language model: the lines that hold the question's words, or all of it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memory.words import STOP_WORDS, has_han, tokens

LONGEST = 600  # characters of a picture's text that are shown whole
MOST = 4  # lines that are quoted
_ASKS_ZH = re.compile(
    r"什么|啥|哪|谁|几[点号时个张次路岁年月天]|多少|多[大长久远高重]|怎么|咋|为何|何时|是不是|有没有|能不能|(.)不\1|[吗呢没][?？。~]*$|[?？]"
)
_ASKS_EN = re.compile(
    r"\?|^(?:(?:so|and|but|ok|hey|please|um),?\s+)*(?:what|how|why|when|where|who|whose|which|is|are|was|were|does|do|"
    r"did|can|could|will|has|have)\b",
    re.IGNORECASE,
)


def asks(text: str) -> bool:
    """Whether words are put as a question, with or without a question mark."""
    return (_ASKS_ZH if has_han(text) else _ASKS_EN).search(text.strip()) is not None


def lines_about(question: str, texts: Sequence[str]) -> list[str]:
    """The lines that share words with a question, best first; none where nothing is shared.

    A line that says no more than the question itself is a label: what it labels stands behind it (TOTAL / 13.02).
    """
    telling = {word for word in tokens(question) if word not in STOP_WORDS and len(word) > 1}
    scored: list[tuple[int, int, str]] = []
    lines = [line.strip() for text in texts for line in text.splitlines() if line.strip()]
    for place, line in enumerate(lines):
        words = set(tokens(line))
        if shared := len(telling & words):
            label = line.endswith((":", "：")) or words <= telling
            behind = lines[place + 1 : place + 2] if label else []
            scored.append((-shared, place, " ".join([line, *behind])))
    best = min((score for score, _, _ in scored), default=0)
    return [line for score, _, line in sorted(scored) if score == best][:MOST]


def whole(texts: Sequence[str]) -> str:
    """All that the pictures say, cut where it gets long."""
    text = "\n".join(texts)
    return text if len(text) <= LONGEST else f"{text[:LONGEST].rstrip()} …"
