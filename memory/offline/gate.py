"""Whether a message may hold anything to keep, change or forget: the gate before a language model is asked.

A small linear head over the words, the edges and the kinds of words (`word_classes`) of each sentence; only buckets
that are set are looked at. What says itself that it is for good always passes, and so does a short answer to what
was asked or said about the person: "Jonno" is a name only there. Weights come from
`python -m memory.offline.gate_training` and lie in `gate.npz`.
"""

from __future__ import annotations

import asyncio
import re
import unicodedata
import zlib
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, pairwise
from math import exp, sqrt
from pathlib import Path

import numpy as np

from memory.offline.said import Said, last_sentence, said
from memory.offline.word_classes import load_classes
from memory.spelling import spelled
from memory.words import has_han

WEIGHTS = Path(__file__).with_name("gate.npz")
BUCKETS = 1 << 16
# Of what is to be kept 99 % passes (571 messages of the held-out banks), of plain everyday talk 17 % (466 messages), of
# talk that was written to look like something to keep 40 %. From 0.25 on it would be 97, 7 and 32 %: a miss of
# something to keep is worse than a needless request.
LEAST = 0.13
_MOST = 4_000  # characters of one message that are read; a paste longer than that is no rule
_LONG = 400  # characters from which a message is worth a thread of its own: a paste takes 20 milliseconds
_FEW = 3  # sentences up to which a message is also looked at as one: "Receipts? Stick them all in Expenses."

# ---- what a sentence looks like

# How loud each kind of feature is, however many there are of it.
_WORDS, _EDGES, _KINDS, _PLACE = 1.0, 0.7, 1.6, 0.7
_LATIN = re.compile(r"[a-z0-9']+")
_LATIN_SIGNS = re.compile(r"[a-z0-9']+|[^\sa-z0-9']")
_TAIL = re.compile(r"[\W\d_]+$")  # signs, faces, a number behind the last letter: "ok (12) 😊"
_LENGTHS = (1, 2, 4, 7, 11, 16, 24)  # words, or Chinese characters, from which a sentence is longer
_ASKS = ("吗", "呢", "么", "来着", "没", "不")
_ASKING = frozenset(
    ("?", "吗", "呢", "什么", "怎么", "哪", "为什么", "多少", "几", "啥", "谁", "有没有", "是不是")
)


def features(one: Said) -> dict[int, float]:
    """What is set for a sentence, by bucket."""
    text = " ".join(unicodedata.normalize("NFKC", one.text).lower().replace("’", "'").split())
    found: dict[int, float] = {}
    for loud, names in (
        (_WORDS, _words(text)),
        (_EDGES, _edges(text)),
        (_KINDS, _kinds(text)),
        (_PLACE, _place(one)),
    ):
        told = set(names)
        share = loud / sqrt(len(told) or 1)
        for name in told:
            bucket = zlib.crc32(name.encode("utf-8", "replace")) % BUCKETS
            found[bucket] = found.get(bucket, 0.0) + share
    return found


def _words(text: str) -> Iterator[str]:
    """Chinese by one to three characters, other words alone and in pairs; a number is a number."""
    if has_han(text):
        run = f"^{text.replace(' ', '')}$"
        for n in (1, 2, 3):
            yield from (run[i : i + n] for i in range(len(run) - n + 1))
    if _LATIN.search(text):
        found = ["^", *("#" if word.isdigit() else word for word in _LATIN_SIGNS.findall(text)), "$"]
        yield from (f"w {word}" for word in found)
        yield from (f"w {a} {b}" for a, b in pairwise(found))


def _edges(text: str) -> Iterator[str]:
    """How it opens and ends, whether it asks, how long it is."""
    core = _TAIL.sub("", text)
    asks = "?" in text[len(core) :] or core.endswith(_ASKS)
    han = has_han(text)
    if han:
        opening, ending = text.replace(" ", "").lstrip(",。、!~…"), core.replace(" ", "")
        yield from (f"< {opening[:n]}" for n in (1, 2, 3, 4))
        yield from (f"> {ending[-n:]}" for n in (1, 2, 3))
        length = len(ending)
    else:
        words = _LATIN.findall(core)
        yield from (f"< {' '.join(words[:n])}" for n in (1, 2, 3))
        yield from (f"> {' '.join(words[-n:])}" for n in (1, 2))
        length = len(words)
    yield f"asks {asks}"
    yield f"long {_long(length)} {asks} {han}"


