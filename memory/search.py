"""Lines found again by their words and, where there is an embedder, by their meaning; any script."""

from __future__ import annotations

import math
from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memory.concepts import answers, misses
from memory.page import Line
from memory.words import STOP_WORDS, bag, has_han, tokens

Embed = Callable[[Sequence[str]], Awaitable[NDArray[np.float32]]]
"""Unit vectors, one row a text."""

_K1, _B = 1.2, 0.4  # lines are short: length says little about relevance
_NEAR_HAN, _NEAR = 0.885, 0.845
"""Cosine of two texts (both as queries) from which they speak of one thing without a shared word. Measured on
questions about facts that were told (0.86 to 0.91) and that were not (at most 0.877 in Chinese, 0.824 in English)."""
_ASKING = bag(
    "what when where which who whose whom why how again name call called tell know remember many much often go get "
    "have has had can need thing about still now today long old does did "
    "什么 多少 哪个 哪里 哪天 怎么 几个 几点 几号 记得 知道 来着 一下 我的 我是 我在 我们 你们 我家 叫什 么名 名字 "
    "是谁 是哪 是什 的是 的时 时候 这个 那个 有没 没有 "
    "现在 今天 之前 上次 告诉 用户 户的 时间 还是 不是 就是 为什 么时 是多"
)
_ANSWERED = 0.5  # score of a line that is about what was asked, whatever its words
_AT_ONCE = 512  # texts embedded anew for one search; the rest are found by their words and come in later


@dataclass(frozen=True, slots=True)
class Found:
    """A line that answers a search."""

    page: str
    line: Line
    score: float  # 0..1, best first; comparable within one search only
    near: bool = (
        True  # it shares a telling word with the question, or means nearly the same: an answer, not a guess
    )


def lexical(query: str, texts: Sequence[str]) -> list[float]:
    """BM25 of each text for the query, unscaled."""
    asked = Counter(tokens(query))
    counted = [Counter(tokens(text)) for text in texts]
    for single in (
        token for token in asked if len(token) == 1 and has_han(token)
    ):  # texts are indexed by pairs
        for text, each in zip(texts, counted, strict=True):
            each[single] = text.count(single)
    mean = sum(each.total() for each in counted) / len(counted) if counted else 1.0
    held = Counter(token for each in counted for token in each.keys() & asked.keys() if each[token])
    weight = {t: math.log(1 + (len(counted) - n + 0.5) / (n + 0.5)) for t, n in held.items()}
    scores: list[float] = []
    for each in counted:
        norm = _K1 * (1 - _B + _B * each.total() / max(mean, 1.0))
        scores.append(
            sum(weight[t] * each[t] * (_K1 + 1) / (each[t] + norm) for t in each.keys() & held.keys())
        )
    return scores


class Meanings:
    """Vectors of texts, kept while they are of use."""

    def __init__(self, embed: Embed | None, most: int = 20_000) -> None:
        self._embed = embed
        self._most = most
        self._kept: OrderedDict[str, NDArray[np.float32]] = OrderedDict()

    async def cosines(self, query: str, texts: Sequence[str]) -> list[float] | None:
        """Cosine of each text to the query; None without an embedder. A text not embedded yet counts as 0."""
        if self._embed is None or not texts:
            return None
        missing = [text for text in dict.fromkeys([query, *texts]) if text not in self._kept][: _AT_ONCE + 1]
        if missing:
            for text, vector in zip(missing, await self._embed(missing), strict=True):
                self._kept[text] = vector
        asked = self._kept[query]
        scores = [float(self._kept[text] @ asked) if text in self._kept else 0.0 for text in texts]
        while len(self._kept) > self._most:
            self._kept.popitem(last=False)
        return scores


async def ranked(query: str, lines: Sequence[tuple[str, Line]], meanings: Meanings, most: int) -> list[Found]:
    """The best lines for a query: normalised word and meaning scores, half and half.

    Without a shared word, meaning alone must stand out: vectors of unrelated short texts lie close together.
    """
    texts = [f"{line.text} {line.when or ''}".strip() for _, line in lines]
    by_words = lexical(query, texts)
    by_meaning = await meanings.cosines(query, texts)
    top = max(by_words, default=0.0) or 1.0
    scores: list[float] = [score / top for score in by_words]
    if by_meaning is not None:
        low = sorted(by_meaning)[len(by_meaning) // 2]
        low, high = min(low, 0.82), max(*by_meaning, 0.90)
        meant = [max(0.0, (score - low) / (high - low)) for score in by_meaning]
        scores = [
            0.5 * word + 0.5 * near if word or cosine >= 0.83 else 0.0
            for word, near, cosine in zip(scores, meant, by_meaning, strict=True)
        ]
    told = [answers(query, line.text) for _, line in lines]
    scores = [
        max(score, _ANSWERED + 0.5 * score) if yes else score for score, yes in zip(scores, told, strict=True)
    ]
    order = sorted(range(len(lines)), key=lambda i: -scores[i])[:most]
    telling = set(tokens(query)) - _ASKING - STOP_WORDS
    least = _NEAR_HAN if has_han(query) else _NEAR
    near = [
        told[i]
        or (
            (bool(telling & set(tokens(text))) or (by_meaning is not None and by_meaning[i] >= least))
            and not misses(query, text)
        )
        for i, text in enumerate(texts)
    ]
    return [Found(lines[i][0], lines[i][1], scores[i], near[i]) for i in order if scores[i] > 0.0]
