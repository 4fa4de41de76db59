"""A sentence as kinds of words: "I'm a nurse" → i'm · a · work; 「我是护士」 → 我是 · work.

Character n-grams know a word only where a bank has it. That a baker is said of oneself like a nurse, and that one is
tired today and a vegan for good, is told here, in `word_classes.json`: small words stand for themselves, the others
for their kind. Chinese is cut at the longest word that is known.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from memory.words import has_han

WORDS = Path(__file__).with_name("word_classes.json")
ITSELF = "itself"
UNKNOWN, NUMBER, SIGN = "·", "#", "~"
_TOKEN = re.compile(r"[a-z][a-z'-]*|\d[\d.,:]*|[\u3400-\u9fff]+|[^\sa-z\d\u3400-\u9fff]", re.IGNORECASE)
_SIGNS = frozenset('?!,:;。→="“”「」')  # that tell something; a face or an asterisk is any sign
_ENDINGS = ("'s", "ing", "ed", "ly", "s")


@dataclass(frozen=True, slots=True)
class Token:
    """A word, number or sign, where it stands, and of which kind it is."""

    start: int
    end: int
    kind: str


@dataclass(frozen=True, slots=True)
class Classes:
    """Which kind each known word is of."""

    latin: Mapping[str, str]
    han: Mapping[str, str]
    longest: int  # characters of the longest Chinese word

    def __call__(self, text: str) -> list[str]:
        """The kinds of its words and signs, in their order."""
        return [token.kind for token in self.tokens(text)]

    def tokens(self, text: str) -> Iterator[Token]:
        """Its words and signs; what is unknown between two known Chinese words is one."""
        for found in _TOKEN.finditer(text):
            start, end, first = found.start(), found.end(), found[0][0]
            if first.isascii() and first.isalpha():
                word = found[0].lower()
                yield Token(start, end, self.latin.get(word) or _by_ending(word))
            elif first.isdigit():
                yield Token(start, end, NUMBER)
            elif has_han(first):
                yield from self._cut(found[0], start)
            else:
                yield Token(start, end, first if first in _SIGNS else SIGN)

    def _cut(self, run: str, offset: int) -> Iterator[Token]:
        at = unknown = 0
        while at < len(run):
            for end in range(min(at + self.longest, len(run)), at, -1):
                if kind := self.han.get(run[at:end]):
                    if unknown < at:
                        yield Token(offset + unknown, offset + at, UNKNOWN)
                    yield Token(offset + at, offset + end, kind)
                    at = unknown = end
                    break
            else:
                at += 1
        if unknown < at:
            yield Token(offset + unknown, offset + at, UNKNOWN)


def _by_ending(word: str) -> str:
    """What stands for a word that is not known: its ending."""
    return UNKNOWN + next((ending for ending in _ENDINGS if word.endswith(ending)), "")


@cache
def load_classes() -> Classes:
    """The shipped words, read once."""
    read: Mapping[str, Mapping[str, str]] = json.loads(WORDS.read_text(encoding="utf-8"))
    latin, han = (
        {word: word if kind == ITSELF else kind for kind, words in kinds.items() for word in words.split()}
        for kinds in (read["en"], read["zh"])
    )
    return Classes(latin, han, max(map(len, han)))
