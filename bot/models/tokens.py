"""How many tokens a text will be, near enough for budgets, with no tokenizer to download.

Vendors put it at 0.25–0.3 token a letter of English and 0.6 (DeepSeek, Qwen) to 1.1 (older GPTs) a
Chinese character; four bytes or four characters a token, the usual rule, is wrong by a factor of three
for Chinese. The figures here err a little to the high side, because a budget that is too small costs less
than a refused request.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from functools import lru_cache

from bot.models.model import Prompt, Said, ToolSpec

_WIDE = re.compile(r"[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]")
_DIGIT = re.compile(r"\d")
_MARK = re.compile(r"[^\w\s]", re.ASCII)

PER_WIDE = 0.8  # tokens a Chinese, Japanese or Korean character, full-width marks included
PER_DIGIT = 0.5
PER_MARK = 0.5
PER_LETTER = 0.25
PER_OTHER = 0.6  # Cyrillic, Arabic, emoji …

PER_MESSAGE = 4
PER_PICTURE = 1_100  # a 1,024 px picture at the vendors whose prices are by tokens


@lru_cache(maxsize=512)  # a conversation's lines, counted again with every message
def tokens(text: str) -> int:
    """About how many tokens `text` is; never 0 for a text that is not empty."""
    if not text:
        return 0
    digits = len(_DIGIT.findall(text))
    if text.isascii():
        marks = len(_MARK.findall(text))
        return max(
            1, math.ceil((len(text) - digits - marks) * PER_LETTER + digits * PER_DIGIT + marks * PER_MARK)
        )
    wide = len(_WIDE.findall(text))
    ascii_only = text.encode("ascii", "ignore").decode("ascii")
    digits = len(_DIGIT.findall(ascii_only))
    marks = len(_MARK.findall(ascii_only))
    letters = len(ascii_only) - digits - marks
    others = len(text) - wide - len(ascii_only)
    total = (
        wide * PER_WIDE + letters * PER_LETTER + digits * PER_DIGIT + marks * PER_MARK + others * PER_OTHER
    )
    return max(1, math.ceil(total))


def said_tokens(said: Said) -> int:
    """About how many tokens one message is, its pictures and calls included."""
    total = PER_MESSAGE + tokens(said.text) + len(said.images) * PER_PICTURE
    for call in said.calls:
        total += PER_MESSAGE + tokens(call.name) + tokens(str(call.arguments))
    return total


def prompt_tokens(prompt: Prompt) -> int:
    """About how many tokens a whole call sends."""
    return (
        tokens(prompt.system)
        + tools_tokens(prompt.tools)
        + sum(said_tokens(said) for said in prompt.messages)
    )


def tools_tokens(tools: Sequence[ToolSpec]) -> int:
    """About how many tokens the tools' names, descriptions and schemas are."""
    return sum(_spec_tokens(tool.name, tool.description, str(tool.parameters)) for tool in tools)


@lru_cache(maxsize=256)  # the same ones with every message
def _spec_tokens(name: str, description: str, parameters: str) -> int:
    return 8 + tokens(name) + tokens(description) + tokens(parameters)
