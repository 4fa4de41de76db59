"""Turns: in order, never stuck, never lost, and a deed is never left unsaid."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

import pytest
from structlog.testing import capture_logs

from bot.agent.loop import Beat
from bot.errors import HomeUnwritable, ModelRefused, ModelUnavailable
from bot.storage.outbox import OutboxRows
from bot.tools import Result
from bot.turns import Patience, Turns, Voice
from bot.types import Answered, Button, Message, Words
from memory.errors import StoreUnwritable
from tests.bot.desks import Rig, until
from tests.fakes.app import eventually

Work = Callable[[Sequence[Message], Beat], Awaitable[str]]


class Working:
    """Turns over a real database, answered by a function; keeps what followed and what was spoken past the outbox."""

    def __init__(self, rig: Rig, work: Work, rows: OutboxRows | None = None, **patience: float) -> None:
        self.rig = rig
        self.work = work
        self.bursts: list[list[str]] = []
        self.after: list[list[int]] = []
        self.spoken: list[str] = []
        self.turns = Turns(
            rig.storage.messages,
            rows or rig.storage.outbox,
            self._answer,
            after=self._after,
            voice=Voice(self._typing, self._speak, rig.storage.people.language),
            patience=Patience(**{"first_word": 5, "limit": 10, **patience}),
        )

    async def _answer(self, burst: Sequence[Message], beat: Beat) -> Answered:
        self.bursts.append([each.text for each in burst])
        return Answered((Words(await self.work(burst, beat)),), read=tuple(each.id for each in burst))

    async def _after(self, unread: Sequence[int]) -> None:
        self.after.append(list(unread))

    async def _typing(self, message: Message) -> None: ...

    async def _speak(self, about: Message, text: str) -> None:
        self.spoken.append(text)

    async def say(self, text: str, **more: Any) -> Message:
        message = await self.rig.said(text, **more)
        self.turns.wake(message)
        return message

    async def told(self) -> list[str]:
        """All that is to be sent, in order."""
        return [each.text for each in await self.rig.storage.outbox.unsent("fake")]

    async def settled(self) -> None:
        async def answered() -> bool:
            return not await self.rig.storage.messages.unanswered()

        await until(answered, 10)

    async def tells(self, *texts: str) -> None:
        """Wait until this and nothing else is to be sent."""

        async def said() -> bool:
            return await self.told() == list(texts)

        await until(said, 3)


@asynccontextmanager
async def working(
    rig: Rig, work: Work, rows: OutboxRows | None = None, **patience: float
) -> AsyncIterator[Working]:
    made = Working(rig, work, rows, **patience)
    try:
        yield made
    finally:
        await made.turns.stop(grace=0.1)


async def echo(burst: Sequence[Message], beat: Beat) -> str:
    return "+".join(each.text for each in burst)


async def forever(burst: Sequence[Message], beat: Beat) -> str:
    await asyncio.sleep(600)
    return "too late"


async def test_all_that_comes_is_answered_in_order_whenever_it_comes(rig: Rig) -> None:
    """Messages in every moment of a turn, its last one included."""

    async def work(burst: Sequence[Message], beat: Beat) -> str:
        await asyncio.sleep(0.002)
        return await echo(burst, beat)

    async with working(rig, work) as w:
        for i in range(60):
            await w.say(f"m{i}")
            await asyncio.sleep(0.0007 * (i % 5))
        await w.settled()
        assert [text for burst in w.bursts for text in burst] == [f"m{i}" for i in range(60)]
        assert "+".join(await w.told()).split("+") == [f"m{i}" for i in range(60)]


async def test_a_message_in_the_last_moment_of_a_turn_is_seen(rig: Rig) -> None:
    class Late(OutboxRows):
        """Somebody writes right after each of the first answers is stored."""

        left = 5

        async def answer(self, burst: Sequence[Message], answered: Answered) -> list[int]:
            unread = await super().answer(burst, answered)
            if self.left > 0:
                self.left -= 1
                await w.say(f"late {self.left}")
            return unread

    async with working(rig, echo, Late(rig.storage.database, rig.clock)) as w:
        await w.say("first")
        await w.tells("first", "late 4", "late 3", "late 2", "late 1", "late 0")


async def test_a_burst_is_one_turn_but_commands_and_other_chats_stand_alone(rig: Rig) -> None:
    for text in ("a", "b"):
        await rig.said(text)
    await rig.said("/memory")
    await rig.said("/etc/hosts says what?")
    here = await rig.said("/forget everything", forwarded=True)
    await rig.said("c", chat="group")
    there = await rig.said("", pressed="undo:1", chat="group")
    async with working(rig, echo) as w:
        w.turns.wake(here)
        await eventually(lambda: len(w.bursts) == 3)
        w.turns.wake(there)
        await w.settled()
        assert w.bursts == [
            ["a", "b"],
            ["/memory"],
            ["/etc/hosts says what?", "/forget everything"],
            ["c"],
            [""],
        ]


@pytest.mark.parametrize("other", [{"person": "bob"}, {"person": "ann", "chat": "group"}])
async def test_no_chat_waits_for_another(rig: Rig, other: dict[str, str]) -> None:
    async def work(burst: Sequence[Message], beat: Beat) -> str:
        return await (forever if burst[0].text == "slow" else echo)(burst, beat)

    async with working(rig, work) as w:
        await w.say("slow", person="ann")
        await w.say("fast", **other)
        await w.tells("fast")


@pytest.mark.parametrize("waits", ["/status", "another"])
async def test_whoever_waits_is_not_stuck_behind_a_silent_model(rig: Rig, waits: str) -> None:
    """Also one that was there before the silence began: a command that is due right behind the words."""

    async def work(burst: Sequence[Message], beat: Beat) -> str:
        return await (forever if burst[0].text == "slow" else echo)(burst, beat)

    if waits == "/status":
        await rig.said("slow")
    async with working(rig, work, first_word=0.1, limit=60) as w:
        if waits != "/status":
            await w.say("slow")
            await asyncio.sleep(0.05)
        await w.say(waits)
        async with asyncio.timeout(3):
            await w.settled()
        assert (await w.told())[-1] == waits
        assert "放下了" in (await w.told())[0]


async def test_silence_is_spoken_of_once_and_given_up_at_the_limit(rig: Rig) -> None:
    async with working(rig, forever, first_word=0.05, limit=1.2) as w:
        message = await w.say("hello")
        await w.settled()
        waiting, gave_up = await w.told()
        assert "还在等" in waiting
        assert "一直没有回答" in gave_up
        row = await rig.storage.messages.find("fake", "me", "m1")
        assert row is not None
        assert row.problem == gave_up
        assert message.id == row.id


async def test_signs_of_life_keep_a_turn_alive(rig: Rig) -> None:
    async def work(burst: Sequence[Message], beat: Beat) -> str:
        for _ in range(8):
            await asyncio.sleep(0.05)
            beat(Result("looked"))
        return "done"

    async with working(rig, work, first_word=0.2, limit=0.3) as w:
        await w.say("a long one")
        await w.settled()
        assert await w.told() == ["done"]


async def test_the_word_about_silence_is_punctual_though_the_model_was_asked_late(rig: Rig) -> None:
    async def work(burst: Sequence[Message], beat: Beat) -> str:
        await asyncio.sleep(0.3)
        beat()  # as before every question to the model: nothing that the person could see
        return await forever(burst, beat)

    async with working(rig, work, first_word=0.4, limit=60) as w:
        await w.say("hello")
        started = asyncio.get_running_loop().time()
        await w.tells("还在等模型回答……")
        assert asyncio.get_running_loop().time() - started < 0.6


DEED = Result("done", "✓ Saved: short answers", (Button("Undo", "undo:1"),), deed=True)


@pytest.mark.parametrize(
    "ends", [ModelUnavailable("busy"), ModelRefused("no"), RuntimeError("bug"), StoreUnwritable(), None]
)
async def test_what_was_done_before_a_turn_failed_is_told_with_its_undo(
    rig: Rig, ends: Exception | None
) -> None:
    async def work(burst: Sequence[Message], beat: Beat) -> str:
        beat(DEED)
        beat(DEED)
        if ends is None:
            return await forever(burst, beat)
        raise ends

    with capture_logs():
        async with working(rig, work, first_word=0.05, limit=0.1) as w:
            await w.say("keep answers short")
            await w.settled()
    said = (await rig.storage.outbox.unsent("fake"))[-1]
    assert said.text.count("✓ Saved: short answers") == 1
    assert said.buttons == DEED.buttons
    assert not said.text.startswith("✓"), "what went wrong comes first"


@pytest.mark.parametrize(
    "error", [ValueError("/secret/path token=abc"), KeyError("x"), OSError(5, "io"), TimeoutError()]
)
async def test_a_bug_ends_as_one_sentence_and_the_next_message_works(rig: Rig, error: Exception) -> None:
    async def work(burst: Sequence[Message], beat: Beat) -> str:
        if burst[0].text == "bad":
            raise error
        return "fine"

    with capture_logs() as logs:
        async with working(rig, work) as w:
            await w.say("bad")
            await w.settled()
            await w.say("good")
            await w.settled()
            sorry, fine = await w.told()
    assert sorry == "出了点问题，已记入日志；这条消息我没能处理好，请再说一次。"
    assert fine == "fine"
    assert [each["action"] for each in logs if each["log_level"] == "error"] == ["turn_failed"]


class FullDisk(OutboxRows):
    """Cannot store answers for the first `times`."""

    times = 3

    async def answer(self, burst: Sequence[Message], answered: Answered) -> list[int]:
        if self.times > 0:
            self.times -= 1
            raise HomeUnwritable
        return await super().answer(burst, answered)


async def test_an_answer_that_the_disk_does_not_take_is_kept_and_worked_out_once(
    rig: Rig, quick: Callable[[], None]
) -> None:
    quick()
    with capture_logs():
        async with working(rig, echo, FullDisk(rig.storage.database, rig.clock)) as w:
            await w.say("hello")
            await w.settled()
            assert w.bursts == [["hello"]]
            assert len(w.spoken) == 1, "the person is told once, past the outbox"
            assert "磁盘" in w.spoken[0]
            assert w.turns.unsaved == {}
            assert await w.told() == ["hello"]


async def test_what_follows_a_turn_may_fail(rig: Rig) -> None:
    async def broken(unread: Sequence[int]) -> None:
        raise HomeUnwritable

    with capture_logs() as logs:
        async with working(rig, echo) as w:
            w.turns._after = broken
            for text in ("one", "two"):
                await w.say(text)
                await w.settled()
            assert await w.told() == ["one", "two"]
            await eventually(lambda: not w.turns._workers)
    assert [each["action"] for each in logs if each["log_level"] == "error"] == ["turn_after_failed"] * 2


async def test_trouble_with_the_database_is_waited_out(rig: Rig, quick: Callable[[], None]) -> None:
    quick()
    plain, left = rig.storage.messages.unanswered, 3

    async def unanswered(person: str | None = None) -> list[Message]:
        nonlocal left
        left -= 1
        if left > 0:
            raise HomeUnwritable
        return await plain(person)

    with capture_logs():
        async with working(rig, echo) as w:
            w.turns._messages.unanswered = unanswered  # type: ignore[method-assign]
            await w.say("hello")
            await w.tells("hello")
            w.turns._messages.unanswered = plain  # type: ignore[method-assign]


async def test_stopping_cuts_what_takes_too_long_and_it_is_due_again(rig: Rig) -> None:
    before = asyncio.all_tasks()
    async with working(rig, forever) as w:
        await w.say("hello")
        await eventually(lambda: w.bursts)
        async with asyncio.timeout(2):
            await w.turns.stop(grace=0.05)
        await w.say("too late for this process")
        await asyncio.sleep(0.01)
        assert len(w.bursts) == 1
    assert [each.text for each in await rig.storage.messages.unanswered()] == [
        "hello",
        "too late for this process",
    ]
    assert await w.told() == []
    assert asyncio.all_tasks() == before, "nothing dangles"


async def test_stopping_stores_an_answer_that_is_there(rig: Rig) -> None:
    stored = asyncio.Event()

    class Slow(OutboxRows):
        async def answer(self, burst: Sequence[Message], answered: Answered) -> list[int]:
            stored.set()
            await asyncio.sleep(0.1)
            return await super().answer(burst, answered)

    async with working(rig, echo, Slow(rig.storage.database, rig.clock)) as w:
        await w.say("hello")
        await stored.wait()
        await w.turns.stop(grace=0)
    assert await w.told() == ["hello"]


async def test_stopping_on_a_full_disk_ends(rig: Rig) -> None:
    rows = FullDisk(rig.storage.database, rig.clock)
    rows.times = 10_000
    with capture_logs():
        async with working(rig, echo, rows) as w:
            await w.say("hello")
            await eventually(lambda: w.spoken)
            async with asyncio.timeout(4):
                await w.turns.stop(grace=0.05)
    assert [each.text for each in await rig.storage.messages.unanswered()] == ["hello"]
