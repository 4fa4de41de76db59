"""Rows as values: what storage gives back."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from bot.types import is_command
from memory.changes import PROGRAM


@dataclass(frozen=True, slots=True)
class FilingRow:
    """One picture of a person, due or ended."""

    id: int
    person: str
    number: int | None
    message: int
    place: int  # which of the message's attachments
    blob: str
    name: str
    caption: str
    at: datetime
    state: str  # due, filed, kept_unread, refused, duplicate, failed, deleted
    attempt: int
    category: str
    title: str
    summary: str
    tags: tuple[str, ...]
    text: str
    rule: str | None
    rules_seen: str
    why: str
    confidence: float
    runner_up: str | None
    corrected: bool
    file: str
    leaving: tuple[str, ...]  # files it lay in before; they go as soon as `file` is there
    problem: str
    renamed: bool = False  # the person gave it its title
    binned_at: datetime | None = None  # when it was put into the bin
    sha256: str = ""  # of the bytes
    receipt: str = ""  # its line in the receipt of an album that is not whole yet


@dataclass(frozen=True, slots=True)
class Proposal:
    """A change that waits for the person's yes."""

    id: int
    person: str
    conversation: str
    change: dict[str, object]
    source: dict[str, object]
    question: str
    at: datetime

    @property
    def program(self) -> bool:
        """Whether another program put it forward: a bare "yes" never means it."""
        return str(self.source.get("by", "")).startswith(PROGRAM)


@dataclass(frozen=True, slots=True)
class PictureText:
    """What is left of a picture once its turn is over."""

    number: int
    text: str


@dataclass(frozen=True, slots=True)
class HistoryLine:
    """One line of a conversation: the person's, or ours."""

    ours: bool
    text: str
    at: datetime
    message: int | None = None  # messages.id of the person's, or of what ours was about
    forwarded: bool = False  # somebody else's words
    files: bool = False  # it brought some
    shown: bool = False  # a receipt or notice of the app's own, beside the answers
    pictures: tuple[PictureText, ...] = ()  # those it brought that are filed by now


@dataclass(frozen=True, slots=True)
class Said:
    """One row of a conversation as slow memory reads it."""

    message: int  # messages.id of the person's, or of what ours answered
    ours: bool
    text: str
    at: datetime
    forwarded: bool = False
    pressed: str = ""

    @property
    def own(self) -> bool:
        """Typed by the person, and no command."""
        return not (self.ours or self.forwarded or self.pressed or is_command(self.text)) and bool(
            self.text.strip()
        )
