"""An `audio/transcriptions` endpoint on loopback, as strict as OpenAI's: key, model, ending, size, an empty file."""

from __future__ import annotations

import asyncio
import json
from typing import Self

from tests.fakes.telegram_wire import File, Request, Response, serve

ENDINGS = ("flac", "m4a", "mp3", "mp4", "mpeg", "mpga", "oga", "ogg", "wav", "webm")
MOST_BYTES = 25 * 2**20


class FakeTranscription:
    """Says `says` of every recording, or the words of `refuses` (status, sentence), those first."""

    def __init__(self, says: str = "hello", *, key: str = "sk-ear", model: str = "whisper-1") -> None:
        self.says = says
        self.plain = False  # bare text instead of JSON
        self.usage: dict[str, object] | None = None  # what it says a recording took
        self.refuses: list[tuple[int, str]] = []
        self.heard: list[File] = []
        self.go = asyncio.Event()  # cleared: nobody is answered
        self.go.set()
        self._key, self._model = key, model
        self._server: asyncio.Server | None = None

    @property
    def settings(self) -> dict[str, str]:
        """What points the assistant here."""
        assert self._server is not None
        port = self._server.sockets[0].getsockname()[1]
        return {
            "transcribe_model": self._model,
            "transcribe_model_base_url": f"http://127.0.0.1:{port}/v1",
            "transcribe_model_api_key": self._key,
        }

    async def __aenter__(self) -> Self:
        self._server = await serve(self._handle)
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()

    async def _handle(self, request: Request) -> Response:
        await self.go.wait()
        refusal = self._refused(request)
        if refusal is not None:
            return Response(refusal[0], json.dumps({"error": {"message": refusal[1]}}).encode())
        self.heard.append(request.files["file"])
        if self.plain:
            return Response(200, f"{self.says}\n".encode(), "text/plain")
        told = {"text": self.says} | ({"usage": self.usage} if self.usage else {})
        return Response(200, json.dumps(told, ensure_ascii=False).encode())

    def _refused(self, request: Request) -> tuple[int, str] | None:
        """(status, why) of what the real one would not take."""
        if request.path != "/v1/audio/transcriptions":
            return 404, "no such route"
        if self.refuses:
            return self.refuses.pop(0)
        file, model = request.files.get("file"), request.fields.get("model")
        why: list[tuple[bool, int, str]] = [
            (model != self._model, 404, f"The model {model!r} does not exist"),
            (file is None or not file.data, 400, "Audio file is missing or empty"),
            (file is not None and len(file.data) > MOST_BYTES, 413, "Maximum content size limit exceeded"),
            (_ending(file) not in ENDINGS, 400, "Unrecognized file format"),
        ]
        return next(((status, told) for wrong, status, told in why if wrong), None)


def _ending(file: File | None) -> str:
    return file.name.rpartition(".")[2].lower() if file is not None else ""
