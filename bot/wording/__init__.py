"""Every sentence we say ourselves, in Chinese and in English, and which of the two to use. One file a feature."""

from __future__ import annotations

import re

from bot.types import Language
from bot.wording import (
    asking,
    chats,
    commands,
    cultivation,
    embedded,
    evals,
    filing,
    folder,
    health,
    memory,
    programs,
    promises,
    queue,
    slow,
    trouble,
)
from memory.language import language_of

__all__ = ["has", "language_of", "openings", "parted", "say"]

_FEATURES = (
    filing,
    memory,
    asking,
    embedded,
    promises,
    trouble,
    commands,
    health,
    chats,
    cultivation,
    evals,
    slow,
    programs,
    queue,
    folder,
)
_WORDS: dict[str, tuple[str, str]] = {
    key: words for feature in _FEATURES for key, words in feature.WORDS.items()
}


def say(language: Language, key: str, **values: object) -> str:
    """The sentence `key` in a language, with its blanks filled."""
    words = _WORDS[key][0 if language == "zh" else 1]
    return words.format(**values) if values else words


def openings(key: str) -> tuple[str, ...]:
    """How the sentence `key` begins, in either language."""
    return tuple(words.partition("{")[0] for words in _WORDS[key])


_RECEIPTS = tuple(opening for feature in _FEATURES for key in feature.RECEIPTS for opening in openings(key))
"""How lines begin that only a deed may put under an answer."""


def parted(text: str) -> tuple[str, list[str]]:
    """(what was said, the receipts under it): lines that only a deed may put there, and a model could imitate."""
    lines = text.split("\n")
    receipts = [line.strip() for line in lines if line.strip().startswith(_RECEIPTS)]
    if not receipts:
        return text, []
    kept = "\n".join(line for line in lines if not line.strip().startswith(_RECEIPTS))
    return re.sub(r"\n{3,}", "\n\n", kept).strip(), receipts
