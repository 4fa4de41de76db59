"""What the local socket speaks: where it lies, and one JSON object a line.

Client → server: `hello` (person, follow), `say` (id, text, images, pressed), `got` (number), `bye`; or only `look`.
Server → client: `welcome` (brain, troubles), `words`, `working`, `finished`, `refused` (problem).

`got` is the receipt for a `words`: only then does the bot count them as sent, so a terminal that is closed at
the wrong moment loses nothing.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bot.errors import HomeError
from bot.types import Button, Language, Upload

FILE = "kairos.sock"
LINE = 192 * 1024 * 1024  # bytes a line may have: pictures travel as base64
PICTURES = 128 * 1024 * 1024  # bytes of pictures in one message, before base64
_PATH = 100  # bytes; the kernel's limit is 104 (macOS) or 108


class Garbled(ValueError):
    """A line that is not of this protocol."""


@dataclass(frozen=True, slots=True)
class Hello:
    """The first line of a client."""

    person: str
    follow: bool  # everything for this person (a chat), or only what concerns its own messages (`say`)
    language: Language | None = None  # of the terminal; None = it does not say


@dataclass(frozen=True, slots=True)
class Say:
    """One message of the person."""

    id: str  # a UUID: saying it again after a lost connection is heard once
    text: str = ""
    images: tuple[Upload, ...] = ()
    pressed: str = ""


@dataclass(frozen=True, slots=True)
class Got:
    """The client has shown the words of this number."""

    number: int


@dataclass(frozen=True, slots=True)
class Bye:
    """The client leaves."""


@dataclass(frozen=True, slots=True)
class Look:
    """The only line of a process that has stored something to be said: look into the outbox."""


Request = Hello | Say | Got | Bye | Look


@dataclass(frozen=True, slots=True)
class Welcome:
    """The server's first line."""

    brain: str = ""  # which model answers, "" = the embedded default
    troubles: Mapping[str, str] = field(default_factory=dict)  # channels that are not well, and why


@dataclass(frozen=True, slots=True)
class Heard:
    """One thing the bot said."""

    number: int  # of the outbox row; the same number is the same words
    kind: str  # answer, receipt, notice
    text: str  # Markdown
    buttons: tuple[Button, ...] = ()
    picture: str = ""
    about: str = ""  # id of the message it answers
    earlier: bool = False  # about something that was said before this connection


@dataclass(frozen=True, slots=True)
class Working:
    """Work on a message goes on."""

    id: str


@dataclass(frozen=True, slots=True)
class Done:
    """A message and all its background work have ended."""

    id: str
    ok: bool
    loaded: tuple[str, ...] = ()
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Refused:
    """The server could not read us, and closes."""

    problem: str


Event = Welcome | Heard | Working | Done | Refused


def encode(op: Request | Event) -> bytes:
    """One line, with its newline."""
    match op:
        case Hello():
            value: dict[str, Any] = {"op": "hello", "person": op.person, "follow": op.follow}
            value |= {"language": op.language}
        case Say():
            images = [
                {"name": each.name, "data": base64.b64encode(each.data).decode("ascii")} for each in op.images
            ]
            value = {"op": "say", "id": op.id, "text": op.text, "images": images, "pressed": op.pressed}
        case Got():
            value = {"op": "got", "number": op.number}
        case Bye():
            value = {"op": "bye"}
        case Look():
            value = {"op": "look"}
        case Welcome():
            value = {"event": "welcome", "brain": op.brain, "troubles": dict(op.troubles)}
        case Heard():
            buttons = [{"label": each.label, "data": each.data} for each in op.buttons]
            value = {"event": "words", "number": op.number, "kind": op.kind, "text": op.text}
            value |= {"buttons": buttons, "picture": op.picture, "about": op.about, "earlier": op.earlier}
        case Working():
            value = {"event": "working", "id": op.id}
        case Done():
            value = {"event": "finished", "id": op.id, "ok": op.ok}
            value |= {"loaded": list(op.loaded), "problem": op.problem}
        case Refused():
            value = {"event": "refused", "problem": op.problem}
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "replace") + b"\n"


def request(line: bytes) -> Request:
    """What a client asks. Raises `Garbled`."""
    try:
        value = json.loads(line)
        match value["op"]:
            case "hello":
                language = value.get("language")
                known: Language | None = language if language in ("zh", "en") else None
                return Hello(str(value["person"]), bool(value.get("follow", False)), known)
            case "say":
                images = tuple(
                    Upload(base64.b64decode(each["data"], validate=True), str(each.get("name", "")))
                    for each in value.get("images", ())
                )
                text, pressed = str(value.get("text", "")), str(value.get("pressed", ""))
                return Say(str(value["id"]), text, images, pressed)
            case "got":
                return Got(int(value["number"]))
            case "bye":
                return Bye()
            case "look":
                return Look()
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, binascii.Error) as problem:
        raise Garbled(str(problem)) from problem
    raise Garbled("unknown op")


def event(line: bytes) -> Event:
    """What the server tells. Raises `Garbled`."""
    try:
        value = json.loads(line)
        match value["event"]:
            case "welcome":
                return Welcome(value["brain"], value.get("troubles", {}))
            case "words":
                buttons = tuple(Button(each["label"], each["data"]) for each in value["buttons"])
                return Heard(
                    number=value["number"],
                    kind=value["kind"],
                    text=value["text"],
                    buttons=buttons,
                    picture=value["picture"],
                    about=value["about"],
                    earlier=value["earlier"],
                )
            case "working":
                return Working(value["id"])
            case "finished":
                return Done(value["id"], value["ok"], tuple(value["loaded"]), value["problem"])
            case "refused":
                return Refused(value["problem"])
    except (ValueError, KeyError, TypeError) as problem:
        raise Garbled(str(problem)) from problem
    raise Garbled("unknown event")


def places(home: Path) -> list[Path]:
    """Where the socket may lie, best first: in the home, or (a path too long for the kernel, a file system
    without sockets) in a folder of our own under /tmp. Not `$TMPDIR`: both sides must find the same one."""
    inside = home.resolve() / FILE
    digest = hashlib.sha256(os.fsencode(home.resolve())).hexdigest()[:16]
    outside = Path("/tmp") / f"kairos-{os.getuid()}-{digest}" / FILE
    return [inside, outside] if len(os.fsencode(inside)) <= _PATH else [outside]


def private(folder: Path) -> None:
    """Make a folder that only we can enter, or make sure that it is one. Raises `HomeError`.

    /tmp is everybody's: a folder that somebody else put there under our name must not be used.
    """
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        found = folder.lstat()
    except OSError as problem:
        raise HomeError(f"{folder}: {problem.strerror}") from problem
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or found.st_mode & 0o077:
        raise HomeError(f"{folder}: not a private folder of this user; remove it and start again")


def trusted(place: Path) -> bool:
    """Whether a socket is our own: nobody may pose as the bot. Root may speak to anybody's."""
    try:
        return os.getuid() in {0, place.stat().st_uid}
    except OSError:
        return False
