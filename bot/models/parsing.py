"""The JSON of a chat completion, whole or in pieces, → `Reply`. Every vendor's oddities end here.

Nothing in an answer is taken for granted: choices may be missing, content may be null, a list of parts,
or carry its thinking in tags; fragments of a tool call may repeat the name, change the id, share an
index.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from bot.models.arguments import calls_in_text, is_complete, offered_name, read_arguments, with_own_ids
from bot.models.model import Call, Reply, Usage

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

_THINK_FIRST = re.compile(r"\A\s*<(think|thinking|thought)>.*?(?:</\1>|\Z)\s*", re.DOTALL | re.IGNORECASE)
_THINK_LINE = re.compile(r"^<(think|thinking)>.*?</\1>\s*", re.DOTALL | re.IGNORECASE | re.MULTILINE)
_THINK_ORPHAN = re.compile(r"\A(?:(?!<think).)*?</think(?:ing)?>\s*", re.DOTALL | re.IGNORECASE)


def heard(body: Json) -> Heard:
    """What a whole completion says."""
    choices = body.get("choices")
    choice = _dict(choices[0]) if isinstance(choices, list) and choices else {}
    message = _dict(choice.get("message") or choice.get("delta"))
    calls = [_whole_call(_dict(item)) for item in _list(message.get("tool_calls"))]
    if legacy := _dict(message.get("function_call")):
        calls.append(_whole_call({"function": legacy}))
    return Heard(
        text=_text(message.get("content")) or _text(message.get("refusal")),
        reasoning=_reasoning(message),
        calls=calls,
        finish=_text(choice.get("finish_reason")),
        usage=_usage(body.get("usage")),
        reasoning_field=reasoning_field(message),
    )


def reasoning_field(message: Json) -> str | None:
    """The name under which a message carries its reasoning, if it does."""
    return next((name for name in _REASONING_FIELDS if isinstance(message.get(name), str)), None)


def events_of(stream: str) -> Iterator[Json]:
    """The chunks of a server-sent-events body that was read as a whole (some servers stream unasked)."""
    for line in stream.splitlines():
        if line.startswith("data:") and (data := line[5:].strip()) and data != "[DONE]":
            try:
                yield _dict(json.loads(data))
            except ValueError:
                continue


@dataclass(slots=True)
class Fragment:
    """A tool call as far as it has been heard."""

    id: str = ""
    name: str = ""
    arguments: object = ""  # a string while it grows; some vendors send the object itself
    index: object = None


@dataclass(slots=True)
class Heard:
    """An answer as far as it has been heard; `add` a chunk at a time, then ask for the `reply`."""

    text: str = ""
    reasoning: str | None = None
    calls: list[Fragment] = field(default_factory=list)
    finish: str = ""
    usage: Usage = field(default_factory=Usage)
    reasoning_field: str | None = None

    def add(self, chunk: Json, offered: Collection[str] = ()) -> str:
        """Take in one chunk; returns the text that it added."""
        if chunk.get("usage"):
            self.usage = _usage(chunk["usage"])
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
            self._add_call(_whole_call(_dict(piece)), offered)
        if legacy := _dict(delta.get("function_call")):
            self._add_call(_whole_call({"function": legacy, "index": 0}), offered)
        said = _text(delta.get("content")) or _text(delta.get("refusal"))
        self.text += said
        return said

    def _add_call(self, piece: Fragment, offered: Collection[str]) -> None:
        current = self._continued(piece, offered)
        if current is None:
            self.calls.append(piece)
            return
        if piece.name and piece.name != current.name:
            current.name += piece.name
        current.id = current.id or piece.id
        if isinstance(piece.arguments, str) and isinstance(current.arguments, str):
            current.arguments += piece.arguments
        elif piece.arguments not in (None, ""):
            current.arguments = piece.arguments

    def _continued(self, piece: Fragment, offered: Collection[str]) -> Fragment | None:
        """The call that `piece` goes on with; None when it begins another.

        Index, id and name each lie at some vendor. A nameless piece always goes on; a named one begins
        another call when its index is new, or when the call at that index has ended or is another tool's.
        """
        same = [call for call in self.calls if piece.index is not None and call.index == piece.index]
        if not same and piece.id:
            same = [call for call in self.calls if call.id == piece.id]
        if not piece.name:
            return next(reversed(same or self.calls), None)
        if not same:
            return self._unindexed(piece)
        current = same[-1]
        if not current.name or (piece.id and piece.id == current.id):
            return current
        if piece.name == current.name:
            ended = isinstance(current.arguments, str) and is_complete(current.arguments)
            return None if piece.id and ended else current
        another = (
            offered_name(piece.name, offered) in offered and offered_name(current.name, offered) in offered
        )
        return None if another or (piece.id and current.arguments) else current

    def _unindexed(self, piece: Fragment) -> Fragment | None:
        """For vendors that give neither index nor id: the last call, if it is this one and has not ended."""
        last = self.calls[-1] if self.calls else None
        if last is None or piece.index is not None or piece.id or piece.name != last.name:
            return None
        return None if isinstance(last.arguments, str) and is_complete(last.arguments) else last

    def reply(self, offered: Collection[str] = ()) -> Reply:
        """The answer, as far as it was heard. `offered` are the names of the tools the request carried."""
        cut = self.finish.lower() in _LENGTH
        calls = with_own_ids(_call(fragment, offered, cut) for fragment in self.calls)
        text = without_thinking(self.text)
        if not calls:
            text, calls = calls_in_text(text, offered)
        return Reply(text, calls, _finish(self.finish, bool(calls)), self.reasoning, self.usage)


def without_thinking(text: str) -> str:
    """`text` without what the model thought aloud in `<think>` tags, closed or cut off."""
    if "think" not in text.lower() and "<thought>" not in text.lower():
        return text.strip()
    text = _THINK_ORPHAN.sub("", text, count=1) if "<think" not in text.lower() else text
    while (shorter := _THINK_FIRST.sub("", text, count=1)) != text:
        text = shorter
    fence = text.find("```")
    head, tail = (text, "") if fence < 0 else (text[:fence], text[fence:])
    return (_THINK_LINE.sub("", head) + tail).strip()


def _call(fragment: Fragment, offered: Collection[str], cut: bool) -> Call:
    arguments, problem = read_arguments(fragment.arguments)
    if problem and cut:
        problem = "The call was cut off by the length limit. Send it again, shorter."
    name = offered_name(fragment.name, offered)
    if not name and len(offered) == 1:
        name = next(iter(offered))
    return Call(fragment.id, name, arguments, problem if name else "The call does not name a tool.")


def _finish(reason: str, has_calls: bool) -> Finish:
    reason = reason.lower()
    if reason in _FILTERED:
        return "filtered"
    if (
        reason in _LENGTH
    ):  # with calls too: the last of them may read well and still be half of what was meant
        return "length"
    return "calls" if has_calls else "stop"


def _whole_call(item: Json) -> Fragment:
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


def _usage(value: object) -> Usage:
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
