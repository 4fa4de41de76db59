"""Waiting out trouble within a budget, then the other model."""

from __future__ import annotations

import pytest

from bot.errors import ModelRefused, ModelUnavailable
from bot.models.model import Prompt
from bot.models.retrying import Retrying
from bot.models.scripted import Line, Scripted

HI = Prompt("")
BUSY = ModelUnavailable("busy", code="busy")


class Clock:
    """A clock that only moves when somebody sleeps, or when told."""

    def __init__(self) -> None:
        self.now = 0.0
        self.naps: list[float] = []

    async def sleep(self, seconds: float) -> None:
        self.naps.append(seconds)
        self.now += seconds

    def __call__(self) -> float:
        return self.now


def patient(clock: Clock, *lines: Line, fallback: Scripted | None = None) -> Retrying:
    return Retrying(Scripted(*lines), fallback, sleep=clock.sleep, clock=clock)


async def test_trouble_that_passes_is_waited_out() -> None:
    clock = Clock()
    assert (await patient(clock, BUSY, BUSY, "ok").generate(HI)).text == "ok"
    assert clock.naps == [0.5, 1.0]


async def test_the_servers_wish_is_honoured_within_the_budget() -> None:
    clock = Clock()
    assert (await patient(clock, ModelUnavailable(retry_after=5), "ok").generate(HI)).text == "ok"
    assert clock.naps == [5]


async def test_no_wait_begins_that_would_end_after_the_budget() -> None:
    clock = Clock()
    with pytest.raises(ModelUnavailable):
        await patient(clock, ModelUnavailable(retry_after=60)).generate(HI)
    assert clock.naps == []


async def test_slow_failures_count_too() -> None:
    clock = Clock()

    async def slow(_: Prompt) -> Line:
        clock.now += 120
        return ModelUnavailable(code="timeout")

    model = Scripted(slow)
    with pytest.raises(ModelUnavailable):
        await Retrying(model, sleep=clock.sleep, clock=clock).generate(HI)
    assert len(model.prompts) == 1


async def test_always_529_and_a_healthy_fallback() -> None:  # A42
    clock, other = Clock(), Scripted("from the other")
    assert (await patient(clock, BUSY, BUSY, BUSY, fallback=other).generate(HI)).text == "from the other"


async def test_no_credit_is_not_waited_for() -> None:
    clock, other = Clock(), Scripted("from the other")
    reply = await patient(clock, ModelUnavailable(code="quota"), fallback=other).generate(HI)
    assert reply.text == "from the other"
    assert clock.naps == []


async def test_a_revoked_key_goes_to_the_fallback_but_a_filtered_request_does_not() -> None:
    other = Scripted("from the other")
    assert (await patient(Clock(), ModelRefused(code="wrong_key"), fallback=other).generate(HI)).text
    with pytest.raises(ModelRefused):
        await patient(Clock(), ModelRefused(code="filtered"), fallback=Scripted("no")).generate(HI)


async def test_when_both_fail_the_first_error_is_told() -> None:
    other = Scripted(ModelRefused("of the other"))
    with pytest.raises(ModelUnavailable, match="busy"):
        await patient(Clock(), BUSY, BUSY, BUSY, fallback=other).generate(HI)
