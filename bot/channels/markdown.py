"""Markdown of any model → the words a person sees and what is bold, code, a link … in them.

`telegramify-markdown` does the reading. What it drops or misreads in a chat is put right around it: HTML-
like words (`Vec<String>`, `<ann@x.com>`) stay, `2*3*4` and `__init__` keep their signs, `||` is no spoiler,
bold that touches Chinese punctuation is bold, a link whose address Telegram refuses shows it, tables fit a
phone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from heapq import heapify, heappop, heappush
from itertools import accumulate
from typing import Any

from bot.channels.tables import Cell, table_markdown

BOLD_ON, BOLD_OFF = "\ue000", "\ue001"  # private use; stand for ** where CommonMark would not see it
ROUNDS = 8  # each protects everything it finds; more than three have not been seen

_MARKED = re.compile(r"[*_`\[\]<>#|~&\\$]|^ {4}|^\t|^ {0,3}(?:[-+=]|\d{1,9}[.)] )", re.MULTILINE)
_BAD = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ue000\ue001]")
_BREAK = re.compile(rb"<br\s*/?>", re.IGNORECASE)
_LINK = re.compile(r"https?://[^/\s?#]+\.[^/\s?#]+|(?:tg|ton|tonsite)://\S")
_PAIR = re.compile(r"(?<![*\\])\*\*(?=[^\s*])([^\n]+?)(?<=[^\s*\\])\*\*(?!\*)")
_WIDE = re.compile(r"[^\x00-\u2fff]|[“”‘’…—·]")
_QUOTES = ("blockquote", "expandable_blockquote")
_ALONE = ("code", "pre")  # may stand in nothing but a block quote

Event = tuple[Any, dict[str, int]]
Edit = tuple[int, int, bytes]  # replace source[start:end]


@dataclass(frozen=True, slots=True)
class Span:
    """Characters `start` to `end` of a text are of this `kind`, as Telegram names it."""

    start: int
    end: int
    kind: str
    extra: str = ""  # the address of a link, the language of code


def clean(text: str) -> str:
    """Line ends as \\n, and nothing that cannot be sent (control characters, halves of surrogate pairs)."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return _BAD.sub("", text) if _BAD.search(text) else text


def render(markdown: str) -> tuple[str, list[Span]]:
    """The words and their spans, properly nested, sorted by start. Plain text costs no parsing."""
    source = clean(markdown)
    if not _MARKED.search(source):
        return source, []
    from telegramify_markdown import convert

    text, entities = convert(_prepared(source), config=_config())
    points = _points(text)
    spans = []
    for entity in entities:
        start, end = points[entity.offset], points[entity.offset + entity.length]
        spans.append(Span(start, end, entity.type, entity.url or entity.language or ""))
    text, spans = _finished(text, spans)
    if not text.strip() and source.strip():
        return source, []  # nothing but link definitions and the like: show it as it came
    return text, spans


# ---- before reading


_configured: list[Any] = []


def _config() -> Any:
    if not _configured:
        from telegramify_markdown import RenderConfig

        config = RenderConfig.isolated()
        symbols = config.markdown_symbol
        symbols.heading_level_1 = symbols.heading_level_2 = ""
        symbols.heading_level_3 = symbols.heading_level_4 = ""
        symbols.image = "🖼 "
        symbols.unordered_list_item = "•"
        symbols.task_uncompleted = "☐"
        symbols.horizontal_rule = "———"
        _configured.append(config)
    return _configured[0]


def _events(source: str) -> tuple[Event, ...]:
    import pyromark

    on = pyromark.Options
    options = on.ENABLE_TABLES | on.ENABLE_STRIKETHROUGH | on.ENABLE_TASKLISTS | on.ENABLE_MATH
    events: Any = pyromark.events_with_range(source, options=options)
    return tuple(events)


def _prepared(source: str) -> str:
    """The same Markdown, written so that the reader keeps what it would drop."""
    for _ in range(ROUNDS):
        if not re.search(r"[<|_]|[0-9A-Za-z]\*", source):
            break
        raw = source.encode()
        events = _events(source)
        edits = list(_tables(raw, events)) or list(_protections(raw, events))
        if not edits:
            break
        source = _edited(raw, edits)
    if "**" in source and not source.isascii():
        source = _bold_marks(source)
    return source


