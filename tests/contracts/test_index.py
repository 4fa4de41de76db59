"""What every search index keeps to: in memory and in SQLite, the same answers to the same questions."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from bot.storage.search import open_index
from memory.dict_index import DictIndex
from memory.errors import EncoderFailed
from memory.index import Document, Index, held

GROUPS = (("car", "lorry", "车"), ("supper", "pizza", "饭"), ("rain", "storm", "雨"))


class Encoder:
    """Knows a few words of three matters; can be made to fail."""

    def __init__(self) -> None:
        self.failing = 0  # calls that fail from now on

    async def passages(self, texts: Sequence[str], /) -> NDArray[np.float32]:
        if self.failing:
            self.failing -= 1
            raise EncoderFailed
        found = np.full((len(texts), 4), 0.05, np.float32)
        for row, text in zip(found, texts, strict=True):
            for place, words in enumerate(GROUPS):
                row[place] += sum(text.lower().count(word) for word in words)
        return np.asarray(found / np.linalg.norm(found, axis=1, keepdims=True), np.float32)

    async def queries(self, texts: Sequence[str], /) -> NDArray[np.float32]:
        return await self.passages(texts)


@pytest.fixture
def encoder() -> Encoder:
    return Encoder()


@pytest.fixture(params=["shelf", "sqlite", "sqlite file"])
async def index(request: pytest.FixtureRequest, encoder: Encoder, tmp_path: Path) -> AsyncIterator[Index]:
    if request.param == "shelf":
        yield DictIndex(encoder)
        return
    path = tmp_path / "index.sqlite" if request.param == "sqlite file" else None
    async with open_index(path, encoder) as found:
        yield found


def lines(*texts: str, group: str = "chat", head: str = "") -> list[Document]:
    return [Document(f"{group}{n}", text, group, head=head) for n, text in enumerate(texts)]


async def worded(index: Index, words: str) -> set[str]:
    return {hit.id for hit in await index.find(words) if hit.worded}


TEXTS = (
    "我不吃香菜，海鲜也不行", "用户的车是灰色的", "重跑gen-itgc后发邮件", "Where is my receipt?", "He drives a lorry",
    "She was running to the café", "Pizza again tonight", "天气预报说要下雨", "The storm broke a window", "九点开会",
)  # fmt: skip


@pytest.mark.parametrize(
    ("words", "best"),
    [
        ("香菜", 0), ("海鲜", 0), ("车", 1), ("灰色的车", 1), ("itgc", 2), ("GEN", 2), ("receipts", 3), ("Cafe run", 5),
        ("ｐｉｚｚａ", 6), ("下雨", 7), ("windows", 8), ("开会几点", 9), ("会", 9),
    ],
)  # fmt: skip
async def test_words_of_any_script(index: Index, words: str, best: int) -> None:
    await index.put(lines(*TEXTS))
    assert (await index.find(words))[0].id == f"chat{best}"


async def test_both_give_the_same_answers(encoder: Encoder) -> None:
    plain = DictIndex(encoder)
    async with open_index(None, encoder) as sqlite:
        for index in (plain, sqlite):
            await index.put(lines(*TEXTS))
            await index.hold({"page": held(lines("likes tea", "车在车库", group="page", head="Home"))})
            await index.drop(["chat3"])
            await index.put([Document("chat4", "He sold the car", "chat")])
            assert await index.understand() == 0
        for words in ("车", "car", "supper", "home tea", "the storm", "邮件 pizza", "nothing of it", "who"):
            one, other = await index.find(words, 20), await sqlite.find(words, 20)
            assert {hit.id: hit.worded for hit in one} == {hit.id: hit.worded for hit in other}
            scores = {hit.id: hit.score for hit in other}
            assert [scores[hit.id] for hit in one] == pytest.approx([hit.score for hit in one], abs=0.02)


async def test_an_answer_by_what_stands_before_it(index: Index) -> None:
    await index.put(lines("Which colour is the fence?", "Blue."))
    assert await worded(index, "fence") == {"chat0", "chat1"}


async def test_a_line_by_the_title_it_stands_under(index: Index) -> None:
    await index.hold({"p": held(lines("no lamb", "tea is fine", group="p", head="Food and drink"))})
    assert await worded(index, "food") == {"p0", "p1"}
    assert await worded(index, "lamb") == {"p0"}


async def test_a_group_is_held_exactly(index: Index) -> None:
    await index.hold({"p": held(lines("one heron", "two swans", group="p", head="Birds"))})
    mark = (await index.marks())["p"]
    changed = held(lines("one heron", "two geese", "an owl", group="p", head="Birds"))
    assert changed.mark != mark
    await index.hold({"p": changed})
    assert await index.marks() == {"p": changed.mark}
    assert await worded(index, "swans") == set()
    assert await worded(index, "owl") == {"p2"}
    await index.hold({}, gone=["p"])
    assert await index.marks() == {}
    assert await index.find("heron") == []


async def test_a_failed_encoder_is_asked_again(index: Index, encoder: Encoder) -> None:
    await index.put(lines("He drives a lorry", "九点开会"))
    encoder.failing = 1
    assert await index.understand() == 2
    assert await worded(index, "lorry") == {"chat0", "chat1"}
    assert await index.understand() == 0
    assert (await index.find("car"))[0].cosine > 0.9


async def test_a_question_that_cannot_be_encoded_is_answered_by_words(index: Index, encoder: Encoder) -> None:
    await index.put(lines(*TEXTS))
    await index.understand()
    encoder.failing = 1
    assert (await index.find("receipt"))[0].id == "chat3"


async def test_some_at_a_time_newest_first(index: Index) -> None:
    await index.put([Document(str(n), f"lorry {n}", str(n)) for n in range(5)])
    assert await index.understand(2) == 3
    assert {hit.id for hit in await index.find("car") if hit.cosine} == {"3", "4"}


async def test_only_among_some(index: Index) -> None:
    await index.put(lines(*TEXTS))
    await index.understand()
    hits = await index.find("lorry", among=["chat1", "chat6"])
    assert {hit.id for hit in hits} == {"chat1", "chat6"}
    assert hits[0].id == "chat1"
    assert await index.find("lorry", among=[]) == []


async def test_cleared(index: Index) -> None:
    await index.put(lines(*TEXTS), mark="7")
    assert (await index.marks())[""] == "7"
    await index.clear()
    assert await index.marks() == {}
    assert await index.find("lorry") == []
    await index.put(lines("a lorry"))
    assert await worded(index, "lorry") == {"chat0"}
