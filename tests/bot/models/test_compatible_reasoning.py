"""What becomes of a model's thinking: kept for vendors that want it back, and for nobody else; never shown."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

from bot.models.model import Call, Prompt, Said, ToolSpec
from bot.models.openai_compatible import OpenAICompatible
from tests.fakes.model_answers import Answer, Request, fails
from tests.fakes.model_server import FakeModelServer

NOTE = ToolSpec("note", "note it", {"type": "object", "properties": {}})
THOUGHT = "I should note it"
CALLED = Said("assistant", calls=(Call("1", "note", {}),), reasoning=THOUGHT)
RESULT = Said("tool", "done", call_id="1")
SPOKE = Said("assistant", "Hello.", reasoning="a greeting")


@asynccontextmanager
async def talking(reply: Any) -> AsyncIterator[tuple[OpenAICompatible, FakeModelServer]]:
    async with FakeModelServer(reply) as server:
        model = OpenAICompatible(server.base_url, "", "fake")
        yield model, server
        await model.aclose()


def thoughts(request: Request) -> list[str | None]:
    """Of each message of the assistant's."""
    return [each.get("reasoning_content") for each in request.messages if each["role"] == "assistant"]


def never(request: Request) -> Answer:
    """As deepseek-reasoner: any thought in the input is a 400."""
    return (
        fails(400, "reasoning_content is not allowed in the input")
        if any(thoughts(request))
        else Answer("ok")
    )


def with_calls(request: Request) -> Answer:
    """As DeepSeek and Kimi think with tools: a call of this turn needs its thought, "" is none, words need none."""
    calls = [each for each in request.messages if each.get("tool_calls")]
    if all(each.get("reasoning_content") for each in calls):
        return Answer("ok")
    return fails(400, "Missing `reasoning_content` field in the assistant message with tool_calls")


@pytest.mark.parametrize("vendor", [never, with_calls])
@pytest.mark.parametrize("lost", [False, True])
async def test_each_vendor_gets_what_it_takes(vendor: Callable[[Request], Answer], *, lost: bool) -> None:
    """`lost`: another model made the call, and its thought is not there."""
    called = Said("assistant", calls=CALLED.calls) if lost else CALLED
    turn = [Said("user", "hi"), SPOKE, Said("user", "note it"), called, RESULT]
    async with talking(vendor) as (model, server):
        assert (await model.generate(Prompt("", (NOTE,), turn))).text == "ok"
        assert len(server.requests) <= 2
        await model.generate(Prompt("", (NOTE,), turn))
        assert len(server.requests) <= 3  # learned once


async def test_a_thought_goes_back_with_its_call_and_with_nothing_else() -> None:
    async with talking("ok") as (model, server):
        await model.generate(
            Prompt("", (NOTE,), [Said("user", "hi"), SPOKE, Said("user", "note it"), CALLED, RESULT])
        )
        assert thoughts(server.requests[0]) == [None, THOUGHT]


@pytest.mark.parametrize(
    "answer",
    [
        Answer("<think>hm</think>\n\nHello."),
        Answer("hm\n</think>\n\nHello."),
        Answer("Hello.", message={"reasoning_content": "hm"}),
        Answer("Hello.", message={"reasoning": "hm"}),
    ],
)
async def test_no_thought_is_part_of_the_answer(answer: Answer) -> None:
    """Neither of what is shown nor of what memory and history keep, which is the same text."""
    async with talking(answer) as (model, _):
        reply = await model.generate(Prompt("", (), [Said("user", "hi")]))
        assert reply.text == "Hello."
        streamed = await model.stream(Prompt("", (), [Said("user", "hi")]), lambda text: None)
        assert streamed.text == "Hello."