def _edited(raw: bytes, edits: list[Edit]) -> str:
    pieces, at = [], 0
    for start, end, new in sorted(edits):
        if start >= at:
            pieces += [raw[at:start], new]
            at = end
    return b"".join([*pieces, raw[at:]]).decode()


def _tables(raw: bytes, events: tuple[Event, ...]) -> Iterator[Edit]:
    rows: list[list[Cell]] = []
    words: list[str] = []
    rich = False
    for event, where in events:
        start = event.get("Start") if isinstance(event, dict) else None
        end = event.get("End") if isinstance(event, dict) else None
        if isinstance(start, dict) and "Table" in start:
            rows = []
        elif start in ("TableHead", "TableRow"):
            rows.append([])
        elif start == "TableCell":
            words, rich = [], False
        elif isinstance(start, dict) and ("Link" in start or "Image" in start):
            rich = True
        elif end == "TableCell" and rows:
            cell = raw[where["start"] : where["end"]].decode().strip().replace("\\|", "|")
            rows[-1].append(Cell(" ".join("".join(words).split()), cell, rich))
        elif end == "Table":
            yield where["start"], where["end"], f"\n\n{table_markdown(rows)}\n\n".encode()
        elif isinstance(event, dict):
            words.append(str(event.get("Text") or event.get("Code") or event.get("InlineHtml") or ""))


def _protections(raw: bytes, events: tuple[Event, ...]) -> Iterator[Edit]:
    in_code = False
    for event, where in events:
        if not isinstance(event, dict):
            continue
        at, to = where["start"], where["end"]
        start, end = event.get("Start"), event.get("End")
        if isinstance(start, dict) and "CodeBlock" in start:
            in_code = True
        elif end == "CodeBlock":
            in_code = False
        elif "InlineHtml" in event:
            yield (at, to, b"\n") if _BREAK.fullmatch(raw[at:to]) else (at, at, b"\\")
        elif start == "HtmlBlock":
            at = max(raw.find(b"<", at, to), at)
            yield at, at, b"\\"
        elif isinstance(start, dict) and start.get("Link", {}).get("link_type") in ("Email", "Autolink"):
            if raw[at + 1 : at + 5].lower() != b"http":
                yield at, at, b"\\"
        elif start in ("Strong", "Emphasis"):
            yield from _literal_delimiters(raw, at, to, 2 if start == "Strong" else 1)
        elif "Text" in event and not in_code:
            for pipes in re.finditer(rb"\|\|", raw[at:to]):
                yield at + pipes.start(), at + pipes.end(), b"\\|\\|"


def _literal_delimiters(raw: bytes, at: int, to: int, width: int) -> Iterator[Edit]:
    """`2*3*4` and `__init__` are no emphasis."""
    sign = raw[at : at + 1]
    dunder = sign == b"_" and width == 2 and re.fullmatch(rb"[a-z0-9_]+", raw[at + 2 : to - 2])
    before, after = raw[at - 1 : at] if at else b"", raw[at + width : at + width + 1]
    within = sign == b"*" and before.isalnum() and after.isalnum()
    if dunder or within:
        escaped = (b"\\" + sign) * width
        yield at, at + width, escaped
        yield to - width, to, escaped


def _bold_marks(source: str) -> str:
    """`**` pairs of lines with wide characters become marks that no rule about neighbours can misread.

    CommonMark closes `**注意：**请看` nowhere, because a letter follows punctuation; models often write it.
    """
    masked = bytearray(source.encode())
    depth = 0
    for event, where in _events(source):
        if not isinstance(event, dict):
            continue
        start = event.get("Start")
        depth += (isinstance(start, dict) and "CodeBlock" in start) - (event.get("End") == "CodeBlock")
        if "Code" in event or (depth and "Text" in event) or "InlineMath" in event or "DisplayMath" in event:
            for i in range(where["start"], where["end"]):
                if masked[i] == ord("*"):
                    masked[i] = ord("x")
    pieces, at = [], 0
    for pair in _PAIR.finditer(masked.decode()):
        if not _WIDE.search(source, pair.start() - 1 if pair.start() else 0, pair.end() + 1):
            continue
        pieces += [source[at : pair.start()], BOLD_ON, source[pair.start(1) : pair.end(1)], BOLD_OFF]
        at = pair.end()
    return "".join([*pieces, source[at:]])


