"""One turn: the burst it answers, what its tools have done so far, and the ways in which it ends early."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import takewhile

from bot.tools import Result
from bot.types import Answered, Message

Lane = tuple[str, str, str]
"""(person, channel, chat): what is said in one waits for nothing that is said in another."""

# between a comment and what is forwarded with it, by clocks of whole seconds
_TOGETHER = timedelta(seconds=2)
_LET_GO = 2.0  # seconds that a stopped turn has to end; longer than `unbroken` gives to what it writes


def lane_of(message: Message) -> Lane:
    """Where it was said, and by whom."""
    return message.person, message.channel, message.chat


def burst_of(due: Sequence[Message]) -> list[Message]:
    """The oldest due message of a lane and those right behind it that make one turn with it: no command."""
    return [due[0]] if due[0].command else list(takewhile(lambda each: not each.command, due))


class SilentBurst(Exception):
    """The model never answered several messages at once: one of them may be why, and each is tried by itself."""


class Revised(Exception):
    """What was being answered reads otherwise now: the turn begins anew."""


class Stopped(Exception):
    """The person said `/stop`, which is due now and ends all that was said before it."""


@dataclass(eq=False, slots=True)
class Turn:
    """What a lane's worker has in hand."""

    burst: Sequence[Message]
    done: list[Result] = field(default_factory=list)  # by its tools so far
    task: asyncio.Task[Answered] | None = None
    revised: bool = False
    stopped: bool = False
    ended: bool = False  # its answer stands

    def holds(self, row: int) -> bool:
        """Whether it answers this message."""
        return any(each.id == row for each in self.burst)

    @property
    def acted(self) -> bool:
        """Whether it has done what beginning anew would do twice; what a command does cannot be told from here."""
        return self.ended or self.burst[0].command or any(each.deed for each in self.done)

    def belongs(self, message: Message) -> bool:
        """Whether a message that comes now was sent together with what it answers: of one album, or forwarded right
        behind it. A comment comes before what it is about.
        """
        last = self.burst[-1]
        album = bool(message.album) and any(each.album == message.album for each in self.burst)
        return album or (message.forwarded and message.at - last.at <= _TOGETHER)

    def begin_anew(self) -> None:
        """Drop what it has so far."""
        self.revised = True
        self._cut()

    def stop(self) -> None:
        """End it, tools included."""
        self.stopped = True
        self._cut()

    async def checked(self, task: asyncio.Task[Answered]) -> None:
        """Go on only if it goes on. Raises `Stopped`, unless the answer came all the same, or `Revised`."""
        if self.stopped:
            await asyncio.wait({task}, timeout=_LET_GO)
            if not task.done() or task.cancelled():
                raise Stopped
        elif self.revised:
            raise Revised

    def _cut(self) -> None:
        if self.task is not None:
            self.task.cancel()
