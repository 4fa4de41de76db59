"""Background work: what is due in the home, and the jobs that do it while people go on talking."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import timedelta

import structlog

from bot.care import TURN, Care
from bot.commands.command import AtWork
from bot.errors import HomeUnwritable
from bot.filer import Filer
from bot.household import Household
from bot.jobs.calendar import Calendar
from bot.jobs.cultivation import CultivationJob
from bot.jobs.engine import Jobs, open_jobs
from bot.jobs.extraction import ExtractionJob
from bot.jobs.filing import FilingJob
from bot.jobs.handlers import handlers
from bot.jobs.summary import SummaryJob
from bot.jobs.trial import TrialJob, files_pictures
from bot.keeper import Keeper
from bot.meter import Meter
from bot.minds import Minds
from bot.settings import Settings
from bot.settings.values import Learning
from bot.slow import SlowMemory
from bot.storage import Storage
from bot.storage.leftovers import sweep
from bot.storage.pauses import Pause
from bot.storage.queue import Held, Work
from bot.storage.records import FilingRow
from bot.types import Message
from classifiers.kinds import ready

log = structlog.get_logger(__name__)

CLOCKS = timedelta(minutes=2)  # by which a phone's clock and ours may differ
RULES = ("add", "replace", "edit")  # entries of the journal by which a rule is new
KEPT = timedelta(days=2)  # how long the bytes of what was filed stay beside the archive, for talk about it
SLOW = ("notes", "consolidate", "summary")  # kinds of job that take a language model
Speak = Callable[[Message, str], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Aloud:
    """What is said past the outbox."""

    speak: Speak  # when that cannot be written
    count: Speak  # how far an album has come


class Background:
    """Starts a job for every row that is due. What is due is read from the database, so a crash loses none of it."""

    def __init__(
        self,
        settings: Settings,
        storage: Storage,
        minds: Minds,
        household: Household,
        filer: Filer,
        meter: Meter,
        aloud: Aloud,
    ) -> None:
        self.care = Care(storage.beginnings)
        self._settings = settings
        self._storage = storage
        self._minds = minds
        self._household = household
        self._filer = filer
        self.slow = SlowMemory(settings, storage, minds, household, self._learns)
        self.keeper = Keeper(storage, household)
        self._progress = household.progress
        self._meter = meter
        self._aloud = aloud
        # filings that the home cannot take in yet → what the person was told
        self.homeless: dict[int, str] = {}
        self._jobs: Jobs | None = None
        self._asked: list[int] = []  # runs of cultivation that wait until their command is answered
        self.calendar = Calendar(storage.schedules, self._tend, household.here)

    @property
    def jobs(self) -> Jobs:
        """The hands; there are none in an app that only looks."""
        assert self._jobs is not None
        return self._jobs

    async def file(self, message: Message) -> None:
        """Start what the message brought, and what no hand could be found for before (the disk was full)."""
        for row in await self._storage.filings.due(message.person):
            await self.jobs.start("file", row.id)

    async def after_turn(self, unread: Iterable[int]) -> None:
        """What follows a turn: extraction by a model of what memory has yet to read."""
        if self._minds.embedded:
            if rows := list(unread):
                await self._storage.messages.mark_extracted(rows)
        else:
            for row in unread:
                await self.jobs.start("extract", row)
            if self._storage.summaries.may_owe:
                await self._sum_up()
        while self._asked:
            await self._tend(self._asked.pop(0))
        self._progress.ring()

    def cultivate(self, run: int) -> None:
        """Tend the pages as a row says, once the command that asked for it is answered."""
        self._asked.append(run)

    def rescheduled(self) -> None:
        """Schedules have changed."""
        self.calendar.wake()

    def moved(self) -> None:
        """Somebody's clock is another one."""
        self.calendar.wake(anew=True)

    @property
    def at_work(self) -> AtWork:
        """What commands may see of this work, and do about it."""
        return AtWork(self._see, self._paused, self._again, self._meter.paused)

    async def _see(self, person: str) -> list[Work]:
        return await self.queue(person, self._jobs.in_hand if self._jobs is not None else {})

    async def queue(self, person: str, held: Held | None = None) -> list[Work]:
        """A person's work that has not ended well, as `Queue.of`; what needs a model only where there is one."""
        works = await self._storage.queue.of(person, self._household.now(), held)
        # then it is read, whatever it failed for before
        if (until := await self._meter.paused(person)) is not None:
            works = [
                replace(work, state="paused", until=until)
                if (work.kind, work.state) == ("extract", "failed")
                else work
                for work in works
            ]
        return [work for work in works if self.slow.noting is not None or work.kind not in SLOW]

    async def _paused(self) -> list[Pause]:
        return await self._storage.queue.providers(self._household.now())

    async def _again(self, person: str, work: Work) -> bool:
        if not await self._storage.queue.again(person, work):
            return False
        await self.jobs.start(work.kind, work.row)
        return True

    async def _waits(self, kind: str, row: int, seconds: float, why: str) -> None:
        """A job is tried again later; 0 seconds: now."""
        matter = f"{kind}:{row}"
        if seconds:
            until = self._household.now() + timedelta(seconds=seconds)
            await self._storage.pauses.put(matter, until, why)
        else:
            await self._storage.pauses.lift(matter)

    async def _learns(self, person: str) -> Learning:
        """What may be learned unasked, by whatever reads afterwards."""
        return self._storage.preferences.of(person).learning

    async def _tend(self, run: int) -> None:
        await self.jobs.start("cultivate", run)

    @asynccontextmanager
    async def working(self) -> AsyncIterator[None]:
        """Have hands for jobs."""
        storage = self._storage
        filing = FilingJob(
            rows=storage.filings,
            messages=storage.messages,
            outbox=storage.outbox,
            blobs=storage.blobs,
            classify=self._filer.classify,
            wish=self._minds.wish,
            language=storage.people.language,
            kept=self._household.kept,
            restore=self._restore,
            version=self._household.version,
            speak=self._aloud.speak,
            count=self._aloud.count,
            homeless=self.homeless,
            first_word=self._settings.first_word if self._minds.judges.model else None,
        )
        extraction = ExtractionJob(
            messages=storage.messages,
            outbox=storage.outbox,
            desk=self._household.desk,
            changed=self._changed,
            take_up=self._read,
        )
        cultivation = CultivationJob(
            schedules=storage.schedules,
            messages=storage.messages,
            outbox=storage.outbox,
            talks=storage.talks,
            model=None if self._minds.embedded else self._minds.main,
            desk=self._household.desk,
            learns=self._learns,
        )
        trial = TrialJob(
            proposals=storage.proposals,
            filings=storage.filings,
            messages=storage.messages,
            outbox=storage.outbox,
            core=lambda person: self._household.memory(person).core(),
            judge=self._minds.judges.offline,
            language=storage.people.language,
            model=self._minds.judges.reads,
        )
        summary = SummaryJob(
            summaries=storage.summaries,
            model=self._minds.main,
            core=lambda person: self._household.memory(person).core(),
            fresh_from=storage.fresh.after,
            language=storage.people.language,
            window=self._settings.model_context,
            now=self._household.here,
        )
        hands = handlers(
            {
                "file": filing,
                "extract": extraction,
                "cultivate": cultivation,
                "trial": trial,
                "summary": None if self._minds.embedded else summary,
                "notes": self.slow.noting,
                "consolidate": self.slow.consolidation,
            }
        )
        async with open_jobs(self._settings.home / "jobs.sqlite", hands) as jobs:
            jobs.moved = self._progress.ring
            jobs.waits = self._waits
            jobs.care = self.care
            self._jobs = jobs
            calendar = asyncio.create_task(self.calendar.run(), name="calendar")
            keeping = asyncio.create_task(self.keeper.run(), name="keeper")
            rounds = asyncio.create_task(self.slow.rounds(jobs.start).run(), name="rounds")
            renewing = asyncio.create_task(self._go_on(), name="allowances")
            watching = (calendar, keeping, rounds, renewing)
            try:
                yield
            finally:
                for task in watching:
                    task.cancel()
                await asyncio.gather(*watching, return_exceptions=True)

    async def take_up(self, unanswered: Iterable[int]) -> None:
        """Start every row that was due when the last process ended, and let go of files whose filings ended days ago:
        they lie in the archive. `unanswered`: messages whose turn will set off their own extraction.
        """
        storage, awaited = self._storage, set(unanswered)
        await storage.pauses.forget_jobs()
        needed = await storage.filings.needed(self._household.now() - KEPT)
        await storage.blobs.keep_only(needed | await storage.messages.needed(self._household.now() - KEPT))
        for person in await storage.people.names():
            await asyncio.to_thread(sweep, self._settings.home / person)
        for row in await storage.filings.unsettled():
            await self._household.library(row.person).edit.settle(row)
        await self.keeper.all()
        unread = [each.id for each in await storage.messages.unextracted(put_off=False)]
        due = [
            *(("file", row.id) for row in await storage.filings.due()),
            *(("trial", row) for row in await storage.proposals.untried()),
            *(("extract", row) for row in unread if row not in awaited),
            *(("cultivate", run.id) for run in await storage.schedules.due()),
            *(("summary", row) for row in await self._long()),
        ]
        put_off = [("extract", each.id) for each in await storage.messages.unextracted()]
        await self.care.take_up([*((TURN, row) for row in awaited), *put_off, *due])
        for kind, row_id in due:
            await self.jobs.start(kind, row_id)
        if (overdue := await storage.messages.overdue()) is not None:
            await self._read(overdue)  # a probe: the others follow when it can be read

    async def _go_on(self) -> None:
        """With each person's new day, read for memory what waited for it; other work looks by itself."""
        while True:
            for person in await self._meter.renewed():
                try:
                    row = await self._storage.messages.overdue(person)
                except HomeUnwritable as error:  # read with the next message that is
                    log.warning("not gone on", action="allowance_unread", person=person, error=str(error))
                    continue
                if row is not None:
                    await self._read(row)

    async def _long(self) -> list[int]:
        """Conversations whose older part is to be summed up."""
        return [] if self._minds.embedded else await self._storage.summaries.owed()

    async def _sum_up(self) -> None:
        for row in await self._long():
            await self.jobs.start("summary", row)

    async def _restore(self, row: FilingRow) -> None:
        await self._household.library(row.person).edit.restore([row])

    async def _read(self, row: int) -> None:
        await self.jobs.start("extract", row)

    async def _changed(self, message: Message) -> None:
        """Rules changed by a message that was read after its turn: say so when they take too much room."""
        if not message.shared and (crowded := await self._household.crowded(message.person)):
            await self._storage.outbox.add(message, crowded)
        await self.rejudge(message)

    async def rejudge(self, message: Message) -> None:
        """Rules changed: judge a picture again, once, that came after the message and was judged without them."""
        version = await self._household.version(message.person)
        for row in await self._storage.filings.filed_since(message.person, message.id, version):
            await self._storage.filings.update(row.id, state="due")
            await self.jobs.start("file", row.id)
        await self._try_rules(message)

    async def _try_rules(self, message: Message) -> None:
        """Have each new filing rule tried on what was filed before it, and the moves offered."""
        await ready()
        memory = self._household.memory(message.person)
        since, model = message.at - CLOCKS, self._minds.judges.reads is not None
        for entry in await memory.log():
            if entry.at < since or entry.after is None or not files_pictures(str(entry.after), model=model):
                continue
            if entry.op not in RULES or entry.page != "CORE.md":
                continue
            row = await self._storage.proposals.owe(
                message.person,
                message.conversation,
                message.id,
                entry.n,
                entry.after.text,
                self._household.now(),
            )
            if row:
                await self.jobs.start("trial", row)
