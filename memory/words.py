"""Words of any script: folding, tokens for search, and how much two texts share.

Han text has no spaces, so it is indexed by pairs of characters (a two-character word is then one token);
everything else by words. ASCII glued to Han (重跑gen-itgc后) falls apart at the border and is found.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

import Stemmer

HAN = r"\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002fa1f"


def bag(text: str) -> frozenset[str]:
    """Words of a list that is written as one."""
    return frozenset(text.split())


_RUN = re.compile(rf"[{HAN}]+|[^\W_{HAN}]+(?:['’][^\W_{HAN}]+)?")
_HAN_RUN = re.compile(rf"^[{HAN}]+$")
_HAN_CHAR = re.compile(rf"[{HAN}]")
_SPACE = re.compile(r"\s+")

# Words that carry no subject of their own: dropped when two lines are compared, kept for search.
_STOP_HAN = frozenset("的了吧呢啊呀哦嘛就都要请把给让对在是也还那这个些一会很得地着过及和与或等我你您")
STOP_WORDS = bag(
    "the a an of to in on at for and or is are was were be been am do does did will would should please "
    "just always all any every user user's users their they them it its this that these those when with "
    "my me i you your he she his her him we our us from as by into under so too also then than who which"
)


def fold(text: str) -> str:
    """Compatibility-folded, lower case, single spaces: how two texts are compared letter by letter."""
    return _SPACE.sub(" ", unicodedata.normalize("NFKC", visible(text)).casefold()).strip()


def visible(text: str) -> str:
    """The text without characters that nobody sees (zero-width spaces and joiners, direction marks): they part words
    for a comparison, and for nobody who reads."""
    return text if text.isascii() else "".join(c for c in text if unicodedata.category(c) != "Cf")


def squeeze(text: str) -> str:
    """`fold` without any white space: people break lines and add spaces between Han and ASCII at will."""
    return _SPACE.sub("", fold(text))


def has_han(text: str) -> bool:
    """Whether there is a Chinese character in it."""
    return _HAN_CHAR.search(text) is not None


def storable(text: str) -> str:
    """The text, every half of a character (surrogate) as "?": models and terminals send some, no file holds any."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def legible(text: str) -> str:
    """What can be stored, without control characters and direction marks: a page with a NUL in it is no text."""
    return _CONTROL.sub("", storable(text))


def stem(word: str) -> str:
    """A word without the commonest English endings, enough to match 'receipts' with 'receipt'."""
    word = word.replace("’", "'")
    if word.endswith("'s"):
        word = word[:-2]
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def tokens(text: str) -> list[str]:
    """Tokens for search: pairs (and single characters of one-character runs) of Han, stems of words."""
    out: list[str] = []
    for run in _RUN.findall(fold(text)):
        if _HAN_RUN.match(run):
            out.extend(run[i : i + 2] for i in range(max(1, len(run) - 1)))
        else:
            out.append(stem(run))
    return out


def terms(text: str) -> list[str]:
    """What an index holds of a text: `tokens` without accents and without endings, runs of Han with their last
    character once more, so that each character begins exactly one term and can be asked for alone.
    """
    out: list[str] = []
    for run in _RUN.findall(fold(text)):
        if _HAN_RUN.match(run):
            out.extend(run[i : i + 2] for i in range(len(run)))
        else:
            out.extend(_roots(run))
    return out


@lru_cache(maxsize=32_768)  # words come again and again; some 3 MB at most
def _roots(run: str) -> tuple[str, ...]:
    if not run.isascii():
        bare = unicodedata.normalize("NFD", run)
        run = "".join(c for c in bare if not unicodedata.combining(c)) or run
    parts = stem(run).replace("’", "'").split("'")
    return tuple(root for part in parts if part and (root := _porter().stemWord(part)))


@lru_cache(maxsize=1)
def _porter() -> Stemmer.Stemmer:
    return Stemmer.Stemmer("porter")


def asking_terms(words: Iterable[str]) -> list[str]:
    """The terms that find these `tokens` in an index, each once."""
    found: list[str] = []
    for word in words:
        found.extend((word,) if _HAN_CHAR.match(word) else _roots(word))
    return list(dict.fromkeys(found))


def content(text: str) -> list[str]:
    """What a line is about: single Han characters and word stems in order, without the little words."""
    return list(_content(text))


@lru_cache(maxsize=16_384)  # every line is compared again and again; a few MB at most
def _content(text: str) -> tuple[str, ...]:
    out: list[str] = []
    for run in _RUN.findall(fold(text).replace("用户", " ")):
        if _HAN_RUN.match(run):
            out.extend(c for c in run if c not in _STOP_HAN)
        elif run not in STOP_WORDS:
            out.append(stem(run))
    return tuple(out)


def jaccard(left: Iterable[str], right: Iterable[str]) -> float:
    """Shared share of two bags, 0..1; two empty bags share everything."""
    a, b = Counter(left), Counter(right)
    union = sum((a | b).values())
    return sum((a & b).values()) / union if union else 1.0


def covered(part: Iterable[str], whole: Iterable[str]) -> float:
    """How much of `part` is found in `whole`, 0..1; an empty part is covered."""
    a, b = Counter(part), Counter(whole)
    total = sum(a.values())
    return sum((a & b).values()) / total if total else 1.0
