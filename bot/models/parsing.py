"""The JSON of a chat completion, whole or in pieces, → `Reply`. Every vendor's oddities end here.

Nothing in an answer is taken for granted: choices may be missing, content may be null, a list of parts,
or carry its thinking in tags (`thinking`); the fragments of tool calls are put together by `assembling`.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any, Literal

from bot.models.arguments import calls_in_text
from bot.models.assembling import Assembly, Fragment, joined
from bot.models.model import Reply, Usage
from bot.models.thinking import without_thinking

Json = dict[str, Any]
Finish = Literal["stop", "calls", "length", "filtered"]

_FILTERED = {
    "content_filter",
    "sensitive",
    "safety",
    "prohibited_content",
    "recitation",
    "blocklist",
    "refusal",
}
_LENGTH = {"length", "max_tokens", "model_length", "max_output_tokens", "model_context_window_exceeded"}
_REASONING_FIELDS = ("reasoning_content", "reasoning", "thinking")


def heard(body: Json) -> Heard:
    """What a whole completion says."""
    choices = body.get("choices")
    choice = _dict(choices[0]) if isinstance(choices, list) and choices else {}
    message = _dict(choice.get("message") or choice.get("delta"))
    calls = [_piece(_dict(item)) for item in _list(message.get("tool_calls"))]
    if legacy := _dict(message.get("function_call")):
        calls.append(_piece({"function": legacy}))
    return Heard(
        text=_text(message.get("content")) or _text(message.get("refusal")),
        reasoning=_reasoning(message),
        calls=Assembly(calls),
        finish=_text(choice.get("finish_reason")),
        usage=usage_of(body.get("usage")),
        reasoning_field=reasoning_field(message),
    )


def reasoning_field(message: Json) -> str | None:
    """The name under which a message carries its reasoning, if it does."""
    return next((name for name in _REASONING_FIELDS if isinstance(message.get(name), str)), None)


@dataclass(slots=True)
class Heard:
    """An answer as far as it has been heard; `add` a chunk at a time, then ask for the `reply`."""

    text: str = ""
    reasoning: str | None = None
    calls: Assembly = field(default_factory=Assembly)
    finish: str = ""
    usage: Usage = field(default_factory=Usage)
    reasoning_field: str | None = None

    def add(self, chunk: Json, offered: Collection[str] = ()) -> str:
        """Take in one chunk; returns the text that it added."""
        if chunk.get("usage"):
            self.usage = usage_of(chunk["usage"])
        choices = _list(chunk.get("choices"))
        if not choices:
            return ""
        choice = _dict(choices[0])
        delta = _dict(choice.get("delta") or choice.get("message"))
        self.finish = _text(choice.get("finish_reason")) or self.finish
        if (thought := _reasoning(delta)) is not None:
            self.reasoning = (self.reasoning or "") + thought
            self.reasoning_field = reasoning_field(delta) or self.reasoning_field
        for piece in _list(delta.get("tool_calls")):
            self.calls.add(_piece(_dict(piece)), offered)
        if legacy := _dict(delta.get("function_call")):
            self.calls.add(_piece({"function": legacy, "index": 0}), offered)
        said = _text(delta.get("content")) or _text(delta.get("refusal"))
        self.text += said
        return said

    def reply(self, offered: Collection[str] = ()) -> Reply:
        """The answer, as far as it was heard. `offered` are the names of the tools the request carried."""
        cut = self.finish.lower() in _LENGTH
        calls = self.calls.calls(offered, cut=cut)
        text = without_thinking(joined(self.text))
        if not calls:
            text, calls = calls_in_text(text, offered)
        reasoning = None if self.reasoning is None else joined(self.reasoning)
        return Reply(text, calls, _finish(self.finish, bool(calls)), reasoning, self.usage)


def _finish(reason: str, has_calls: bool) -> Finish:
    reason = reason.lower()
    if reason in _FILTERED:
        return "filtered"
    # with calls too: the last of them may read well and still be half of what was meant
    if reason in _LENGTH:
        return "length"
    return "calls" if has_calls else "stop"


def _piece(item: Json) -> Fragment:
    function = _dict(item.get("function")) or item
    arguments = function.get("arguments")
    return Fragment(
        id=_text(item.get("id")),
        name=_text(function.get("name")),
        arguments="" if arguments is None else arguments,
        index=item.get("index"),
    )


def _reasoning(message: Json) -> str | None:
    name = reasoning_field(message)
    if name is not None:
        return str(message[name])
    parts = [_dict(part) for part in _list(message.get("content"))]
    thoughts = [_text(part.get("thinking")) for part in parts if part.get("type") == "thinking"]
    return "".join(thoughts) if thoughts else None


def _text(value: object) -> str:
    """Words, whether a string or a list of parts; "" for everything else."""
    if isinstance(value, str):
        return value
    return "".join(_part_text(part) for part in value) if isinstance(value, list) else ""


def _part_text(part: object) -> str:
    if isinstance(part, str):
        return part
    part = _dict(part)
    return _text(part.get("text")) if part.get("type", "text") in ("text", "output_text") else ""


def usage_of(value: object) -> Usage:
    """What a server says a call took, under whichever names; nothing where it does not say."""
    usage = _dict(value)
    details = _dict(usage.get("prompt_tokens_details") or usage.get("input_tokens_details"))
    cached = _count(
        details.get("cached_tokens"), usage.get("prompt_cache_hit_tokens"), usage.get("cached_tokens")
    )
    return Usage(
        input=_count(usage.get("prompt_tokens"), usage.get("input_tokens")),
        cached=cached,
        output=_count(usage.get("completion_tokens"), usage.get("output_tokens")),
    )


def _count(*candidates: object) -> int:
    numbers = (int(value) for value in candidates if isinstance(value, int | float) and value > 0)
    return next(numbers, 0)


def _dict(value: object) -> Json:
    return value if isinstance(value, dict) else {}


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []
