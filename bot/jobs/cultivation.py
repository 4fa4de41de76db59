"""The job that tends the pages: reads what log.md does not say was read, a batch at a time, and tells what changed.

A batch is recorded in log.md when it has ended well, so a run that is cut short goes on where it stopped. One hand
does all runs (`handlers`), so two that fall due together come one after the other, and the second finds nothing new.
"""

from __future__ import annotations

import asyncio
from bisect import bisect_right
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate

import structlog

from bot.agent.loop import Bounds, converse
from bot.desk import Desk
from bot.errors import AllowanceSpent, ModelRefused
from bot.jobs.noting import Learns
from bot.models.metering import charge
from bot.models.model import Model, Prompt, Said
from bot.settings.values import Learning
from bot.storage.messages import Messages
from bot.storage.outbox import OutboxRows
from bot.storage.schedules import Run, Schedules
from bot.storage.talks import Said as Heard
from bot.storage.talks import Talks
from bot.tools.cultivating import Tally, Tending, told
from bot.types import Button, Message, Words
from bot.wording import say
from memory import Change, Source
from memory.changes import Did
from memory.cultivation import WINDOW, Read, briefing, page_title, read_row, reading, reads, stamp
from memory.fence import sealed
from memory.journal import Entry

log = structlog.get_logger(__name__)

ROUNDS = 24  # model calls for one batch
BATCHES = 20  # batches of one run; what is left is read by the next
ANSWER = 400  # characters of our answers that go along, so that a "yes" can be understood
LOG = "log.md"


async def always(person: str) -> Learning:
    """Learning is on."""
    return "on"


@dataclass(slots=True)
class _State:
    """How far a run has come."""

    unread: list[Heard]
    all: int
    read: int = 0
    unreadable: int = 0


@dataclass(frozen=True, slots=True)
class CultivationJob:
    """Everything the job needs; one for the whole app."""

    schedules: Schedules
    messages: Messages
    outbox: OutboxRows
    talks: Talks
    model: Model | None  # None = there is only the embedded default, which cannot tend pages
    desk: Callable[[Sequence[Message]], Awaitable[Desk]]
    learns: Learns = always  # the person's setting: on, ask, off

    async def run(self, row: int) -> None:
        """Do one run, unless it has ended. Raises what the model raises: it is tried again from the next batch on."""
        run = await self.schedules.run(row)
        if run.state != "due":
            return
        charge(run.person, "cultivation")
        about = await self.messages.get(run.message)
        desk = await self.desk([about])
        outline, log_text = await self.talks.outline(run.person), await desk.memory.text(LOG)
        waiting = await asyncio.to_thread(lambda: unread(outline, reads(log_text)))
        learning = await self.learns(run.person)
        if learning == "off":  # what is said while it is off is never learned from
            await self._record(desk, waiting)
        if self.model is None or learning == "off":
            key = "cultivate.no_learning" if learning == "off" else "cultivate.no_model"
            await self._fail(run, about, say(desk.language, key))
            return
        state, tally, questions = _State(waiting, len(waiting)), Tally(), list[Words]()
        tending = Tending(
            self.talks, outline, self._proposing(desk, questions), run.by, learning == "ask", tally
        )
        batches = 0
        try:
            while batches < BATCHES and (state.unread or (run.prompt and not batches)):
                batches += 1
                await self._batch(run, desk, tending, state)
        except AllowanceSpent as error:
            if run.schedule is not None:
                raise  # nobody waits for it: it goes on when it may
            await self.give_up(row, str(error))
            return
        await self._told(run, about, desk, state, tally, questions)

    async def give_up(self, row: int, why: str) -> None:
        """Say that it did not end well, once. What was read stays read, what was changed stays changed."""
        run = await self.schedules.run(row)
        about = await self.messages.get(run.message)
        desk = await self.desk([about])
        why = why.rstrip(".。") or say(desk.language, "trouble.unexpected").rstrip(".。")
        await self._fail(run, about, say(desk.language, "cultivated.failed", why=why))

    async def _fail(self, run: Run, about: Message, words: str) -> None:
        """End without success, and say so; of a schedule, only the first night of several that end alike."""
        last = await self.schedules.last(run.person)
        again = run.schedule is not None and last is not None and last.problem == words
        await self._end(run, about, [] if again else [Words(words, "notice")], "failed", words)

    # ---- one batch

    async def _batch(self, run: Run, desk: Desk, tending: Tending, state: _State) -> None:
        """Read the next messages and record them. What is too much for the model is halved; a single message that it
        cannot take is passed over, and counted."""
        found = {each.id: each for each in await self.talks.messages(run.person, _next(state.unread))}
        batch = [each for each in state.unread if each.id in found]
        batch = batch[: fitting([len(found[each.id].text) for each in batch])]
        while not await self._tended(run, desk, tending, [found[each.id] for each in batch]):
            if len(batch) <= 1:
                state.unreadable += len(batch)
                state.read -= len(batch)
                break
            batch = batch[: len(batch) // 2]
        state.read += len(batch)
        done = {each.id for each in batch}
        if not batch:  # nothing of what was due could be found any more
            done = set(_next(state.unread))
        state.unread = [each for each in state.unread if each.id not in done]
        await self._record(desk, batch)

    async def _tended(self, run: Run, desk: Desk, tending: Tending, batch: Sequence[Message]) -> bool:
        """Have the model tend the pages with these messages at hand; False when they were too much for it."""
        assert self.model is not None
        windows = await self._windows(desk, batch)
        for place, talk in enumerate(windows):
            snapshot = await desk.memory.snapshot()
            asked = f"{_head(desk, run, place, len(windows))}\n\n<messages>\n{talk or '(none)'}\n</messages>"
            tools = tending.tools()
            prompt = Prompt(
                briefing(snapshot),
                tuple(each.spec for each in tools.values()),
                (Said("user", asked),),
                steady=True,
            )
            tending.calls = 0
            try:
                ended = await converse(self.model, prompt, tools, desk, _silent, bounds=Bounds(ROUNDS))
            except ModelRefused as error:
                if error.code not in ("too_long", "too_large"):
                    raise
                return False
            if ended.cut:
                return False
        return True

    async def _windows(self, desk: Desk, batch: Sequence[Message]) -> list[str]:
        """The messages as the model reads them, with our answers beside them; a long one in several windows."""
        answers = await self.talks.answers([message.id for message in batch])
        rows, where = list[str](), ""
        for message in batch:
            if message.conversation != where:
                where = message.conversation
                rows.append(f"## {where}")
            rows.append(told(message, desk, most=len(message.text)))
            for answer in answers.get(message.id, ()):
                shown = " ".join(sealed(answer).split())[:ANSWER]
                rows.append(f"(the assistant answered, no source: {shown})")
        text = "\n".join(rows)
        if len(batch) != 1 or len(text) <= 2 * WINDOW:
            return [text]
        return [
            (f"(#{batch[0].id} goes on)\n" if start else "") + text[start : start + WINDOW]
            for start in range(0, len(text), WINDOW)
        ]

    async def _record(self, desk: Desk, batch: Sequence[Heard]) -> None:
        now, spoken = desk.now(), dict[str, list[Heard]]()
        for each in batch:
            spoken.setdefault(each.conversation, []).append(each)
        rows = [
            read_row(
                reading(name, [(each.id, each.at.astimezone(now.tzinfo)) for each in heard]),
                len(heard),
                now,
                desk.language,
            )
            for name, heard in spoken.items()
        ]
        if rows:
            await desk.memory.record(rows)

    # ---- what is said about it

    def _proposing(self, desk: Desk, questions: list[Words]) -> Callable[[Change, Source], Awaitable[bool]]:
        async def propose(change: Change, source: Source) -> bool:
            return await self._propose(desk, questions, change, source)

        return propose

    async def _propose(self, desk: Desk, questions: list[Words], change: Change, source: Source) -> bool:
        """Put a standing instruction to the person, unless it is in force, refused, or was put to them before."""
        if (await desk.memory.foresee(change, source)).did in (Did.KNOWN, Did.REFUSED):
            return False
        text = str(getattr(change, "text", ""))
        question = say(desk.language, "ask", text=text)
        if await desk.proposals.was_put(desk.person, text):
            return False
        row = await desk.proposals.add(desk.person, change, source, question, desk.now())
        yes, no = say(desk.language, "yes"), say(desk.language, "no")
        questions.append(Words(question, "notice", (Button(yes, f"yes:{row}"), Button(no, f"no:{row}"))))
        return True

    async def _told(
        self,
        run: Run,
        about: Message,
        desk: Desk,
        state: _State,
        tally: Tally,
        questions: Sequence[Words],
    ) -> None:
        """One line when something changed, or when somebody waits for an answer; else silence."""
        entries = await desk.memory.whole(run.by)
        lines = len({entry.line for entry in entries})
        asked, language = run.schedule is None, desk.language
        if state.all or entries or tally.asked:
            row = say(
                language,
                "cultivated.log",
                read=state.read,
                all=state.all,
                lines=lines,
                asked=tally.asked,
                refused=tally.refused,
            )
            await desk.memory.record([f"{stamp(desk.now())} {row}"])
        words = list[Words]()
        if entries:
            pages = _pages(entries)
            line = say(language, "cultivated", read=state.read, lines=lines, pages=pages)
            undo = Button(say(language, "undo"), f"undo:{entries[0].n}")
            words.append(Words(line + _coverage(state, desk), "notice", (undo,)))
        elif asked and (state.all or run.prompt):
            line = say(language, "cultivated.nothing", read=state.read)
            words.append(Words(line + _coverage(state, desk), "notice"))
        elif asked:
            words.append(Words(say(language, "cultivated.none_new"), "notice"))
        log.info("cultivated", action="cultivated", row=run.id, read=state.read, of=state.all, lines=lines)
        await self._end(run, about, [*words, *questions])

    async def _end(
        self, run: Run, about: Message, words: Sequence[Words], state: str = "done", problem: str = ""
    ) -> None:
        ending = self.schedules.ending(run.id, state, problem)
        await self.outbox.add(about, *words, also=(ending,), unasked=run.schedule is not None)


def unread(outline: Sequence[Heard], found: Sequence[Read]) -> list[Heard]:
    """What no row of log.md covers, oldest first. Years of both are looked through in a moment."""
    by_talk: dict[str, list[tuple[int, int, Read]]] = {}  # first id, last id
    for read in found:
        by_talk.setdefault(read.conversation, []).extend((low, high, read) for low, high in read.ids)
    covers: dict[str, Callable[[Heard], bool]] = {}
    for name, stretches in by_talk.items():
        covers[name] = _covering(sorted(stretches, key=lambda each: each[:2]))
    return [each for each in outline if not covers.get(each.conversation, _nothing)(each)]


def _covering(stretches: Sequence[tuple[int, int, Read]]) -> Callable[[Heard], bool]:
    """Whether any of these, sorted by where they begin, covers a message."""
    lows = [low for low, _, _ in stretches]
    reach = list(accumulate((high for _, high, _ in stretches), max))  # furthest that any up to here goes

    def covering(heard: Heard) -> bool:
        place = bisect_right(lows, heard.id) - 1
        while place >= 0 and reach[place] >= heard.id:
            if stretches[place][2].covers(heard.conversation, heard.id, heard.at):
                return True
            place -= 1
        return False

    return covering


def _nothing(heard: Heard) -> bool:
    return False


def fitting(lengths: Sequence[int]) -> int:
    """How many messages from the front make one batch: at least one, else as many as a window holds."""
    total = 0
    for place, length in enumerate(lengths):
        total += length
        if total > WINDOW:
            return max(1, place)
    return len(lengths)


def _next(waiting: Sequence[Heard]) -> list[int]:
    return [each.id for each in waiting[:100]]


def _head(desk: Desk, run: Run, place: int, of: int) -> str:
    parts = [f"(now: {desk.now():%Y-%m-%d %H:%M %A})"]
    if run.prompt:
        parts.append(f"(what the person wants this run to do: {run.prompt})")
    if of > 1:
        parts.append(f"(part {place + 1} of {of} of one long message)")
    return "\n".join(parts)


def _pages(entries: Sequence[Entry]) -> str:
    names = list(dict.fromkeys(page_title(entry.page) for entry in entries))
    return ", ".join(names[:3]) + (" …" if len(names) > 3 else "")


def _coverage(state: _State, desk: Desk) -> str:
    """What could not be read, and what is left: nothing is left out in silence."""
    notes = [say(desk.language, "cultivated.left", left=len(state.unread))] if state.unread else []
    if state.unreadable:
        notes.append(say(desk.language, "cultivated.unreadable", count=state.unreadable))
    return "".join(f"\n{each}" for each in notes)


def _silent(result: object = None, /) -> None:
    """Nobody waits for signs of life."""
