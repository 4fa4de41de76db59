"""What other programs may do with a person's memory: read it, search it, propose a line, which waits for the person.

A program's word is nobody's quote. What it proposes becomes a question; the person reads the exact line, and only
their yes writes it. The files are read as they stand, by a process that is not the bot's and writes none of them.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, get_args

import structlog

from bot.errors import ToolError
from bot.storage import Storage
from bot.types import Button, Language, Words
from bot.wording import say
from memory import Line, Memory, Source
from memory.changes import PROGRAM, Did, Instruct, Kind, Learn, Origin
from memory.errors import BadName
from memory.page import split_scope
from memory.snapshot import rule_row
from memory.words import storable, visible

log = structlog.get_logger(__name__)

MOST = 10  # proposals of programs that wait for one person at most
FOUND = 8  # lines that a search shows
LONGEST = 2_000  # characters of an argument
QUOTE = 300  # characters of what a program says the person said, as far as it is shown
_NAME = 40  # characters of a program's name
Offer = Literal["instruction", "fact", "event"]
KINDS = get_args(Offer)

NO_RULES = "There are no standing rules."
WAITS = "Proposed. It waits for the person's yes; until then nothing is remembered."
WAITS_ALREADY = "This already waits for the person's yes."


def program_named(name: str | None, language: Language) -> str:
    """A program's own name for itself as it may be shown: one short row of plain letters, never markup or another's."""
    plain = " ".join(re.sub(r"[^\w .+-]", " ", visible(storable(name or ""))).split())
    return plain[:_NAME].strip(" .+-_") or say(language, "program.unnamed")


@dataclass(frozen=True, slots=True)
class Programs:
    """One person's memory, as programs have it."""

    person: str
    memory: Memory  # over a store that cannot be written
    storage: Storage
    now: Callable[[], datetime]
    language: Callable[[], Awaitable[Language]]  # that the person last wrote in
    writable: bool  # whether the home takes a proposal
    # have the bot that runs say what was proposed; if none runs, the next will
    told: Callable[[], Awaitable[None]]
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def rules(self) -> str:
        """Every standing instruction in force, one a line as "[id] text"."""
        rules = (await self.memory.core()).splitlines()
        return "\n".join(map(_named, rules)) or NO_RULES

    async def read(self, page: str = "") -> str:
        """A page's lines, or without a name how many rules there are and which pages. Raises `ToolError`."""
        name = _text("page", page)
        if not name:
            snapshot = await self.memory.snapshot()
            rows = [f"{len(snapshot.core)} rules (read_rules shows them)", *map(str, snapshot.topics)]
            return "\n".join(rows)
        try:
            found = await self.memory.read(name)
        except BadName:
            found = None
        if found is None:
            raise ToolError(f"there is no page {name!r}; read_memory without a page lists them")
        lines = [line for line in found.lines if line.active(self.now().date())]
        return "\n".join(map(_row, lines)) or "(empty)"

    async def search(self, words: str) -> str:
        """Lines by their words and meaning, each with its page and the day it is from. Raises `ToolError`."""
        asked, today = _text("words", words, needed=True), self.now().date()
        found = [
            each for each in await self.memory.search(asked, most=12) if each.near and each.line.active(today)
        ][:FOUND]
        rows = [
            f"{_row(each.line)} ⟵ {each.title or each.page}"
            + (f", {each.source.at.astimezone(self.now().tzinfo):%Y-%m-%d}" if each.source else "")
            for each in found
        ]
        return "\n".join(rows) or "Nothing is remembered about that."

    async def propose(
        self, program: str | None, text: str, kind: str, quote: str = "", when: str = ""
    ) -> str:
        """Put a line to the person; returns what became of it. Raises `ToolError`.

        Args:
            program: what the program calls itself.
            kind: one of `KINDS`.
            quote: what the program says the person said. It is shown as that, and proves nothing.
        """
        if not self.writable:
            raise ToolError("the home is read-only, so nothing can be proposed")
        language = await self.language()
        self.memory.speak(language)
        name = program_named(program, language)
        change = _change(_text("text", text, needed=True), kind, _text("when", when))
        source = self._source(name, change)
        async with self._turn:
            if refused := await self._refused(change, source):
                log.info("not put to the person", action="program_refused", program=name, reason=refused)
                return refused
            key = "program.asks.claims" if (claim := _text("quote", quote)) else "program.asks"
            shown = _shown(change, language)
            question = say(
                language, key, program=name, text=_exact(shown), quote=_exact(_plain(claim)[:QUOTE])
            )
            await self._put(change, source, question, language)
        log.info("put to the person", action="program_proposed", program=name)
        return WAITS

    def _source(self, name: str, change: Instruct | Learn) -> Source:
        words = str(Line("", change.text, Kind.INSTRUCTION, change.origin, change.when, change.until))
        return Source(f"mcp:{self.person}", "", self.now(), words, words, f"{PROGRAM}{name}", context=words)

    async def _refused(self, change: Instruct | Learn, source: Source) -> str:
        """Why it is not worth a question; "" when it is."""
        waiting = await self.storage.proposals.open(self.person)
        theirs = [each for each in waiting if each.program]
        if any(_same(each.change, change) for each in waiting):
            return WAITS_ALREADY
        outcome = await self.memory.foresee(change, source)
        if outcome.did is Did.KNOWN:
            return f"Not proposed: it is remembered already: {outcome.after or outcome.before}"
        if await self.memory.unwanted(change, source):
            return "Not proposed: the person did not want this remembered. Do not propose it again."
        if outcome.did is Did.REFUSED:
            return f"Not proposed: {outcome.reason}"
        if len(theirs) >= MOST:
            return f"Not proposed: {len(theirs)} proposals wait for the person already; try when these are settled."
        return ""

    async def _put(self, change: Instruct | Learn, source: Source, question: str, language: Language) -> None:
        """Store the question, and have it said once where the person was heard last."""
        row = await self.storage.proposals.add(self.person, change, source, question, self.now())
        about = await self.storage.messages.newest_alone(self.person)
        if about is not None:
            words = Words(question, "notice", decisions(row, language))
            await self.storage.outbox.add(about, words, unasked=True)
        await self.told()