def _kinds(text: str) -> Iterator[str]:
    """The kinds of its words: each, side by side, together anywhere, with the first of them and in a question."""
    kinds = load_classes()(text)
    bounded = ["^", *kinds, "$"]
    yield from (f"2 {a} {b}" for a, b in pairwise(bounded))
    yield from (f"3 {a} {b} {c}" for a, b, c in zip(bounded, bounded[1:], bounded[2:], strict=False))
    each = sorted(set(kinds))
    yield from (f"& {a} {b}" for a, b in combinations(each, 2))
    first, last, asks = bounded[1], bounded[-2], not _ASKING.isdisjoint(each)
    for kind in each:
        yield f"1 {kind}"
        yield f"^ {first} {kind}"
        yield f"? {asks} {kind}"
    yield f"^$ {first} {last}"
    yield f"^long {first} {_long(len(kinds))}"


def _place(one: Said) -> Iterator[str]:
    """Where it stands in its message."""
    yield f"alone {one.alone}"
    yield f"first {one.place == 0}"
    yield f"last {one.place == one.count - 1}"
    yield f"count {min(one.count, 4)}"
    yield f"after a question {one.before.rstrip().endswith(('?', '？', '吗', '呢'))}"


def _long(tokens: int) -> int:
    return sum(tokens > least for least in _LENGTHS)


# ---- what passes by its form

_FOR_GOOD = re.compile(
    r"\b(?:remember (?:that|this|for|to always|to never|i|i'm|my|we)\b|remember:|memori[sz]e\b|write this down|"
    r"(?:make a|take) note\b|note (?:for later|this down|that down)|for the record|keep in mind|bear in mind|"
    r"from (?:now|here|today|this (?:day|week|month)) on(?:wards?)?\b|starting (?:now|today)|going forward|"
    r"in future\b|by default\b|no longer\b|any ?more\b|whenever i\b|"
    r"forget (?:that|what i|about|everything|my|where i|the (?:thing|bit|rule|part|note|one|stuff))\b|unremember|"
    r"(?:erase|wipe|delete|scrap|bin|strike|clear out|remove|drop) (?:what(?:ever)? (?:you|i)|everything|my \w+ from|"
    r"the (?:rule|note|bit|thing|part|preference|stuff)|that (?:rule|note|bit|thing))|"
    r"(?:don't|do not|never|needn't) (?:store|save|record|remember|note)\b|call me\b|my (?:name|nickname|pronouns)\b|"
    r"\brules?: )"
    r"|(?<!怎么)(?<!有)记住(?!别人)|记着(?!吗)|记一下|记一笔|牢记|别忘了|以后(?!再说|再聊)|往后|今后|从现在(?:起|开始)|"
    r"从今天?(?:起|开始|往后)|凡是|但凡|一律|别再|不要再|再也别|忘掉|忘了吧|抹掉|删掉|删了吧|清空|清掉|作废|"
    r"叫我(?!起床|关|看)|称呼我|喊我|管我叫",
    re.IGNORECASE,
)
_OFFER = re.compile(  # a question about the work at hand, whose answer tells nothing of the person
    r"\b(?:shall i|should (?:i(?! call)|it|this|that|we)|want me|(?:need|like) me to|do you want|would you like|"
    r"want (?:a|some|it|the|another)\b|anything else|ready\b|which (?:one|of|part|paragraph|version|line)|"
    r"could you|can you|is (?:that|this)\b|does (?:that|this)\b|how did it go|your guess)"
    r"|要不要|要我|需要我|需不需要|还要|还有别的|想要|喜欢哪|能把|能发|可以把|可以发|多长|哪一?[段种]|清楚吗|"
    r"怎么样|好吗|后来呢|猜猜|准备好",
    re.IGNORECASE,
)
_YOU = re.compile(r"\byou(?:r|rs|'re|'ve)?\b|你|您", re.IGNORECASE)
_DENIES = re.compile(r"\b(?:no|nope|nah|not|n't|isn't|wasn't|don't)\b|不|没|别|错", re.IGNORECASE)
_ALWAYS = re.compile(r"\b(?:always|never|every)\b|都|一直|每次|永远|一律", re.IGNORECASE)
_EMPTY = frozenset(
    ("courtesy", "order", "mood", "of the moment", "part of a text", "comparison", "yes", "no", "not", "the", "that",
     "it", "one", "i", "我", "对", "是", "好", "要", "就", "可以", "不", "没", "吧", "了", "也", "还", "~", "!", ".",
     ",", "。", ":")
)  # fmt: skip
_AGREES = frozenset(("courtesy", "yes", "对", "是", "好", "要", "就", "可以"))
_HEARD = 160  # characters of what the assistant said that are looked at, from its end
_SHORT, _SAID = 18, 60  # characters (a word counts as two) of an answer; of a statement that may be put right


