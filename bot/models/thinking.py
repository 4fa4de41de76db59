"""What a model thinks aloud within its answer, in tags: it is no part of what is said, shown or remembered."""

from __future__ import annotations

import re

_FIRST = re.compile(r"\A\s*<(think|thinking|thought)>.*?(?:</\1>|\Z)\s*", re.DOTALL | re.IGNORECASE)
_LINE = re.compile(r"^<(think|thinking)>.*?</\1>\s*", re.DOTALL | re.IGNORECASE | re.MULTILINE)
_ORPHAN = re.compile(r"\A(?:(?!<think).)*?</think(?:ing)?>\s*", re.DOTALL | re.IGNORECASE)
_OPEN_LINE = re.compile(
    r"^<(?:think|thinking)>(?!.*</think(?:ing)?>).*\Z", re.DOTALL | re.IGNORECASE | re.MULTILINE
)
_TAGS = ("<think>", "<thinking>", "<thought>", "</think>", "</thinking>")


def without_thinking(text: str) -> str:
    """`text` without what the model thought aloud in `<think>` tags, closed or cut off."""
    if "think" not in text.lower() and "<thought>" not in text.lower():
        return text.strip()
    text = _ORPHAN.sub("", text, count=1) if "<think" not in text.lower() else text
    while (shorter := _FIRST.sub("", text, count=1)) != text:
        text = shorter
    head, tail = _outside_code(text)
    return (_LINE.sub("", head) + tail).strip()


def said_so_far(text: str) -> str:
    """The same for an answer that is still coming: a thought that has not ended is not shown, nor is half a tag.

    It can only grow, but for models whose thinking has no opening tag: what they thought vanishes once it ends.
    """
    head, tail = _outside_code(without_thinking(text))
    head = _OPEN_LINE.sub("", head)
    if (
        not tail
        and (tag := head.rfind("<")) >= 0
        and any(each.startswith(head[tag:].lower()) for each in _TAGS)
    ):
        head = head[:tag]
    return (head + tail).rstrip()


def _outside_code(text: str) -> tuple[str, str]:
    """(what stands before the first code block, the rest): a tag within code is code."""
    fence = text.find("```")
    return (text, "") if fence < 0 else (text[:fence], text[fence:])
