"""Which of our two languages a text is written in: the one a line is stored in is the one its receipt is in."""

from __future__ import annotations

import re

from memory.wording import Language

_HAN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]")
_LATIN = re.compile(r"[A-Za-z]{2,}")
_TOKEN = re.compile(r"[^\s\u3400-\u9fff\uf900-\ufaff]+")
_FILE = re.compile(r"[\w-]+\.[A-Za-z]\w{1,4}", re.ASCII)
# in nearly every Chinese sentence, in few names
_PARTICLE = re.compile("[的了是我你他她它们把被在到放给帮请吗呢吧啊就都这那不没]|一下")
_FUNCTION = re.compile(
    r"\b(?:a|an|and|about|are|for|from|goes?|i|in|instead|into|is|it|keep|me|my|of|please|put|that|the|these|this|to"
    r"|under|what|when|where|with|you)\b",
    re.IGNORECASE,
)
_EVERYBODYS = {"ok", "okay", "yes", "no", "yep", "nope", "lol", "haha", "hahaha", "wow"}


def _neutral(token: str) -> bool:
    """Addresses, paths, file names, and words that everybody uses."""
    return (
        any(mark in token for mark in "/\\@_")
        or token.strip(".,!?~。，！？～").lower() in _EVERYBODYS
        or bool(_FILE.fullmatch(token))
    )


def language_of(text: str) -> Language | None:
    """The language a text is written in; None when it cannot be told (numbers, emoji, a path, "ok")."""
    head = text[:4000]
    han = len(_HAN.findall(head))
    words = sum(len(_LATIN.findall(token)) for token in _TOKEN.findall(head) if not _neutral(token))
    if han == 0 and words == 0:
        return None
    if words > 2 and _FUNCTION.search(head) and not _PARTICLE.search(head):
        return "en"  # "receipts go to 报销 from now on": an English sentence about a Chinese name
    return "zh" if han * 2 >= words else "en"


def translated(text: str, quote: str) -> bool:
    """Whether a line is in another language than the words it rests on; a name of another script makes it none."""
    mine, theirs = language_of(text), language_of(quote)
    han = [_HAN.search(each) is not None for each in (text, quote)]
    return mine is not None and theirs is not None and mine != theirs and han[0] != han[1]
