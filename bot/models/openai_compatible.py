"""Any server that speaks OpenAI's chat completions: OpenAI, DeepSeek, Qwen, Kimi, GLM, Gemini, Ollama, vLLM …

The only home of the `openai` SDK. It is imported at the first call, in a thread (0.4–2.6 s), and used for
what it does well (connections, authentication, time-outs); requests are plain dicts and answers are read
by `parsing`, because the typed path costs twice the CPU and trips over what vendors really send.
"""

from __future__ import annotations

import asyncio
import importlib
import json
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import structlog

from bot.errors import ModelError
from bot.models.model import OnText, Prompt, Reply, Usage
from bot.models.parsing import Heard
from bot.models.refusals import error_of, unavailable
from bot.models.streaming import StreamCut, streamed, whole, with_usage, words_in
from bot.models.wire import Json, Reasoning, messages_json, tools_json

if TYPE_CHECKING:
    from openai import AsyncOpenAI, Timeout

# seconds a connection may take, encryption included; a second try still fits into a turn's budget
CONNECT = 4.0

WATCHED = 5  # times as long as the wait for an answer may one take whose words keep coming
QUICK = 1.0  # seconds within which an answer is not worth a stream
QUICK_ONES = 5  # such answers in a row after which none is asked for, until one is slow

log = structlog.get_logger(__name__)


class Connections:
    """One HTTP client for all endpoints, made at the first call."""

    def __init__(self) -> None:
        self._first: AsyncOpenAI | None = None
        self._clients: dict[tuple[str, str, float], AsyncOpenAI] = {}
        self._lock = asyncio.Lock()

    async def to(self, base_url: str, api_key: str, timeout: float) -> AsyncOpenAI:
        """An SDK client for one endpoint; they share the sockets."""
        key = (base_url, api_key, timeout)
        if key not in self._clients:
            async with self._lock:
                if self._first is None:
                    self._first = await asyncio.to_thread(_new_client, base_url, api_key, timeout)
            client = self._first.with_options(base_url=base_url, api_key=api_key, timeout=_patience(timeout))
            self._clients[key] = client
        return self._clients[key]

    async def warm(self) -> None:
        """Load the SDK (most of a second) in a thread, so that the first answer need not wait for it."""
        await asyncio.to_thread(importlib.import_module, "openai")

    async def aclose(self) -> None:
        """Close the sockets; the next call opens new ones."""
        client, self._first = self._first, None
        self._clients.clear()
        if client is not None:
            await client.close()


def _patience(timeout: float) -> Timeout:
    """An answer may take long, a connection may not: who cannot be reached is to be told so within 10 s."""
    from openai import Timeout

    return Timeout(timeout, connect=min(timeout, CONNECT))


def _new_client(base_url: str, api_key: str, timeout: float) -> AsyncOpenAI:
    from openai import AsyncOpenAI, DefaultAsyncHttpxClient

    direct = {
        f"all://{host}": None for host in ("localhost", "127.0.0.1", "[::1]")
    }  # a proxy cannot reach those
    http = DefaultAsyncHttpxClient(mounts=direct, timeout=timeout)
    return AsyncOpenAI(base_url=base_url, api_key=api_key, max_retries=0, timeout=timeout, http_client=http)


@dataclass(slots=True)
class Habits:
    """What we have learned about an endpoint from its refusals; each is learned once."""

    sees: bool
    tools: bool = True
    streams: bool = True
    usage_in_streams: bool = True
    temperature: bool = True
    reasoning: Reasoning = "kept"
    reasoning_field: str = "reasoning_content"
    tried: set[Reasoning] = field(default_factory=lambda: {"kept"})

    def adapt(self, said: str, body: Json) -> str:
        """Learn from a refusal; returns what was learned ("" = nothing, the refusal stands)."""
        said = said.lower()
        if "temperature" in body and "temperature" in said:  # reasoning models take only their own
            self.temperature = False
            return "no temperature"
        if ("reasoning" in said or "thinking" in said) and (policy := self._next_policy(said)):
            self.reasoning = policy
            self.tried.add(policy)
            return f"reasoning {policy}"
        if "stream" in body and _STREAMS.search(said):
            return self._stream_less(said, body)
        if "tools" in body and self.tools and _NO_TOOLS.search(said):
            self.tools = False
            return "no tools"
        if self.sees and _NO_PICTURES.search(said):
            self.sees = False
            return "no pictures"
        return ""

    def _stream_less(self, said: str, body: Json) -> str:
        if "stream_options" in body and "stream_options" in said:
            self.usage_in_streams = False
            return "no stream_options"
        self.streams = False
        return "no streams"

    def _next_policy(self, said: str) -> Reasoning | None:
        wanted = ("must", "missing", "required", "passed back", "empty", "need")
        order: tuple[Reasoning, ...] = ("required", "dropped")
        if not any(word in said for word in wanted):
            order = ("dropped", "required")
        return next((policy for policy in order if policy not in self.tried), None)


