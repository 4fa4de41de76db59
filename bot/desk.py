"""What lies on the desk while one turn is worked on: all that a tool may touch, and nothing of anybody else's."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime

from bot.storage.chats import Chats
from bot.storage.library import Library
from bot.storage.messages import Messages
from bot.storage.proposals import Proposals
from bot.types import Language, Message
from memory import Memory
from memory.intake import Taken

Note = Callable[[Message], Awaitable[Taken]]


@dataclass(frozen=True, slots=True)
class Desk:
    """One person's things, for one turn."""

    person: str
    language: Language
    memory: Memory
    pictures: Library
    proposals: Proposals
    burst: tuple[Message, ...]  # the messages this turn answers, oldest first
    now: Callable[[], datetime]
    talk: Messages | None = None  # what was said before, and with which memories it was answered
    chats: Chats | None = None  # what was said in all conversations, found again
    note: Note | None = None  # reads one message for memory, where the turn's model cannot

    @property
    def shared(self) -> bool:
        """Whether others read along: what is only the person's own is then not told unasked."""
        return any(each.shared for each in self.burst)
