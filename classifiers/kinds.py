"""The kinds of picture that the model-free judge knows, and how people name them (examples/kinds.json)."""

from __future__ import annotations

import asyncio
import json
import re
import unicodedata
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources

from classifiers.types import Language

PHOTO = "photo"
HAN = re.compile(r"[\u3400-\u9fff]")


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind: its own name is the default category for it."""

    id: str
    zh: str
    en: str
    description_zh: str
    description_en: str
    aliases: tuple[str, ...]

    def name(self, language: Language) -> str:
        """Its name in a language."""
        return self.zh if language == "zh" else self.en

    def description(self, language: Language) -> str:
        """What belongs to it, one sentence."""
        return self.description_zh if language == "zh" else self.description_en

    @property
    def names(self) -> tuple[str, ...]:
        """Everything it is called."""
        return (self.zh, self.en, *self.aliases)


@dataclass(frozen=True, slots=True)
class Mention:
    """A kind that some words name, and where."""

    kind: str
    start: int
    end: int


@cache
def load() -> dict[str, Kind]:
    """All kinds by id, in the file's order."""
    text = resources.files("classifiers").joinpath("examples", "kinds.json").read_text(encoding="utf-8")
    return {
        id: Kind(
            id,
            row["zh"],
            row["en"],
            row["description_zh"],
            row["description_en"],
            tuple(row.get("aliases", ())),
        )
        for id, row in json.loads(text).items()
    }


async def ready() -> None:
    """Load the kinds off the event loop; after the first time this costs nothing."""
    if not load.cache_info().currsize or not _patterns.cache_info().currsize:
        await asyncio.to_thread(_patterns)


def plain(text: str) -> str:
    """NFKC and casefold, spaces and - _ as one space: names are compared in this form."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return re.sub(r"[\s\-_]+", " ", folded).strip()


def singular(word: str) -> str:
    """An English plural's singular ("Receipts" is "Receipt"); other words as they are."""
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and re.search(r"(?:s|x|z|ch|sh)es$", word):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def fold(name: str) -> str:
    """A name without case, width, spacing, plural and marks: equal folds are one name."""
    words = [singular(word) for word in plain(name).split()]
    return re.sub(r"[\W_]+", "", "".join(words))


@cache
def _patterns() -> list[tuple[re.Pattern[str], str]]:
    """Each name as a pattern, the longest first: "business cards" before "cards"."""
    named: dict[str, str] = {}
    for kind in load().values():
        for name in kind.names:
            named.setdefault(plain(name), kind.id)
    ordered = sorted(named.items(), key=lambda pair: -len(pair[0]))
    return [(_pattern(name), id) for name, id in ordered]


def _pattern(name: str) -> re.Pattern[str]:
    if HAN.search(name):
        return re.compile(re.escape(name))
    words = [re.escape(singular(word)) for word in name.split()]
    return re.compile(r"(?<![a-z0-9])" + r"(?:e?s)?\s+".join(words) + r"(?:e?s)?(?![a-z0-9])")


def mentions(text: str) -> list[Mention]:
    """The kinds that a text names ("代码和报错的截图" names two), in order of place; no word is used twice."""
    return list(_mentions(text))


@lru_cache(maxsize=256)  # the categories of what was found, again and again
def _mentions(text: str) -> tuple[Mention, ...]:
    words = re.sub(r"\bies\b", "y", plain(text))
    found: list[Mention] = []
    for pattern, kind in _patterns():
        for match in pattern.finditer(words):
            if all(match.end() <= other.start or match.start() >= other.end for other in found):
                found.append(Mention(kind, match.start(), match.end()))
    return tuple(sorted(found, key=lambda mention: mention.start))
