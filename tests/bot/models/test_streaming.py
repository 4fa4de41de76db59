"""Answers that come in pieces: what is told while they grow, and that they end whole or as an error."""

from __future__ import annotations

import asyncio
import json
import time
from itertools import pairwise

import pytest

from bot.errors import ModelError, ModelRefused, ModelUnavailable
from bot.models import openai_compatible, streaming
from bot.models.model import Prompt, Said, told
from bot.models.pausing import Pausing, Providers
from bot.models.retrying import Retrying
from bot.models.scripted import Scripted
from bot.models.streaming import Events, whole
from tests.bot.models.test_openai_compatible import HI, NOTE, talking
from tests.fakes.model_server import Answer, Request, fails

SAID = "一二三 one two three"


@pytest.fixture(autouse=True)
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever listens is told at once."""
    monkeypatch.setattr(streaming, "QUIET", 0.0)


def nothing(_: str) -> None:
    """Not interested."""


# ── telling ────────────────────────────────────────────────────────────────────────────────────────────────


async def test_the_text_so_far_is_told_as_it_comes() -> None:
    heard: list[str] = []
    async with talking(Answer(SAID, pause=0.01)) as (model, server):
        reply = await model.stream(HI, heard.append)
    assert reply.text == heard[-1] == SAID
    assert len(heard) > 2
    assert all(after.startswith(before) for before, after in pairwise(heard))
    assert server.requests[0].body["stream_options"] == {"include_usage": True}
    assert reply.usage.output > 0


async def test_a_quick_answer_is_told_only_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streaming, "QUIET", 5.0)
    heard: list[str] = []
    async with talking(Answer(SAID, pause=0.005)) as (model, _):
        assert (await model.stream(HI, heard.append)).text == SAID
    assert heard == []


async def test_a_server_that_is_always_quick_is_spared_streams_until_it_is_slow(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(openai_compatible, "QUICK", 0.3)
    answers = [Answer("quick")] * 7 + [Answer("slow", delay=0.4), Answer("again")]
    async with talking(answers) as (model, server):
        await model.generate(HI)  # loading the SDK may take a second
        for _ in range(8):
            await model.stream(HI, nothing)
    asked = [bool(request.body.get("stream")) for request in server.requests]
    assert asked == [False] + [True] * 5 + [False, False] + [True]


async def test_calls_reasoning_and_words_of_a_stream() -> None:
    answer = Answer("let me see", calls=[("note", {"text": "牛奶"})], message={"reasoning_content": "hm"})
    async with talking(answer) as (model, _):
        reply = await model.stream(Prompt("", (NOTE,), [Said("user", "x")]), nothing)
    assert [(call.name, call.arguments) for call in reply.calls] == [("note", {"text": "牛奶"})]
    assert (reply.text, reply.reasoning, reply.finish) == ("let me see", "hm", "calls")


async def test_other_models_behind_wrappers_are_told_too() -> None:
    heard: list[str] = []
    async with talking(Answer(SAID, pause=0.01)) as (model, _):
        wrapped = Retrying(Pausing(model, "http://x", Providers()))
        assert (await told(wrapped, HI, heard.append)).text == SAID
    assert heard[-1] == SAID
    assert (await told(Scripted("hi"), HI, heard.append)).text == "hi"


async def test_a_second_try_is_told_from_its_beginning() -> None:
    heard: list[str] = []
    async with talking([fails(503), Answer("one two three", pause=0.01)]) as (model, _):
        patient = Retrying(model, sleep=lambda _: asyncio.sleep(0))
        assert (await patient.stream(HI, heard.append)).text == "one two three"
    assert heard[0] == "one "


# ── servers that cannot ────────────────────────────────────────────────────────────────────────────────────


async def test_a_whole_answer_where_a_stream_was_asked_for() -> None:
    body = json.dumps({"choices": [{"message": {"content": "whole"}}]})
    async with talking(Answer(raw=body)) as (model, _):
        assert (await model.stream(HI, nothing)).text == "whole"


async def test_a_server_without_streams_is_learned() -> None:
    def strict(request: Request) -> Answer:
        return fails(400, "Streaming is not supported") if request.body.get("stream") else Answer("ok")

    async with talking(strict) as (model, server):
        assert (await model.stream(HI, nothing)).text == "ok"
        assert (await model.stream(HI, nothing)).text == "ok"
        assert len(server.requests) == 3


async def test_upstream_trouble_costs_no_streams() -> None:
    async with talking([fails(502, "upstream went away"), "ok"]) as (model, server):
        with pytest.raises(ModelUnavailable):
            await model.stream(HI, nothing)
        await model.stream(HI, nothing)
        assert server.requests[-1].body["stream"] is True


async def test_a_server_without_stream_options_is_learned() -> None:
    def strict(request: Request) -> Answer:
        if "stream_options" in request.body:
            return fails(400, "Unknown parameter: stream_options")
        return Answer("ok")

    async with talking(strict) as (model, server):
        assert (await model.stream(HI, nothing)).text == "ok"
        await model.stream(HI, nothing)
        assert len(server.requests) == 3
        assert server.requests[-1].body["stream"] is True


# ── streams that end badly ─────────────────────────────────────────────────────────────────────────────────


async def test_a_stream_that_breaks_off_is_asked_for_whole() -> None:
    async with talking([Answer("one two three four", drop="midway"), "whole"]) as (model, server):
        assert (await model.stream(HI, nothing)).text == "whole"
        assert "stream" not in server.requests[-1].body


async def test_a_server_that_breaks_off_whatever_it_is_asked_is_unavailable() -> None:
    async with talking(Answer("one two three four", drop="midway")) as (model, _):
        with pytest.raises(ModelUnavailable) as caught:
            await model.stream(HI, nothing)
    assert caught.value.code == "unreachable"


async def test_a_stream_that_ends_politely_in_the_middle_is_no_answer() -> None:
    half = 'data: {"choices": [{"delta": {"content": "half"}}]}\n\n'
    headers = {"content-type": "text/event-stream"}
    async with talking([Answer(raw=half, headers=headers), "whole"]) as (model, _):
        assert (await model.stream(HI, nothing)).text == "whole"


async def test_an_error_among_the_events_is_an_error() -> None:
    events = 'data: {"error": {"message": "Provider overloaded", "code": 529}}\n\ndata: [DONE]\n\n'
    async with talking(Answer(raw=events, headers={"content-type": "text/event-stream"})) as (model, _):
        with pytest.raises(ModelUnavailable) as caught:
            await model.stream(HI, nothing)
    assert caught.value.code == "busy"


async def test_a_refusal_of_a_stream_is_a_refusal() -> None:
    async with talking(fails(401, "Incorrect API key")) as (model, _):
        with pytest.raises(ModelRefused) as caught:
            await model.stream(HI, nothing)
    assert caught.value.code == "wrong_key"


async def test_a_stream_that_trickles_for_ever_is_ended() -> None:
    """Each chunk resets the SDK's own time-out; ours moves on only for words, and not for ever."""
    async with talking(Answer("x" * 4000, pause=0.02), timeout=0.2) as (model, _):
        began = time.monotonic()
        with pytest.raises(ModelError):
            await model.stream(HI, nothing)
        assert time.monotonic() - began < 10, "of the twenty it would take"


