"""What can happen to memory: five changes, and where each came from.

A change is a *request*. `Memory.apply` decides what really happens (a guard may refuse it, a known line may
make it needless, a line it contradicts may be revised in its place) and answers with one `Outcome` a change.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum


class Kind(StrEnum):
    """What sort of line it is."""

    INSTRUCTION = "instruction"  # how to act, standing until changed
    PERSONA = "persona"  # what is so about somebody or something
    EPISODIC = "episodic"  # what happened or will happen on a date


class Origin(StrEnum):
    """Who stands behind a line; the order of authority is EDITED, EXPLICIT, LEARNED."""

    EXPLICIT = "explicit"  # the person asked for it to be kept, or stated a standing rule
    LEARNED = "learned"  # the person stated it in passing
    EDITED = "edited by you"  # the person typed it into the file


PROGRAM = "program:"  # begins the `by` of what another program put forward; its name follows


class Speaker(StrEnum):
    """Whose words a source holds; only PERSON's words may be quoted."""

    PERSON = "person"
    ASSISTANT = "assistant"
    TOOL = "tool"


@dataclass(frozen=True, slots=True)
class Source:
    """Where a change came from, shown beside the line for ever."""

    conversation: str  # channel:chat
    message: str  # id of the message that holds the quote
    at: datetime  # aware; when the person said it
    words: str  # everything the person typed in that message; the quote must be found here
    quote: str = ""  # the part that says it, verbatim
    by: str = "person"  # "person", or the job or program that proposes
    # how the line shows where it comes from, on pages that are tended; "" = only the journal knows
    shown: str = ""
    # what the quote approves ("照这个来，以后都这样"): the exact words that were shown before it
    context: str = ""

    @property
    def program(self) -> str:
        """The program that put it forward, for the person to approve; "" of everything else."""
        return self.by.removeprefix(PROGRAM) if self.by.startswith(PROGRAM) else ""


@dataclass(frozen=True, slots=True)
class Instruct:
    """A standing instruction for CORE.md."""

    text: str  # one plain sentence that can be obeyed out of context
    when: str | None = None  # scope in plain words; None = everywhere
    until: date | None = None  # last day it holds; None = no end
    origin: Origin = Origin.EXPLICIT
    target: str | None = None  # id of the line it replaces, where the caller knows it


@dataclass(frozen=True, slots=True)
class Learn:
    """A fact for a topic page."""

    text: str
    topic: str = ""  # a page's title; "" lets memory choose ("关于我" / "About me")
    kind: Kind = Kind.PERSONA
    when: str | None = None
    until: date | None = None
    origin: Origin = Origin.LEARNED
    target: str | None = None


@dataclass(frozen=True, slots=True)
class Revise:
    """New words for a line that exists; the old ones stay in the journal as superseded."""

    target: str
    text: str
    when: str | None = None
    until: date | None = None
    origin: Origin | None = None  # None keeps the line's own
    reason: str = ""
    paused: bool = False
    also: tuple[str, ...] = ()  # ids of lines that the new words say as well: they go with it
    was: str | None = None  # the line as it was read (`str(line)`); if it says something else by now: refused


@dataclass(frozen=True, slots=True)
class Retire:
    """A line that is to go; leaves a tombstone, so that learning does not bring it back."""

    target: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Restore:
    """Take back one journal entry (an undo, or a pick from the log)."""

    entry: int


Change = Instruct | Learn | Revise | Retire | Restore


class Did(StrEnum):
    """How a change ended."""

    ADDED = "added"
    REPLACED = "replaced"  # an older line gave way; see Outcome.before
    REMOVED = "removed"
    RESTORED = "restored"
    KNOWN = "known"  # it was there already, nothing written
    REFUSED = "refused"  # a guard said no; see Outcome.reason


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one change did."""

    change: Change
    did: Did
    line: str | None = None  # id of the line concerned, e.g. "r7"
    page: str | None = None  # "CORE.md" or "topics/<slug>.md"
    before: str | None = None  # text that gave way
    after: str | None = None  # text as stored
    entry: int | None = None  # journal number, for undo
    reason: str = ""  # for REFUSED: a sentence fit for the person, in their language
    never: bool = False  # for REFUSED: it is of what is never kept, as secrets are
    # texts of further lines that went with it: contradicted, or merged into it
    gave_way: tuple[str, ...] = ()
    parts: int = 1  # for RESTORED: lines that went back together
