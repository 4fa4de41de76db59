"""The nouns of filing: a category, what a judge said, and how a picture ended up."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Literal

Language = Literal["zh", "en"]
"""The languages in which the person is spoken to."""


@dataclass(frozen=True, slots=True)
class Category:
    """One place in the person's closed list of places."""

    id: str  # stable; never shown
    name: str  # as the person writes it, e.g. "代码笔记"
    description: str = ""  # what belongs there, one sentence
    aliases: tuple[str, ...] = ()  # other names that mean the same
    count: int = 0  # pictures in it


@dataclass(frozen=True, slots=True)
class Reading:
    """The text in a picture, as a reader (OCR) found it."""

    text: str  # lines joined by "\n", in reading order
    lines: int = 0
    confidence: float = 0.0  # mean over the lines, 0..1
    engine: str = ""  # "" = nobody has read it (which is not the same as "no text")
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Picture:
    """A decoded picture, made once by `prepare`: what OCR, models and thumbnails get."""

    sha256: str  # of the original bytes
    jpeg: bytes  # upright RGB, no metadata, longest side ≤ 2,000 px: for models and thumbnails
    width: int  # of the upright original
    height: int
    format: str  # Pillow's name of the original format, "PNG", "PDF" …
    extension: str  # that fits the real format, with the dot: ".png"
    phash: str = ""  # 256-bit perceptual hash, hex
    taken: datetime | None = None
    frames: int = 1  # frames or pages in the original
    note: str = ""  # what the person should know, "中文 · English" ("第 1 页，共 3 页 · page 1 of 3")
    page_text: str = ""  # text layer of a document, where it has one
    colourfulness: float = 0.0  # 0 = flat interface, 1 = photograph; a hint for judging pictures without text
    original: bytes = field(default=b"", repr=False, compare=False)  # the bytes as sent, never altered


@dataclass(frozen=True, slots=True)
class Correction:
    """An earlier filing of this person that is near to the picture at hand."""

    text: str  # that picture's text, cut
    category: str  # name where it lies now
    corrected: bool  # the person moved it there themself
    likeness: float  # cosine to the picture at hand


@dataclass(frozen=True, slots=True)
class Filing:
    """What a judge decided for one picture."""

    category: str  # a category's name; may be new
    title: str
    summary: str = ""
    tags: tuple[str, ...] = ()
    rule: str | None = None  # the standing instruction it applied, as the person's line reads
    confidence: float = 1.0  # 0..1
    runner_up: str | None = None  # the other category it could be, when unsure
    is_new: bool = False  # the category does not exist yet
    why: str = ""  # one plain sentence, for "why there?"
    judged_by: str = ""  # "offline", "vision", "text"


class Ended(StrEnum):
    """How a file ended; the words are those of `manifest.json`'s outcomes."""

    FILED = "filed"
    KEPT_UNREAD = "kept_unread"  # kept, and said that it could not be read
    REFUSED = "refused"  # a clear sentence, nothing kept
    DUPLICATE = "duplicate"  # it is item N already


@dataclass(frozen=True, slots=True)
class Filed:
    """The end of one filing, enough for a receipt."""

    ended: Ended
    number: int | None = None
    filing: Filing | None = None
    text: str = ""
    rules_seen: str = ""  # version of the rules the judge saw
    sentence: str = ""  # for REFUSED and KEPT_UNREAD: what to tell the person
    duplicate_of: int | None = None
    similar_to: int | None = None
    note: str = ""
    timings: dict[str, float] = field(default_factory=dict)  # seconds a step: prepare, read, judge, shelve


@dataclass(frozen=True, slots=True)
class Case:
    """Everything a judge is told about one picture."""

    picture: Picture
    reading: Reading
    rules: str  # what `core()` said just now
    categories: tuple[Category, ...] = ()
    nearest: tuple[Correction, ...] = ()
    caption: str = ""  # the person's own words with the picture
    language: Language = "zh"
