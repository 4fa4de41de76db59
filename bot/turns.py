"""Turns: one person's messages in order, a burst as one turn, and never a message stuck behind a silent model.

The turn is one of the four boundaries that catch everything: whatever goes wrong in it ends as a sentence.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any
from weakref import WeakValueDictionary

import structlog

from bot.agent.loop import Beat
from bot.agent.trouble import explain
from bot.errors import DatabaseUnusable, HomeUnwritable, KairosError
from bot.storage.messages import Messages
from bot.storage.outbox import OutboxRows
from bot.tools import Result
from bot.types import Answered, Language, Message, Words
from bot.wording import say
from memory.errors import MemoryProblem

log = structlog.get_logger(__name__)


_TYPING_AFTER = (
    0.3  # seconds; an answer that is there before that needs no sign of life, and the call costs 3 ms
)
_LOOK = 0.5  # seconds between looks at a silent turn
_FIRST_WAIT, _LONGEST_WAIT = 1.0, 60.0  # seconds between tries to store an answer

Answer = Callable[[Sequence[Message], Beat], Coroutine[Any, Any, Answered]]
"""Work out the answer to a burst; calls the second argument at every sign of life, with what a tool has done."""


@dataclass(frozen=True, slots=True)
class Voice:
    """How a person is reached beside the answers that are stored for them. Nothing in it raises."""

    typing: Callable[[Message], Awaitable[None]]  # show that work goes on
    speak: Callable[
        [Message, str], Awaitable[None]
    ]  # say something now, past an outbox that cannot be written
    language: Callable[[str], Awaitable[Language]]  # the person's


@dataclass(frozen=True, slots=True)
class Patience:
    """Seconds of silence of a model."""

    first_word: float  # before we say that we wait, and from which on others need not wait
    limit: float  # before a turn is given up


class _SilentBurst(Exception):
    """The model never answered several messages at once: one of them may be why, and each is tried by itself."""


class _Revised(Exception):
    """What was being answered reads otherwise now: the turn begins anew."""


@dataclass(eq=False, slots=True)
class _Hand:
    """The turn a person's worker has in hand."""

    burst: Sequence[Message]
    done: list[Result] = field(default_factory=list)  # by its tools so far
    task: asyncio.Task[Answered] | None = None
    revised: bool = False
    ended: bool = False  # its answer stands

    def holds(self, row: int) -> bool:
        """Whether it answers this message."""
        return any(each.id == row for each in self.burst)

    @property
    def acted(self) -> bool:
        """Whether it has done what beginning anew would do twice; what a command does cannot be told from here."""
        return self.ended or self.burst[0].command or any(each.deed for each in self.done)

    def begin_anew(self) -> None:
        """Drop what it has so far."""
        self.revised = True
        if self.task is not None:
            self.task.cancel()


async def nothing_follows(message: Message) -> None:
    """For those whose changes of memory concern nobody else."""


