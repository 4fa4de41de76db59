"""Lines found again by their words and, where there is an embedder, by their meaning; any script."""

from __future__ import annotations

import asyncio
import contextlib
import math
from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memory.changes import Source
from memory.concepts import answers, misses
from memory.dict_index import DictIndex
from memory.errors import IndexUnusable
from memory.index import Document, Held, Hit, Index, held
from memory.page import Line, Page
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
_AT_ONCE = 128  # lines embedded anew for one search, a second's work; the rest are found by their words
_CANDIDATES = 50  # hits that are looked at closely
_SPEAKS = 0.83  # cosine from which a line without a shared word is worth showing


@dataclass(frozen=True, slots=True)
class Found:
    """A line that answers a search."""

    page: str
    line: Line
    score: float  # 0..1, best first; comparable within one search only
    # it shares a telling word with the question, or means nearly the same: an answer, not a guess
    near: bool = True
    title: str = ""  # of the page
    # who said it, when, in which conversation and words; None = nobody wrote it down
    source: Source | None = None


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


@dataclass(frozen=True, slots=True)
class Alike:
    """One way of embedding for both sides: lines and questions are both short, and compare best like with like."""

    embed: Embed

    async def passages(self, texts: Sequence[str], /) -> NDArray[np.float32]:
        """Of lines."""
        return await self.embed(texts)

    async def queries(self, texts: Sequence[str], /) -> NDArray[np.float32]:
        """Of questions."""
        return await self.embed(texts)


class Finder:
    """Finds lines through an index, which it keeps in step with the pages: they alone are the truth."""

    def __init__(self, index: Index | None, embed: Embed | None) -> None:
        self._spare = DictIndex(Alike(embed) if embed else None)
        self._index: Index = index or self._spare
        self._turn = asyncio.Lock()
        self._known: dict[str, tuple[Page, Held]] = {}

    async def find(self, words: str, most: int, read: Callable[[], Awaitable[Sequence[Page]]]) -> list[Found]:
        """The best lines of the pages that `read` gives, best first.

        Without a shared word, meaning alone must stand out: vectors of unrelated short texts lie close together.
        """
        async with self._turn:  # who reads later holds later: no older page is ever put over a newer one
            pages = await read()
            held = await asyncio.to_thread(self._marked, pages)
            try:
                hits = await self._hits(self._index, held, words, most)
            except IndexUnusable:  # a full disk, say: the lines themselves are all here
                hits = await self._hits(self._spare, held, words, most)
        by_name = {page.name: page for page in pages}
        found = []
        for hit in hits:
            name, _, id = hit.id.rpartition("#")
            line = next((line for other, line in _named(by_name[name]) if other == id), None)
            if line is not None:
                found.append(_judged(words, hit, by_name[name], line))
        return sorted((each for each in found if each.score > 0), key=lambda each: -each.score)[:most]

    def _marked(self, pages: Sequence[Page]) -> dict[str, Held]:
        """Pages as groups of an index; those that are the very same as before are not looked at again."""
        known = self._known
        self._known = {
            page.name: known[page.name]
            if page.name in known and known[page.name][0] is page
            else (page, held(_documents(page)))
            for page in pages
        }
        return {name: each for name, (_, each) in self._known.items()}

    async def understand(self, most: int | None, read: Callable[[], Awaitable[Sequence[Page]]]) -> int:
        """Bring the index in step and embed up to `most` lines; how many lack their vectors yet.

        Raises `IndexUnusable`.
        """
        async with self._turn:
            await self._in_step(self._index, await asyncio.to_thread(self._marked, await read()))
            return await self._index.understand(most)

    async def let_go(self, read: Callable[[], Awaitable[Sequence[Page]]]) -> None:
        """Have the index forget at once what is not in the pages any more; one that holds nothing is left so."""
        async with self._turn:
            with contextlib.suppress(IndexUnusable):  # such a one is thrown away
                if await self._index.marks():
                    await self._in_step(self._index, await asyncio.to_thread(self._marked, await read()))

    async def _hits(self, index: Index, wanted: Mapping[str, Held], words: str, most: int) -> list[Hit]:
        await self._in_step(index, wanted)
        await index.understand(_AT_ONCE)
        return await index.find(words, max(_CANDIDATES, 2 * most))

    async def _in_step(self, index: Index, wanted: Mapping[str, Held]) -> None:
        marks = await index.marks()
        changed = {name: each for name, each in wanted.items() if marks.get(name) != each.mark}
        gone = marks.keys() - wanted.keys()
        if changed or gone:
            await index.hold(changed, gone)


def _named(page: Page) -> list[tuple[str, Line]]:
    """Lines by their ids; by their places where the folder is read-only, so that they could not be given one."""
    return [(line.id or f"@{n}", line) for n, line in enumerate(page.lines)]


def _documents(page: Page) -> list[Document]:
    return [
        Document(f"{page.name}#{id}", _text(line), page.name, head=page.title or page.name)
        for id, line in _named(page)
    ]


def _text(line: Line) -> str:
    return f"{line.text} {line.when or ''}".strip()


def _judged(words: str, hit: Hit, page: Page, line: Line) -> Found:
    """A hit as an answer or as a guess."""
    score = hit.score if hit.worded or hit.cosine >= _SPEAKS else 0.0
    missed = misses(words, _text(line))
    told = not missed and answers(words, line.text)
    if told:
        score = max(score, _ANSWERED + 0.5 * score)
    text = _text(line)
    telling = set(tokens(words)) - _ASKING - STOP_WORDS
    least = _NEAR_HAN if has_han(words) else _NEAR
    shared = bool(telling & set(tokens(text))) or hit.cosine >= least
    return Found(page.name, line, score, told or (shared and not missed), title=page.title)
