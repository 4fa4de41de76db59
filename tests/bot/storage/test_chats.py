"""What was said, found again: by words, by day, in any conversation, with what stood around it; nobody else's."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest

from bot.storage.chats import Chats, asked_about, named_days
from bot.storage.search import SearchIndex
from bot.storage.tables import messages
from bot.types import Answered, Words
from tests.bot.desks import NOW, ZONE, Rig, open_rig
from tests.bot.servers import FreshUrl


async def say(rig: Rig, text: str, answer: str = "", *, on: datetime = NOW, **more: str) -> None:
    """A message and its answer, at a time."""
    rig.clock.now = on
    message = await rig.said(text, at=on, **more)
    if answer:
        await rig.storage.outbox.answer([message], Answered((Words(answer),)))
    rig.clock.now = NOW


async def texts(chats: Chats, words: str, before: int | None = None) -> list[str]:
    return [passage.line.text for passage in await chats.search(words, before=before)]


def day(month: int, day_: int, hour: int = 12) -> datetime:
    return datetime(2026, month, day_, hour, tzinfo=ZONE)


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("香菜", "我不吃香菜"),
        ("我说过什么关于香菜的话？", "我不吃香菜"),
        ("itgc", "重跑gen-itgc后再发邮件"),
        ("What did I say about the fences?", "The fence needs paint"),
        ("painting", "The fence needs paint"),
    ],
)
async def test_found_by_words(tmp_path: Path, fresh_url: FreshUrl, words: str, found: str) -> None:
    async with open_rig(tmp_path, database_url=fresh_url()) as rig:
        for text in ("早上好", "我不吃香菜", "重跑gen-itgc后再发邮件", "The fence needs paint", "晚安"):
            await say(rig, text, chat=text)
        assert (await texts(rig.chats(), words))[0] == found


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("what did I say on 3 May?", ["on the third", "and again"]),
        ("我5月3日说了什么", ["on the third", "and again"]),
        ("what did I say about lunch last week?", ["lunch with Ann"]),
        ("我上周说过什么关于lunch的事", ["lunch with Ann"]),
        ("what did I say about lunch on 3 May?", []),
        ("what did I say in 2019", []),
    ],
)
async def test_found_by_day(tmp_path: Path, fresh_url: FreshUrl, words: str, found: list[str]) -> None:
    async with open_rig(tmp_path, database_url=fresh_url()) as rig:
        await say(rig, "on the third", on=day(5, 3, 0))
        await say(rig, "and again", on=day(5, 3, 23), chat="elsewhere")
        await say(rig, "the fourth", on=day(5, 4, 0))
        await say(rig, "lunch with Tom", on=day(8, 20))
        await say(rig, "lunch with Ann", on=day(8, 26))
        assert await texts(rig.chats(), words) == found


async def test_it_comes_with_its_place_and_neighbours(tmp_path: Path, fresh_url: FreshUrl) -> None:
    async with open_rig(tmp_path, database_url=fresh_url()) as rig:
        await say(rig, "Good morning", "Hello!", chat="a")
        await say(rig, "My bike is at Karim's workshop", "Noted.", chat="a")
        [passage] = await rig.chats().search("bike")
        assert passage.conversation == "fake:a"
        assert [(line.ours, line.text) for line in passage.lines] == [
            (True, "Hello!"),
            (False, "My bike is at Karim's workshop"),
            (True, "Noted."),
        ]
        [passage] = await rig.chats().search("noted")
        assert passage.line.ours


async def test_nobody_elses_words(tmp_path: Path, fresh_url: FreshUrl) -> None:
    async with open_rig(tmp_path, database_url=fresh_url()) as rig:
        await say(rig, "the code word is heron", person="ann", chat="group")
        await say(rig, "what is it?", chat="group")
        assert await texts(rig.chats(), "heron") == []
        assert await texts(rig.chats("ann"), "heron") == ["the code word is heron"]


async def test_commands_and_the_question_itself_are_no_answers(tmp_path: Path, fresh_url: FreshUrl) -> None:
    async with open_rig(tmp_path, database_url=fresh_url()) as rig:
        await say(rig, "/memory heron")
        await say(rig, "a heron stood there")
        question = await rig.said("what did I say about the heron?")
        assert await texts(rig.chats(), question.text, before=question.id) == ["a heron stood there"]


async def test_asking_before_is_no_answer(tmp_path: Path, fresh_url: FreshUrl) -> None:
    async with open_rig(tmp_path, database_url=fresh_url()) as rig:
        await say(rig, "The spare bike is at Karim's", "✓", chat="a")
        await say(rig, "what did I say about the bike?", "You said: The spare bike is at Karim's", chat="b")
        await say(rig, "我说过什么关于bike的？", chat="c")
        assert await texts(rig.chats(), "bike") == ["The spare bike is at Karim's"]


async def test_what_comes_later_and_what_goes(tmp_path: Path, fresh_url: FreshUrl) -> None:
    async with open_rig(tmp_path / "home", database_url=fresh_url()) as rig:
        index = SearchIndex(tmp_path / "chats.sqlite")
        chats = Chats(rig.storage.database, "me", index, rig.clock)
        await say(rig, "the first heron", chat="a")
        assert await texts(chats, "heron") == ["the first heron"]
        await say(rig, "the second heron", chat="b")
        assert set(await texts(chats, "heron")) == {"the first heron", "the second heron"}
        await rig.storage.database.do(messages.delete().where(messages.c.text == "the first heron"))
        assert await texts(chats, "heron") == ["the second heron"]
        await index.close()
        (tmp_path / "chats.sqlite").unlink()
        assert await texts(chats, "heron") == ["the second heron"]
        await index.close()


async def test_without_a_usable_index(tmp_path: Path, fresh_url: FreshUrl) -> None:
    async with open_rig(tmp_path / "home", database_url=fresh_url()) as rig:
        (tmp_path / "file").write_text("in the way", encoding="utf-8")
        chats = Chats(rig.storage.database, "me", SearchIndex(tmp_path / "file" / "x.sqlite"), rig.clock)
        await say(rig, "a heron")
        assert await texts(chats, "heron") == ["a heron"]


@pytest.mark.parametrize(
    "words", ["", "   ", "?!", "what did I say", "'; DROP TABLE messages; --", "\0", "\ud800"]
)
async def test_odd_questions(tmp_path: Path, fresh_url: FreshUrl, words: str) -> None:
    async with open_rig(tmp_path, database_url=fresh_url()) as rig:
        await say(rig, "今天天气不错")
        assert await texts(rig.chats(), words) == []


@pytest.mark.parametrize(
    ("words", "first", "last", "rest"),
    [
        ("what did I say on Monday", "2026-08-31", "2026-08-31", ""),
        ("what did I say on Friday about rent", "2026-08-28", "2026-08-28", "rent"),
        ("12月5日聊了什么", "2025-12-05", "2025-12-05", ""),
        ("昨天我说的房租", "2026-08-31", "2026-08-31", "房租"),
        ("between 3 May 2026 and 5 May 2026: rent", "2026-05-03", "2026-05-05", "between and : rent"),
    ],
)
def test_days_are_those_that_have_been(words: str, first: str, last: str, rest: str) -> None:
    days, about = named_days(words, NOW)
    assert days is not None
    assert (days.first.isoformat(), days.last.isoformat()) == (first, last)
    assert asked_about(about) == rest