# Narrow on purpose: a complaint about one tool's schema must not cost the person all tools.
_NO_TOOLS = re.compile(
    r"(?:n't|not) support(?:ed)? (?:the )?(?:use of )?(?:tools?|function)\b|support tool use"
    r"|(?:tool|function)[ _-]?(?:use|calls?|calling|choice)?s? (?:is|are) (?:not (?:supported|available)|unsupported)"
)
_STREAMS = re.compile(r"\bstream(?:s|ed|ing|_options)?\b")  # not "upstream"
_NO_PICTURES = re.compile(
    r"(?:n't|not) (?:support|accept)(?:ed)? (?:the )?(?:image|vision|multi-?modal|picture)"
    r"|(?:image|vision|multi-?modal)[\w -]{0,20} (?:is|are) (?:not (?:supported|available|allowed)|unsupported)"
    r"|support image input|unknown variant `?image_url|image_url.{0,40}expected|not a (?:vl|vision|multi-?modal) model"
)


class OpenAICompatible:
    """A model behind one endpoint."""

    def __init__(
        self,
        base_url: str,
        api_key: str,
        model: str,
        *,
        sees: bool = False,
        timeout: float = 120.0,
        connections: Connections | None = None,
    ) -> None:
        """`timeout`: seconds for one answer; of one that is told while it grows, seconds without a word."""
        self._base_url = base_url
        self._api_key = api_key or "none"  # local servers want no key, the SDK wants one
        self._model = model
        self._timeout = timeout
        self._connections = connections or Connections()
        self._habits = Habits(sees)
        self._quick = 0  # answers in a row that were quick

    @property
    def name(self) -> str:
        """The model's name at its vendor."""
        return self._model

    @property
    def sees(self) -> bool:
        """Whether pictures reach it; turns false when the server refuses one."""
        return self._habits.sees

    async def generate(self, prompt: Prompt) -> Reply:
        """One answer, awaited whole."""
        return await self._answer(prompt, None)

    async def stream(self, prompt: Prompt, on_text: OnText) -> Reply:
        """One answer, its text told as it grows. A server that cannot stream, or breaks off, is asked for it whole;
        one whose answers are there before anybody would be shown a part of them is spared the cost of streaming.
        """
        began = time.monotonic()
        reply = await self._answer(prompt, on_text if self._quick < QUICK_ONES else None)
        self._quick = self._quick + 1 if time.monotonic() - began < QUICK else 0
        return reply

    async def aclose(self) -> None:
        """Close the connections, the shared ones too."""
        await self._connections.aclose()

    async def _answer(self, prompt: Prompt, on_text: OnText | None) -> Reply:
        spent = Usage()  # on tries that came to nothing
        while True:
            if not self._habits.streams:
                on_text = None
            body = self._body(prompt, stream=on_text is not None)
            try:
                async with asyncio.timeout(self._timeout) as limit:
                    hearer = None if on_text is None else _patient(limit, self._timeout, on_text)
                    result = await self._request(body, hearer, {tool.name for tool in prompt.tools})
            except TimeoutError:
                raise unavailable("timeout", f"no answer in {self._timeout:g} s") from None
            except StreamCut as cut:
                log.info("a stream broke off", action="stream_cut", model=self._model, detail=cut.detail)
                spent += Usage(*cut.used or ())
                on_text = None
                continue
            except ModelError as error:
                spent += Usage(*error.used or ())
                learned = self._habits.adapt(error.detail, body) if error.code in _TEACHES else ""
                if not learned:
                    log.warning(
                        "model call failed",
                        action="model_failed",
                        model=self._model,
                        code=error.code,
                        detail=error.detail,
                    )
                    error.used = spent.counts
                    raise
                log.info(
                    "adapted to the model's server",
                    action="model_adapted",
                    model=self._model,
                    learned=learned,
                )
                continue
            self._habits.reasoning_field = result.reasoning_field or self._habits.reasoning_field
            if result.usage:  # else it is estimated, and what is known of the rest would pass for all of it
                result.usage += spent
            return result.reply({tool.name for tool in prompt.tools})

    def _body(self, prompt: Prompt, *, stream: bool) -> Json:
        habits = self._habits
        messages = messages_json(
            prompt, sees=habits.sees, reasoning=habits.reasoning, field=habits.reasoning_field
        )
        body: Json = {"model": self._model}
        if prompt.tools and habits.tools:
            body["tools"] = tools_json(prompt.tools)
        body["messages"] = messages
        if prompt.steady and habits.temperature:
            body["temperature"] = 0
        if stream:
            body["stream"] = True
            if habits.usage_in_streams:
                body["stream_options"] = {"include_usage": True}
        return body

    async def _request(self, body: Json, on_text: OnText | None, offered: set[str]) -> Heard:
        client = await self._connections.to(self._base_url, self._api_key, self._timeout)
        with in_our_words():
            if on_text is None:
                return await _whole(client, body, offered)
            return await _streamed(client, body, offered, on_text)


