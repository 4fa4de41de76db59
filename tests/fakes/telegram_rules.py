"""What the real Bot API refuses, and in which words. Pure functions; `Refused` is the answer."""

from __future__ import annotations

import json
import re
from typing import Any

TEXT_LIMIT = 4096  # UTF-16 units after entities
CAPTION_LIMIT = 1024
MARKDOWN_V2_RESERVED = re.compile(r"(?<!\\)[!>#+\-=|{}.]")
HTML_TAG = re.compile(r"<(/?)([^\s>/]*)[^>]*>")
HTML_KNOWN = {
    "b",
    "strong",
    "i",
    "em",
    "u",
    "ins",
    "s",
    "strike",
    "del",
    "span",
    "tg-spoiler",
    "a",
    "code",
    "pre",
}
HTML_KNOWN |= {"blockquote", "tg-emoji"}
ENTITY_TYPES = {
    *("bold", "italic", "underline", "strikethrough", "spoiler", "blockquote", "expandable_blockquote"),
    *("code", "pre", "text_link", "text_mention", "custom_emoji", "url", "email", "mention", "bot_command"),
}
ALONE = {"code", "pre"}  # may hold nothing and stand in nothing but a block quote
QUOTES = {"blockquote", "expandable_blockquote"}


class Refused(Exception):
    """An answer with `ok: false`."""

    def __init__(self, code: int, description: str, **parameters: int) -> None:
        super().__init__(description)
        self.code = code
        self.description = description
        self.parameters = parameters


def bad(description: str) -> Refused:
    """A 400."""
    return Refused(400, f"Bad Request: {description}")


def units(text: str) -> int:
    """Length in UTF-16 units, as Telegram counts."""
    return len(text.encode("utf-16-le")) // 2


def formatted(text: str, fields: dict[str, str], prefix: str = "") -> tuple[str, list[dict[str, Any]]]:
    """Check `text` with its parse mode or its entities; returns both as the server would keep them.

    Like the real server it trims the text's ends; unlike it, entities that the server would silently repair
    or drop (overlapping, empty, more than 100) are refused, so that a test sees them.
    """
    mode = fields.get("parse_mode", "")
    if mode:
        return _parsed(text, mode), []
    name = f"{prefix}entities" if prefix else "entities"
    try:
        entities: list[dict[str, Any]] = json.loads(fields.get(name) or "[]")
    except ValueError:
        raise bad("can't parse entities JSON object") from None
    if entities:
        _check_entities(text, entities)
    return text.strip() if not entities else text.rstrip(), entities


def check_length(text: str, limit: int, *, caption: bool) -> None:
    """Raise when the text is empty (captions may be) or too long."""
    if not caption and not text.strip("\u200b\u2060\ufeff\u00ad \t\r\n"):
        raise bad("message text is empty")
    if units(text) > limit:
        raise bad("message caption is too long" if caption else "message is too long")


def keyboard(fields: dict[str, str]) -> list[list[dict[str, Any]]]:
    """The inline keyboard, checked."""
    raw = fields.get("reply_markup")
    if not raw:
        return []
    try:
        rows: list[list[dict[str, Any]]] = json.loads(raw).get("inline_keyboard", [])
    except ValueError:
        raise bad("can't parse reply keyboard markup JSON object") from None
    for button in (b for row in rows for b in row):
        if not str(button.get("text", "")).strip():
            raise bad("inline keyboard button text is empty")
        if "callback_data" in button and not 1 <= len(button["callback_data"].encode()) <= 64:
            raise bad("BUTTON_DATA_INVALID")
    return rows


def check_photo(data: bytes) -> None:
    """Raise for what `sendPhoto` will not take."""
    if len(data) > 10 * 2**20:
        raise bad(
            f"file of size {len(data)} bytes is too big for a photo; the maximum size is 10485760 bytes"
        )
    if data.startswith(b"\x89PNG\r\n\x1a\n") and len(data) >= 24:
        width, height = int.from_bytes(data[16:20]), int.from_bytes(data[20:24])
        if width + height > 10_000 or max(width, height) > 20 * min(width, height):
            raise bad("PHOTO_INVALID_DIMENSIONS")
    elif not data.startswith((b"\xff\xd8\xff", b"GIF8", b"RIFF", b"BM")):
        raise bad("IMAGE_PROCESS_FAILED")


def _check_entities(text: str, entities: list[dict[str, Any]]) -> None:
    if len(entities) > 100:
        raise bad("ENTITIES_TOO_LONG")
    total = units(text)
    middles = set()  # offsets inside a surrogate pair
    at = 0
    for char in text:
        if ord(char) > 0xFFFF:
            middles.add(at + 1)
            at += 1
        at += 1
    spans = []
    for entity in entities:
        kind, start = entity["type"], entity["offset"]
        end = start + entity["length"]
        if kind not in ENTITY_TYPES:
            raise bad(f"can't parse entities: unsupported type {kind}")
        if start < 0 or entity["length"] <= 0 or start >= total:
            raise bad("entity begins after the end of the text at UTF-16 offset")
        if end > total:
            raise bad(f"entity ends after the end of the text at UTF-16 offset {end}")
        if start in middles or end in middles:
            raise bad("entity begins in a middle of a UTF-16 symbol")
        if kind == "text_link" and not re.match(r"(https?|tg|ton|mailto|tel)://?\S", entity.get("url", "")):
            raise bad(f"entity has an invalid URL: {entity.get('url')}")
        spans.append((start, end, kind))
    for i, one in enumerate(spans):
        for other in spans[i + 1 :]:
            _check_pair(one, other)


def _check_pair(one: tuple[int, int, str], other: tuple[int, int, str]) -> None:
    (a, b, kind), (c, d, other_kind) = one, other
    if b <= c or d <= a:
        return
    if (a < c < b < d) or (c < a < d < b):
        raise bad(f"entities overlap: {kind} and {other_kind}")
    kinds = {kind, other_kind}
    if kinds & ALONE and not (kinds & QUOTES and len(kinds & ALONE) == 1):
        raise bad(f"entities cannot be nested: {kind} and {other_kind}")
    if kinds <= QUOTES:
        raise bad("block quotes cannot be nested")


def _parsed(text: str, mode: str) -> str:
    """A small part of the real parsers: enough to refuse what they refuse most often."""
    if mode == "HTML":
        for match in HTML_TAG.finditer(text):
            if match[2].lower() not in HTML_KNOWN:
                at = len(text[: match.start()].encode())
                raise bad(f'can\'t parse entities: Unsupported start tag "{match[2]}" at byte offset {at}')
        plain = HTML_TAG.sub("", text)
        for name, char in (("lt", "<"), ("gt", ">"), ("quot", '"'), ("amp", "&")):
            plain = plain.replace(f"&{name};", char)
        return plain.strip()
    if mode == "MarkdownV2":
        if reserved := MARKDOWN_V2_RESERVED.search(text):
            told = "is reserved and must be escaped with the preceding"
            raise bad(f"can't parse entities: Character '{reserved[0]}' {told} '\\'")
        return re.sub(r"\\(.)", r"\1", text).strip()
    if mode == "Markdown":
        if text.count("*") % 2 or text.count("`") % 2:
            raise bad("can't parse entities: Can't find end of the entity")
        return text.strip()
    raise bad("unsupported parse_mode")
