"""Turns: one person's messages in order, a burst as one turn, and never a message stuck behind a silent model.

The turn is one of the three boundaries that catch everything: whatever goes wrong in it ends as a sentence.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

import structlog

from bot.errors import KairosError, ModelError
from bot.models.problems import explain
from bot.storage.messages import Messages
from bot.storage.outbox import OutboxRows
from bot.types import Answered, Language, Message, Words
from bot.wording import say
from memory.errors import MemoryProblem

log = structlog.get_logger(__name__)


_TYPING_AFTER = (
    0.3  # seconds; an answer that is there before that needs no sign of life, and the call costs 3 ms
)

Answer = Callable[[Sequence[Message], Callable[[], None]], Coroutine[Any, Any, Answered]]
"""Work out the answer to a burst; calls the second argument at every sign of life of the model."""


@dataclass(frozen=True, slots=True)
class Patience:
    """Seconds of silence of a model."""

    first_word: float  # before we say that we wait, and from which on others need not wait
    limit: float  # before a turn is given up


class Turns:
    """A worker a person, alive while there is something to answer."""

    def __init__(
        self,
        messages: Messages,
        rows: OutboxRows,
        answer: Answer,
        *,
        after: Callable[[Sequence[int]], Awaitable[None]],
        typing: Callable[[Message], Awaitable[None]],
        language: Callable[[str], Awaitable[Language]],
        patience: Patience,
    ) -> None:
        self._messages = messages
        self._rows = rows
        self._answer = answer
        self._after = after
        self._typing = typing
        self._language = language
        self._patience = patience
        self._workers: dict[str, asyncio.Task[None]] = {}
        self._waiting: set[str] = set()

    def wake(self, person: str) -> None:
        """Something of this person is due. A message that comes in a turn's last moment is seen by the next look."""
        self._waiting.add(person)
        if person not in self._workers:
            self._workers[person] = asyncio.create_task(self._work(person), name=f"turns-{person}")

    async def stop(self, grace: float) -> None:
        """Let turns end within `grace` seconds, then cut them; what is cut is taken up at the next start."""
        workers = list(self._workers.values())
        if workers:
            await asyncio.wait(workers, timeout=grace)
        for worker in workers:
            worker.cancel()
        await asyncio.gather(*workers, return_exceptions=True)

    async def _work(self, person: str) -> None:
        try:
            due: list[Message] = []
            while due or person in self._waiting:
                if person in self._waiting:
                    self._waiting.discard(
                        person
                    )  # before the look: what is stored from here on wakes us again
                    due = await self._messages.unanswered(person)
                if due:
                    burst = _burst(due)
                    await self._turn(burst)
                    due = due[len(burst) :]
        except Exception:
            log.exception("turns broke", action="turns_failed", person=person)
        finally:
            del self._workers[person]

    async def _turn(self, burst: Sequence[Message]) -> None:
        started = time.monotonic()
        try:
            answered = await self._watched(burst)
        except (KairosError, MemoryProblem) as error:
            answered = await self._trouble(burst, error)
        except Exception as error:
            log.exception("turn broke", action="turn_failed", row=burst[-1].id)
            answered = await self._trouble(burst, error)
        await asyncio.shield(self._end(burst, answered))
        log.info(
            "turn",
            action="turn_ended",
            row=burst[-1].id,
            messages=len(burst),
            seconds=time.monotonic() - started,
        )

    async def _end(self, burst: Sequence[Message], answered: Answered) -> None:
        await self._after(await self._rows.answer(burst, answered))

    async def _trouble(self, burst: Sequence[Message], error: Exception) -> Answered:
        language = await self._language(burst[-1].person)
        if isinstance(error, ModelError):
            sentence = explain(error, language)
            log.warning("model failed", action="turn_model_failed", row=burst[-1].id, error=str(error))
        elif isinstance(error, KairosError | MemoryProblem):
            sentence = str(error)
            log.warning("turn refused", action="turn_refused", row=burst[-1].id, error=sentence)
        else:
            sentence = say(language, "trouble.unexpected")
        return Answered((Words(sentence),), problem=sentence)

    async def _watched(self, burst: Sequence[Message]) -> Answered:
        """Run the turn; after some silence say so once, and let go of it when others wait or it takes too long."""
        alive = time.monotonic()

        def beat() -> None:
            nonlocal alive
            alive = time.monotonic()

        person, said_so = burst[-1].person, False
        task = asyncio.create_task(self._answer(burst, beat), name=f"turn-{burst[-1].id}")
        typing = asyncio.create_task(self._show_typing(burst[-1]))
        try:
            while True:
                done, _ = await asyncio.wait(
                    {task}, timeout=0.5 if said_so else self._patience.first_word / 4
                )
                if done:
                    return task.result()
                silence = time.monotonic() - alive
                if silence >= self._patience.first_word and person in self._waiting:
                    return await self._let_go(burst)
                if silence >= self._patience.limit:
                    return await self._let_go(burst)
                if silence >= self._patience.first_word and not said_so:
                    said_so = True
                    await self._say(burst[-1], "trouble.silent")
        finally:
            typing.cancel()
            task.cancel()
            await asyncio.gather(typing, task, return_exceptions=True)

    async def _let_go(self, burst: Sequence[Message]) -> Answered:
        log.warning("model silent", action="turn_let_go", row=burst[-1].id)
        sentence = say(await self._language(burst[-1].person), "trouble.gave_up")
        return Answered((Words(sentence),), problem=sentence)

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
    if special(first):
        return [first]
    return list(
        takewhile(
            lambda each: (each.channel, each.chat) == (first.channel, first.chat) and not special(each), due
        )
    )


def special(message: Message) -> bool:
    """A command or a pressed button: a turn of its own, without a model."""
    return bool(message.pressed) or message.text.startswith("/")