@contextmanager
def in_our_words() -> Iterator[None]:
    """The SDK's errors as a `ModelError`."""
    import httpx2
    import openai

    try:
        yield
    except openai.APITimeoutError as error:
        unconnected = isinstance(error.__cause__, httpx2.ConnectTimeout)
        raise unavailable("unreachable" if unconnected else "timeout", str(error)) from error
    except openai.APIConnectionError as error:
        raise unavailable("unreachable", f"{error} {error.__cause__ or ''}") from error
    except openai.APIStatusError as error:
        refused = error_of(error.status_code, words_in(error.body, error.message), error.response.headers)
        raise with_usage(refused, _json(error.response.text)) from error
    except openai.APIError as error:  # an error event within a stream
        raise error_of(200, words_in(error.body, error.message)) from error


def _json(text: str) -> object:
    """What it says, None when it is no JSON."""
    try:
        return json.loads(text)
    except ValueError:
        return None


def _patient(limit: asyncio.Timeout, timeout: float, on_text: OnText) -> OnText:
    """Moves the limit on while words come: a long answer that is being watched is not cut in its middle."""
    clock = asyncio.get_running_loop().time
    last = clock() + WATCHED * timeout

    def heard(text: str) -> None:
        limit.reschedule(min(clock() + timeout, last))
        on_text(text)

    return heard


_TEACHES = {"rejected", "not_found", "server"}  # "No endpoints found that support tool use" is a 404


async def _whole(client: AsyncOpenAI, body: Json, offered: set[str]) -> Heard:
    import httpx2

    response = await client.post("/chat/completions", cast_to=httpx2.Response, body=body)
    return whole(response.text, offered)


async def _streamed(client: AsyncOpenAI, body: Json, offered: set[str], on_text: OnText) -> Heard:
    import httpx2
    from openai import AsyncStream

    answer = await client.post(
        "/chat/completions", cast_to=object, body=body, stream=True, stream_cls=AsyncStream[object]
    )
    async with answer:
        response = answer.response
        if "event-stream" not in response.headers.get("content-type", ""):
            return whole((await response.aread()).decode("utf-8", "replace"), offered)
        result = Heard()
        try:
            return await streamed(response.aiter_bytes(), offered, on_text, result)
        except httpx2.TransportError as error:
            cut = StreamCut(code="unreachable", detail=f"stream: {error!r}")
            cut.used = result.usage.counts
            raise cut from error
        except ModelError as error:
            error.used = error.used or result.usage.counts
            raise
