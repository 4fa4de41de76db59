"""What a call took that came to nothing, where its server says so; and what listening took."""

from __future__ import annotations

import asyncio
import json

import pytest

from bot.errors import ModelError
from bot.models.metering import CHAT, VOICE, Charge, Metered, Took, charge
from bot.models.model import Usage
from bot.models.openai_compatible import Connections
from bot.models.transcribing import Transcriber
from bot.settings import Settings
from tests.bot.models.test_metering import Book
from tests.bot.models.test_openai_compatible import HI, talking
from tests.fakes.model_server import Answer
from tests.fakes.transcription_server import FakeTranscription

TOOK = {"prompt_tokens": 900, "completion_tokens": 12, "prompt_tokens_details": {"cached_tokens": 100}}
ERROR = {"error": {"message": "content filter", "code": "content_filter"}}
TOLD = json.dumps({**ERROR, "usage": TOOK})
BEGUN = {"choices": [{"index": 0, "delta": {"content": "Once"}}], "usage": TOOK}
EVENTS = {"content-type": "text/event-stream"}


def nothing(_: str) -> None:
    """Not interested."""


async def failed(answer: Answer, *, streamed: bool = False) -> list[Took]:
    """What is counted of a call that fails."""
    book = Book()
    async with talking(answer) as (model, _):
        asked = Metered(model, book)
        with pytest.raises(ModelError):
            await (asked.stream(HI, nothing) if streamed else asked.generate(HI))
    assert book.failures == ["fake"]
    return [took for _, _, took in book.calls]


@pytest.mark.parametrize("status", [200, 400, 503])
async def test_an_error_may_tell_what_it_took(status: int) -> None:
    assert await failed(Answer(status=status, raw=TOLD)) == [Took(900, 100, 12, estimated=False)]
    assert await failed(Answer(status=status, raw=json.dumps(ERROR))) == []


async def test_an_error_within_a_stream_ends_what_was_counted_before() -> None:
    events = "".join(f"data: {json.dumps(event)}\n\n" for event in (BEGUN, ERROR))
    told = await failed(Answer(raw=events, headers=EVENTS), streamed=True)
    assert told == [Took(900, 100, 12, estimated=False)]


async def test_a_stream_that_broke_off_counts_with_the_answer_that_came_whole() -> None:
    cut = Answer(raw=f"data: {json.dumps(BEGUN)}\n\n", headers=EVENTS)
    async with talking([cut, Answer("Once upon a time", usage=TOOK)]) as (model, server):
        reply = await model.stream(HI, nothing)
    assert (reply.text, reply.usage) == ("Once upon a time", Usage(1800, 200, 24))
    assert len(server.requests) == 2


@pytest.mark.parametrize(
    ("usage", "took"),
    [
        ({"type": "tokens", "input_tokens": 14, "output_tokens": 101, "total_tokens": 115}, Took(14, 0, 101, False)),
        ({"type": "duration", "seconds": 42}, Took(0, 0, 0, False)),
        (None, Took(0, 0, 0, False)),
    ],
)  # fmt: skip
async def test_listening_counts_as_a_call_and_in_tokens_where_the_server_does(
    usage: dict[str, object] | None, took: Took
) -> None:
    book, connections = Book(), Connections()
    async with FakeTranscription("hello") as ear:
        ear.usage = usage
        ear.refuses = [(400, "bad audio")]
        given = await asyncio.to_thread(lambda: Settings.load(None, {}, **ear.settings))  # type: ignore[arg-type]
        endpoint = given.transcriber()
        assert endpoint is not None
        hear = Transcriber(endpoint, connections, 5, book)
        charge("ann", CHAT)
        with pytest.raises(ModelError):
            await hear(b"OggS", "voice.ogg")
        assert await hear(b"OggS", "voice.ogg") == "hello"
        await connections.aclose()
    assert book.calls == [(Charge("ann", VOICE), "whisper-1", took)]
