"""`kill -9` at every moment of a message's life, then a start: each is answered once, each picture is filed once."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import psutil
import pytest

from tests.fakes.drawing import CODE, RECEIPT, drawn
from tests.fakes.model_answers import Request
from tests.flows.lives import OWNER, RULE, Lives, hanging, lives, play

pytestmark = [pytest.mark.slow, pytest.mark.timeout(240)]

RECEIPT_WORDS = "Filed #1 [收据] “a title”"
ANSWER = "heard: are you there?"


def working(run: Lives) -> bool:
    """Whether the picture worker has been at it for a moment."""
    assert run.process is not None
    return any(busy(child) for child in psutil.Process(run.process.pid).children())


def busy(child: psutil.Process) -> bool:
    """Whether it is the picture worker, and at work; a child that has ended between two looks is not."""
    try:
        return "classifiers.worker" in child.cmdline() and child.cpu_times().user > 0.4
    except (psutil.NoSuchProcess, psutil.ZombieProcess):
        return False


@dataclass(frozen=True, slots=True)
class Moment:
    """When to kill. `before` spoils the servers; `reached` is the moment itself."""

    reached: Callable[[Lives], object]
    before: Callable[[Lives], None] = lambda run: None
    twice: bool = False  # the channel had it and nobody could write that down: it may come again


def stalled(kind: str, **more: int) -> Callable[[Lives], None]:
    return lambda run: run.tg.fault("sendMessage", kind, None, **more)


def model_hangs(wanted: Callable[[Request], bool]) -> Callable[[Lives], None]:
    return lambda run: run.model.say(hanging(wanted))


def due(run: Lives, what: str) -> bool:
    return bool(run.rows(f"select 1 from filings where state = 'due' and {what}"))


MOMENTS = {
    "stored": Moment(lambda run: run.rows("select 1 from messages")),
    "the file is fetched": Moment(
        lambda run: run.tg.count("getFile") > 0, lambda run: run.tg.fault("getFile", "hang", None)
    ),
    "the model thinks": Moment(
        lambda run: any(request.tools for request in run.model.requests),
        model_hangs(lambda request: bool(request.tools)),
    ),
    "memory is read": Moment(
        lambda run: any(not request.tools for request in run.model.requests),
        model_hangs(lambda request: not request.tools),
    ),
    "an answer cannot be sent": Moment(lambda run: run.tg.count("sendMessage") > 1, stalled("502")),
    "an answer is being sent": Moment(lambda run: run.tg.count("sendMessage") > 0, stalled("hang")),
    "an answer was sent, unknown to us": Moment(lambda run: run.texts(), stalled("drop_after"), twice=True),
    "the text is read": Moment(working),
    "the text was read": Moment(lambda run: run.rows("select 1 from readings")),
    "it has a place": Moment(lambda run: due(run, "file <> ''")),
    "it lies half-way": Moment(lambda run: run.files("archive/*/*")),
    "its receipt cannot be sent": Moment(
        lambda run: run.rows("select 1 from outbox where kind = 'receipt'"), stalled("429", retry_after=9)
    ),
}


@pytest.mark.parametrize("name", MOMENTS)
async def test_killed_when(home: Path, name: str) -> None:
    moment = MOMENTS[name]
    data = drawn(RECEIPT)
    async with lives(home) as run:
        run.start()
        await run.listening()
        moment.before(run)
        run.tg.say(OWNER, "are you there?")
        run.tg.photo(OWNER, data)
        await run.until(lambda: moment.reached(run))
        run.kill()
        run.tg.heal()
        run.model.say(play)
        run.start()
        await run.until(lambda: ANSWER in run.texts())
        assert time.monotonic() - run.started < run.soon
        await run.until(lambda: RECEIPT_WORDS in run.texts() and run.settled())
        assert await run.end() == 0
        assert sorted(set(run.texts())) == sorted({ANSWER, RECEIPT_WORDS})
        assert len(run.texts()) <= (4 if moment.twice else 2)
        run.check([data])


async def test_killed_again_and_again_at_any_moment(home: Path) -> None:
    """One home, many lives, each cut after another while; nothing is lost on the way. What is cut three times in a row
    may be what ends the process (`test_deadly.py`), so some lives are long enough for all that is due.
    """
    pictures = [drawn(RECEIPT), drawn(CODE)]
    said: list[str] = []
    async with lives(home) as run:
        for life in range(6):
            run.start()
            await run.listening()
            said.append(f"message {life}")
            run.tg.say(OWNER, said[-1])
            if life < len(pictures):
                run.tg.photo(OWNER, pictures[life])
            await asyncio.sleep(0.05 * 2**life)
            if life in (2, 4):
                await run.until(run.settled)
            run.kill()
        run.start()
        await run.listening()
        await run.until(lambda: run.rows("select 1 from messages") and run.settled())
        await run.until(lambda: all(words in "\n".join(run.texts()) for words in said))
        assert await run.end() == 0
        answers = [text for text in run.texts() if text.startswith("heard: ")]
        heard = ", ".join(answer.removeprefix("heard: ") for answer in answers).split(", ")
        assert list(dict.fromkeys(heard)) == said, "all, in order"
        assert len(heard) <= len(said) + 1, "once; but for a kill between the send and its record"
        assert len([text for text in run.texts() if text.startswith("Filed #")]) == len(pictures)
        run.check(pictures)


@pytest.mark.parametrize("second", [False, True])
async def test_killed_while_a_rule_is_kept(home: Path, second: bool) -> None:
    """Before it was written, and after it was written but before anybody was told."""
    async with lives(home) as run:
        run.model.say(
            hanging(
                lambda request: bool(request.tools) and (request.messages[-1]["role"] == "tool") is second
            )
        )
        run.start()
        await run.listening()
        run.tg.say(OWNER, RULE)
        await run.until(lambda: len(run.model.requests) > (1 if second else 0))
        run.kill()
        core = home / "me" / "CORE.md"
        assert core.exists() is second
        run.model.say(play)
        run.start()
        await run.until(lambda: run.texts() and run.settled())
        assert time.monotonic() - run.started < run.soon
        assert await run.end() == 0
        assert core.read_text(encoding="utf-8").count(RULE) == 1
        assert len(run.files("journal.jsonl")[0].read_text(encoding="utf-8").splitlines()) == 1
        [told] = run.texts()
        assert RULE in told
        run.check([])


@pytest.mark.parametrize("patient", [True, False])
async def test_a_signal_in_the_middle_of_a_turn(home: Path, patient: bool) -> None:
    """A turn that ends soon may end, and is heard; one that does not is taken up at the next start."""
    async with lives(home) as run:
        slow = hanging(lambda request: bool(request.tools))

        async def late(request: Request) -> object:
            await asyncio.sleep(1.5)
            return play(request)

        run.model.say(late if patient else slow)  # type: ignore[arg-type]
        run.start()
        await run.listening()
        run.tg.say(OWNER, "are you there?")
        await run.until(lambda: run.model.requests)
        began = time.monotonic()
        assert await run.end() == 0
        assert time.monotonic() - began < 12
        if patient:
            assert run.texts() == [ANSWER]
        run.model.say(play)
        run.start()
        await run.listening()
        await run.until(lambda: run.texts() and run.settled())
        assert await run.end() == 0
        assert run.texts() == [ANSWER]
        assert len(run.model.requests) == (1 if patient else 2)


async def test_a_signal_in_the_middle_of_a_sending(home: Path) -> None:
    """What was begun may end, so that it is not sent again."""
    async with lives(home) as run:
        run.start()
        await run.listening()
        run.tg.delay = 1.0
        run.tg.say(OWNER, "are you there?")
        await run.until(lambda: run.tg.count("sendMessage"))
        assert await run.end() == 0
        run.tg.delay = 0.0
        run.start()
        await run.listening()
        await run.until(run.settled)
        assert await run.end() == 0
        assert run.texts() == [ANSWER]


async def test_a_signal_in_the_middle_of_a_filing(home: Path) -> None:
    data = drawn(RECEIPT)
    async with lives(home) as run:
        run.start()
        await run.listening()
        run.tg.photo(OWNER, data)
        await run.until(lambda: working(run))
        began = time.monotonic()
        assert await run.end() == 0
        assert time.monotonic() - began < 20
        run.start()
        await run.until(lambda: run.texts() and run.settled())
        assert await run.end() == 0
        assert run.texts() == [RECEIPT_WORDS]
        run.check([data])


async def test_doctor_is_red_about_a_revoked_token(home: Path) -> None:
    async with lives(home) as run:
        code, checks = await run.doctor()
        assert (code, checks["telegram"]["ok"]) == (0, True)
        run.tg.fault("*", "401", None)
        code, checks = await run.doctor()
        assert (code, checks["telegram"]["ok"]) == (1, False)
        assert run.tg.token not in str(checks)


async def test_doctor_is_red_at_once_about_another_bot_with_the_same_token(home: Path) -> None:
    """Only the bot that runs can know; asking Telegram for updates would only add a third."""
    async with lives(home) as run:
        run.start()
        await run.listening()
        run.tg.fault("getUpdates", "409", None)
        polls = run.tg.count("getUpdates")
        await run.until(lambda: run.tg.count("getUpdates") > polls)
        code, checks = await run.doctor()
        assert (code, checks["channel telegram"]["ok"]) == (1, False)
        assert "same token" in checks["channel telegram"]["sentence"]
        run.tg.heal()
        assert await run.end() == 0


async def test_the_network_is_down_at_the_start(home: Path) -> None:
    async with lives(home) as run:
        run.tg.fault("*", "drop_before", None)
        run.tg.say(OWNER, "are you there?")
        run.start()
        await run.until(lambda: run.tg.count("getUpdates") > 3)
        run.tg.heal()
        await run.until(lambda: run.texts() and run.settled())
        await run.until(lambda: set(run.tg.commands) == {"", "zh"})
        assert await run.end() == 0
        assert run.texts() == [ANSWER]
