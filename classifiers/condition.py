"""What a rule's condition asks for: alternatives, each of kinds, topics, names and other words.

"超市小票和发票" is two alternatives; "bills and receipts from Tesco" too, and both must say Tesco.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from classifiers.kinds import PHOTO, mentions, plain
from classifiers.rules import words_in
from classifiers.topics import Topic, topics_in


@dataclass(frozen=True, slots=True)
class Alternative:
    """What one picture must be: everything said here."""

    words: str  # as they stand
    kinds: tuple[str, ...]  # one of these, where any is named
    topics: tuple[Topic, ...]  # all of these
    names: tuple[str, ...]  # must stand in the text
    others: tuple[str, ...]  # say what it is like


_AND = re.compile(
    r"\s*(?:、|，|,|/|&|\+|；|以及|还有|或者?|(?<![共温饱平暖随总])和(?![平气谐])|与|及|\b(?:and|or|as well as)\b)\s*"
    r"(?:\b(?:and|or)\b\s*)?",
    re.IGNORECASE,
)
_SHARED_EN = re.compile(r"\s(?:from|about|of|for|at|by|with)\s+(?!.*\s(?:and|or)\s).+$", re.IGNORECASE)
_SHARED_ZH = re.compile(r"^[^、，,和与及或]{1,12}的(?=[^、，,和与及或])")
_PICTURE = re.compile(r"截图|截屏|图片|screen ?shots?|pictures?|images?")


@lru_cache(maxsize=512)
def read(what: str) -> tuple[Alternative, ...]:
    """The alternatives of a condition, at least one."""
    pieces = [piece for piece in _AND.split(what) if piece.strip()]
    if len(pieces) > 1 and all(_names_something(piece) for piece in pieces):
        after, before = _SHARED_EN.search(pieces[-1]), _SHARED_ZH.search(pieces[0])
        if after and words_in(after[0])[0]:
            pieces = [*(piece + after[0] for piece in pieces[:-1]), pieces[-1]]
        if before:
            pieces = [pieces[0], *(before[0] + piece for piece in pieces[1:])]
        return tuple(_read_one(piece) for piece in pieces)
    return (_read_one(what),)


def _names_something(piece: str) -> bool:
    one = _read_one(piece)
    return bool(one.kinds or one.topics)


def _read_one(what: str) -> Alternative:
    text = _PICTURE.sub(lambda match: " " * len(match[0]), plain(re.sub(r"[’']s\b", " ", what)))
    named, found = mentions(text), topics_in(text)
    kept = [
        each
        for each in found
        if all(
            each.end <= other.start
            or each.start >= other.end
            or each.end - each.start >= other.end - other.start
            for other in named
        )
    ]
    kinds = list(
        dict.fromkeys(
            mention.kind
            for mention in named
            if all(mention.end <= each.start or mention.start >= each.end for each in kept)
        )
    )
    if len(kinds) > 1:
        kinds = [kind for kind in kinds if kind != PHOTO]
    names, others = words_in(re.sub(r"[’']s\b", " ", what))
    covered = [text[each.start : each.end] for each in kept]
    others = [left for word in others if (left := _without(word, covered)) == word or len(left) > 1]
    names = [name for name in names if not any(plain(name) in words for words in covered)]
    topics = tuple(dict.fromkeys(each.topic for each in kept))
    return Alternative(what, tuple(kinds), topics, tuple(names), tuple(others))


def _without(word: str, covered: list[str]) -> str:
    """A word less what a topic's name already says."""
    if any(word in words.split() for words in covered):
        return ""
    for words in covered:
        word = word.replace(words, "")
    return word
