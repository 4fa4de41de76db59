"""A message as the tagger sees it: characters of Han, words and signs, and the form of each."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from memory.words import HAN

_TOKEN = re.compile(rf"[{HAN}]|[^\W_{HAN}]+(?:['’][^\W_{HAN}]+)*|[^\s]")
_OPEN, _CLOSE = '「『“"‘【《', '」』”"’】》'


@dataclass(frozen=True, slots=True)
class Token:
    """A character of Han, a word, or a sign."""

    start: int
    end: int
    text: str


def tokenise(text: str) -> list[Token]:
    """Tokens with their places."""
    return [Token(m.start(), m.end(), m[0]) for m in _TOKEN.finditer(text)]


def shape(word: str) -> str:
    """han, sign, digit, Cap or low."""
    if re.match(rf"[{HAN}]", word):
        return "han"
    if not word[0].isalnum():
        return "sign"
    if word[0].isdigit():
        return "digit"
    return "Cap" if word[0].isupper() else "low"


def quoted(words: Sequence[str]) -> list[int]:
    """1 inside quotation marks, 0 outside; a mark that is never closed opens nothing."""
    out = [0] * len(words)
    start: int | None = None
    for i, word in enumerate(words):
        if start is not None and word in _CLOSE:
            out[start + 1 : i] = [1] * (i - start - 1)
            start = None
        elif start is None and word in _OPEN:
            start = i
    return out
