"""Which words of a message say what: the part to keep, the kind of picture, the place.

A linear tagger over Han characters and Latin words, trained from the banks' annotations by `memory.offline.training`
and applied with NumPy. Rare words count by their shape only, so that it learns how rules are put, not what they are
about. What the message is (the probe's label) is one of its features.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence, Set
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from memory.clauses import clauses, sentences
from memory.offline.names import whole_kind, whole_name
from memory.offline.probe import WEIGHTS
from memory.offline.tokens import Token, quoted, shape, tokenise
from memory.words import HAN, bag

_HAN = re.compile(rf"[{HAN}]+")
_NO_NAME = bag(
    "on in to from of for the a it them there here later always "
    "please pls plz thanks instead now ok okay too though 吧 了 哈 谢谢"
)

# Out, kept; kind of picture (W) and place (P): begin, inside, end, single.
TAGS = ("O", "K", "B-W", "I-W", "E-W", "S-W", "B-P", "I-P", "E-P", "S-P")
BUCKETS = 1 << 16
_LONGEST = 14  # tokens of a kind of picture or a place
_WITHIN, _ACROSS = (
    0.15,
    0.5,
)  # mean chance of being kept at which the next clause comes along, in a sentence or over its end

Scores = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Spans:
    """What was found; "" where nothing was. All are substrings of the message."""

    keep: str = ""
    what: str = ""
    where: str = ""
    sure: float = 0.0  # log odds of kind and place together; below 0 the tagger would rather have none


def token_features(tokens: Sequence[Token], group: str, common: Set[str]) -> NDArray[np.int64]:
    """(tokens, features) bucket numbers. `common`: words that count as themselves."""
    words = [token.text.lower() for token in tokens]
    shapes = [shape(token.text) for token in tokens]
    classes = [w if w in common else s for w, s in zip(words, shapes, strict=True)]
    marks = quoted(words)
    ends = [i for i, w in enumerate(words) if w in "，。！？,.!?；;：:…"]
    n = len(words)
    rows = []
    for i in range(n):
        w = {d: words[i + d] if 0 <= i + d < n else ("<s>" if d < 0 else "</s>") for d in (-2, -1, 0, 1, 2)}
        c = {d: classes[i + d] if 0 <= i + d < n else ("<s>" if d < 0 else "</s>") for d in range(-4, 5)}
        since = i - max((e for e in ends if e < i), default=-1)
        until = min((e for e in ends if e >= i), default=n) - i
        around = [
            f"0={w[0]}",
            f"-1={w[-1]}",
            f"1={w[1]}",
            f"-2={w[-2]}",
            f"2={w[2]}",
            f"-1,0={w[-1]}|{w[0]}",
            f"0,1={w[0]}|{w[1]}",
            f"tail={w[0][-3:]}",
            f"head={w[0][:3]}",
        ]
        form = [
            "bias",
            f"c0={c[0]}",
            f"c-1,0={c[-1]}|{c[0]}",
            f"c0,1={c[0]}|{c[1]}",
            f"c-1,0,1={c[-1]}|{c[0]}|{c[1]}",
            f"c-2,-1={c[-2]}|{c[-1]}",
            f"c1,2={c[1]}|{c[2]}",
            f"c-3={c[-3]}|{c[-2]}|{c[-1]}",
            f"c3={c[1]}|{c[2]}|{c[3]}",
            f"c-4={c[-4]}|{c[-3]}|{c[-2]}|{c[-1]}",
            f"c4={c[1]}|{c[2]}|{c[3]}|{c[4]}",
            f"shape={shapes[i]}",
            f"shapes={shapes[i - 1] if i else '<'}|{shapes[i]}|{shapes[i + 1] if i + 1 < n else '>'}",
            f"quoted={marks[i]}",
            f"since={min(since, 8)}",
            f"until={min(until, 8)}",
            f"clause={sum(1 for e in ends if e < i)}/{min(len(ends), 6)}",
            f"first={min(i, 6)}",
            f"last={min(n - 1 - i, 6)}",
            f"cap after={'Cap' in shapes[i + 1 :]}",
            f"cap before={'Cap' in shapes[:i]}",
            f"quote after={any(marks[i + 1 :])}",
        ]
        names = [*around, *form, *(f"{group}&{name}" for name in (*around[:3], *form))]
        rows.append([zlib.crc32(name.encode("utf-8", "replace")) % BUCKETS for name in names])
    return np.asarray(rows, np.int64).reshape(n, -1)


Candidate = tuple[float, int, int]  # log odds, first token, last token


def candidates(scores: Scores, kind: str, most: int = 12) -> list[Candidate]:
    """The likeliest stretches of tokens for a kind ("W", "P"), best first, over their being nothing of the sort."""
    nothing = np.logaddexp(scores[:, TAGS.index("O")], scores[:, TAGS.index("K")])
    begin, inside, end, single = (scores[:, TAGS.index(f"{step}-{kind}")] - nothing for step in "BIES")
    found: list[Candidate] = []
    for i in range(len(scores)):
        found.append((float(single[i]), i, i))
        so_far = float(begin[i])
        for j in range(i + 1, min(len(scores), i + _LONGEST)):
            found.append((so_far + float(end[j]), i, j))
            so_far += float(inside[j])
    return sorted(found, reverse=True)[:most]


@dataclass(frozen=True, slots=True)
class Tagger:
    """Weights of the tagger."""

    weights: Scores  # (BUCKETS, tags)
    bias: Scores
    common: frozenset[str]

    def find(self, text: str, group: str) -> Spans:
        """The kept part, the kind of picture and the place in a message of that group."""
        tokens = tokenise(text)
        if not tokens:
            return Spans()
        scores = self.weights[token_features(tokens, group, self.common)].sum(axis=1) + self.bias
        scores = scores - scores.max(axis=1, keepdims=True)
        scores -= np.log(np.exp(scores).sum(axis=1, keepdims=True))
        if group == "move":
            place = candidates(scores, "P", 1)[0]
            return Spans(where=_cut(text, tokens, place) if place[0] > -1 else "", sure=place[0])
        keep = _kept(text, tokens, 1 - np.exp(scores[:, TAGS.index("O")]), whole=group != "forget")
        if group not in ("file", "refile"):
            return Spans(keep)
        places = [
            (sure - _DENIED * _denied(tokens, (sure, first, last)), *whole_name(tokens, first, last))
            for sure, first, last in candidates(scores, "P")
            if text[tokens[first].start : tokens[last].end].lower() not in _NO_NAME
        ]
        kinds = [
            (sure - _AFTER_TO * (tokens[max(first - 1, 0)].text.lower() in _TO), first, last)
            for sure, first, last in candidates(scores, "W")
        ]
        pairs = [
            (kind[0] + place[0], kind, place)
            for kind in kinds
            for place in places
            if kind[2] < place[1] or place[2] < kind[1]
        ]
        if not pairs:
            return Spans(keep)
        sure, kind, place = max(pairs)
        return Spans(
            keep,
            _cut(text, tokens, _joined(tokens, kind)),
            _cut(text, tokens, place),
            sure,
        )


@cache
def load_tagger() -> Tagger:
    """The shipped tagger, read once."""
    with np.load(WEIGHTS) as held:
        common = frozenset(str(word) for word in held["tagger:common"])
        return Tagger(
            held["tagger:weights"].astype(np.float32), held["tagger:bias"].astype(np.float32), common
        )


def group_of(label: str, of: str = "") -> str:
    """Messages whose parts are put alike share a group."""
    if label == "filing" or (label == "change" and of == "filing"):
        return "refile" if label == "change" else "file"
    return {"change": "change", "rule": "rule", "forget": "forget", "move": "move"}.get(label, "fact")


def _kept(text: str, tokens: Sequence[Token], kept: Scores, *, whole: bool) -> str:
    """The kept stretch.

    Args:
        kept: the chance of each token to be part of it.
        whole: in whole clauses, grown from the likeliest one; a clause too many does less harm than half a sentence.
    """
    if not whole:
        held = [i for i in range(len(tokens)) if kept[i] >= 0.35]
        return text[tokens[held[0]].start : tokens[held[-1]].end] if held else ""
    if not (parts := clauses(text)):
        return ""
    shares = [
        float(
            np.mean(
                [p for t, p in zip(tokens, kept, strict=True) if part.start <= t.start < part.end] or [0.0]
            )
        )
        for part in parts
    ]
    ends = [part.end for part in sentences(text)]
    home = [sum(1 for end in ends if end <= part.start) for part in parts]  # the sentence each clause is in
    first = last = int(np.argmax(shares))
    while first and shares[first - 1] >= (_WITHIN if home[first - 1] == home[first] else _ACROSS):
        first -= 1
    while last + 1 < len(parts) and shares[last + 1] >= (
        _WITHIN if home[last + 1] == home[last] else _ACROSS
    ):
        last += 1
    return text[parts[first].start : parts[last].end]


def _joined(tokens: Sequence[Token], found: Candidate) -> Candidate:
    """With the kinds that stand before it: "机票和酒店订单", "tickets and hotel bookings" are one rule."""
    sure, first, last = found[0], *whole_kind(tokens, found[1], found[2])
    if first < 2 or tokens[first - 1].text.lower() not in ("和", "跟", "与", "、", "and", "or", "&"):
        return sure, first, last
    start = first - 2
    while start and tokens[start - 1].text not in "，。；,;.!！?？:：" and first - start < _LONGEST:
        start -= 1
    return sure, start, last


def _cut(text: str, tokens: Sequence[Token], found: Candidate) -> str:
    return text[tokens[found[1]].start : tokens[found[2]].end]


_TURNED_DOWN = re.compile(
    r"(?:(?:别|不|甭|莫)(?:再|要|用|想|是)*(?:放|进|归|收|搁|丢|存|扔|塞|入|去|叫)?(?:到|在|进|入|去)?|"
    r"\b(?:not|than|instead of|no longer|no more|out of)(?: (?:in|into|under|to|the|my|go to))*)\s*[「『“\"‘']?$",
    re.I,
)
_TO = ("to", "into", "under", "→")
_AFTER_TO = 4.0  # log odds that a kind of picture loses where a place is due ("move recipes to 食谱")
_DENIED = 12.0  # log odds that a place loses which the words before it turn down ("not in Bugs", 别放日程)


def _denied(tokens: Sequence[Token], place: Candidate) -> bool:
    first = whole_name(tokens, place[1], place[2])[0]
    before = tokens[max(0, first - 6) : first]
    words = "".join(t.text if re.match(rf"[{HAN}]", t.text) else f" {t.text}" for t in before)
    return _TURNED_DOWN.search(words.rstrip()) is not None
