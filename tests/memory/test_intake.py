"""What becomes of what was read: learning on, to be asked about, off; a no holds, and explicit wishes always count."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from memory import Memory, Source
from memory.changes import Change, Did, Instruct, Learn, Origin, Retire, Revise, Speaker
from memory.extraction import Extraction
from memory.extractor import Extractor
from memory.intake import Learning, Lines, Taken, take_in
from memory.store import DictStore
from memory.utterance import Utterance

NOW = datetime(2026, 9, 1, 20, 5, tzinfo=ZoneInfo("Asia/Shanghai"))


def person() -> Memory:
    return Memory(DictStore(), person="me", now=lambda: NOW)


def said(words: str) -> Source:
    return Source("fake:me", "1", NOW, words, words)


async def read(memory: Memory, learning: Learning, *changes: tuple[Change, str]) -> Taken:
    found = Extraction(tuple((change, said(words)) for change, words in changes))

    async def extract(utterances: Sequence[Utterance], lines: Lines, now: datetime) -> Extraction:
        return found

    return await take_in(memory, extract, [], NOW, learning)


TEA = (Learn("用户爱喝乌龙茶", topic="口味"), "我爱喝乌龙茶")
SHORT = (Instruct("回答简短"), "以后回答简短")
KEEP = (Learn("用户的衣柜密钥挂在门后", topic="家", origin=Origin.EXPLICIT), "记住衣柜密钥挂在门后")


@pytest.mark.parametrize(("learning", "lines", "questions"), [("on", 3, 0), ("ask", 2, 1), ("off", 2, 0)])
async def test_only_what_was_told_in_passing_depends_on_it(
    learning: Learning, lines: int, questions: int
) -> None:
    memory = person()
    taken = await read(memory, learning, TEA, SHORT, KEEP)
    assert (len(await memory.lines()), len(taken.questions)) == (lines, questions)
    assert {line.text for _, line in await memory.lines()} >= {"回答简短", "用户的衣柜密钥挂在门后"}


@pytest.mark.parametrize("learning", ["on", "ask", "off"])
async def test_a_correction_and_a_forgetting_count_in_all_three(learning: Learning) -> None:
    memory = person()
    await read(memory, "on", TEA, SHORT)
    tea = next(line.id for _, line in await memory.lines() if "乌龙" in line.text)
    short = next(line.id for _, line in await memory.lines() if "简短" in line.text)
    revise = Revise(tea, "用户爱喝红茶", origin=Origin.EXPLICIT)
    await read(memory, learning, (revise, "我爱喝的其实是红茶"), (Retire(short), "回答简短那条不要了"))
    assert [line.text for _, line in await memory.lines()] == ["用户爱喝红茶"]


@pytest.mark.parametrize("again", ["用户爱喝乌龙茶", "用户喜欢喝乌龙茶", "用户很爱喝乌龙茶。"])
async def test_a_no_is_not_asked_again_in_like_words(again: str) -> None:
    memory = person()
    [(change, source)] = (await read(memory, "ask", TEA)).questions
    await memory.decline(change, source)
    for learning in ("ask", "on"):
        taken = await read(memory, learning, (Learn(again, topic="口味"), "我很爱喝乌龙茶，喜欢乌龙茶"))
        assert taken.questions == ()
    assert await memory.lines() == []


@pytest.mark.parametrize(
    "other", ["用户讨厌乌龙茶", "用户爱喝乌龙茶和咖啡，每天 3 杯", "用户的妈妈爱喝乌龙茶", "用户住在杭州"]
)
async def test_a_no_to_one_thing_is_none_to_another(other: str) -> None:
    memory = person()
    await memory.decline(TEA[0], said(TEA[1]))
    words = f"{other.replace('用户', '我')}。"
    taken = await read(memory, "on", (Learn(other, topic="口味"), words))
    assert [outcome.did for outcome in taken.outcomes] == [Did.ADDED]


async def test_a_declined_thing_can_be_taught() -> None:
    memory = person()
    await memory.decline(TEA[0], said(TEA[1]))
    [outcome] = await memory.apply([replace(TEA[0], origin=Origin.EXPLICIT)], said("记住我爱喝乌龙茶"))
    assert outcome.did is Did.ADDED


async def test_a_no_is_in_the_journal_and_cannot_be_undone_into_a_line() -> None:
    memory = person()
    await memory.decline(TEA[0], said(TEA[1]))
    [entry] = await memory.log()
    assert (entry.op, entry.text) == ("decline", "用户爱喝乌龙茶")
    assert await memory.undoable() is None
    assert (await memory.undo(entry.n)).did is Did.REFUSED
    assert await memory.lines() == []


async def test_the_same_talk_read_twice_adds_nothing() -> None:
    memory = person()
    await read(memory, "on", TEA, SHORT, KEEP)
    before = [str(line) for _, line in await memory.lines()]
    taken = await read(memory, "on", TEA, SHORT, KEEP)
    assert {outcome.did for outcome in taken.outcomes} == {Did.KNOWN}
    assert [str(line) for _, line in await memory.lines()] == before


async def test_what_was_said_later_holds_whichever_is_read_last() -> None:
    """The reading of the first message took longer than that of the second."""
    memory = person()
    first = replace(said("以后叫我阿南"), message="7")
    second = replace(said("还是叫我小南吧"), message="8")
    await memory.apply([Instruct("称呼用户小南")], second)
    [late] = await memory.apply([Instruct("称呼用户阿南")], first)
    assert late.did is Did.REFUSED
    assert late.reason == "「称呼用户小南」是后来说的，所以没有改回去。"
    assert [line.text for _, line in await memory.lines()] == ["称呼用户小南"]


async def test_a_database_that_counts_anew_makes_nothing_old() -> None:
    memory = person()
    await memory.apply([Instruct("称呼用户小南")], replace(said("叫我小南"), message="812"))
    later = replace(said("以后叫我阿南"), message="3", at=NOW.replace(hour=21))
    [outcome] = await memory.apply([Instruct("称呼用户阿南")], later)
    assert outcome.did is Did.REPLACED


@pytest.mark.parametrize("quote", ["用户在杭州开了一家面馆", "谢谢", "你说过你在杭州开了一家面馆"])
async def test_what_the_assistant_repeats_out_of_memory_is_never_stored_again(quote: str) -> None:
    """Recalled lines stand in the talk, and a model that falls for them proposes them as new."""
    memory = person()
    earlier = Utterance(Speaker.ASSISTANT, "你说过你在杭州开了一家面馆。", NOW, "1", "fake:me")
    tool = Utterance(Speaker.TOOL, "[t1] 用户在杭州开了一家面馆", NOW, "1", "fake:me")
    thanks = Utterance(Speaker.PERSON, "谢谢", NOW, "2", "fake:me")
    row = {"op": "learn", "quote": quote, "text": "用户在杭州开了一家面馆", "topic": "面馆", "asked": True}
    answer = json.dumps({"changes": [row]}, ensure_ascii=False)

    async def ask(system: str, user: str) -> str:
        return answer

    taken = await take_in(memory, Extractor(ask).extract, [earlier, tool, thanks], NOW)
    assert await memory.lines() == []
    assert taken.questions == ()
