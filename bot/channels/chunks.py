"""One long Markdown answer → messages a channel takes, each whole and readable by itself. Pure functions.

Lengths are UTF-16 units *after* formatting, as Telegram counts them.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from itertools import accumulate

from bot.channels.markdown import Span, render

TEXT_LIMIT = 4096
CAPTION_LIMIT = 1024
MOST_ENTITIES = 100  # Telegram drops the rest without a word

Entity = dict[str, str | int]
Chunk = tuple[str, list[Entity]]

_SENTENCE = re.compile(r"[。！？!?…]+[”’」』）)\]]*|[.;；]+(?=\s)")
_BLOCKS = ("pre", "blockquote", "expandable_blockquote")
_INVISIBLE = "\u00ad\u180e\u200b\u200c\u200d\u200e\u200f\u2060\u2061\u2062\u2063\ufeff\u3164"


class _Spans:
    """Nested spans by start, so that a message finds its own without looking at all of them."""

    def __init__(self, spans: list[Span]) -> None:
        self._spans = spans
        self._starts = [span.start for span in spans]
        self._ends = list(accumulate((span.end for span in spans), max))

    def between(self, start: int, end: int) -> list[Span]:
        """Spans that cover some of text[start:end]."""
        near = self._spans[bisect_right(self._ends, start) : bisect_left(self._starts, end)]
        return [span for span in near if span.end > start]


def units(text: str) -> int:
    """Length in UTF-16 units."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) >> 1


def chunks(markdown: str, limit: int = TEXT_LIMIT, first: int | None = None) -> list[Chunk]:
    """Markdown → (text, entities) of each message, in order; nothing for text without a visible sign.

    `first`: limit of the first message, when it is a caption. A message ends, in this order of liking,
    between paragraphs, between lines, before a code block that fits the next message whole, within a code
    block between its lines (both parts stay code of that language), after a sentence, at a space, between
    two signs.
    """
    text, found = render(markdown)
    spans = _Spans(found)
    return [
        (text[start:end], _entities(text, start, end, spans))
        for start, end in _ranges(text, spans, limit, limit if first is None else first)
    ]


def visible(text: str) -> bool:
    """Whether a person would see anything."""
    return bool(text.strip().strip(_INVISIBLE).strip())


def _ranges(text: str, spans: _Spans, limit: int, first: int) -> list[tuple[int, int]]:
    ranges = []
    offsets = _offsets(text)
    start, room = 0, first
    while start < len(text):
        start = _skip_blank(text, start, spans)
        if start >= len(text):
            break
        end = _end(offsets, start, room)
        end = _within_entity_cap(spans, start, end)
        if end < len(text):
            end = _cut(text, spans, offsets, (start, end, limit))
        shown = start + len(text[start:end].rstrip())
        if visible(text[start:shown]):
            ranges.append((start, shown))
            room = limit
        start = end
    return ranges


def _offsets(text: str) -> list[int] | range:
    """UTF-16 offset of each character, and of the end."""
    if text.isascii() or max(text) <= "\uffff":
        return range(len(text) + 1)
    return list(accumulate((2 if char > "\uffff" else 1 for char in text), initial=0))


def _end(offsets: list[int] | range, start: int, room: int) -> int:
    """The last index that fits."""
    if isinstance(offsets, range):
        return min(start + room, len(offsets) - 1)
    low, high, most = start + 1, len(offsets) - 1, offsets[start] + room
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if offsets[middle] <= most else (low, middle - 1)
    return low


def _within_entity_cap(spans: _Spans, start: int, end: int) -> int:
    inside = spans.between(start, end)
    return max(inside[MOST_ENTITIES].start, start + 1) if len(inside) > MOST_ENTITIES else end


def _skip_blank(text: str, start: int, spans: _Spans) -> int:
    """Where the next message begins: blank lines go, the indentation of code stays."""
    at = start
    while at < len(text) and text[at].isspace():
        at += 1
    line = text.rfind("\n", start, at) + 1 or start
    return line if any(s.kind == "pre" for s in spans.between(line, line + 1)) else at


def _cut(text: str, spans: _Spans, offsets: list[int] | range, window: tuple[int, int, int]) -> int:
    """The best place to end a message that may hold text[start:end]; `limit` is the room of the next one."""
    start, end, limit = window
    third = start + (end - start) // 3
    fences = [s for s in spans.between(start, end) if s.kind == "pre"]
    crossing = next((s for s in fences if s.start < end < s.end), None)
    for border in ("\n\n", "\n"):
        at = text.rfind(border, third, end + 1)
        while at > third:
            if not any(f.start <= at < f.end for f in fences):
                return at
            at = text.rfind(border, third, at)
    if crossing is not None:
        whole = offsets[crossing.end] - offsets[crossing.start] <= limit
        if (
            crossing.start > start
            and (whole or crossing.start > third)
            and visible(text[start : crossing.start])
        ):
            return crossing.start
        at = text.rfind("\n", start + 1, end)
        return at + 1 if at > start else _hard(text, start, end)
    sentences = [m.end() for m in _SENTENCE.finditer(text, third, end)]
    if sentences and sentences[-1] > third:
        return sentences[-1]
    at = max(text.rfind(" ", third, end), text.rfind("\t", third, end))
    return at if at > third else _hard(text, start, end)


def _hard(text: str, start: int, end: int) -> int:
    """Cut between two signs, not within one that is made of several characters."""
    at = end
    while at > max(start + 1, end - 12) and (_joins(text[at]) or text[at - 1] == "\u200d"):
        at -= 1
    return at if at > max(start, end - 12) else end


def _joins(char: str) -> bool:
    return (
        char == "\u200d"
        or unicodedata.combining(char) > 0
        or "\ufe00" <= char <= "\ufe0f"
        or ("\U0001f3fb" <= char <= "\U0001f3ff")
    )


def _entities(text: str, start: int, end: int, spans: _Spans) -> list[Entity]:
    entities: list[Entity] = []
    for span in spans.between(start, end):
        low, high = max(span.start, start), min(span.end, end)
        if not text[low:high].strip():
            continue
        if span.kind not in _BLOCKS:  # Telegram would trim these itself
            low += len(text[low:high]) - len(text[low:high].lstrip())
            high = low + len(text[low:high].rstrip())
        entity: Entity = {
            "type": span.kind,
            "offset": units(text[start:low]),
            "length": units(text[low:high]),
        }
        if span.extra and span.kind == "text_link":
            entity["url"] = span.extra
        elif span.extra and span.kind == "pre":
            entity["language"] = span.extra
        elif span.extra and span.kind == "custom_emoji":
            entity["custom_emoji_id"] = span.extra
        entities.append(entity)
    return entities
