"""Each call is charged to whoever it is made for, and counted as its server counts."""

from __future__ import annotations

import asyncio

import pytest

from bot.errors import AllowanceSpent, ModelRefused, ModelUnavailable
from bot.models.metering import Charge, Metered, Took, charge
from bot.models.model import Prompt, Reply, Said, Usage
from bot.models.scripted import Line, Play, Scripted

HI = Prompt("system", messages=(Said("user", "hello there"),))


class Book:
    """A meter that keeps what it is told; `spent`: who may not go on."""

    def __init__(self, *spent: str) -> None:
        self.spent = spent
        self.calls: list[tuple[Charge, str, Took]] = []
        self.failures: list[str] = []

    async def allow(self, person: str) -> None:
        if person in self.spent:
            raise AllowanceSpent("spent", retry_after=60)

    def record(self, charged: Charge, model: str, took: Took) -> None:
        self.calls.append((charged, model, took))

    def failed(self, model: str) -> None:
        self.failures.append(model)


def metered(book: Book, *lines: Line | Play) -> tuple[Metered, Scripted]:
    model = Scripted(*lines, name="fake-1")
    return Metered(model, book), model


async def test_what_the_server_counted_is_taken_as_it_is() -> None:
    book = Book()
    model, _ = metered(book, Reply("hi", usage=Usage(input=1000, cached=800, output=7)))
    charge("ann", "chat")
    assert (await model.generate(HI)).text == "hi"
    assert book.calls == [(Charge("ann", "chat"), "fake-1", Took(1000, 800, 7, estimated=False))]


async def test_what_it_did_not_count_is_estimated_and_says_so() -> None:
    book = Book()
    model, _ = metered(book, "a rather long answer, in words")
    await model.generate(HI)
    [(_, _, took)] = book.calls
    assert took.estimated
    assert 5 <= took.input <= 20
    assert 5 <= took.output <= 20


async def test_two_tasks_at_once_are_charged_apart() -> None:
    book = Book()
    model, _ = metered(book, lambda prompt: asyncio.sleep(0.01, Reply("hi", usage=Usage(1, 0, 1))))

    async def work(person: str, purpose: str) -> None:
        charge(person, purpose)
        await asyncio.gather(model.generate(HI), model.generate(HI))

    await asyncio.gather(work("me", "filing"), work("ann", "chat"))
    charges = [charged for charged, _, _ in book.calls]
    assert sorted(f"{each.person} {each.purpose}" for each in charges) == ["ann chat"] * 2 + ["me filing"] * 2


async def test_without_an_allowance_background_work_is_not_asked_and_chat_is() -> None:
    book = Book("me")
    model, inner = metered(book, "hi")
    charge("me", "notes")
    with pytest.raises(AllowanceSpent):
        await model.generate(HI)
    assert inner.prompts == []
    charge("me", "chat")
    assert (await model.generate(HI)).text == "hi"


async def test_a_call_that_is_stopped_has_sent_its_prompt() -> None:
    book = Book()
    model, _ = metered(book, lambda prompt: asyncio.sleep(60, "never"))
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(model.generate(HI), 0.01)
    [(_, _, took)] = book.calls
    assert took.estimated
    assert (took.input > 0, took.output) == (True, 0)


async def test_a_call_that_failed_took_nothing_we_know_of() -> None:
    book = Book()
    model, _ = metered(book, ModelUnavailable("away"))
    with pytest.raises(ModelUnavailable):
        await model.generate(HI)
    assert (book.calls, book.failures) == ([], ["fake-1"])


async def test_a_call_that_failed_took_what_its_server_says() -> None:
    book, refused = Book(), ModelRefused("filtered", code="filtered")
    refused.used = (900, 100, 12)
    model, _ = metered(book, refused)
    charge("ann", "chat")
    with pytest.raises(ModelRefused):
        await model.generate(HI)
    assert book.calls == [(Charge("ann", "chat"), "fake-1", Took(900, 100, 12, estimated=False))]
    assert book.failures == ["fake-1"]