def answers(text: str, heard: str) -> bool:
    """Whether it is a short answer to a question about the person, or puts right what was said about them."""
    length = len(text) if has_han(text) else 2 * len(text.split())
    if not heard or length > _SHORT or _asks(text):
        return False
    kinds = [kind for kind in load_classes()(text.lower()) if kind not in ",.!~"]
    last = last_sentence(heard.strip()[-_HEARD:]).strip("”」\"' ")
    if _asks(last) and _OFFER.search(last):
        return _ALWAYS.search(text) is not None  # "never the memes"
    if _asks(last):
        return not _EMPTY.issuperset(kinds)
    if len(last) > _SAID or not _YOU.search(last):
        return False
    return _DENIES.search(text) is not None or (not _EMPTY.issuperset(kinds) and kinds[0] not in _AGREES)


def _asks(text: str) -> bool:
    return text.rstrip().endswith(("?", "？", "吗", "呢"))


@dataclass(frozen=True, slots=True)
class Gate:
    """The head: a weight for each bucket."""

    weights: Sequence[float]
    bias: float

    def __call__(self, text: str, heard: str = "") -> bool:
        """Whether the message may hold anything. `heard`: what the assistant said just before it."""
        if not text.strip():
            return False
        return passes(text, heard) or any(self.chance(one) >= LEAST for one in looked_at(text))

    def holding(self, text: str, heard: str = "") -> float:
        """The chance that a message holds something, 0..1; 1 of what passes by its form."""
        return 1.0 if passes(text, heard) else max(map(self.chance, looked_at(text)), default=0.0)

    def chance(self, one: Said) -> float:
        """The chance that a sentence does."""
        weights = self.weights
        return 1 / (1 + exp(-self.bias - sum(weights[at] * share for at, share in features(one).items())))


def passes(text: str, heard: str) -> bool:
    """Whether a message passes by its form, whatever its words weigh."""
    return _FOR_GOOD.search(text) is not None or answers(text, heard)


def looked_at(text: str) -> list[Said]:
    """The sentences of a message, and the message as one where they are few."""
    whole, *each = said(spelled(text).text)
    return [whole, *each] if len(each) <= _FEW else each


async def may_hold(text: str, heard: str = "") -> bool:
    """Whether a message may hold anything to keep, change or forget. A sixth of a millisecond.

    Args:
        heard: what the assistant said just before it.
    """
    text = text.strip()[:_MOST]
    gate = load_gate() if load_gate.cache_info().currsize else await asyncio.to_thread(load_gate)
    return gate(text, heard) if len(text) <= _LONG else await asyncio.to_thread(gate, text, heard)


@cache
def load_gate() -> Gate:
    """The shipped gate, read once, and the words it knows with it: no message waits for the disk."""
    load_classes()
    with np.load(WEIGHTS) as held:
        weights = held["weights"].astype(np.float32) * held["scale"]
        return Gate(array("f", weights.tobytes()), float(held["bias"]))
