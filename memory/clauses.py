"""Sentences and clauses of a message, with where they stand in it."""

from __future__ import annotations

import re
from dataclasses import dataclass

# A face ends a sentence as a full stop does, where something else follows: 又来了😅 以后…
_FACE = "[\U0001f300-\U0001faff][\U0001f300-\U0001faff\u2600-\u27bf\ufe0f\u200d]*"
_SENTENCE = re.compile(
    rf"[^。！？!?；;\n…]+?(?:[。！？!?；;\n…]+|\.(?=\s|$)|(?<=[啦了啊呀哦哈吧呢嘛的])[～~]+(?=[\u4e00-\u9fff])|"
    rf"(?<=\w){_FACE}(?=\s|$)|(?<=\w )(?:{_FACE})(?=\s|$)|$)",
    re.S,
)
_CLAUSE = re.compile(r"[^，,、：]+?(?:[，,：]+|$)", re.S)
_SHORT = re.compile(
    r"\b(?:(?:Dr|Mr|Mrs|Ms|Prof|Sir)\.? [A-Z]|Dr|Mr|Mrs|Ms|Prof|St|Sr|Jr|No|vs|etc|e\.g|i\.e|a\.m|p\.m|approx)\.$",
    re.I,
)
_OPEN, _CLOSE = '「『“"（(', '」』”"）)'


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of a message."""

    start: int
    end: int
    text: str


def sentences(text: str) -> list[Part]:
    """The sentences of a message; an end inside quotation marks ends nothing."""
    return _merged(text, [m.span() for m in _SENTENCE.finditer(text)])


def clauses(text: str) -> list[Part]:
    """Sentences cut at commas as well."""
    out: list[Part] = []
    for part in sentences(text):
        inner = [(part.start + a, part.start + b) for a, b in (m.span() for m in _CLAUSE.finditer(part.text))]
        out.extend(_merged(text, inner))
    return out


def _merged(text: str, spans: list[tuple[int, int]]) -> list[Part]:
    parts: list[Part] = []
    start: int | None = None
    for a, b in spans:
        start = a if start is None else start
        if _open(text[start:b]) or (_abbreviated(text[start:b]) and b < len(text.rstrip())):
            continue
        if text[start:b].strip():
            parts.append(_part(text, start, b))
        start = None
    if start is not None and text[start:].strip() and spans:
        parts.append(_part(text, start, spans[-1][1]))
    return parts


def _abbreviated(text: str) -> bool:
    """Whether the full stop at the end belongs to "Dr." and the like; "Pine St." does end a sentence."""
    return _SHORT.search(text) is not None and re.search(r"[A-Z]\w+ St\.$", text) is None


def _part(text: str, start: int, end: int) -> Part:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return Part(start, end, text[start:end])


def _open(text: str) -> bool:
    """Whether a quotation is open at the end."""
    if text.count('"') % 2:
        return len(text) < 300
    return (
        any(text.count(a) > text.count(b) for a, b in zip(_OPEN, _CLOSE, strict=True) if a != b)
        and len(text) < 300
    )
