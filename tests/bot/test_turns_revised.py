"""A message that is edited, or followed by what was sent with it: before its turn, in the middle of it, after it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from bot import care
from bot.agent.loop import Beat
from bot.storage.outbox import OutboxRows
from bot.tools import Result
from bot.types import Answered, Message
from tests.bot.desks import Rig
from tests.bot.test_turns import echo, working
from tests.fakes.app import eventually


class Held:
    """Answers by repeating the words, once it is let go; every burst counts."""

    def __init__(self, *results: Result) -> None:
        self.go = asyncio.Event()
        self.started = asyncio.Event()
        self.results = results

    async def __call__(self, burst: Sequence[Message], beat: Beat) -> str:
        for result in self.results:
            beat(result)
        self.started.set()
        await self.go.wait()
        return await echo(burst, beat)


async def test_in_the_middle_of_its_turn_the_turn_begins_anew(rig: Rig) -> None:
    work = Held()
    async with working(rig, work) as w:
        first = await w.say("tell me about tea")
        await work.started.wait()
        assert await w.turns.revise(first, "tell me about tea and in English")
        work.go.set()
        await w.tells("tell me about tea and in English")
        await w.settled()
        assert w.bursts == [["tell me about tea"], ["tell me about tea and in English"]]


async def test_while_it_is_held_back_after_deaths_it_counts(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was looked at before the wait is looked at again."""
    monkeypatch.setattr(care, "HELD_BACK", {1: 0.3})
    message = await rig.said("tell me about tea")
    async with working(rig, echo) as w:
        w.turns.care = care.Care(rig.storage.beginnings)
        await w.turns.care.take_up([(care.TURN, message.id)])
        w.turns.wake(message)
        await asyncio.sleep(0.05)
        assert w.bursts == []
        assert await w.turns.revise(message, "tell me about coffee")
        await w.tells("tell me about coffee")
        assert w.bursts == [["tell me about coffee"]]


