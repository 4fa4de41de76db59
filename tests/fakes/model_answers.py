"""What the fake model server hears and says: `Request`, `Answer`, and the JSON in between."""

from __future__ import annotations

import json
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Request:
    """One request as it came."""

    path: str
    headers: dict[str, str]  # names in lower case
    body: Json
    size: int  # bytes of the body
    at: float  # time.monotonic()
    raw: bytes = field(repr=False, default=b"")

    @property
    def messages(self) -> list[Json]:
        """The conversation it carries."""
        return list(self.body.get("messages", []))

    @property
    def last(self) -> str:
        """The words of its last message."""
        return words_of(self.messages[-1]) if self.messages else ""

    @property
    def pictures(self) -> int:
        """How many pictures it carries."""
        contents = [message.get("content") for message in self.messages]
        parts = [part for content in contents if isinstance(content, list) for part in content]
        return sum(part.get("type") == "image_url" for part in parts)

    @property
    def tools(self) -> list[str]:
        """Names of the tools it offers."""
        return [tool["function"]["name"] for tool in self.body.get("tools", [])]


@dataclass(frozen=True, slots=True)
class Answer:
    """What the server does with one request."""

    text: str | None = ""
    # (name, arguments) with arguments an object or any raw value; or a raw tool call
    calls: Sequence[Any] = ()
    finish: str = ""  # "" = "tool_calls" with calls, else "stop"
    message: Json = field(default_factory=dict)  # more fields of the message, e.g. reasoning_content
    usage: Json | None = None  # None = counted by characters
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    raw: str | None = None  # this body instead
    chunks: Sequence[Json] | None = None  # these deltas, as a stream, whether one was asked for or not
    delay: float = 0.0  # seconds before the answer
    pause: float = 0.0  # seconds between the chunks of a stream
    drop: str = ""  # close the connection: "before" the answer, or "midway"
    hang: bool = False  # never answer


Behaviour = Answer | str | Callable[[Request], "Answer | str | Awaitable[Answer | str]"]


def calls(*wanted: Any, text: str | None = None) -> Answer:
    """Tool calls, each `(name, arguments)`."""
    return Answer(text=text, calls=wanted)


def fails(
    status: int, message: str = "", *, retry_after: float | None = None, code: str | None = None
) -> Answer:
    """An error as OpenAI words it."""
    headers = {} if retry_after is None else {"retry-after": f"{retry_after:g}"}
    error = {"message": message or f"fake error {status}", "type": "fake", "code": code}
    return Answer(status=status, headers=headers, raw=json.dumps({"error": error}, ensure_ascii=False))


def drops(when: str = "before") -> Answer:
    """A connection closed without an answer, or in the midst of one."""
    return Answer(text="never heard", drop=when)


def hangs() -> Answer:
    """No answer, ever."""
    return Answer(hang=True)


def empty() -> Answer:
    """Status 200 and no content."""
    return Answer(text=None)


def filtered() -> Answer:
    """Stopped by the vendor's content filter."""
    return Answer(text=None, finish="content_filter")


def echo(request: Request) -> str:
    """The words of the last message."""
    return request.last


def words_of(message: Json) -> str:
    """The words of a message in either form."""
    content = message.get("content")
    if isinstance(content, list):
        return "\n".join(part.get("text", "") for part in content if part.get("type") == "text")
    return content or ""


def whole(request: Request, answer: Answer) -> Json:
    """The body of a completion that is not streamed."""
    message: Json = {"role": "assistant", "content": answer.text, **answer.message}
    if answer.calls:
        message["tool_calls"] = [_call(call, index) for index, call in enumerate(answer.calls)]
    choice = {"index": 0, "message": message, "finish_reason": _finish(answer)}
    return {**_frame(request, "chat.completion"), "choices": [choice], "usage": _usage(request, answer)}


def stream(request: Request, answer: Answer) -> list[Json]:
    """The events of a completion that is streamed: some pieces of text, then calls, then the end."""
    deltas = list(answer.chunks) if answer.chunks is not None else _deltas(answer)
    frame = _frame(request, "chat.completion.chunk")
    events: list[Json] = [{**frame, "choices": [{"index": 0, "delta": delta}]} for delta in deltas]
    events.append({**frame, "choices": [{"index": 0, "delta": {}, "finish_reason": _finish(answer)}]})
    events.append({**frame, "choices": [], "usage": _usage(request, answer)})
    return events


def _deltas(answer: Answer) -> list[Json]:
    text = answer.text or ""
    pieces = [text[at : at + 4] for at in range(0, len(text), 4)]
    deltas: list[Json] = [{"role": "assistant", "content": "", **answer.message}]
    deltas += [{"content": piece} for piece in pieces]
    deltas += [
        {"tool_calls": [{**_call(call, index), "index": index}]} for index, call in enumerate(answer.calls)
    ]
    return deltas


def _call(call: Any, index: int) -> Json:
    if isinstance(call, dict):
        return call
    name, arguments = call
    spelled = json.dumps(arguments, ensure_ascii=False) if isinstance(arguments, dict) else arguments
    return {
        "id": f"call_{time.monotonic_ns():x}_{index}",
        "type": "function",
        "function": {"name": name, "arguments": spelled},
    }


def _finish(answer: Answer) -> str:
    return answer.finish or ("tool_calls" if answer.calls else "stop")


def _usage(request: Request, answer: Answer) -> Json:
    if answer.usage is not None:
        return answer.usage
    sent, said = request.size // 4, len(answer.text or "") // 4 + 1
    return {"prompt_tokens": sent, "completion_tokens": said, "total_tokens": sent + said}


def _frame(request: Request, kind: str) -> Json:
    return {"id": "fake", "object": kind, "created": 0, "model": request.body.get("model", "fake")}
