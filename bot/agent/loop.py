"""Model ⇄ tools until there are no more calls."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Protocol

import structlog

from bot.agent.trimming import shorter
from bot.agent.trouble import explain
from bot.desk import Desk
from bot.errors import HomeUnwritable, ModelRefused, ToolError
from bot.models.model import Call, Model, Prompt, Reply, Said
from bot.tools.tool import Result, Tool
from bot.types import Button
from memory.errors import MemoryProblem

log = structlog.get_logger(__name__)

REPEATS = 2  # rounds with nothing but calls that were answered already, after which a model is stuck
ROUNDS = 8  # model calls in one turn; a model that still wants tools then has to speak


class Beat(Protocol):
    """Called at every sign of life of a turn, with the result of a tool that has run: what is done stays done, and
    is told, even if the turn is cut short after it."""

    def __call__(self, result: Result | None = None, /) -> None: ...


@dataclass(frozen=True, slots=True)
class Conversed:
    """What a turn came to."""

    text: str  # the model's last words; "" when it had none
    results: tuple[Result, ...] = ()  # of every tool that ran, in order
    filtered: bool = False

    @property
    def receipts(self) -> list[str]:
        """The lines that say what was done, each once."""
        return list(dict.fromkeys(result.receipt for result in self.results if result.receipt))

    @property
    def loaded(self) -> tuple[str, ...]:
        """The lines of memory that were read on the way, each once."""
        return tuple(dict.fromkeys(line for result in self.results for line in result.loaded))

    @property
    def buttons(self) -> tuple[Button, ...]:
        """Everything that can be pressed."""
        return tuple(dict.fromkeys(button for result in self.results for button in result.buttons))


async def converse(
    model: Model, prompt: Prompt, tools: Mapping[str, Tool], desk: Desk, beat: Beat
) -> Conversed:
    """Talk until the model answers in words.

    Raises what the model raises; a tool's failure is a result the model reads. An empty answer is asked for once
    more. What a server finds too long is sent with less and less of the earlier talk.
    """
    messages = list[Said]()  # what this turn adds
    results: list[Result] = []
    nudged, stuck = False, 0
    made: set[str] = set()  # calls of this turn
    for turn in range(ROUNDS):
        offered = prompt.tools if turn < ROUNDS - 1 else ()
        while True:
            whole = (*prompt.messages, *messages)
            try:
                reply = await model.generate(replace(prompt, tools=offered, messages=whole))
                break
            except ModelRefused as error:
                less = shorter(prompt) if error.code == "too_long" else None
                if less is None:
                    raise
                log.info(
                    "too long, sent with less history", action="history_cut", messages=len(less.messages)
                )
                prompt = less
        beat()
        if reply.calls:
            messages.append(_spoken(reply))
            news = False
            for call in reply.calls:
                result = await _run(call, tools, desk)
                key = json.dumps([call.name, call.arguments, call.problem], sort_keys=True, default=str)
                if key in made and not result.deed:  # said once is enough; two undos in a row are two deeds
                    result = replace(result, receipt="", buttons=())
                news = news or result.deed or key not in made
                made.add(key)
                beat(result)
                results.append(result)
                messages.append(
                    Said("tool", result.text, call_id=call.id, name=call.name, found=result.found)
                )
            stuck = 0 if news else stuck + 1
            if stuck < REPEATS:
                continue
            return Conversed(reply.text.strip(), tuple(results))
        told = any(result.receipt for result in results)
        if reply.text.strip() or told or nudged or reply.finish == "filtered":
            return Conversed(reply.text.strip(), tuple(results), reply.finish == "filtered")
        nudged = True
    return Conversed("", tuple(results))


def _spoken(reply: Reply) -> Said:
    return Said("assistant", reply.text, calls=reply.calls, reasoning=reply.reasoning)


async def _run(call: Call, tools: Mapping[str, Tool], desk: Desk) -> Result:
    tool = tools.get(call.name)
    if tool is None:
        return Result(text=f"error: there is no tool {call.name!r}")
    if call.problem:
        return Result(text=f"error: the arguments could not be read: {call.problem}")
    try:
        result = await tool.run(desk, call.arguments)
    except ToolError as error:
        log.info("tool refused", action="tool_refused", tool=call.name, error=str(error))
        return Result(text=f"error: {error}")
    except (MemoryProblem, HomeUnwritable) as error:
        log.warning("not done", action="tool_failed", tool=call.name, error=str(error))
        sentence = explain(error, desk.language)
        return Result(text=f"error: {sentence}", receipt=sentence)
    log.info("tool ran", action="tool_ran", tool=call.name, deed=result.deed)
    return result
