"""A person's closed list of categories: which one a name means, and how a new one is named."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from classifiers.kinds import HAN, Kind, fold, load, mentions, plain, ready
from classifiers.ports import Embed
from classifiers.types import Category, Language

UNSORTED = {"zh": "待整理", "en": "Unsorted"}
UNFILED = {"zh": "未归档", "en": "Unfiled"}  # where pictures are kept that a rule wants in no category
LONGEST_NAME = 40  # characters
SAME_MEANING = 0.86  # cosine of a name and its translation (measured: pairs 0.87-0.90, strangers ≤ 0.81)
_OF_ANY = re.compile(  # words that say of a category no more than that it holds things
    r"笔记|记录|截图|图片|照片|资料|收藏|归档|类$|\b(?:my|notes?|snippets?|screenshots?|pictures?|photos?|logs?|files?|records?)\b",
    re.IGNORECASE,
)
EMOJI = re.compile(
    "[\U0001f000-\U0001faff\u2600-\u27bf\u2b00-\u2bff\u2300-\u23ff\ufe0f\u200d\u20e3\U000e0000-\U000e007f]"
)


def clean_name(name: str, longest: int = LONGEST_NAME) -> str:
    """A name that can be shown and be a folder: as `clean_words`, and none of the marks a folder cannot hold."""
    return clean_words(re.sub(r"[<>|?:\"]+", " ", name), longest)


def clean_words(name: str, longest: int) -> str:
    """One line without slashes, emoji, Markdown or control characters."""
    name = unicodedata.normalize("NFC", name)
    name = EMOJI.sub("", name)
    name = re.sub(r"[\x00-\x1f\x7f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]", " ", name)
    name = re.sub(r"(?<=[\x00-\x7f])[/\\](?=[\x00-\x7f])", "-", name)
    name = re.sub(r"[/\\]", "／", name)
    name = re.sub(r"[*`#~|\[\]{}]+", " ", name)
    name = re.sub(r"\s+", " ", name).strip(" .。,，、;；-_'“”‘’「」『』《》【】()（）!！")
    return name[:longest].rstrip(" .-，、")


def find(name: str, categories: Sequence[Category]) -> Category | None:
    """The category that a name is: by id, name or alias, whatever its case, width, spacing or plural."""
    wanted = fold(name)
    if not wanted:
        return None
    for category in categories:
        if name.strip() == category.id:
            return category
    for category in categories:
        if wanted == fold(category.name):
            return category
    for category in categories:
        if wanted in {fold(alias) for alias in category.aliases}:
            return category
    return None


async def find_by_meaning(
    name: str, categories: Sequence[Category], embed: Embed | None = None
) -> Category | None:
    """The category that a name means ("收据" is 票据发票, "AI" is 人工智能), or None.

    Both name the same kind of picture and nothing else, one is the other's initials, or one translates the
    other. Likeness of vectors alone is not believed: 工作 and 生活 are 0.93 alike, "Receipts" and "Recipes" 0.89.
    """
    await ready()
    if (found := find(name, categories)) is not None:
        return found
    kinds = named_kinds(name)
    if len(kinds) == 1 and _says_only_kinds(name):
        fitting = [
            category
            for category in categories
            if named_kinds(category.name)[:1] == kinds and _says_only_kinds(_OF_ANY.sub("", category.name))
        ]
        same = [category for category in fitting if _han(category.name) == _han(name)]
        if len(same or fitting) == 1:
            return (same or fitting)[0]
    for category in categories:
        if _initials(name, category.name) or _initials(category.name, name):
            return category
    return await _translated(name, categories, embed) if embed else None


async def _translated(name: str, categories: Sequence[Category], embed: Embed) -> Category | None:
    """The category with the same name in the other script. Within one script likeness proves nothing."""
    foreign = [category for category in categories if _han(category.name) != _han(name)]
    if not foreign:
        return None
    vectors = await embed([name, *[category.name for category in foreign]])
    likeness = vectors[1:] @ vectors[0]
    best = int(likeness.argmax())
    return foreign[best] if likeness[best] >= SAME_MEANING else None


def named_kinds(name: str) -> list[str]:
    """The kinds that a category's name speaks of, the first named first, without repeats."""
    return list(dict.fromkeys(mention.kind for mention in mentions(name)))


def _says_only_kinds(name: str) -> bool:
    """Whether a name is that of its kinds and of nothing narrower: "Code notes" is, "Dress code" is not."""
    covered = sum(mention.end - mention.start for mention in mentions(name))
    return covered >= 0.7 * len(name.strip())


def _han(name: str) -> bool:
    return bool(HAN.search(name))


def _initials(short: str, long: str) -> bool:
    words = plain(long).split()
    return len(words) > 1 and plain(short) == "".join(word[0] for word in words)


def is_unfiled(name: str) -> bool:
    """Whether a name is that of the place for what is not to be filed: no category, whatever lies there."""
    return fold(name) in {fold(each) for each in UNFILED.values()}


def default_name(kind: Kind | str, language: Language) -> str:
    """What a new category for a kind is called in the person's language."""
    return (load()[kind] if isinstance(kind, str) else kind).name(language)
