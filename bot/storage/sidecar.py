"""The Markdown beside a picture: front matter for Obsidian, then summary and text for everybody; written and read.

A person may edit it: title, category, tags, summary and text are read back from it, and what they add (properties of
their own, notes under the text) is carried along whenever it is written anew.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import quote

from bot.storage.item import Item

LONGEST = 2_000_000  # characters that are read of one
_NOT_IN_YAML = re.compile(r"[\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")  # or ends a line there
_HEAD = re.compile(r"\ufeff?---[ \t]*\n(.*?)\n---[ \t]*(?:\n|\Z)", re.DOTALL)
_LINK = re.compile(r"\s*!\[[^\]\n]*\]\([^)\n]*\)[ \t]*\n?")
_FENCE = re.compile(r"^(`{3,})text[ \t]*\n(.*?)\n?^\1[ \t]*$\n?", re.DOTALL | re.MULTILINE)
_OURS = ("number", "title", "category", "tags", "date", "sha256", "rule", "why")


class SidecarUnread(ValueError):
    """The front matter cannot be read; the message is for the log."""


@dataclass(frozen=True, slots=True)
class Sidecar:
    """What stands in one. None: the key is not there, or is nothing that can be read."""

    number: int | None = None
    title: str | None = None
    category: str | None = None
    tags: tuple[str, ...] | None = None
    at: datetime | None = None
    sha256: str = ""
    rule: str = ""
    why: str = ""
    summary: str = ""
    text: str = ""
    notes: str = ""  # what stands under the text
    properties: dict[str, Any] = field(default_factory=dict)  # keys that are not ours


def written(item: Item, known: Sidecar | None = None) -> str:
    """The whole file for a picture; `known` is what stood there, whose additions stay."""
    matter = {
        "number": item.number,
        "title": item.title,
        "category": item.category,
        "tags": list(item.tags),
        "date": item.at.isoformat(timespec="seconds"),
        "sha256": item.sha256,
        "rule": item.rule or "",
        "why": item.why,
        **(known.properties if known else {}),
    }
    head = "\n".join(f"{_key(key)}: {_value(value)}" for key, value in matter.items())
    picture = quote(PurePosixPath(item.file).name)  # a bare # in a link would be read as a heading's name
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall(r"`+", item.text)), default=0))
    body = f"\n{fence}text\n{item.text}\n{fence}\n" if item.text else ""
    notes = f"\n{known.notes}\n" if known and known.notes else ""
    return f"---\n{head}\n---\n\n![]({picture})\n\n{item.summary}\n{body}{notes}"


def _key(key: str) -> str:
    return key if re.fullmatch(r"[\w-]+", key) else _value(key)


def _value(value: object) -> str:
    return _NOT_IN_YAML.sub(" ", json.dumps(value, ensure_ascii=False))


def read(text: str) -> Sidecar:
    """What stands in a sidecar, ours or as another editor wrote it. Raises `SidecarUnread`."""
    import yaml

    text = text[:LONGEST].replace("\r\n", "\n").replace("\r", "\n")
    head = _HEAD.match(text)
    if head is None:
        raise SidecarUnread("no front matter")
    try:
        # every value a string, none made into an object
        matter = yaml.load(head[1], Loader=yaml.BaseLoader) or {}
    except (yaml.YAMLError, RecursionError) as error:
        raise SidecarUnread(str(error).splitlines()[0]) from error
    if not isinstance(matter, dict):
        raise SidecarUnread("the front matter is no mapping")
    body = text[head.end() :]
    body = body[link.end() :] if (link := _LINK.match(body)) else body
    fence = _FENCE.search(body)
    summary, words, notes = (
        (body[: fence.start()], fence[2], body[fence.end() :]) if fence else (body, "", "")
    )
    return Sidecar(
        number=_whole(matter.get("number")),
        title=_words(matter, "title"),
        category=_words(matter, "category"),
        tags=_tags(matter.get("tags")) if "tags" in matter else None,
        at=_moment(matter.get("date")),
        sha256=_words(matter, "sha256") or "",
        rule=_words(matter, "rule") or "",
        why=_words(matter, "why") or "",
        summary=summary.strip(),
        text=words,
        notes=notes.strip(),
        properties={str(key): value for key, value in matter.items() if key not in _OURS},
    )


def _words(matter: dict[str, Any], key: str) -> str | None:
    value = matter.get(key)
    return value.strip() if isinstance(value, str) else None


def _whole(value: object) -> int | None:
    return int(value) if isinstance(value, str) and re.fullmatch(r"[0-9]{1,9}", value) else None


def _tags(value: object) -> tuple[str, ...] | None:
    """A list, or words between commas, with or without the # that some editors put before each."""
    if isinstance(value, str):
        value = re.split(r"[,，、]", value)
    if not isinstance(value, list):
        return None
    tags = [each.strip().lstrip("#").strip() for each in value if isinstance(each, str)]
    return tuple(dict.fromkeys(tag for tag in tags if tag))


def _moment(value: object) -> datetime | None:
    if not isinstance(value, str):
        return None
    try:
        return datetime.fromisoformat(value.strip())
    except ValueError:
        return None
