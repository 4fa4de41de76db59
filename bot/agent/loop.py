"""Model ⇄ tools until there are no more calls."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol

import structlog

from bot.agent.continuing import BRIEFLY, CONTINUE, joined, whole_part
from bot.agent.promises import Promises
from bot.agent.trimming import less, lighter, parts, weighs
from bot.agent.trouble import explain
from bot.desk import Desk
from bot.errors import HomeUnwritable, ModelRefused, ToolError
from bot.models.fence import fenced
from bot.models.model import Call, Model, Prompt, Reply, Said, told
from bot.models.tokens import said_tokens
from bot.tools.deeds import Deed, done_by, writes
from bot.tools.tool import Result, Tool
from bot.types import Button
from bot.unbroken import unbroken
from memory.errors import MemoryProblem

log = structlog.get_logger(__name__)

RECALLED = (Path(__file__).parent.parent / "prompts" / "recalled.md").read_text(encoding="utf-8").strip()
REPEATS = 2  # rounds with nothing but calls that were answered already, after which a model is stuck
CUT = "error: your answer was cut off, so nothing of it was done; do less at a time"
ROUNDS = 8  # model calls in one turn; a model that still wants tools then has to speak


class Beat(Protocol):
    """Called at every sign of life of a turn: with the result of a tool that has run (what is done stays done, and is
    told, even if the turn is cut short after it), or with the words of the answer that is being written, so far."""

    def __call__(self, news: Result | str | None = None, /) -> None: ...


@dataclass(frozen=True, slots=True)
class Bounds:
    """Where a conversation ends if the model does not end it."""

    rounds: int = ROUNDS  # model calls
    continued: int = 0  # how often an answer that was cut is gone on with


@dataclass(frozen=True, slots=True)
class Conversed:
    """What a turn came to."""

    text: str  # the model's last words; "" when it had none
    prompt: Prompt  # as the server took it, this turn's own messages aside: less than was asked where it refused that
    results: tuple[Result, ...] = ()  # of every tool that ran, in order
    filtered: bool = False
    unkept: tuple[str, ...] = ()  # what the words claim and nobody did, as lines that say so
    cut: bool = False  # the model had no room left to finish

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
    model: Model,
    prompt: Prompt,
    tools: Mapping[str, Tool],
    desk: Desk,
    beat: Beat,
    promises: Promises | None = None,
    bounds: Bounds | None = None,
) -> Conversed:
    """Talk until the model answers in words, or the rounds are over.

    Raises what the model raises; a tool's failure is a result the model reads. An empty answer is asked for once
    more; one that was cut is continued. What a server finds too long, or filters, is sent with
    less and less of the earlier talk. An answer that claims what nobody did goes back once; what it claims then is
    told to be untrue.
    """
    talk = _Talk(model, prompt, tools, desk, beat)
    rounds, times = bounds.rounds if bounds else ROUNDS, bounds.continued if bounds else 0
    nudged, claimed = False, list[Deed]()
    words = ""  # that went back
    for count in range(rounds):
        reply = await talk.ask(offered=count < rounds - 1)
        if reply.calls and await talk.work(reply):
            continue
        text = reply.text.strip()
        if not (text or words or talk.told or nudged) and not reply.calls and reply.finish != "filtered":
            nudged = True
            if reply.finish == "length":
                talk.messages.append(Said("user", BRIEFLY))
            continue
        if reply.finish == "length" and not reply.calls:
            reply = await talk.continued(reply, times)
            text = reply.text.strip()
        text = text or words
        unkept = await talk.unkept(promises, text)
        if promises is None or not unkept:
            return talk.ended(text, finish=reply.finish)
        if claimed or reply.calls or count >= rounds - 1:
            return talk.ended(text, unkept=promises.honest(unkept, desk.language))
        claimed, words = unkept, text
        talk.messages += [_spoken(reply), Said("user", promises.back(unkept))]
    return talk.ended("")


@dataclass(eq=False, slots=True)
class _Talk:
    """One turn's conversation as far as it has come."""

    model: Model
    prompt: Prompt
    tools: Mapping[str, Tool]
    desk: Desk
    beat: Beat
    messages: list[Said] = field(default_factory=list)  # what this turn adds
    results: list[Result] = field(default_factory=list)
    done: set[Deed] = field(default_factory=set)
    _made: set[str] = field(default_factory=set)  # calls of this turn
    _stuck: int = 0

    @property
    def told(self) -> bool:
        """Whether the person has something to read even if the model says nothing."""
        return any(result.receipt for result in self.results)

    async def ask(self, *, offered: bool) -> Reply:
        """The model's next reply. Raises what the model raises."""
        while True:
            prompt = replace(
                self.prompt,
                tools=self.prompt.tools if offered else (),
                messages=(*self.prompt.messages, *self.messages),
            )
            try:
                reply = await told(self.model, prompt, self.beat)
                break
            except ModelRefused as error:
                if not self._lessened(error.code):
                    raise
        self.beat()
        return reply

    def _lessened(self, why: str) -> bool:
        """Carry less, after a refusal with this code; False when nothing may go. What is longest goes first."""
        heavy = weighs(self.messages) > sum(map(said_tokens, parts(self.prompt)[1]))
        shorn = lighter(self.messages) if why == "too_long" and heavy else None
        prompt = less(self.prompt, why) if shorn is None else None
        if shorn is None and prompt is None and why in ("too_long", "too_large"):
            shorn = lighter(self.messages)
        if shorn is None and prompt is None:
            return False
        self.messages, self.prompt = shorn or self.messages, prompt or self.prompt
        log.info("sent with less", action="prompt_cut", why=why, messages=len(self.prompt.messages))
        return True

    async def continued(self, reply: Reply, times: int) -> Reply:
        """An answer that was cut, with what the model says when it is asked to go on."""
        before = len(self.messages)
        for _ in range(times if reply.text.strip() else 0):
            said, between = whole_part(reply.text.strip())
            self.messages[before:] = [Said("assistant", said), Said("user", CONTINUE)]
            more = await self.ask(offered=False)
            if not more.text.strip():
                break
            reply = replace(reply, text=joined(said, between, more.text.strip()), finish=more.finish)
            if more.finish != "length":
                break
        del self.messages[before:]
        return reply

    async def work(self, reply: Reply) -> bool:
        """Make a reply's calls; False when the model is stuck, with nothing but calls that were answered before."""
        self.messages.append(_spoken(reply))
        news = False
        for call in reply.calls:
            # it may read well and be half of what was meant
            if reply.finish == "length" and call is reply.calls[-1]:
                result, done = Result(CUT), frozenset[Deed]()
            else:
                result, done = await self._made_whole(call)
            self.done |= done
            key = json.dumps([call.name, call.arguments, call.problem], sort_keys=True, default=str)
            if key in self._made and not result.deed:  # said once is enough; two undos in a row are two deeds
                result = replace(result, receipt="", buttons=())
            news = news or result.deed or key not in self._made
            self._made.add(key)
            self.beat(result)
            self.results.append(result)
            text = f"{RECALLED}\n{fenced(result.text)}" if result.loaded else result.text
            self.messages.append(Said("tool", text, call_id=call.id, name=call.name, found=result.found))
        self._stuck = 0 if news else self._stuck + 1
        return self._stuck < REPEATS

    async def _made_whole(self, call: Call) -> tuple[Result, frozenset[Deed]]:
        """`_run`; a tool that writes is not cut in two, and what it did is told though the turn is stopped."""
        running = _run(call, self.tools, self.desk)
        return await (unbroken(running, lambda ran: self.beat(ran[0])) if writes(call.name) else running)

    async def unkept(self, promises: Promises | None, text: str) -> list[Deed]:
        """What a text claims and nobody did; reading for memory, which may make it true, counts as a deed."""
        if promises is None or not text:
            return []
        unkept, noted = await promises.unkept(text, self.done)
        for result in noted:
            self.beat(result)
        self.results += noted
        return unkept

    def ended(self, text: str, *, finish: str = "stop", unkept: Sequence[str] = ()) -> Conversed:
        """What it came to."""
        results, filtered, cut = tuple(self.results), finish == "filtered", finish == "length"
        return Conversed(text, self.prompt, results, filtered, tuple(unkept), cut)


def _spoken(reply: Reply) -> Said:
    return Said("assistant", reply.text, calls=reply.calls, reasoning=reply.reasoning)


async def _run(call: Call, tools: Mapping[str, Tool], desk: Desk) -> tuple[Result, frozenset[Deed]]:
    """(what a call came to, the kinds of deeds it did)."""
    tool = tools.get(call.name)
    if tool is None:
        return Result(text=f"error: there is no tool {call.name!r}"), frozenset()
    if call.problem:
        return Result(text=f"error: the arguments could not be read: {call.problem}"), frozenset()
    try:
        result = await tool.run(desk, call.arguments)
    except ToolError as error:
        log.info("tool refused", action="tool_refused", tool=call.name, error=str(error))
        return Result(text=f"error: {error}"), frozenset()
    except (MemoryProblem, HomeUnwritable) as error:
        log.warning("not done", action="tool_failed", tool=call.name, error=str(error))
        sentence = explain(error, desk.language)
        return Result(text=f"error: {sentence}", receipt=sentence), frozenset()
    log.info("tool ran", action="tool_ran", tool=call.name, deed=result.deed)
    return result, done_by(call.name, result)
