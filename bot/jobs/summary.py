"""The job that sums up the older part of a long conversation, a stretch at a time; each is stored as it comes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

import structlog

from bot.agent.summary import (
    again,
    asked,
    clipped,
    dwindled,
    first_half,
    first_stretch,
    fits,
    longest,
    reported,
    unmoved,
    with_figures,
)
from bot.errors import ModelRefused
from bot.models.metering import charge
from bot.models.model import Model
from bot.storage.records import HistoryLine
from bot.storage.summaries import Summaries, Summary
from bot.types import Language

log = structlog.get_logger(__name__)

_MAY_PASS = ("too_long", "too_large", "filtered")  # refusals of what is read, not of who asks


@dataclass(frozen=True, slots=True)
class SummaryJob:
    """Everything the job needs; one for the whole app."""

    summaries: Summaries
    model: Model
    core: Callable[[str], Awaitable[str]]  # a person's rules, awaited at the moment of each reading
    fresh_from: Callable[
        [str, str, str], int
    ]  # the row after which a person's talk in a channel's chat begins
    language: Callable[[str], Awaitable[Language]]
    window: int  # tokens that the model takes
    now: Callable[[str], datetime]  # on a person's clock

    async def run(self, row_id: int) -> None:
        """Bring one summary up to what is due. Raises what the model layer raises; what is told is not told again."""
        charge((await self.summaries.get(row_id)).person, "summary")
        while (summary := await self._current(row_id)).owed:
            talk = await self.summaries.talk(summary)
            text, told = await self._told(summary, first_stretch(talk, self.window))
            to = None if len(told) == len(talk) else told[-1].message
            await self.summaries.keep(summary, text, to or summary.due)
            log.info("summed up", action="summary_kept", row=row_id, lines=len(told), characters=len(text))

    async def give_up(self, row_id: int, why: str) -> None:
        """It stays due, and is tried again after the next turn: until then only the newest talk is shown."""
        log.warning("summary waits", action="summary_waits", row=row_id, why=why)

    async def _current(self, row_id: int) -> Summary:
        summary = await self.summaries.get(row_id)
        return summary.since(self.fresh_from(summary.person, summary.channel, summary.chat))

    async def _told(self, summary: Summary, talk: list[HistoryLine]) -> tuple[str, list[HistoryLine]]:
        """(the summary with the talk in it, or with its older half, that talk). One message that a server refuses to
        read is passed over: it is found by searching, as all that was said.
        """
        while talk:
            try:
                return await self._written(summary, talk), talk
            except ModelRefused as error:
                if error.code not in _MAY_PASS:
                    raise
                log.warning("not summed up", action="summary_refused", row=summary.id, why=error.code)
            if not (half := first_half(talk)):
                break
            talk = half
        return summary.text, talk

    async def _written(self, summary: Summary, talk: Sequence[HistoryLine]) -> str:
        """What the model writes, asked twice if need be. It never takes the place of a summary that says far more, and
        figures that it leaves out are given as they were said.
        """
        before, most = summary.text, longest(self.window)
        core, language = await self.core(summary.person), await self.language(summary.person)
        zone = self.now(summary.person).tzinfo
        prompt = asked(before, talk, core, language, zone, most)
        reply = await self.model.generate(prompt)
        if reply.finish == "filtered":
            raise ModelRefused(code="filtered")
        text = reported(reply.text)
        good = reply.finish != "length" and fits(text, most) and text == reply.text.strip()
        if unmoved(before, text, talk):  # the talk by itself, then
            alone = await self.model.generate(asked("", talk, core, language, zone, most // 2))
            text = f"{clipped(before, most // 2)}\n{reported(alone.text)}"
        elif not good or dwindled(before, text):
            second = reported((await self.model.generate(again(prompt, reply.text))).text)
            text = clipped(second or text, most) or before
            text = f"{before}\n{text}" if dwindled(before, text) else text
        return with_figures(clipped(text, most), talk, language, most)