class Turns:
    """A worker a person, alive while there is something to answer."""

    def __init__(
        self,
        messages: Messages,
        rows: OutboxRows,
        answer: Answer,
        *,
        after: Callable[[Sequence[int]], Awaitable[None]],
        voice: Voice,
        patience: Patience,
        changed: Callable[[Message], Awaitable[None]] = nothing_follows,
    ) -> None:
        """`changed`: memory may have changed by this message; called before its answer is stored, since what is not
        stored is worked out again."""
        self._messages = messages
        self._rows = rows
        self._answer = answer
        self._after = after
        self._changed = changed
        self._typing = voice.typing
        self._language = voice.language
        self._speak = voice.speak
        self._patience = patience
        self.unsaved: dict[
            int, str
        ] = {}  # messages whose answer the disk does not take yet → what they were told
        self._workers: dict[str, asyncio.Task[None]] = {}
        self._ending: set[asyncio.Task[None]] = set()
        self._hands: dict[str, _Hand] = {}
        self._looking: WeakValueDictionary[str, asyncio.Lock] = (
            WeakValueDictionary()
        )  # at what is due of a person
        self._waiting: set[str] = set()
        self._stopping = False

    def wake(self, person: str) -> None:
        """Something of this person is due. A message that comes in a turn's last moment is seen by the next look."""
        self._waiting.add(person)
        if person not in self._workers and not self._stopping:
            self._workers[person] = asyncio.create_task(self._work(person), name=f"turns-{person}")

    async def revise(self, message: Message, text: str) -> bool:
        """Change the words of a message; its turn, if in hand, begins anew. False: too late, it was answered or acted
        on. Raises `HomeUnwritable`.
        """
        person = message.person
        async with self._looking.setdefault(person, asyncio.Lock()):
            hand = self._hands.get(person)
            if hand is not None and hand.holds(message.id):
                if hand.acted:
                    return False
                self._waiting.add(person)  # before it lets go: what is due is looked at again, and in order
                hand.begin_anew()
            changed = await self._messages.revise(message.id, text)
        if changed:
            self.wake(person)
        return changed

    async def stop(self, grace: float) -> None:
        """Let turns end within `grace` seconds, then cut them; what is cut is taken up at the next start."""
        self._stopping = True
        workers = list(self._workers.values())
        if workers:
            await asyncio.wait(workers, timeout=grace)
        for worker in workers:
            worker.cancel()
        await asyncio.gather(*workers, return_exceptions=True)
        if self._ending:  # an answer that is there is stored, if the disk takes it
            await asyncio.wait(self._ending, timeout=1)
        for task in list(self._ending):
            task.cancel()

    async def _work(self, person: str) -> None:
        wait = _FIRST_WAIT
        try:
            while person in self._waiting and not self._stopping:
                try:
                    await self._serve(person)
                    wait = _FIRST_WAIT
                except Exception:
                    log.exception("turns broke", action="turns_failed", person=person)
                    self._waiting.add(person)  # what is due is due
                    await asyncio.sleep(wait)
                    wait = min(wait * 2, _LONGEST_WAIT)
        finally:
            del self._workers[person]

    async def _serve(self, person: str) -> None:
        """Turn after turn until nothing is due."""
        due: list[Message] = []
        while (due or person in self._waiting) and not self._stopping:
            if person in self._waiting:
                self._waiting.discard(person)  # before the look: what is stored from here on wakes us again
                async with self._looking.setdefault(person, asyncio.Lock()):
                    due = await self._messages.unanswered(person)
            if due:
                burst = _burst(due)
                due = due[len(burst) :]
                await self._turn(burst, others=bool(due))

    async def _turn(self, burst: Sequence[Message], *, others: bool) -> None:
        started = time.monotonic()
        hand = self._hands[burst[-1].person] = _Hand(burst)
        done = hand.done
        try:
            answered = await self._watched(hand, others)
        except _Revised:
            return
        except _SilentBurst:
            for place, each in enumerate(burst, 1):
                if not self._stopping:  # what is left is due still
                    async with self._looking.setdefault(each.person, asyncio.Lock()):
                        now = await self._messages.get(each.id)  # it may read otherwise since
                    await self._turn([now], others=others or place < len(burst))
            return
        except (KairosError, MemoryProblem) as error:
            log.warning("turn refused", action="turn_refused", row=burst[-1].id, error=str(error))
            answered = await self._trouble(
                burst, explain(error, await self._language(burst[-1].person)), done
            )
        except Exception as error:
            log.exception("turn broke", action="turn_failed", row=burst[-1].id)
            answered = await self._trouble(
                burst, explain(error, await self._language(burst[-1].person)), done
            )
        if hand.revised:
            return
        hand.ended = True
        changed = answered.changed or any(each.deed or each.already for each in done)
        ending = asyncio.create_task(self._end(burst, answered, changed=changed), name=f"end-{burst[-1].id}")
        self._ending.add(ending)
        ending.add_done_callback(self._ending.discard)
        await asyncio.shield(ending)
        log.info(
            "turn",
            action="turn_ended",
            row=burst[-1].id,
            messages=len(burst),
            seconds=time.monotonic() - started,
        )

    async def _end(self, burst: Sequence[Message], answered: Answered, *, changed: bool) -> None:
        """Store the answer, however long the disk takes, rather than work it out again; then what follows it."""
        wait = _FIRST_WAIT
        while True:
            try:
                if changed:  # a picture that came after these words may have been judged without them
                    await self._changed(burst[0])
                unread = await self._rows.answer(burst, answered)
                break
            except HomeUnwritable as error:
                if wait == _FIRST_WAIT:
                    log.error("answer not stored", action="turn_unsaved", row=burst[-1].id, error=str(error))
                    what = "server_unsaved" if isinstance(error, DatabaseUnusable) else "unsaved"
                    sentence = say(await self._language(burst[-1].person), f"trouble.{what}")
                    self.unsaved |= dict.fromkeys((each.id for each in burst), sentence)
                    await self._speak(burst[-1], sentence)
            await asyncio.sleep(wait)
            wait = min(wait * 2, _LONGEST_WAIT)
        for each in burst:
            self.unsaved.pop(each.id, None)
        try:
            await self._after(unread)
        except (
            Exception
        ):  # the turn itself is done; what was to follow is due still, and taken up with the next
            log.exception("what follows a turn broke", action="turn_after_failed", row=burst[-1].id)

    async def _trouble(self, burst: Sequence[Message], sentence: str, done: Sequence[Result]) -> Answered:
        """How a turn reads that did not end well: why, and what was done before it (a deed is never left unsaid)."""
        receipts = dict.fromkeys(result.receipt for result in done if result.receipt)
        buttons = dict.fromkeys(button for result in done for button in result.buttons)
        words = Words("\n\n".join([sentence, *receipts]), buttons=tuple(buttons))
        return Answered((words,), problem=sentence)

    async def _watched(self, hand: _Hand, others: bool) -> Answered:
        """Run the turn; after some silence say so once, and let go of it when others wait or it takes too long."""
        burst, done = hand.burst, hand.done
        alive = moved = (
            time.monotonic()
        )  # the last sign of life, and the last that was more than asking the model

        def beat(result: Result | None = None) -> None:
            nonlocal alive, moved
            alive = time.monotonic()
            if result is not None:
                moved = alive
                done.append(result)

        person, said_so = burst[-1].person, False
        task = hand.task = asyncio.create_task(self._answer(burst, beat), name=f"turn-{burst[-1].id}")
        typing = asyncio.create_task(self._show_typing(burst[-1]))
        try:
            while True:
                quiet = min(self._patience.first_word, self._patience.limit) + moved - time.monotonic()
                await asyncio.wait({task}, timeout=_LOOK if said_so else max(quiet, _LOOK / 10))
                if hand.revised:
                    log.info("begun anew", action="turn_revised", row=burst[-1].id)
                    raise _Revised
                if task.done():
                    return task.result()
                now = time.monotonic()
                silence = now - alive
                waited_for = others or person in self._waiting
                if silence >= (self._patience.first_word if waited_for else self._patience.limit):
                    log.warning("model silent", action="turn_let_go", row=burst[-1].id)
                    if len(burst) > 1 and not any(each.deed for each in done):  # a deed is done once
                        raise _SilentBurst
                    gave_up = say(await self._language(person), "trouble.gave_up")
                    return await self._trouble(burst, gave_up, done)
                if now - moved >= self._patience.first_word and not said_so:
                    said_so = True
                    await self._say(burst[-1], "trouble.silent")
        finally:
            typing.cancel()
            task.cancel()
            await asyncio.gather(typing, task, return_exceptions=True)

    async def _say(self, about: Message, key: str) -> None:
        await self._rows.add(about, Words(say(await self._language(about.person), key), kind="notice"))

    async def _show_typing(self, message: Message) -> None:
        await asyncio.sleep(_TYPING_AFTER)
        while True:
            await self._typing(message)
            await asyncio.sleep(4.5)


def _burst(due: Sequence[Message]) -> list[Message]:
    """The oldest due message and those right behind it that make one turn with it: same chat, no command."""
    first = due[0]
    if first.command:
        return [first]
    here = (first.channel, first.chat)
    return list(takewhile(lambda each: (each.channel, each.chat) == here and not each.command, due))
