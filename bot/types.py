"""The nouns everything else speaks of: a message that came in, and one that goes out."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

Language = Literal["zh", "en"]

FileKind = Literal["picture", "paper", "voice"]
"""What becomes of a file: a picture is filed, a paper (any other document) is read and talked about, a voice is
what the person says."""

_NAME_ENDS = r"(?=[\s.,;:!?。，；：！？…]|$)"  # people and phones set marks behind it
_COMMAND = re.compile(rf"\s*/\w+(?:@\w+)?{_NAME_ENDS}(?!\.\w)")  # not a path, "/etc/hosts" or "/init.rc"
_STOP = re.compile(rf"\s*/stop(?:@\w+)?{_NAME_ENDS}(?!\.\w)", re.IGNORECASE)


def is_command(text: str) -> bool:
    """Whether it begins as commands do."""
    return bool(_COMMAND.match(text))


_PERSON = re.compile(r"\w[\w .@+-]{0,62}(?<![ .])")
_TAKEN = {
    "logs",
    "blobs",
    "backups",
    "search",
    "con",
    "prn",
    "aux",
    "nul",
}  # other folders of a home, and devices


def may_be_person(name: str) -> bool:
    """Whether a name can be a folder of the home, and nobody else's."""
    return bool(_PERSON.fullmatch(name)) and name.casefold() not in _TAKEN


@dataclass(frozen=True, slots=True)
class Upload:
    """A file as a channel received it."""

    data: bytes
    name: str = ""  # display text only, never a path
    problem: str = ""  # why there is no data (too large, could not be fetched): a sentence for the person
    voice: bool = False  # spoken right here, instead of writing


@dataclass(frozen=True, slots=True)
class Incoming:
    """What a channel heard. Handed to `Router.receive`, which stores it before anything else happens."""

    channel: str
    chat: str  # where an answer goes, in the channel's own terms
    id: str  # the channel's id of the message; (channel, chat, id) is heard once
    person: str
    text: str = ""  # what the person typed: message or caption
    uploads: tuple[Upload, ...] = ()
    album: str = ""  # files sent together share it
    reply_to: str = ""  # the channel's id of the message replied to
    quoted: str = ""  # the words replied to or quoted: not the person's own
    shows: tuple[Upload, ...] = ()  # files of what is replied to, where we may never have heard it
    forwarded: bool = False  # somebody else's words
    pressed: str = ""  # data of a button that was pressed, e.g. "undo:12"
    shared: bool = False  # others read along, as in a group
    # id of a message heard before, of which this is the rest, whatever stood between included
    continues: str = ""
    edited: bool = False  # `text` is what a message heard before, of this id, says from now on
    at: datetime | None = None  # when it was sent; None = now
    language: Language | None = None  # of their interface: how to speak to who has written nothing

    @property
    def command(self) -> bool:
        """A slash command or a pressed button: served without a model. Forwarded words never are one."""
        return bool(self.pressed) or (not self.forwarded and is_command(self.text))


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file that came with a message, its bytes kept in the blob store."""

    blob: str  # SHA-256 of the bytes, hex; "" when there are none
    name: str
    size: int  # bytes
    problem: str = ""
    kind: FileKind = "picture"
    shown: bool = False  # it came with what the message replies to: to be looked at, and filed for nobody


@dataclass(frozen=True, slots=True)
class Message:
    """A stored message of a person. Its row id orders everything."""

    id: int
    channel: str
    chat: str
    person: str
    text: str
    attachments: tuple[Attachment, ...]
    album: str
    reply_to: str
    quoted: str
    forwarded: bool
    at: datetime
    pressed: str = ""
    shows: tuple[Attachment, ...] = ()  # as `Incoming.shows`
    shared: bool = False  # others read along where it was said, and read what is answered there

    @property
    def command(self) -> bool:
        """As `Incoming.command`."""
        return bool(self.pressed) or (not self.forwarded and is_command(self.text))

    @property
    def stops(self) -> bool:
        """Whether it ends what the person said before it in the same chat and was not answered yet."""
        return not self.pressed and not self.forwarded and bool(_STOP.match(self.text))

    @property
    def typed(self) -> str:
        """What the person themself said: "" for forwarded words and for blanks."""
        return self.text if self.text.strip() and not self.forwarded else ""

    @property
    def conversation(self) -> str:
        """Where it was said, as sources name it."""
        return f"{self.channel}:{self.chat}"


@dataclass(frozen=True, slots=True)
class Check:
    """One part of the assistant and how it is."""

    name: str
    ok: bool
    sentence: str


@dataclass(frozen=True, slots=True)
class Button:
    """Something to press under a message; `data` comes back in `Incoming.pressed`."""

    label: str
    data: str  # ≤ 64 bytes


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A message on its way out. `id` is its outbox row; a crash never makes a second row of it."""

    id: int
    channel: str
    chat: str
    text: str  # Markdown
    kind: Literal["answer", "receipt", "notice"] = "answer"
    reply_to: str = ""  # the channel's id of the message it answers
    buttons: tuple[Button, ...] = ()
    picture: str = ""  # path of a picture to send along
    about: int | None = None  # row id of the message whose handling produced it
    person: str = ""  # whom it is for
    shown: str = ""  # the channel's name for what is there already: a message that becomes this one, or its first parts
    # the channel's ids of messages in its chat that are others than the one shown
    arrived: tuple[str, ...] = ()

    @property
    def taken_back(self) -> bool:
        """Whether it only takes away what is shown."""
        return bool(self.shown) and not (self.text or self.picture)


@dataclass(frozen=True, slots=True)
class Words:
    """One thing to say, before it has a row in the outbox."""

    text: str
    kind: Literal["answer", "receipt", "notice"] = "answer"
    buttons: tuple[Button, ...] = ()
    picture: str = ""
    loaded: tuple[str, ...] = field(default=())  # memory lines it was said with, as "[id] line"


@dataclass(frozen=True, slots=True)
class Answered:
    """What one turn comes to."""

    words: tuple[Words, ...]
    problem: str = ""  # why it did not end well
    cut: tuple[int, ...] = ()  # rows of those messages of several that `problem` is about; () = all
    read: tuple[int, ...] = ()  # rows of messages that memory has read, or need not read
    changed: bool = False  # memory may have changed by it, beside what tools have done