# ---- after reading


def _points(text: str) -> list[int] | range:
    """Index of the character at each UTF-16 offset."""
    if text.isascii() or max(text) <= "\uffff":
        return range(len(text) + 1)
    points = []
    for index, char in enumerate(text):
        points += [index] * (2 if char > "\uffff" else 1)
    return [*points, len(text)]


def _finished(text: str, spans: list[Span]) -> tuple[str, list[Span]]:
    """Marks taken out, unreachable links written out, spans nested as Telegram wants them."""
    edits: list[tuple[int, int, str]] = []
    kept = []
    for span in spans:
        if span.kind == "text_link" and not _LINK.match(span.extra):
            words = text[span.start : span.end]
            if span.extra and words.strip() != span.extra:
                edits.append((span.end, span.end, f" ({span.extra})"))
            continue
        kept.append(span)
    opened = -1
    for index, char in enumerate(text):
        if char == BOLD_ON:
            opened = index
        elif char == BOLD_OFF and opened >= 0:
            kept.append(Span(opened, index, "bold"))
            opened = -1
        if char in (BOLD_ON, BOLD_OFF):
            edits.append((index, index + 1, ""))
    if edits:
        text, kept = _moved(text, kept, sorted(edits))
    return text, nested(kept)


def _moved(text: str, spans: list[Span], edits: list[tuple[int, int, str]]) -> tuple[str, list[Span]]:
    """Apply (start, end, new) to the text. What starts where something is inserted starts after it."""
    pieces, at = [], 0
    starts, ends = [0] * (len(text) + 2), [0] * (len(text) + 2)
    for start, end, new in edits:
        pieces += [text[at:start], new]
        at = end
        grown = len(new) - (end - start)
        starts[end] += grown
        ends[end + 1 if new else end] += grown
    pieces.append(text[at:])
    starts, ends = list(accumulate(starts)), list(accumulate(ends))
    moved = [replace(s, start=s.start + starts[s.start], end=s.end + ends[s.end]) for s in spans]
    return "".join(pieces), [s for s in moved if s.end > s.start]


def nested(spans: list[Span]) -> list[Span]:
    """Cut where spans cross, split everything around code, drop quotes in quotes and repetitions."""
    alone = sorted((s for s in spans if s.kind in _ALONE), key=lambda s: s.start)
    heap: list[tuple[int, int, int, Span]] = []
    for number, span in enumerate(spans):
        pieces = [span] if span.kind in _ALONE or span.kind in _QUOTES else _around(span, alone)
        heap += [(p.start, -p.end, number, p) for p in pieces]
    heapify(heap)
    out: list[Span] = []
    open_: list[Span] = []
    while heap:
        _, _, number, span = heappop(heap)
        while open_ and open_[-1].end <= span.start:
            open_.pop()
        if open_ and span.end > open_[-1].end:
            rest = replace(span, start=open_[-1].end)
            heappush(heap, (rest.start, -rest.end, number, rest))
            span = replace(span, end=open_[-1].end)
        outer = {s.kind for s in open_}
        repeated = span.kind in outer or (span.kind in _QUOTES and outer.intersection(_QUOTES))
        if repeated or (span.kind in _ALONE and outer.intersection(_ALONE)):
            continue
        out.append(span)
        open_.append(span)
    return out


def _around(span: Span, alone: list[Span]) -> list[Span]:
    """What is left of a span beside the code in it."""
    pieces, at = [], span.start
    for code in alone:
        if code.start < span.end and code.end > at:
            if code.start > at:
                pieces.append(replace(span, start=at, end=code.start))
            at = code.end
    if at < span.end:
        pieces.append(replace(span, start=at))
    return pieces
