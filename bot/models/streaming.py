"""The body of a server's answer → `Heard`: JSON that was read whole, or server-sent events as they come.

Events are read as raw bytes, and parsed only when somebody wants to look: the SDK's own way of reading a stream costs
twice the CPU of a whole answer, and most answers are there before anybody would be shown a part of them.
"""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator, Collection, Iterator, Mapping
from typing import Any

from bot.errors import ModelError, ModelUnavailable
from bot.models.model import OnText
from bot.models.parsing import Heard, Json, heard, usage_of
from bot.models.refusals import error_of, unavailable

QUIET = 0.7  # seconds in which nobody is told of a part: a quick answer is told whole


class StreamCut(ModelUnavailable):
    """A stream that ended before its answer did. Asked for whole, it may come whole."""


class Events:
    """The events of a stream as far as its bytes have come."""

    def __init__(self, data: bytes = b"") -> None:
        self._bytes = bytearray(data)
        self.done = False  # the server has said that this is all

    def feed(self, data: bytes) -> None:
        """More bytes."""
        self._bytes += data

    def end(self) -> None:
        """No more bytes come: what is there is complete."""
        self._bytes += b"\n"

    def take(self) -> Iterator[Json]:
        """The events that are complete and were not taken before. What is no JSON object is passed over."""
        end = self._bytes.rfind(b"\n") + 1
        # of bytes: as text, U+2028 in an answer would part it too
        lines = bytes(self._bytes[:end]).split(b"\n")
        del self._bytes[:end]
        for line in lines:
            data = line[5:].strip() if line.startswith(b"data:") else b""
            self.done = self.done or data == b"[DONE]"
            if data.startswith(b"{"):
                try:
                    yield json.loads(data)
                except ValueError:
                    continue


async def streamed(
    body: AsyncIterator[bytes], offered: Collection[str], on_text: OnText, result: Heard
) -> Heard:
    """An answer whose events come in `body`, added to `result`; `on_text` is told its text so far, from `QUIET` on,
    and at every sign of thought.

    Raises `StreamCut`, or another `ModelError` for an error among the events.
    """
    events = Events()
    quiet_until = time.monotonic() + QUIET
    async for data in body:
        events.feed(data)
        if time.monotonic() >= quiet_until and _take(events, result, offered):
            on_text(result.text)
    events.end()
    _take(events, result, offered)
    if not (events.done or result.finish):
        raise StreamCut(code="unreachable", detail="the stream ended before the answer did")
    return result


def whole(text: str, offered: Collection[str]) -> Heard:
    """What a body says that was read whole: JSON, or a stream nobody asked for. Raises `ModelError`."""
    if text.lstrip().startswith("data:"):
        events, result = Events(text.encode()), Heard()
        events.end()
        _take(events, result, offered)
        return result
    try:
        body = json.loads(text)
    except ValueError:
        if text.lstrip().startswith("<"):  # a web page: the address is not the one of the API
            raise error_of(404, text) from None
        raise unavailable("server", f"no JSON: {text[:200]!r}") from None
    if not isinstance(body, dict):
        raise unavailable("server", f"no JSON object: {text[:200]!r}")
    _raise_error_in(body)
    return heard(body)


def _take(events: Events, result: Heard, offered: Collection[str]) -> bool:
    """Add what has come; whether the model has said or thought more by it."""
    before = len(result.text) + len(result.reasoning or "")
    for event in events.take():
        _raise_error_in(event)
        result.add(event, offered)
    return len(result.text) + len(result.reasoning or "") > before


def _raise_error_in(body: Mapping[str, Any]) -> None:
    """Some vendors send their errors with status 200."""
    error = body.get("error")
    vendor = body.get("base_resp")  # MiniMax
    if error and not body.get("choices"):
        status = error.get("code") if isinstance(error, Mapping) else None
        known = isinstance(status, int) and not isinstance(status, bool) and 400 <= status < 600
        raise with_usage(error_of(status if known and status else 200, words_in(error, str(error))), body)
    if isinstance(vendor, Mapping) and vendor.get("status_code") and not body.get("choices"):
        raise with_usage(error_of(200, words_in(vendor, "")), body)


def with_usage(error: ModelError, body: object) -> ModelError:
    """An error with what the call took, where the body that tells of it says so."""
    if isinstance(body, Mapping):
        error.used = usage_of(body.get("usage")).counts
    return error


def words_in(body: object, message: str) -> str:
    """The server's words, codes included, for the log and for telling refusals apart."""
    words = body if isinstance(body, str) else json.dumps(body, ensure_ascii=False) if body else ""
    return words or message
