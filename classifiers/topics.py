"""What people file by beyond the kind: special cases (boarding passes), subjects (the rent), sources (the bank).

Each topic of examples/topics.json has names, found in a condition, and signs, found in a picture's text, in both
languages: a rule in Chinese is obeyed for English pictures and the other way round.
"""

from __future__ import annotations

import asyncio
import json
import re
from dataclasses import dataclass
from functools import cache
from importlib import resources

from classifiers.kinds import HAN, plain, singular

_MANY = 3  # signs from which more say nothing more
_SHORT = 60  # characters of a caption or a title: every word of it counts


@dataclass(frozen=True, slots=True)
class Topic:
    """One thing that a condition may ask for."""

    id: str
    kinds: tuple[str, ...]  # which pictures it is a case of when the condition names no kind; () = of any
    names: tuple[str, ...]
    signs: re.Pattern[str]  # over `spread` text
    loose: bool = False  # nearly all pictures of its kind are meant: signs are welcome, not needed


@dataclass(frozen=True, slots=True)
class Found:
    """A topic that some words name, and where."""

    topic: Topic
    start: int
    end: int


@cache
def load() -> dict[str, Topic]:
    """All topics by id, in the file's order."""
    text = resources.files("classifiers").joinpath("examples", "topics.json").read_text(encoding="utf-8")
    return {
        id: Topic(
            id,
            tuple(row["kinds"]),
            tuple(plain(name) for name in row["names"]),
            re.compile("|".join(_word(sign) for sign in sorted(row["signs"], key=len, reverse=True))),
            row.get("loose", False),
        )
        for id, row in json.loads(text).items()
    }


async def ready() -> None:
    """Load the topics off the event loop; after the first time this costs nothing."""
    if not _names.cache_info().currsize:
        await asyncio.to_thread(_names)


@cache
def _names() -> list[tuple[re.Pattern[str], Topic]]:
    """Each name as a pattern, the longest first: 火车票 before 火车."""
    pairs = [(name, topic) for topic in load().values() for name in topic.names]
    return [(re.compile(_word(name)), topic) for name, topic in sorted(pairs, key=lambda pair: -len(pair[0]))]


def _word(words: str) -> str:
    """A pattern for some words: anywhere in Chinese, whole words (also in the plural) in Latin script."""
    words = plain(words)
    if HAN.search(words):
        return re.escape(words)
    inner = [re.escape(singular(word)) for word in words.split()]
    ends = "(?:e?s)?" if words[-1].isalpha() else ""
    before = "(?<![a-z])" if words[0].isalnum() else ""
    after = "(?![a-z])" if words[-1].isalnum() else ""
    return before + r"\s+".join(inner) + ends + after


def topics_in(words: str) -> list[Found]:
    """The topics that a condition (in `plain` form) names, in order of place; no word is used twice."""
    found: list[Found] = []
    for pattern, topic in _names():
        for match in pattern.finditer(words):
            if all(match.end() <= other.start or match.start() >= other.end for other in found):
                found.append(Found(topic, match.start(), match.end()))
    return sorted(found, key=lambda each: each.start)


def signs_of(topic: Topic, text: str) -> int:
    """How many different signs of a topic stand in a text (in `plain` form), three at most."""
    seen: set[str] = set()
    for match in topic.signs.finditer(text):
        seen.add(match[0])
        if len(seen) == _MANY:
            break
    return len(seen)


def names_itself(topic: Topic, text: str) -> bool:
    """Whether a text (in `plain` form) calls its subject by name; one Latin word proves it only in a short text."""
    return any((len(text) <= _SHORT or _tells(name)) and re.search(_word(name), text) for name in topic.names)


def _tells(name: str) -> bool:
    return " " in name or (len(name) > 1 and bool(HAN.search(name)))