async def test_a_long_answer_whose_words_keep_coming_is_not_cut() -> None:
    async with talking(Answer("word " * 40, pause=0.03), timeout=1.0) as (model, server):
        assert (await model.stream(HI, nothing)).text == ("word " * 40).strip()
        assert len(server.requests) == 1


async def test_thinking_for_long_is_no_silence() -> None:
    thoughts = [{"reasoning_content": f"thought {n} "} for n in range(30)]
    answer = Answer(chunks=[*thoughts, {"content": "done"}], pause=0.05)
    async with talking(answer, timeout=1.0) as (model, _):
        assert (await model.stream(HI, nothing)).text == "done"


async def test_a_stream_of_nothing_is_silence() -> None:
    async with talking(Answer(chunks=[{"content": ""}] * 200, pause=0.05), timeout=0.4) as (model, _):
        began = time.monotonic()
        with pytest.raises(ModelError) as caught:
            await model.stream(HI, nothing)
        assert time.monotonic() - began < 5
    assert caught.value.code == "timeout"


# ── events ─────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_events_are_the_same_however_their_bytes_are_cut(size: int) -> None:
    texts = ["a\u2028b", "猫😀", "data: x", "\n\n"]
    spelled = [json.dumps({"t": text}, ensure_ascii=False) for text in texts]
    stream = (
        ": ping\r\n\r\n"
        + "".join(f"data:{one}\r\n\r\n" for one in spelled)
        + "data: nonsense\n\ndata: [DONE]"
    )
    data = stream.encode()
    events, found = Events(), []
    for at in range(0, len(data), size):
        events.feed(data[at : at + size])
        found += [event["t"] for event in events.take()]
    assert not events.done
    events.end()
    assert list(events.take()) == []
    assert found == texts
    assert events.done


def test_a_stream_nobody_asked_for_keeps_lines_within_its_text() -> None:
    event = json.dumps({"choices": [{"delta": {"content": "a\u2028b"}}]}, ensure_ascii=False)
    assert whole(f"data: {event}\n\n", ()).text == "a\u2028b"


def test_broken_events_are_skipped() -> None:
    stream = (
        'data: {"choices": [{"delta": {"content": "a"}}]}\n\ndata: {oops\n\ndata: [1]\n\ndata: [DONE]\n\n'
    )
    assert whole(stream, ()).text == "a"


def test_a_sign_that_came_in_two_pieces_is_whole() -> None:
    """As from servers that cut by UTF-16 units; a half that never gets its other one is no sign, and stops nothing."""
    hat, lone = json.dumps("🎩")[1:-1], "\\ud83c"
    high, low = hat[:6], hat[6:]

    def event(delta: str) -> str:
        return f'data: {{"choices": [{{"delta": {delta}}}]}}\n\n'

    def call(arguments: str) -> str:
        given = '"id": "a' + lone + '", "function": {"name": "search", "arguments": "' + arguments + '"}'
        return event('{"tool_calls": [{"index": 0, ' + given + "}]}")

    text = [event(f'{{"content": "{each}"}}') for each in ("a hat: ", high, low, lone)]
    calls = [call(each) for each in ('{\\"query\\": \\"' + high, low + '\\"}')]
    reply = whole("".join([*text, *calls, "data: [DONE]\n\n"]), {"search"}).reply({"search"})
    assert reply.text == "a hat: 🎩\ufffd"
    [one] = reply.calls
    assert one.arguments == {"query": "🎩"}
    assert json.dumps([one.id, reply.text], ensure_ascii=False).encode(), "it can be sent back"