def decisions(row: int, language: Language) -> tuple[Button, ...]:
    """The buttons under what a program proposes.

    They are no plain yes and no: a "好" that was meant for something else, said a moment after, must not approve it.
    """
    return (
        Button(say(language, "yes"), f"accept:{row}"),
        Button(say(language, "no"), f"no:{row}"),
    )


def _row(line: Line) -> str:
    return _named(rule_row(line))


def _named(row: str) -> str:
    """A line that was typed by hand a moment ago has no name yet: the bot gives it one."""
    return row.removeprefix("[] ")


def _same(stored: dict[str, object], change: Instruct | Learn) -> bool:
    return stored.get("text") == change.text and stored.get("when") == change.when


def _change(words: str, kind: str, when: str) -> Instruct | Learn:
    word = kind.strip().lower() or "instruction"
    if word not in KINDS:
        raise ToolError(f"`kind` must be one of {', '.join(KINDS)}")
    # a scope may stand in the words themselves
    text, scope, until, _ = split_scope(_plain(words).lstrip("-*+• "))
    scope = _plain(when) or scope or None
    if word == "instruction":
        return Instruct(text, when=scope, until=until)
    which = Kind.EPISODIC if word == "event" else Kind.PERSONA
    return Learn(text, kind=which, when=scope, until=until, origin=Origin.EXPLICIT)


def _shown(change: Instruct | Learn, language: Language) -> str:
    """The exact line, as the person reads lines."""
    until = say(language, "line.until", until=change.until) if change.until else ""
    return change.text + (say(language, "line.when", when=change.when) if change.when else "") + until


def _exact(text: str) -> str:
    """As Markdown that shows each of its characters: a link in a line would show other words than are kept."""
    if not re.search(r"[*_`\[\]<>~|\\#]", text):
        return text
    fence = "`" * (1 + max((len(run) for run in re.findall("`+", text)), default=0))
    return f"{fence} {text} {fence}" if "`" in text else f"{fence}{text}{fence}"


def _plain(text: str) -> str:
    return " ".join(visible(storable(text)).split())


def _text(name: str, value: str, *, needed: bool = False) -> str:
    words = storable(value).replace("\0", "").strip()
    if needed and not words:
        raise ToolError(f"`{name}` is missing")
    if len(words) > LONGEST:
        raise ToolError(f"`{name}` is too long: {len(words)} characters, at most {LONGEST}")
    return words
