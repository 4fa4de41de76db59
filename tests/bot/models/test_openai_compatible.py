"""The real SDK against the fake server: what goes over the wire, and what each kind of trouble becomes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

from bot.errors import ModelError, ModelRefused, ModelUnavailable
from bot.models.model import Call, Prompt, Said, ToolSpec, Usage
from bot.models.openai_compatible import OpenAICompatible
from tests.fakes.model_server import (
    Answer,
    FakeModelServer,
    Request,
    calls,
    drops,
    echo,
    empty,
    fails,
    filtered,
    hangs,
)

NOTE = ToolSpec("note", "Keeps a note.", {"type": "object", "properties": {"text": {"type": "string"}}})
LIST = ToolSpec("list", "Lists notes.", {"type": "object", "properties": {}})
HI = Prompt("system", messages=[Said("user", "hi")])


@asynccontextmanager
async def talking(reply: Any, **more: Any) -> AsyncIterator[tuple[OpenAICompatible, FakeModelServer]]:
    """A model and the server behind it."""
    server_only = {name: more.pop(name) for name in ("key", "model", "most_bytes") if name in more}
    async with FakeModelServer(reply, **server_only) as server:
        model = OpenAICompatible(server.base_url, "a-key", "fake", **more)
        try:
            yield model, server
        finally:
            await model.aclose()


async def failure(reply: Any, **more: Any) -> ModelError:
    """How a call ends that must fail."""
    async with talking(reply, **more) as (model, _):
        with pytest.raises(ModelError) as caught:
            await model.generate(HI)
    return caught.value


# ── what is sent ───────────────────────────────────────────────────────────────────────────────────────────


async def test_the_stable_part_comes_first_and_json_is_unescaped() -> None:
    async with talking(echo) as (model, server):
        prompt = Prompt("规则", (NOTE,), [Said("user", "你好 😀")])
        assert (await model.generate(prompt)).text == "你好 😀"
    raw = server.requests[0].raw.decode("utf-8")
    assert raw.index('"tools"') < raw.index("规则") < raw.index("你好 😀")
    assert "\\u" not in raw
    assert server.requests[0].headers["authorization"] == "Bearer a-key"


async def test_half_an_emoji_does_not_break_the_request() -> None:
    async with talking(echo) as (model, _):
        reply = await model.generate(Prompt("", messages=[Said("user", "cut \ud83d")]))
    assert reply.text == "cut ?"


async def test_pictures_go_to_a_model_that_sees_and_a_note_to_one_that_does_not() -> None:
    prompt = Prompt("", messages=[Said("user", "what is this?", images=(b"\xff\xd8jpeg",))])
    async with talking("ok", sees=True) as (model, server):
        await model.generate(prompt)
        assert server.requests[0].pictures == 1
        assert server.requests[0].messages[0]["content"][0] == {"type": "text", "text": "what is this?"}
    async with talking("ok") as (model, server):
        await model.generate(prompt)
        assert server.requests[0].pictures == 0
        assert "cannot see" in server.requests[0].last


async def test_calls_go_back_with_their_results_and_strays_are_mended() -> None:
    """A result without its call, or a call without a result, would be a 400 in every later turn (A41)."""
    history = [
        Said("tool", "a result whose call was trimmed away", call_id="gone"),
        Said("user", "note it"),
        Said("assistant", calls=(Call("1", "note", {"text": "牛奶"}), Call("2", "list", {}))),
        Said("tool", "", call_id="1"),
        Said("user", "and now?"),
        Said("assistant", ""),
        Said("user", ""),
    ]
    async with talking("ok") as (model, server):
        await model.generate(Prompt("", (NOTE, LIST), history))
    sent = server.requests[0].messages
    assert [message["role"] for message in sent] == ["user", "assistant", "tool", "tool", "user"]
    assert sent[1]["content"] is None
    assert sent[1]["tool_calls"][0]["function"]["arguments"] == '{"text":"牛奶"}'
    assert [sent[2]["tool_call_id"], sent[3]["tool_call_id"]] == ["1", "2"]
    assert all(message["content"].strip() or message["content"] == " " for message in sent[2:])


async def test_one_connection_serves_many_calls() -> None:
    async with talking("ok") as (model, server):
        for _ in range(3):
            await model.generate(HI)
        assert server.connections_made == 1


# ── what comes back ────────────────────────────────────────────────────────────────────────────────────────


async def test_usage_with_cached_tokens_by_either_name() -> None:
    openai = {"prompt_tokens": 10, "completion_tokens": 2, "prompt_tokens_details": {"cached_tokens": 7}}
    deepseek = {"prompt_tokens": 10, "completion_tokens": 2, "prompt_cache_hit_tokens": 6}
    odd: dict[str, Any] = {"prompt_tokens": None, "prompt_tokens_details": None, "completion_tokens": "2"}
    async with talking([Answer("a", usage=openai), Answer("a", usage=deepseek), Answer("a", usage=odd)]) as (
        model,
        _,
    ):
        assert (await model.generate(HI)).usage == Usage(10, 7, 2)
        assert (await model.generate(HI)).usage == Usage(10, 6, 2)
        assert (await model.generate(HI)).usage == Usage()


async def test_empty_filtered_and_cut_answers_are_answers() -> None:
    async with talking([empty(), filtered(), Answer("long", finish="length")]) as (model, _):
        assert (await model.generate(HI)).text == ""
        assert (await model.generate(HI)).finish == "filtered"
        assert (await model.generate(HI)).finish == "length"


@pytest.mark.parametrize(
    "body",
    [
        "{}",
        '{"choices": null}',
        '{"choices": []}',
        '{"choices": [{}]}',
        '{"choices": [{"message": null}]}',
        "\n\n {}",
    ],
)
async def test_an_answer_with_nothing_in_it_is_empty(body: str) -> None:
    async with talking(Answer(raw=body)) as (model, _):
        assert (await model.generate(HI)).text == ""


async def test_a_stream_that_nobody_asked_for_is_read() -> None:
    chunks = [{"content": "你"}, {"content": "好"}]
    async with talking(Answer(chunks=chunks)) as (model, _):
        assert (await model.generate(HI)).text == "你好"


async def test_tool_calls_are_read() -> None:
    async with talking(calls(("note", {"text": "牛奶"}), ("list", {}))) as (model, _):
        reply = await model.generate(Prompt("", (NOTE, LIST), [Said("user", "x")]))
    assert [(call.name, call.arguments) for call in reply.calls] == [("note", {"text": "牛奶"}), ("list", {})]
    assert reply.finish == "calls"


# ── trouble ────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("reply", "kind", "code"),
    [
        (fails(401, "Incorrect API key"), ModelRefused, "wrong_key"),
        (fails(403), ModelRefused, "wrong_key"),
        (fails(404, "The model `x` does not exist"), ModelRefused, "not_found"),
        (fails(402, "Insufficient Balance"), ModelRefused, "quota"),
        (fails(413), ModelRefused, "too_large"),
        (fails(400, "This model's maximum context length is 32768 tokens"), ModelRefused, "too_long"),
        (fails(400, "Range of input length should be [1, 30720]"), ModelRefused, "too_long"),
        (fails(400, "It may contain inappropriate content.", code="data_inspection_failed"), ModelRefused, "filtered"),
        (fails(400, "系统检测到输入或生成内容可能包含不安全或敏感内容"), ModelRefused, "filtered"),
        (fails(400, "temperature must be a number"), ModelRefused, "rejected"),
        (fails(422), ModelRefused, "rejected"),
        (fails(408), ModelUnavailable, "timeout"),
        (fails(409), ModelUnavailable, "busy"),
        (fails(429), ModelUnavailable, "busy"),
        (fails(429, "You exceeded your current quota", code="insufficient_quota"), ModelUnavailable, "quota"),
        (fails(500), ModelUnavailable, "server"),
        (fails(502), ModelUnavailable, "server"),
        (fails(503), ModelUnavailable, "busy"),
        (fails(529, "overloaded"), ModelUnavailable, "busy"),
        (drops(), ModelUnavailable, "unreachable"),
        (drops("midway"), ModelUnavailable, "unreachable"),
        (Answer(raw="<!doctype html><title>Welcome</title>"), ModelRefused, "not_found"),
        (Answer(raw="upstream went away"), ModelUnavailable, "server"),
        (Answer(raw="[]"), ModelUnavailable, "server"),
        (Answer(raw='{"error": {"message": "Provider overloaded", "code": 502}}'), ModelUnavailable, "server"),
        (Answer(raw='{"error": {"message": "nope", "code": 401}}'), ModelRefused, "wrong_key"),
        (Answer(raw='{"error": "invalid api key"}'), ModelRefused, "wrong_key"),
        (Answer(raw='{"base_resp": {"status_code": 1008, "status_msg": "insufficient quota"}}'), ModelRefused, "quota"),
    ],
)  # fmt: skip
async def test_trouble_has_a_kind_and_a_code(reply: Answer, kind: type[ModelError], code: str) -> None:
    error = await failure(reply)
    assert type(error) is kind
    assert error.code == code
    assert str(error)
    assert "Error code" not in str(error)  # never the SDK's words for the person


async def test_retry_after_is_passed_on() -> None:
    error = await failure(fails(429, retry_after=7))
    assert isinstance(error, ModelUnavailable)
    assert error.retry_after == 7


async def test_nobody_at_the_address() -> None:
    async with FakeModelServer() as server:
        address = server.base_url
    model = OpenAICompatible(address, "", "fake")
    with pytest.raises(ModelUnavailable) as caught:
        await model.generate(HI)
    await model.aclose()
    assert caught.value.code == "unreachable"


async def test_a_server_that_never_answers() -> None:
    error = await failure(hangs(), timeout=0.1)
    assert error.code == "timeout"


async def test_cancelling_a_call_leaves_the_model_usable() -> None:
    async with talking([Answer("loaded"), hangs(), Answer("ok")]) as (model, _):
        await model.generate(HI)  # loading the SDK may take a second
        task = asyncio.create_task(model.generate(HI))
        await asyncio.sleep(0.3)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert (await model.generate(HI)).text == "ok"


# ── vendors' wishes, learned from their refusals ───────────────────────────────────────────────────────────

THOUGHT = [
    Said("user", "note it"),
    Said("assistant", calls=(Call("1", "note", {}),), reasoning="I should note it"),
    Said("tool", "done", call_id="1"),
]
UNTHOUGHT = [
    Said("user", "x"),
    Said("assistant", calls=(Call("1", "note", {}),)),
    Said("tool", "ok", call_id="1"),
]


def assistants(request: Request) -> list[dict[str, Any]]:
    return [message for message in request.messages if message["role"] == "assistant"]


def insists(request: Request) -> Answer:
    """Wants reasoning_content with every assistant message, and not "" (A39, A40)."""
    if all(message.get("reasoning_content") for message in assistants(request)):
        return Answer("ok", message={"reasoning_content": "hm"})
    return fails(
        400, "thinking is enabled but reasoning_content is missing in assistant tool call message at index 1"
    )


def forbids(request: Request) -> Answer:
    """Knows no such field."""
    if any("reasoning_content" in message for message in assistants(request)):
        return fails(400, "Unknown field `reasoning_content` in messages[1]")
    return Answer("ok")


@pytest.mark.parametrize("history", [THOUGHT, UNTHOUGHT])
@pytest.mark.parametrize("vendor", [insists, forbids, echo])
async def test_earlier_reasoning_goes_as_the_vendor_wants_it(
    history: list[Said], vendor: Callable[[Request], Answer]
) -> None:
    async with talking(vendor) as (model, server):
        await model.generate(Prompt("", (NOTE,), history))
        tries = len(server.requests)
        await model.generate(Prompt("", (NOTE,), history))
        assert tries <= 2
        assert len(server.requests) == tries + 1  # learned once


async def test_reasoning_comes_back_under_the_vendors_own_name() -> None:
    async with talking(Answer("ok", message={"reasoning": "hm"})) as (model, server):
        reply = await model.generate(HI)
        assert reply.reasoning == "hm"
        await model.generate(Prompt("", (NOTE,), THOUGHT))
        assert assistants(server.requests[-1])[0]["reasoning"] == "I should note it"


async def test_a_vendor_that_can_never_be_pleased_ends_in_an_error() -> None:
    async with talking(fails(400, "reasoning_content is wrong")) as (model, server):
        with pytest.raises(ModelRefused):
            await model.generate(Prompt("", (NOTE,), THOUGHT))
        assert len(server.requests) == 3


async def test_a_complaint_about_one_tool_does_not_cost_all_tools() -> None:
    complaint = fails(400, "Unsupported value in tools[0].function.parameters: 'oneOf' is not allowed")
    async with talking([complaint, Answer("ok")]) as (model, server):
        with pytest.raises(ModelRefused):
            await model.generate(Prompt("", (NOTE,), [Said("user", "hi")]))
        await model.generate(Prompt("", (NOTE,), [Said("user", "hi")]))
        assert server.requests[-1].tools == ["note"]


@pytest.mark.parametrize(
    "words",
    [
        "unknown variant `image_url`, expected `text`",
        "Image inputs are not supported by this model",
        "No endpoints found that support image input",
    ],
)
async def test_blindness_in_other_words(words: str) -> None:
    def blind(request: Request) -> Answer:
        return fails(400, words) if request.pictures else Answer("ok")

    async with talking(blind, sees=True) as (model, _):
        assert (
            await model.generate(Prompt("", messages=[Said("user", "see", images=(b"jpeg",))]))
        ).text == "ok"


async def test_a_model_without_tools_still_talks() -> None:
    def simple(request: Request) -> Answer:
        if "tools" in request.body:
            return fails(400, "registry.ollama.ai/library/tiny does not support tools")
        return Answer("ok")

    async with talking(simple) as (model, _):
        assert (await model.generate(Prompt("", (NOTE,), [Said("user", "hi")]))).text == "ok"


async def test_a_model_that_turns_out_blind_gets_the_words() -> None:
    def blind(request: Request) -> Answer:
        return fails(400, "This model does not support image input") if request.pictures else Answer("ok")

    async with talking(blind, sees=True) as (model, _):
        reply = await model.generate(Prompt("", messages=[Said("user", "see", images=(b"jpeg",))]))
        assert reply.text == "ok"
        assert not model.sees
