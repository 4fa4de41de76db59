"""Which words of a message say what: the part to keep, the kind of picture, the place.

A linear-chain tagger over Han characters and Latin words (averaged perceptron), trained from the banks' annotations
by `memory.training`; applied with NumPy. What the message is (the probe's label) is one of its features.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from memory.probe import WEIGHTS
from memory.words import HAN

TAGS = ("O", "K", "B-W", "I-W", "B-P", "I-P")  # out, kept, what (begin, inside), place (begin, inside)
BUCKETS = 1 << 15
_FORBIDDEN = -1e6
_TOKEN = re.compile(rf"[{HAN}]|[^\W_{HAN}]+(?:['’][^\W_{HAN}]+)*|[^\s]")
_OPEN, _CLOSE = "「『“\"‘【《", "」』”\"’】》"


@dataclass(frozen=True, slots=True)
class Token:
    """A character of Han, a word, or a sign."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Spans:
    """What was found; "" where nothing was. All are substrings of the message."""

    keep: str = ""
    what: str = ""
    where: str = ""


def tokenise(text: str) -> list[Token]:
    """Tokens with their places."""
    return [Token(m.start(), m.end(), m[0]) for m in _TOKEN.finditer(text)]


def token_features(tokens: Sequence[Token], group: str) -> NDArray[np.int64]:
    """(tokens, features) bucket numbers."""
    words = [token.text.lower() for token in tokens]
    shapes = [_shape(token.text) for token in tokens]
    quoted = _quoted(words)
    ends = [i for i, w in enumerate(words) if w in "，。！？,.!?；;：:…"]
    rows = []
    for i in range(len(words)):
        w = {d: words[i + d] if 0 <= i + d < len(words) else ("<s>" if d < 0 else "</s>") for d in range(-3, 4)}
        since = i - max((e for e in ends if e < i), default=-1)
        until = min((e for e in ends if e >= i), default=len(words)) - i
        names = [
            "bias",
            f"0={w[0]}",
            f"-1={w[-1]}",
            f"1={w[1]}",
            f"-2={w[-2]}",
            f"2={w[2]}",
            f"-3={w[-3]}",
            f"3={w[3]}",
            f"-1,0={w[-1]}|{w[0]}",
            f"0,1={w[0]}|{w[1]}",
            f"-2,-1={w[-2]}|{w[-1]}",
            f"1,2={w[1]}|{w[2]}",
            f"-1,0,1={w[-1]}|{w[0]}|{w[1]}",
            f"-3,-2,-1={w[-3]}|{w[-2]}|{w[-1]}",
            f"1,2,3={w[1]}|{w[2]}|{w[3]}",
            f"shape={shapes[i]}",
            f"shapes={shapes[i - 1] if i else '<'}|{shapes[i]}|{shapes[i + 1] if i + 1 < len(shapes) else '>'}",
            f"quoted={quoted[i]}",
            f"since={min(since, 6)}",
            f"until={min(until, 6)}",
            f"ends={sum(1 for e in ends if e < i)}/{len(ends)}" if len(ends) < 6 else "ends=many",
            f"tail={w[0][-3:]}",
        ]
        names += [f"{group}&{name}" for name in (*names[:4], *names[8:10], *names[15:20])]
        rows.append([zlib.crc32(name.encode("utf-8", "replace")) % BUCKETS for name in names])
    return np.asarray(rows, np.int64).reshape(len(words), -1)


def allowed() -> NDArray[np.float32]:
    """(from, to) 0 where a tag may follow, else forbidden: an inside needs its begin."""
    table = np.zeros((len(TAGS), len(TAGS)), np.float32)
    for i, before in enumerate(TAGS):
        for j, after in enumerate(TAGS):
            if after.startswith("I-") and before[1:] != after[1:]:
                table[i, j] = _FORBIDDEN
    return table


def viterbi(scores: NDArray[np.float32], moves: NDArray[np.float32]) -> list[int]:
    """The best sequence of tags for (tokens, tags) scores."""
    start = np.asarray([_FORBIDDEN if tag.startswith("I-") else 0.0 for tag in TAGS], np.float32)
    best, back = scores[0] + start, []
    for row in scores[1:]:
        through = best[:, None] + moves
        back.append(through.argmax(axis=0))
        best = through.max(axis=0) + row
    path = [int(best.argmax())]
    for row in reversed(back):
        path.append(int(row[path[-1]]))
    return path[::-1]


@dataclass(frozen=True, slots=True)
class Tagger:
    """Weights of the tagger."""

    weights: NDArray[np.float32]  # (BUCKETS, tags)
    moves: NDArray[np.float32]  # (from, to)

    def tags(self, tokens: Sequence[Token], group: str) -> list[str]:
        """A tag a token."""
        if not tokens:
            return []
        scores = self.weights[token_features(tokens, group)].sum(axis=1)
        return [TAGS[i] for i in viterbi(scores, self.moves + allowed())]

    def find(self, text: str, group: str) -> Spans:
        """The kept part, the kind of picture and the place in a message of that group."""
        tokens = tokenise(text)
        tags = self.tags(tokens, group)
        kept = [i for i, tag in enumerate(tags) if tag != "O"]
        keep = text[tokens[kept[0]].start : tokens[kept[-1]].end] if kept and group != "move" else ""
        return Spans(keep, _first(text, tokens, tags, "W"), _last(text, tokens, tags, "P"))


@cache
def load_tagger() -> Tagger:
    """The shipped tagger, read once."""
    with np.load(WEIGHTS) as held:
        return Tagger(held["tagger:weights"].astype(np.float32), held["tagger:moves"].astype(np.float32))


def group_of(label: str, of: str = "") -> str:
    """Messages whose parts are put alike share a group."""
    if label == "filing" or (label == "change" and of == "filing"):
        return "refile" if label == "change" else "file"
    return {"change": "change", "rule": "rule", "forget": "forget", "move": "move"}.get(label, "fact")


def _runs(tags: Sequence[str], kind: str) -> list[tuple[int, int]]:
    runs: list[tuple[int, int]] = []
    for i, tag in enumerate(tags):
        if tag == f"B-{kind}" or (tag == f"I-{kind}" and not (runs and runs[-1][1] == i)):
            runs.append((i, i + 1))
        elif tag == f"I-{kind}":
            runs[-1] = (runs[-1][0], i + 1)
    return runs


def _first(text: str, tokens: Sequence[Token], tags: Sequence[str], kind: str) -> str:
    runs = _runs(tags, kind)
    return text[tokens[runs[0][0]].start : tokens[runs[0][1] - 1].end] if runs else ""


def _last(text: str, tokens: Sequence[Token], tags: Sequence[str], kind: str) -> str:
    runs = _runs(tags, kind)
    return text[tokens[runs[-1][0]].start : tokens[runs[-1][1] - 1].end] if runs else ""


def _shape(word: str) -> str:
    if re.match(rf"[{HAN}]", word):
        return "han"
    if not word[0].isalnum():
        return "sign"
    if word[0].isdigit():
        return "digit"
    return "Cap" if word[0].isupper() else "low"


def _quoted(words: Sequence[str]) -> list[int]:
    """1 inside quotation marks, 0 outside."""
    out, inside = [], False
    for word in words:
        if not inside and word in _OPEN:
            inside = True
            out.append(0)
        elif inside and word in _CLOSE:
            inside = False
            out.append(0)
        else:
            out.append(int(inside))
    return out
