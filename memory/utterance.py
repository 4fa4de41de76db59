"""One thing said in a conversation, as memory reads it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from memory.changes import Speaker


@dataclass(frozen=True, slots=True)
class Utterance:
    """A message. Only `Speaker.PERSON` utterances may become memory; the others are context."""

    role: Speaker
    text: str  # what was typed: message or caption; never text out of a picture or file
    at: datetime  # aware, in the person's zone: relative dates resolve against it
    message: str = ""  # the message's id
    conversation: str = ""  # channel:chat
