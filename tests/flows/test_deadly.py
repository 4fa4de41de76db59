"""A message or a picture that ends the process each time it is begun is put aside after five times; that is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.care import MOST_DEATHS
from bot.wording import say
from tests.fakes.drawing import CODE, drawn
from tests.fakes.model_answers import Request
from tests.flows.lives import OWNER, Lives, hanging, lives, play

pytestmark = [pytest.mark.slow, pytest.mark.timeout(240)]

ANN = 8
UNSENT = "select 1 from outbox where state = 'unsent'"
ANSWER = "heard: are you there?"


def deadly_turn(request: Request) -> bool:
    return bool(request.tools) and "are you there?" in request.last


def deadly_picture(request: Request) -> bool:
    return "file one picture" in str(request.messages[0]["content"])


def asked(run: Lives) -> int:
    """How often the model was asked what it is never asked twice in one life."""
    return sum(deadly_turn(each) or deadly_picture(each) for each in run.model.requests)


async def dies(run: Lives, times: int) -> None:
    """As many lives, each of which ends when the model is asked; in each somebody else is answered all the same."""
    for _ in range(times):
        before, heard = asked(run), len(run.tg.sent(ANN))
        if run.process is None or run.process.poll() is not None:
            run.start()
            await run.listening()
        run.tg.say(ANN, f"message {heard}")
        await run.until(lambda heard=heard: len(run.tg.sent(ANN)) > heard and not run.rows(UNSENT))  # type: ignore[misc]
        await run.until(lambda before=before: asked(run) > before)  # type: ignore[misc]
        run.kill()


@pytest.mark.parametrize("times", [2, MOST_DEATHS])
async def test_a_message_that_ends_the_process_each_time(home: Path, times: int) -> None:
    """After two it may have been chance: it is answered, once. In the end it is put aside, and what follows is not."""
    async with lives(home, hanging(deadly_turn), allowed=(OWNER, ANN)) as run:
        run.start()
        await run.listening()
        run.tg.say(OWNER, "are you there?")
        await dies(run, times)
        if times == 2:
            run.model.say(play)
        run.tg.say(OWNER, "message 9")
        run.start()
        await run.until(lambda: len(run.texts()) == 2 and run.settled())
        assert await run.end() == 0
        assert run.texts() == [ANSWER if times == 2 else say("en", "trouble.deadly"), "heard: message 9"]
        assert asked(run) == max(3, times)
        assert [sent.text for sent in run.tg.sent(ANN)] == [f"heard: message {each}" for each in range(times)]


async def test_stopped_cleanly_in_its_turn_it_is_answered_all_the_same(home: Path) -> None:
    async with lives(home, hanging(deadly_turn)) as run:
        run.tg.say(OWNER, "are you there?")
        for times in range(3):
            run.start()
            await run.until(lambda times=times: asked(run) > times)  # type: ignore[misc]
            assert await run.end() == 0
        run.model.say(play)
        run.start()
        await run.until(lambda: run.texts() and run.settled())
        assert await run.end() == 0
        assert run.texts() == [ANSWER]


async def test_a_picture_that_ends_the_process_each_time(home: Path) -> None:
    async with lives(home, hanging(deadly_picture), allowed=(OWNER, ANN)) as run:
        run.start()
        await run.listening()
        run.tg.photo(OWNER, drawn(CODE))
        await dies(run, MOST_DEATHS)
        run.tg.say(OWNER, "message 9")
        run.start()
        await run.until(lambda: len(run.texts()) == 2 and run.settled())
        assert await run.end() == 0
        why = say("en", "filing.deadly")
        assert sorted(run.texts()) == sorted([say("en", "filed.failed", why=why), "heard: message 9"])
        assert run.rows("select state from filings") == [("failed",)]
        assert asked(run) == MOST_DEATHS
