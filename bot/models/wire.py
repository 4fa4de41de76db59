"""Our nouns → the JSON of a chat completion request.

Built from plain dicts, since the SDK's typed path costs more CPU a message than everything else we do.
What makes vendors refuse a request for ever is repaired here, so that a stored history can never lock a
person out: a tool result without its call, a call without its result, two messages of the person in a row, an empty
assistant message, half a surrogate pair.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Sequence
from importlib import resources
from typing import Any, Literal

from bot.models.model import Call, Prompt, Said, ToolSpec

Reasoning = Literal["kept", "required", "dropped"]
"""What a vendor wants of earlier reasoning: back where it gave some, back in every message, or never."""

Json = dict[str, Any]


def _words(name: str) -> str:
    """The fixed words in `prompts/<name>.md`."""
    return resources.files("bot.models").joinpath("prompts", f"{name}.md").read_text(encoding="utf-8").strip()


# Read at import: nothing reads files on the event loop.
UNSEEN = _words("unseen")
SILENT_TOOL = _words("silent_tool")
UNANSWERED_CALL = _words("unanswered_call")
PING = _words("ping")


def messages_json(
    prompt: Prompt, *, sees: bool, reasoning: Reasoning = "kept", field: str = "reasoning_content"
) -> list[Json]:
    """The `messages` of a request. `field` is the vendor's name for reasoning."""
    result: list[Json] = []
    if prompt.system:
        result.append({"role": "system", "content": clean(prompt.system)})
    for said in _paired(prompt.messages):
        if said.role == "user":
            _add_user(result, _user_content(said, sees))
        elif said.role == "tool":
            content = clean(said.text) or SILENT_TOOL
            result.append({"role": "tool", "tool_call_id": said.call_id, "content": content})
        elif said.text.strip() or said.calls:
            result.append(_assistant(said, reasoning, field))
    return result


def tools_json(tools: Iterable[ToolSpec]) -> list[Json]:
    """The `tools` of a request."""
    return [
        {
            "type": "function",
            "function": {"name": tool.name, "description": tool.description, "parameters": tool.parameters},
        }
        for tool in tools
    ]


def clean(text: str) -> str:
    """`text` without what UTF-8 cannot carry (half a surrogate pair, from a cut emoji)."""
    if text.isascii():
        return text
    return text.encode("utf-8", "replace").decode("utf-8")


def _add_user(result: list[Json], content: str | list[Json]) -> None:
    """A message of the person's; two in a row, which some vendors refuse, are one."""
    if not result or result[-1]["role"] != "user":
        result.append({"role": "user", "content": content})
        return
    before = result[-1]["content"]
    if isinstance(before, str) and isinstance(content, str):
        result[-1]["content"] = f"{before}\n\n{content}"
    else:
        result[-1]["content"] = [*_content_parts(before), *_content_parts(content)]


def _content_parts(content: str | list[Json]) -> list[Json]:
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


def _user_content(said: Said, sees: bool) -> str | list[Json]:
    text = clean(said.text)
    if not said.images:
        return text or " "  # an empty user message is a 400 at half of the vendors
    if not sees:
        note = UNSEEN.format(count=len(said.images))
        return f"{text}\n{note}" if text else note
    parts: list[Json] = [{"type": "text", "text": text}] if text else []
    for image in said.images:
        url = "data:image/jpeg;base64," + base64.b64encode(image).decode("ascii")
        parts.append({"type": "image_url", "image_url": {"url": url}})
    return parts


def _assistant(said: Said, reasoning: Reasoning, field: str) -> Json:
    message: Json = {"role": "assistant", "content": clean(said.text) or None}
    if said.calls:
        message["tool_calls"] = [_call_json(call) for call in said.calls]
    if reasoning == "required":
        message[field] = clean(said.reasoning or "") or " "  # absence and "" are refused, a blank is not
    elif reasoning == "kept" and said.reasoning is not None and said.calls:
        message[field] = clean(said.reasoning) or " "
    return message


def _call_json(call: Call) -> Json:
    arguments = json.dumps(call.arguments, ensure_ascii=False, separators=(",", ":"))
    return {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": clean(arguments)}}


def _paired(messages: Sequence[Said]) -> list[Said]:
    """The messages with each call's results right behind it, none missing, none without its call."""
    result: list[Said] = []
    waiting: dict[str, Call] = {}
    for said in messages:
        if said.role == "tool":
            if waiting.pop(said.call_id, None):
                result.append(said)
            continue
        result += _unanswered(waiting)
        waiting = {call.id: call for call in said.calls} if said.role == "assistant" else {}
        result.append(said)
    return result + _unanswered(waiting)


def _unanswered(waiting: dict[str, Call]) -> list[Said]:
    return [Said("tool", UNANSWERED_CALL, call_id=call.id, name=call.name) for call in waiting.values()]
