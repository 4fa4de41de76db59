"""What of an answer that is still being written may be shown already."""

from __future__ import annotations

import re

from bot.agent.claims import claims
from bot.models.thinking import said_so_far
from bot.wording import parted

_CALL = re.compile(  # a tool call that a small model writes into its text, from where it may begin
    r"```(?:json|tool_call|tool_code|tool)\b|<(?:tool_calls?|tools?|function_calls?|function[=\s])|^\s*\{",
    re.MULTILINE,
)


def showable(text: str) -> str:
    """`text` without thoughts, receipts and calls, and up to the first line that claims a deed: whether that is true
    is looked at when the answer is whole, and nobody shall read a “saved” that is taken back.
    """
    text = said_so_far(text)
    if call := _CALL.search(text):
        text = text[: call.start()]
    text = parted(text)[0].rstrip()
    if not claims(text):
        return text
    lines = text.split("\n")
    first = next((place for place, line in enumerate(lines) if claims(line)), 0)
    return "\n".join(lines[:first]).rstrip()
