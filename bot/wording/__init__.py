"""Every sentence we say ourselves, in Chinese and in English, and which of the two to use. One file a feature."""

from __future__ import annotations

import re
from collections.abc import Iterable
from string import Formatter

from bot.types import Language
from bot.wording import (
    arriving,
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
    people,
    programs,
    promises,
    queue,
    settings,
    slow,
    telegram,
    trouble,
    usage,
)
from memory.language import language_of

__all__ = ["language_of", "parted", "say", "saying"]

_FEATURES = (
    arriving,
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
    usage,
    people,
    settings,
    telegram,
)
_WORDS: dict[str, tuple[str, str]] = {
    key: words for feature in _FEATURES for key, words in feature.WORDS.items()
}


def say(language: Language, key: str, **values: object) -> str:
    """The sentence `key` in a language, with its blanks filled."""
    words = _WORDS[key][0 if language == "zh" else 1]
    return words.format(**values) if values else words


_NUMERIC = {"number", "count"}


def saying(keys: Iterable[str]) -> re.Pattern[str]:
    """Matches at the start of a line that says one of the sentences `keys`, in either language.

    Up to the second blank: numbers first ("Filed 3 pictures:"), where an opening alone would be ordinary prose.
    """
    starts = [_start(words) for key in keys for words in _WORDS[key]]
    return re.compile("|".join(starts) or "(?!)")


def _start(words: str) -> str:
    """The sentence up to its second blank, as a regular expression."""
    parts = [*Formatter().parse(words), ("", None, None, None)]
    (before, blank, *_), (after, *_) = parts[:2]
    filled = "" if blank is None else r"\d[\d, #…]*" if blank in _NUMERIC else ".+?"
    return re.escape(before) + filled + re.escape(after)


_RECEIPTS = saying(key for feature in _FEATURES for key in feature.RECEIPTS)
"""Lines that only a deed may put under an answer."""


def parted(text: str) -> tuple[str, list[str]]:
    """(what was said, the receipts under it): lines that only a deed may put there, and a model could imitate."""
    lines = text.split("\n")
    receipts = [line.strip() for line in lines if _RECEIPTS.match(line.strip())]
    if not receipts:
        return text, []
    kept = "\n".join(line for line in lines if not _RECEIPTS.match(line.strip()))
    return re.sub(r"\n{3,}", "\n\n", kept).strip(), receipts
