"""What a slash command is, and what it may touch beyond the desk."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.desk import Desk
from bot.door import Door
from bot.settings import Price
from bot.storage.fresh_starts import FreshStarts
from bot.storage.pauses import Pause
from bot.storage.preferences import Preferences
from bot.storage.queue import Work
from bot.storage.schedules import Schedules
from bot.storage.usage import Spending
from bot.types import Check, Language, Message, Words
from memory import Line
from memory.changes import Revise

Run = Callable[["Context", Desk, str], Awaitable[Words]]
"""Serve it: the context, the person's desk, and what was typed after the command's name, stripped."""


@dataclass(frozen=True, slots=True)
class Command:
    """One command: what it says of itself in both languages, and what it does."""

    zh: str
    en: str
    run: Run
    keeps: bool = False  # what follows its name may be kept for good, to the letter
    anywhere: bool = False  # also where others read along: it shows nothing that is only the person's

    def words(self, language: Language) -> str:
        """Its line in the help."""
        return self.zh if language == "zh" else self.en


Merge = Callable[[Sequence[Line], datetime], Awaitable[Sequence[Revise]]]
"""Which of these rules could become one? Writes nothing. Raises what the model layer raises."""


async def nothing_to_merge(rules: Sequence[Line], now: datetime) -> Sequence[Revise]:
    """Where there is no model."""
    return ()


async def unsaid(person: str, language: Language) -> str:
    """Nothing to say."""
    return ""


async def no_work(person: str) -> list[Work]:
    """None waits."""
    return []


async def no_pauses() -> list[Pause]:
    """No provider is left alone."""
    return []


async def no_limit(person: str) -> datetime | None:
    """Background work may go on."""
    return None


async def nothing_used(person: str) -> Spending:
    """For those who count nothing."""
    return Spending(datetime.now().astimezone(), (), (), 0)


async def unknown(language: Language) -> Sequence[Check]:
    """Nobody looked."""
    return ()


def unheard(message: Message, name: str) -> None:
    """Nobody has to do anything about it."""


async def not_again(person: str, work: Work) -> bool:
    """For those who have no hands."""
    return False


@dataclass(frozen=True, slots=True)
class AtWork:
    """What is known of background work, and how it is tried again."""

    see: Callable[[str], Awaitable[list[Work]]] = no_work  # of a person
    providers: Callable[[], Awaitable[list[Pause]]] = no_pauses  # of models, that are left alone
    retry: Callable[[str, Work], Awaitable[bool]] = not_again  # of a person; whether it was started
    # until when a person's waits for a new day
    allowance: Callable[[str], Awaitable[datetime | None]] = no_limit


@dataclass(frozen=True, slots=True)
class Context:
    """What commands may touch beyond the desk."""

    fresh: FreshStarts  # where conversations were started afresh
    preferences: Preferences  # what people chose for themselves
    model: str  # name of the brain in use, "" when it is the embedded default
    due: Callable[[str], Awaitable[int]]  # how many pictures of a person wait
    schedules: Schedules
    cultivate: Callable[[int], None]  # start a run that is due, once the command is answered
    rescheduled: Callable[[], None]  # schedules have changed
    parts: Callable[[Language], Awaitable[Sequence[Check]]] = unknown  # how the model and the channels are
    versions: Callable[[], str] = str  # what runs here; reads the disk
    merge: Merge = nothing_to_merge  # proposes shorter rules, where there is a model
    distilled: Callable[[str, Language], Awaitable[str]] = unsaid  # how much of a person's talk is in notes
    work: AtWork = AtWork()
    usage: Callable[[str], Awaitable[Spending]] = nothing_used  # what a person's model calls took
    prices: Sequence[Price] = ()  # of models' tokens, as far as they are known
    door: Door | None = None  # who may talk
    chosen: Callable[[Message, str], None] = unheard  # a person chose something; the setting's name
