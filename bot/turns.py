"""Turns: a person's messages in a chat in order, a burst as one turn, and never one stuck behind a silent model.

The turn is one of the four boundaries that catch everything: whatever goes wrong in it ends as a sentence.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass, replace
from typing import Any
from weakref import WeakValueDictionary

import structlog

from bot.agent.loop import Beat
from bot.agent.trouble import explain
from bot.care import TURN, Care
from bot.errors import DatabaseUnusable, HomeUnwritable, KairosError
from bot.storage.messages import Messages
from bot.storage.outbox import OutboxRows
from bot.tools import Result
from bot.turn import Lane, Revised, SilentBurst, Stopped, Turn, burst_of, lane_of
from bot.types import Answered, Language, Message, Words
from bot.wording import say
from memory.errors import MemoryProblem

log = structlog.get_logger(__name__)


# seconds; an answer that is there before that needs no sign of life, and the call costs 3 ms
_TYPING_AFTER = 0.3
_TYPING_AGAIN = 4.5  # seconds; what is shown fades after five
_LOOK = 0.5  # seconds between looks at a turn
_FIRST_WAIT, _LONGEST_WAIT = 1.0, 60.0  # seconds between tries to store an answer

Answer = Callable[[Sequence[Message], Beat], Coroutine[Any, Any, Answered]]
"""Work out the answer to a burst; calls the second argument at every sign of life, with what a tool has done."""


@dataclass(frozen=True, slots=True)
class Voice:
    """How a person is reached beside the answers that are stored for them. Nothing in it raises."""

    typing: Callable[[Message], Awaitable[None]]  # show that work goes on
    # say something now, past an outbox that cannot be written
    speak: Callable[[Message, str], Awaitable[None]]
    language: Callable[[str], Awaitable[Language]]  # the person's


@dataclass(frozen=True, slots=True)
class Patience:
    """Seconds of silence of a model."""

    first_word: float  # before we say that we wait, and from which on others need not wait
    limit: float  # before a turn is given up


async def nothing_follows(message: Message) -> None:
    """For those whose changes of memory concern nobody else."""


class Turns:
    """A worker a lane, alive while there is something to answer in it."""

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
        self.care = Care()
        self._messages = messages
        self._rows = rows
        self._answer = answer
        self._after = after
        self._changed = changed
        self._typing = voice.typing
        self._language = voice.language
        self._speak = voice.speak
        self._patience = patience
        # messages whose answer the disk does not take yet → what they were told
        self.unsaved: dict[int, str] = {}
        self._workers: dict[Lane, asyncio.Task[None]] = {}
        self._ending: set[asyncio.Task[None]] = set()
        self._in_hand: dict[Lane, Turn] = {}
        self._halted: set[Lane] = set()  # where a `/stop` has come since the last look
        self._cut: dict[Lane, list[Result]] = {}  # what turns had done that were stopped
        # held while what is due of a person is looked at
        self._looking: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._waiting: set[Lane] = set()
        self._stopping = False

    def wake(self, message: Message) -> None:
        """This message is due. One that comes in a turn's last moment is seen by the next look; a `/stop` ends the
        turn at once, and what was sent together with its words makes it begin anew."""
        lane = lane_of(message)
        self._waiting.add(lane)
        turn = self._in_hand.get(lane)
        if message.stops:
            self._halted.add(lane)
            if turn is not None:
                turn.stop()
        elif turn is not None and turn.belongs(message) and not (turn.acted or turn.holds(message.id)):
            turn.begin_anew()
        if lane not in self._workers and not self._stopping:
            self._workers[lane] = asyncio.create_task(self._work(lane), name=f"turns-{'-'.join(lane)}")

    async def revise(self, message: Message, text: str) -> bool:
        """Change the words of a message; its turn, if in hand, begins anew. False: too late, it was answered or acted
        on. Raises `HomeUnwritable`.
        """
        lane = lane_of(message)
        async with self._looking.setdefault(message.person, asyncio.Lock()):
            turn = self._in_hand.get(lane)
            if turn is not None and turn.holds(message.id):
                if turn.acted:
                    return False
                self._waiting.add(lane)  # before it lets go: what is due is looked at again, and in order
                turn.begin_anew()
            changed = await self._messages.revise(message.id, text)
        if changed:
            self.wake(replace(message, text=text))
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

    async def _work(self, lane: Lane) -> None:
        wait = _FIRST_WAIT
        try:
            while lane in self._waiting and not self._stopping:
                try:
                    await self._serve(lane)
                    wait = _FIRST_WAIT
                except Exception:
                    log.exception("turns broke", action="turns_failed", person=lane[0])
                    self._waiting.add(lane)  # what is due is due
                    await asyncio.sleep(wait)
                    wait = min(wait * 2, _LONGEST_WAIT)
        finally:
            del self._workers[lane]
            self._in_hand.pop(lane, None)

    async def _serve(self, lane: Lane) -> None:
        """Turn after turn until nothing is due."""
        due: list[Message] = []
        while (due or lane in self._waiting) and not self._stopping:
            if lane in self._waiting:
                self._waiting.discard(lane)  # before the look: what is stored from here on wakes us again
                self._halted.discard(lane)
                async with self._looking.setdefault(lane[0], asyncio.Lock()):
                    unanswered = await self._messages.unanswered(lane[0])
                here = [each for each in unanswered if lane_of(each) == lane]
                due = await self._unstopped(lane, [each for each in here if not self._held(each, lane)])
            if due:
                burst = burst_of(due)
                burst = burst[: self.care.apart([(TURN, each.id) for each in burst])]
                due = due[len(burst) :]
                try:
                    await self._begin(burst, others=bool(due))
                except Stopped:
                    due = []  # the next look finds them again, and the `/stop` behind them

    def _held(self, message: Message, lane: Lane) -> bool:
        """Whether a turn begun under another name of this chat answers it (a group may get a new one midway)."""
        return any(turn.holds(message.id) for name, turn in self._in_hand.items() if name != lane)

    async def _begin(self, burst: Sequence[Message], *, others: bool) -> None:
        works = [(TURN, each.id) for each in burst]
        if not any(map(self.care.deadly, works)):
            async with self.care.begun(*works):
                if (
                    lane_of(burst[0]) not in self._waiting
                ):  # else it may read otherwise by now: it is looked at again
                    await self._turn(burst, others=others)
            return
        log.error("put aside", action="turn_put_aside", row=burst[0].id)
        told = await self._trouble(burst, say(await self._language(burst[0].person), "trouble.deadly"), ())
        await self._finish(burst, replace(told, read=(burst[0].id,)), changed=False)

    async def _unstopped(self, lane: Lane, due: list[Message]) -> list[Message]:
        """What is due behind the last `/stop`; all before it is over, with one word that says so and what was done."""
        done = self._cut.pop(lane, [])
        place = max((place for place, each in enumerate(due) if each.stops), default=0)
        before, behind = due[:place], due[place + 1 :]
        if all(each.stops for each in before):
            return due  # there is nothing to stop, which the command says itself
        told = await self._trouble(before, say(await self._language(lane[0]), "stopped"), done)
        cut, stop = tuple(each.id for each in before), due[place]
        log.info("stopped", action="turn_stopped", row=stop.id, messages=len(before))
        await self._finish(
            [*before, stop],
            replace(told, cut=cut, read=(*cut, stop.id)),  # nothing of it is to be heard of later
            changed=any(each.deed or each.already for each in done),
        )
        return behind

    async def _turn(self, burst: Sequence[Message], *, others: bool) -> None:
        started = time.monotonic()
        lane = lane_of(burst[-1])
        turn = self._in_hand[lane] = Turn(burst, stopped=lane in self._halted)
        done = turn.done
        try:
            answered = await self._watched(turn, others)
        except Revised:
            return
        except Stopped:
            self._cut.setdefault(lane, []).extend(done)
            raise
        except SilentBurst:
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
        if turn.revised:
            return
        turn.ended = True
        changed = answered.changed or any(each.deed or each.already for each in done)
        await self._finish(burst, answered, changed=changed)
        log.info(
            "turn",
            action="turn_ended",
            row=burst[-1].id,
            messages=len(burst),
            seconds=time.monotonic() - started,
        )

    async def _finish(self, burst: Sequence[Message], answered: Answered, *, changed: bool) -> None:
        """`_end`, which is not cut short when we are."""
        ending = asyncio.create_task(self._end(burst, answered, changed=changed), name=f"end-{burst[-1].id}")
        self._ending.add(ending)
        ending.add_done_callback(self._ending.discard)
        await asyncio.shield(ending)

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
        except Exception:
            # the turn itself is done; what was to follow is still due, and taken up with the next
            log.exception("what follows a turn broke", action="turn_after_failed", row=burst[-1].id)

    async def _trouble(self, burst: Sequence[Message], sentence: str, done: Sequence[Result]) -> Answered:
        """How a turn reads that did not end well: why, and what was done before it (a deed is never left unsaid)."""
        receipts = dict.fromkeys(result.receipt for result in done if result.receipt)
        buttons = dict.fromkeys(button for result in done for button in result.buttons)
        words = Words("\n\n".join([sentence, *receipts]), buttons=tuple(buttons))
        return Answered((words,), problem=sentence)

    async def _watched(self, turn: Turn, others: bool) -> Answered:
        """Run the turn; after some silence say so once, and let go of it when others wait or it takes too long."""
        burst, done = turn.burst, turn.done
        # the last sign of life, and the last that was more than asking the model
        alive = moved = time.monotonic()

        def beat(news: Result | str | None = None) -> None:
            nonlocal alive, moved
            alive = time.monotonic()
            if news is not None:
                moved = alive
            if isinstance(news, Result):
                done.append(news)

        lane, said_so = lane_of(burst[-1]), False
        if turn.stopped:
            raise Stopped
        task = turn.task = asyncio.create_task(self._answer(burst, beat), name=f"turn-{burst[-1].id}")
        typing = asyncio.create_task(self._show_typing(burst[-1]))
        try:
            while True:
                quiet = min(self._patience.first_word, self._patience.limit) + moved - time.monotonic()
                await asyncio.wait({task}, timeout=_LOOK if said_so else min(max(quiet, _LOOK / 10), _LOOK))
                await turn.checked(task)
                if task.done():
                    return task.result()
                now = time.monotonic()
                silence = now - alive
                waited_for = others or lane in self._waiting
                if silence >= (self._patience.first_word if waited_for else self._patience.limit):
                    log.warning("model silent", action="turn_let_go", row=burst[-1].id)
                    if len(burst) > 1 and not any(each.deed for each in done):  # a deed is done once
                        raise SilentBurst
                    gave_up = say(await self._language(lane[0]), "trouble.gave_up")
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
            await asyncio.sleep(_TYPING_AGAIN)
