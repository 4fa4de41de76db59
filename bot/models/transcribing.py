"""Speech to text, by any server that speaks OpenAI's `audio/transcriptions`: OpenAI, Groq, whisper.cpp, vLLM …"""

from __future__ import annotations

import asyncio
import io
import wave
from collections.abc import Awaitable, Callable

import structlog

from bot.errors import ModelError, ModelUnavailable
from bot.models.metering import Meter, Took, Unmetered, charged_for_voice
from bot.models.openai_compatible import Connections, in_our_words
from bot.models.parsing import usage_of
from bot.models.refusals import unavailable
from bot.settings import Endpoint

Transcribe = Callable[[bytes, str], Awaitable[str]]
"""The words in a recording (its bytes, a name with the right ending); "" when there are none. Raises `ModelError`."""

AGAIN = 1.0  # seconds until the one further try

log = structlog.get_logger(__name__)


def silence(seconds: float) -> bytes:
    """A WAV in which nothing is said."""
    packed = io.BytesIO()
    with wave.open(packed, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(16_000)
        file.writeframes(bytes(2 * round(seconds * 16_000)))
    return packed.getvalue()


class Transcriber:
    """One endpoint. Nothing is dialled before the first call.

    Each recording counts as a call; its tokens where the server counts those (many count seconds, or nothing).
    """

    def __init__(
        self, endpoint: Endpoint, connections: Connections, timeout: float, meter: Meter | None = None
    ) -> None:
        self._meter = meter or Unmetered()
        self._endpoint = endpoint
        self._connections = connections
        self._timeout = timeout

    async def __call__(self, data: bytes, name: str) -> str:
        """As `Transcribe`. What may pass is tried once more."""
        try:
            return await self._heard(data, name)
        except ModelUnavailable as error:
            if (error.retry_after or 0) > AGAIN:
                raise
        await asyncio.sleep(AGAIN)
        return await self._heard(data, name)

    async def _heard(self, data: bytes, name: str) -> str:
        key = self._endpoint.api_key.get_secret_value() or "none"
        client = await self._connections.to(self._endpoint.base_url, key, self._timeout)
        try:
            async with asyncio.timeout(self._timeout):
                with in_our_words():
                    said = await client.audio.transcriptions.create(
                        model=self._endpoint.model, file=(name, data)
                    )
        except TimeoutError:
            raise unavailable("timeout", f"no transcript in {self._timeout:g} s") from None
        except ModelError as error:
            if error.used:
                self._count(Took(*error.used, estimated=False))
            log.warning("not transcribed", action="transcribe_failed", code=error.code, detail=error.detail)
            raise
        self._count(_took(said))
        # some servers answer with bare text whatever they are asked for
        return (said if isinstance(said, str) else getattr(said, "text", "") or "").strip()

    def _count(self, took: Took) -> None:
        self._meter.record(charged_for_voice(), self._endpoint.model, took)


def _took(said: object) -> Took:
    """What the answer says it took: `{"type": "tokens", "input_tokens": 14, …}`, or seconds, which are no tokens."""
    told = getattr(said, "usage", None)
    usage = usage_of(told if isinstance(told, dict) else getattr(told, "__dict__", None))
    return Took(usage.input, usage.cached, usage.output, estimated=False)