async def test_what_is_stopped_while_it_is_held_back_is_never_begun(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(care, "HELD_BACK", {1: 0.1})
    message = await rig.said("tell me about tea")
    async with working(rig, echo) as w:
        w.turns.care = care.Care(rig.storage.beginnings)
        await w.turns.care.take_up([(care.TURN, message.id)])
        w.turns.wake(message)
        await asyncio.sleep(0.02)
        await w.say("/stop")
        await w.tells("停下了；在这之前说的都不做了。")
        assert w.bursts == []


async def test_what_waits_behind_a_turn_keeps_its_place(rig: Rig) -> None:
    work = Held()
    async with working(rig, work) as w:
        first = await w.say("one")
        await work.started.wait()
        second = await w.say("two")
        await w.say("/help")
        third = await w.say("three")
        for message, text in ((third, "THREE"), (second, "TWO"), (first, "ONE")):
            assert await w.turns.revise(message, text)
        work.go.set()
        await w.tells("ONE+TWO", "/help", "THREE")


async def test_words_edited_into_a_command_leave_the_burst(rig: Rig) -> None:
    work = Held()
    async with working(rig, work) as w:
        await w.say("zero")
        await work.started.wait()
        message = await w.say("one")
        await w.say("two")
        assert await w.turns.revise(message, "/help")
        work.go.set()
        await w.tells("zero", "/help", "two")
        assert [each.text for each in await rig.storage.messages.unextracted()] == []


async def test_after_its_turn_it_is_too_late(rig: Rig) -> None:
    async with working(rig, echo) as w:
        message = await w.say("one")
        await w.settled()
        assert not await w.turns.revise(message, "two")
        assert (await rig.storage.messages.get(message.id)).text == "one"
        assert w.bursts == [["one"]]


async def test_once_something_was_done_it_is_too_late(rig: Rig) -> None:
    """Beginning anew would do it twice."""
    work = Held(Result("kept", receipt="Kept.", deed=True))
    async with working(rig, work) as w:
        message = await w.say("remember tea")
        await work.started.wait()
        assert not await w.turns.revise(message, "remember coffee")
        work.go.set()
        await w.tells("remember tea")
        assert len(w.bursts) == 1


async def test_a_look_up_is_nothing_done(rig: Rig) -> None:
    work = Held(Result("found nothing"))
    async with working(rig, work) as w:
        message = await w.say("what is in my notes on tea")
        await work.started.wait()
        assert await w.turns.revise(message, "on coffee")
        work.go.set()
        await w.tells("on coffee")


async def test_a_command_in_hand_is_not_run_twice(rig: Rig) -> None:
    work = Held()
    async with working(rig, work) as w:
        message = await w.say("/undo")
        await work.started.wait()
        assert not await w.turns.revise(message, "/undo 3")
        work.go.set()
        await w.tells("/undo")


async def test_while_its_answer_is_being_stored_it_is_too_late(rig: Rig) -> None:
    storing, go = asyncio.Event(), asyncio.Event()

    class Slow(OutboxRows):
        async def answer(self, burst: Sequence[Message], answered: Answered) -> list[int]:
            storing.set()
            await go.wait()
            return await super().answer(burst, answered)

    async with working(rig, echo, Slow(rig.storage.database, rig.clock)) as w:
        message = await w.say("one")
        await storing.wait()
        assert not await w.turns.revise(message, "two")
        go.set()
        await w.tells("one")


async def test_of_a_burst_tried_one_by_one_each_reads_as_it_was_edited(rig: Rig) -> None:
    silent = asyncio.Event()

    async def work(burst: Sequence[Message], beat: Beat) -> str:
        if len(burst) > 1 or not silent.is_set():
            silent.set()
            await asyncio.sleep(600)
        await asyncio.sleep(0.05)
        return await echo(burst, beat)

    for text in ("a", "b"):
        await rig.said(text)
    _, b = await rig.storage.messages.unanswered()
    async with working(rig, work, first_word=0.2, limit=0.2) as w:
        w.turns.wake(b)
        await silent.wait()
        await eventually(lambda: w.bursts[-1] == ["a"])
        assert await w.turns.revise(b, "B")
        await w.settled()
        assert (await w.told())[-1] == "B"
        assert w.bursts[-1] == ["B"]


async def test_words_that_come_to_a_picture_are_due(rig: Rig) -> None:
    async with working(rig, echo) as w:
        message = await rig.said("", answer=False)
        assert await w.turns.revise(message, "what does row 3 say?")
        await w.tells("what does row 3 say?")


# ── what was sent together ─────────────────────────────────────────────────────────────────────────────────


async def test_a_comment_and_what_is_forwarded_with_it_are_one_turn(rig: Rig) -> None:
    """Telegram sends the comment first; its turn has begun when the rest comes."""
    work = Held()
    async with working(rig, work) as w:
        await w.say("is this true?")
        await work.started.wait()
        for words in ("first page", "second page"):
            await w.say(words, forwarded=True)
        work.go.set()
        await w.tells("is this true?+first page+second page")
        await w.settled()


async def test_what_is_forwarded_later_or_after_a_deed_is_a_turn_of_its_own(rig: Rig) -> None:
    work = Held()
    async with working(rig, work) as w:
        await w.say("is this true?")
        await work.started.wait()
        rig.clock.later(seconds=30)
        await w.say("a page", forwarded=True)
        work.go.set()
        await w.tells("is this true?", "a page")
    work = Held(Result("kept", receipt="Kept.", deed=True))
    async with working(rig, work) as w:
        await w.say("remember this")
        await work.started.wait()
        await w.say("another page", forwarded=True)
        work.go.set()
        await w.tells("is this true?", "a page", "remember this", "another page")


async def test_documents_sent_together_are_one_turn(rig: Rig) -> None:
    work = Held()
    async with working(rig, work) as w:
        await w.say("compare these", album="a1")
        await work.started.wait()
        await w.say("", album="a1")
        work.go.set()
        await w.tells("compare these+")
        await w.say("next")
        await w.tells("compare these+", "next")
