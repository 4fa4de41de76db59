"""The same said otherwise, for training: what a message holds does not hang on these words or this punctuation.

A nurse becomes a welder, a full stop a face, a number stands behind it, capitals and commas are left out.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from numpy.random import Generator

from memory.offline.word_classes import UNKNOWN, load_classes
from memory.words import has_han

_SWAPS = 3  # messages with other words in them, of each
_BEHIND = {
    "en": (" (12)", " (3)", " (27)", " (140)", " 7", ".", "!", "!!", "...", "~", " :)", " 😊", " 🙏", " 😂", " pls",
           " please", " thanks", " lol"),
    "zh": ("（12）", " (12)", " (3)", " (27)", " 7", "。", "！", "！！", "...", "～", "~", "😊", "🙏", "😂", "哈", "呀",
           "啦", "谢谢", "，麻烦了"),
}  # fmt: skip
_TELLING = ("order", "courtesy", "mood")  # another word of these kinds says another thing
_MARKS = re.compile(r"[,.!?;:，。！？；：、]")


def reworded(text: str, lang: str, random: Generator) -> Iterator[str]:
    """A few messages that hold what this one holds."""
    yield _behind(text, lang, random)
    for _ in range(_SWAPS):
        other = _swapped(text, random)
        if other and random.random() < 0.5:
            other = _swapped(other, random) or other
        if other:
            yield other if random.random() < 0.6 else _behind(other, lang, random)
    bare = (
        text.lower().rstrip(".!?。！？") if random.random() < 0.5 else " ".join(_MARKS.sub(" ", text).split())
    )
    if bare.strip():
        yield bare


def _behind(text: str, lang: str, random: Generator) -> str:
    return text.rstrip(".。") + str(random.choice(_BEHIND[lang]))


def _swapped(text: str, random: Generator) -> str | None:
    """With another word of the same kind in place of one; None where it has none that may be another."""
    kinds = _of_kind()
    found = [
        (token, others)
        for token in load_classes().tokens(text)
        if (others := kinds.get((has_han(text[token.start : token.end]), token.kind)))
        and (has_han(text[token.start]) is False or token.end - token.start > 1)
    ]
    if not found:
        return None
    token, others = found[int(random.integers(len(found)))]
    return text[: token.start] + str(random.choice(others)) + text[token.end :]


@cache
def _of_kind() -> Mapping[tuple[bool, str], Sequence[str]]:
    """By (is it Chinese, kind): the words that may stand for each other."""
    classes, found = load_classes(), defaultdict[tuple[bool, str], list[str]](list)
    for known in (classes.latin, classes.han):
        for word, kind in known.items():
            if kind not in (word, UNKNOWN, *_TELLING) and len(word) > 1:
                found[known is classes.han, kind].append(word)
    return found
