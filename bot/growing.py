"""An answer that is watched while it grows: one message, edited at most once a second, that becomes the whole one.

Quick answers know nothing of it.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence

import structlog

from bot.agent.loop import Beat
from bot.agent.unfinished import showable
from bot.channels.channel import HasDrafts
from bot.drafts import Drafts
from bot.errors import HomeUnwritable, SendDelayed, SendRefused
from bot.tools import Result
from bot.turns import Answer
from bot.types import Answered, Message

log = structlog.get_logger(__name__)

FIRST = 1.0  # seconds of a turn before anything of its answer is shown
PACE = 1.0  # seconds between two looks at what there is to show


def always(person: str) -> bool:
    """Everybody does."""
    return True


class Growing:
    """The same answers, shown while they grow where the channel can."""

    def __init__(self, answer: Answer, drafts: Drafts, watched: Callable[[str], bool] = always) -> None:
        """`watched`: whether a person wants to see their answers grow."""
        self._answer = answer
        self._drafts = drafts
        self._watched = watched
        self._showing: set[asyncio.Task[bool]] = set()

    async def __call__(self, burst: Sequence[Message], beat: Beat) -> Answered:
        """Answer a burst. Raises what the answer raises."""
        channel = self._drafts.channel_of(burst[-1])
        if channel is None or not self._watched(burst[-1].person):
            return await self._answer(burst, lambda news=None: beat(None if isinstance(news, str) else news))
        # what was shown before the turn began anew, or the bot, becomes the answer
        draft = _Draft(self, channel, self._drafts.begun(burst) or burst[-1])

        def heard(news: Result | str | None = None) -> None:
            if isinstance(news, str):
                draft.say(news)
                news = news if draft.shown else None  # who sees words come need not be told that we wait
            beat(news)

        try:
            return await self._answer(burst, heard)
        finally:
            draft.end()

    def begin(self, showing: asyncio.Task[bool]) -> None:
        """What is being shown arrives, or not, beside its turn."""
        self._showing.add(showing)
        showing.add_done_callback(self._showing.discard)

    async def show(self, channel: HasDrafts, about: Message, words: str) -> bool:
        """Show these words as the beginning of an answer; False when this answer is better not shown any more."""
        try:
            return await self._drafts.show(channel, about, words)
        except SendDelayed as error:
            log.debug("a draft waits", action="draft_delayed", row=about.id, error=str(error))
        except (SendRefused, HomeUnwritable) as error:
            log.info("a draft is not shown", action="draft_refused", row=about.id, error=str(error))
            return False
        return True


class _Draft:
    """One answer as far as it has come."""

    def __init__(self, growing: Growing, channel: HasDrafts, about: Message) -> None:
        self._growing = growing
        self._channel = channel
        self._about = about
        self._began = time.monotonic()
        self._text = ""
        self._more = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self.shown = False

    def say(self, text: str) -> None:
        """The answer reads so up to now."""
        self._text = text
        self._more.set()
        if self._task is None:
            self._task = asyncio.create_task(self._grow(), name=f"draft-{self._about.id}")

    def end(self) -> None:
        """Nothing more is shown."""
        if self._task is not None:
            self._task.cancel()

    async def _grow(self) -> None:
        await asyncio.sleep(self._began + FIRST - time.monotonic())
        words = ""
        while True:
            await self._more.wait()
            self._more.clear()
            before, words = words, showable(self._text)
            if words and words != before:
                showing = asyncio.create_task(self._growing.show(self._channel, self._about, words))
                self._growing.begin(showing)
                if not await asyncio.shield(showing):
                    return
                self.shown = True
            await asyncio.sleep(PACE)
