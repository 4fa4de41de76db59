"""The tools of the agent that tends the pages. One set a batch of messages: it knows which page was shown, and when.

A page is handed in whole and stored as a difference. Each line that comes in goes through `Memory.apply` with the
person's own words as its source, so every guard, id and undo holds for this agent as for everybody else.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from bot.desk import Desk
from bot.errors import ToolError
from bot.storage.talks import Said, Talks
from bot.tools.tool import Result, Tool, needed, tool, whole_number, words_of
from bot.types import Message
from memory import Outcome, Page, Source
from memory.changes import Change, Did, Instruct, Kind, Learn, Origin, Retire, Revise
from memory.cultivation import (
    Difference,
    Written,
    difference,
    in_full,
    is_day,
    page_title,
)
from memory.errors import BadName
from memory.evidence import beyond_learning
from memory.fence import sealed
from memory.own_words import own_words
from memory.words import content, squeeze

CORE, INDEX, LOG = "CORE.md", "index.md", "log.md"
MOST_CALLS = 60  # tool calls while one batch is read
PAGE = 40_000  # characters of a page that may be handed in
SHOWN = 6_000  # characters of talk that one call shows
FOUND = 12  # results of a search
PROPOSALS = 5  # questions one run may put to the person
_STRING: dict[str, Any] = {"type": "string"}

Propose = Callable[[Change, Source], Awaitable[bool]]
"""Keep a change as a question to the person; False when it is known, refused, or was asked before."""


@dataclass(slots=True)
class Tally:
    """What a run has come to so far."""

    asked: int = 0
    refused: int = 0


@dataclass(slots=True)
class Tending:
    """One batch's worth of work on the pages."""

    talks: Talks
    outline: Sequence[Said]  # all that may be read: what was said before the run began
    propose: Propose
    by: str  # the run's name in the journal
    asks: bool = False  # learning is set to "ask": nothing is written, all is put to the person
    tally: Tally = field(default_factory=Tally)
    calls: int = 0
    shown: dict[str, Page] = field(default_factory=dict)  # pages as the agent last saw them

    def tools(self) -> dict[str, Tool]:
        """By name."""
        return {each.spec.name: each for each in self._tools()}

    def _tools(self) -> list[Tool]:
        page = {"type": "string", "description": "people/<name>, projects/<name>, <YYYY-MM-DD> or a topic"}
        number = {"type": "integer"}
        return [
            tool("MemoryList", "All pages with their purpose and how many lines.", self._list),
            tool(
                "MemoryRead",
                "One page as it stands, each line with its ^id.",
                self._read,
                ("page",),
                page=page,
            ),
            tool(
                "MemorySearch",
                "Lines on any page by words or meaning.",
                self._search,
                ("words",),
                words=_STRING,
            ),
            tool(
                "MemoryWrite",
                "Hand in a page, whole. Kept lines stay exactly as they are, with their ^id; each added or changed"
                " line ends with (from: #<message> “<the person's own words, letter by letter>”).",
                self._write,
                ("page", "content"),
                page=page,
                content={"type": "string", "description": "Markdown, one line a bullet"},
            ),
            tool(
                "MemoryDelete",
                "Remove one learned line that another line makes needless, or (without `line`) a page that is empty.",
                self._delete,
                ("page",),
                page=page,
                line={"type": "string", "description": "its id, such as t7"},
                reason=_STRING,
            ),
            tool("ChatHistoryList", "The person's conversations.", self._chats),
            tool(
                "ChatHistoryRead",
                "What the person said in a conversation, oldest first, from a message number on.",
                self._chat,
                ("conversation",),
                conversation=_STRING,
                start=number,
            ),
            tool(
                "ChatHistorySearch",
                "Messages of the person by words.",
                self._find,
                ("words",),
                words=_STRING,
            ),
        ]

    def _count(self) -> None:
        self.calls += 1
        if self.calls > MOST_CALLS:
            raise ToolError("that was the last call of this batch; answer: done")

    # ---- pages

    async def _page(self, desk: Desk, name: str) -> Page | None:
        """A page by its name, with or without folder and ending, or by its title."""
        title = page_title(name)
        if title.upper() == "CORE":
            return await desk.memory.read(CORE) or Page(CORE)
        for each in (f"topics/{title}.md", title):
            try:
                if page := await desk.memory.read(each):
                    return page
            except BadName:
                continue
        return None

    async def _list(self, desk: Desk, arguments: dict[str, Any]) -> Result:
        self._count()
        snapshot = await desk.memory.snapshot()
        rows = [f"- {CORE} ({len(snapshot.core)})"]
        rows += [
            f"- {page_title(topic.page)}: {topic.title} ({topic.count}) {topic.purpose}".rstrip()
            for topic in snapshot.topics
        ]
        return Result("\n".join(rows))

    async def _read(self, desk: Desk, arguments: dict[str, Any]) -> Result:
        self._count()
        name = needed(arguments, "page", most=200)
        if page_title(name) == "index":
            return Result(await desk.memory.text(INDEX) or "(empty)")
        if page_title(name) == "log":
            raise ToolError("log.md is the record of what was done here; it is no source of anything")
        page = await self._page(desk, name)
        if page is None:
            raise ToolError("there is no such page yet; MemoryWrite makes it")
        self.shown[page.name] = page
        return Result(page.render() or "(empty)")

    async def _search(self, desk: Desk, arguments: dict[str, Any]) -> Result:
        self._count()
        found = [
            each for each in await desk.memory.search(needed(arguments, "words"), most=FOUND) if each.near
        ]
        rows = [f"{page_title(each.page)}: {each.line} ^{each.line.id}" for each in found]
        return Result("\n".join(rows) or "nothing")

    async def _write(self, desk: Desk, arguments: dict[str, Any]) -> Result:
        self._count()
        name, text = needed(arguments, "page", most=200), needed(arguments, "content", most=PAGE)
        title = page_title(name)
        if title in ("index", "log"):
            raise ToolError(f"{title}.md is kept by the app; it cannot be written")
        page = await self._page(desk, name)
        rules = page is not None and page.name == CORE  # of which nothing is ever written, only asked
        if page is not None and page.lines and page.name not in self.shown and not rules:
            raise ToolError("MemoryRead this page first, then hand it in whole")
        base = self.shown.get(page.name, page) if page else Page(f"topics/{title}.md", title=title)
        made = await asyncio.to_thread(difference, base, text)
        if made.loses_too_much(base) and not rules:
            raise ToolError(
                f"refused: {len(made.gone)} of the page's {len(base.lines)} lines are missing. "
                "Hand the page in whole, or MemoryDelete a line that is needless"
            )
        topic = page.name if page else _titled(title, made.title)
        told = await self._differ(desk, made, base, topic)
        fresh = await self._page(desk, page.name if page else topic)
        if fresh is not None:
            self.shown[fresh.name] = fresh
        deed = any(did in _DEEDS for did, _ in told)
        return Result("\n".join(row for _, row in told) or "nothing changed", deed=deed)

    async def _differ(
        self, desk: Desk, made: Difference, base: Page, topic: str
    ) -> list[tuple[Did | None, str]]:
        """Store what a rewritten page adds, changes and leaves out; (what came of it, a row for the model) each."""
        told: list[tuple[Did | None, str]] = []
        for old, written in made.changed:
            end = (written.when, written.until)
            change: Change = Revise(old.id, written.text, *end, origin=Origin.LEARNED, paused=old.paused)
            if base.name == CORE:
                change = Instruct(written.text, written.when, written.until, target=old.id)
            told.append(await self._store(desk, change, written, old.text if old else ""))
        for written in made.added:
            kind = Kind.EPISODIC if is_day(page_title(base.name)) else Kind.PERSONA
            change = Learn(written.text, topic, kind, written.when, written.until)
            if base.name == CORE:
                change = Instruct(written.text, written.when, written.until)
            told.append(await self._store(desk, change, written, topic=topic))
        if base.name != CORE:
            told += [await self._drop(desk, line.id, "tidied") for line in made.gone]
        return told

    async def _store(
        self, desk: Desk, change: Change, written: Written, was: str = "", *, topic: str = ""
    ) -> tuple[Did | None, str]:
        try:
            source = await self._source(desk, written)
        except ToolError as error:
            self.tally.refused += 1
            return None, f"refused: “{written.text}”: {error}"
        if isinstance(change, Learn | Revise) and beyond_learning(written.text, written.when):
            self.tally.refused += 1
            return None, f"refused: terms, defaults and rules belong on {CORE}: “{written.text}”"
        if isinstance(change, Instruct) or self.asks:
            asked = self.tally.asked < PROPOSALS and await self.propose(change, source)
            self.tally.asked += asked
            row = "the person is asked" if asked else "not asked: known, or asked before"
            return None, f"{row}: “{written.text}”"
        if isinstance(change, Revise) and not await self._still(desk, change.target, was):
            self.tally.refused += 1
            return None, f"refused: ^{change.target} was changed meanwhile; MemoryRead the page again"
        [outcome] = await desk.memory.apply([change], source, whole=True)
        if outcome.did is Did.KNOWN and topic and outcome.line:
            outcome = await desk.memory.move(outcome.line, topic, source) or outcome
        if outcome.did is Did.REFUSED:
            self.tally.refused += 1
        return outcome.did, _row(outcome, written)

    async def _still(self, desk: Desk, line_id: str, was: str) -> bool:
        return any(line.id == line_id and line.text == was for _, line in await desk.memory.lines())

    async def _drop(self, desk: Desk, line_id: str, reason: str) -> tuple[Did | None, str]:
        """Retire a learned line; its own words stay its source. What the person asked for or typed stays."""
        found = [(page, line) for page, line in await desk.memory.lines() if line.id == line_id]
        if self.asks or not found or found[0][0] == CORE or found[0][1].origin is not Origin.LEARNED:
            return None, f"kept: ^{line_id} is the person's own, or gone already"
        said = (await desk.memory.explain(line_id))[-1].source
        source = Source(said.conversation, said.message, said.at, said.quote, said.quote, self.by)
        [outcome] = await desk.memory.apply([Retire(line_id, reason)], source, whole=True)
        return outcome.did, f"{outcome.did.value}: ^{line_id} {outcome.before or outcome.reason}"

    async def _source(self, desk: Desk, written: Written) -> Source:
        """The person's message that a line rests on. Raises `ToolError` with what is wrong about it."""
        if written.message is None or not written.quote or written.garbled:
            raise ToolError("it must end with its source: (from: #<message> “<the person's own words>”)")
        heard = {said.id for said in self.outline}
        found = await self.talks.messages(desk.person, [written.message]) if written.message in heard else []
        if not found:
            raise ToolError(f"there is no message #{written.message} of the person")
        [message] = found
        if not message.typed:
            raise ToolError(f"#{message.id} is forwarded: somebody else's words")
        words = own_words(message.typed)
        if squeeze(written.quote) not in squeeze(words) or not content(written.quote):
            raise ToolError(
                f"the quote does not stand in what the person wrote themself in #{message.id}; copy it letter by letter"
            )
        at = message.at.astimezone(desk.now().tzinfo)
        where = "".join(" " if char in "()（）#" else char for char in message.conversation)
        return Source(
            message.conversation,
            str(message.id),
            at,
            words,
            in_full(written.quote, words),
            self.by,
            shown=f"{' '.join(where.split())} #{message.id}, {at:%Y-%m-%d}",
        )

    async def _delete(self, desk: Desk, arguments: dict[str, Any]) -> Result:
        self._count()
        name, line_id = (
            needed(arguments, "page", most=200),
            words_of(arguments, "line", most=40).strip("^[]# "),
        )
        title = page_title(name)
        if title in ("index", "log") or title.upper() == "CORE":
            raise ToolError(f"{title}.md cannot be deleted")
        page = await self._page(desk, name)
        if page is None:
            raise ToolError("there is no such page")
        if not line_id:
            if not await desk.memory.discard(page.name):
                raise ToolError(
                    "the page holds lines or a person's own text; only an empty page can be deleted"
                )
            return Result(f"deleted {page.name}", deed=True)
        if page.line(line_id) is None:
            raise ToolError(f"there is no line ^{line_id} on this page")
        did, row = await self._drop(desk, line_id, words_of(arguments, "reason", most=200) or "tidied")
        return Result(row, deed=did is Did.REMOVED)

    # ---- conversations

    async def _chats(self, desk: Desk, arguments: dict[str, Any]) -> Result:
        self._count()
        rows: dict[str, list[Said]] = {}
        for said in self.outline:
            rows.setdefault(said.conversation, []).append(said)
        return Result(
            "\n".join(
                f"- {name}: {len(each)} messages, #{each[0].id} to #{each[-1].id}, {each[-1].at:%Y-%m-%d}"
                for name, each in rows.items()
            )
            or "none"
        )

    async def _chat(self, desk: Desk, arguments: dict[str, Any]) -> Result:
        self._count()
        conversation = needed(arguments, "conversation")
        start = whole_number(words_of(arguments, "start") or "0") or 0
        ids = [said.id for said in self.outline if said.conversation == conversation and said.id >= start]
        if not ids:
            raise ToolError("nothing there; ChatHistoryList shows the conversations")
        shown, left = list[str](), SHOWN
        for message in await self.talks.messages(desk.person, ids[:100]):
            row = told(message, desk, most=SHOWN)
            left -= len(row)
            if shown and left < 0:
                return Result("\n".join([*shown, f"(more: start={message.id})"]))
            shown.append(row)
        more = [f"(more: start={ids[100]})"] if len(ids) > 100 else []
        return Result("\n".join([*shown, *more]))

    async def _find(self, desk: Desk, arguments: dict[str, Any]) -> Result:
        self._count()
        words, heard = needed(arguments, "words"), {said.id for said in self.outline}
        found = [] if desk.chats is None else await desk.chats.search(words, FOUND)
        ids = [each.line.message or 0 for each in found if not each.line.ours]
        messages = {each.id: each for each in await self.talks.messages(desk.person, ids) if each.id in heard}
        rows = [told(messages[id], desk, most=400) for id in ids if id in messages]
        return Result("\n".join(rows) or "nothing")


_DEEDS = (Did.ADDED, Did.REPLACED, Did.REMOVED)


def _titled(title: str, given: str) -> str:
    """A new page's title: the one on the page itself where the name is only its file."""
    folder, _, rest = title.partition("/")
    if rest and folder in ("people", "projects"):
        return f"{folder}/{rest}"
    return title if is_day(title) else given or title


def _row(outcome: Outcome, written: Written) -> str:
    why = f" ({outcome.reason})" if outcome.did is Did.REFUSED else ""
    name = f" ^{outcome.line}" if outcome.line else ""
    return f"{outcome.did.value}:{name} “{written.text}”{why}"


def told(message: Message, desk: Desk, *, most: int) -> str:
    """A message as the agent reads it. It cannot close its own fence, and what is others' is marked as theirs."""
    at = message.at.astimezone(desk.now().tzinfo)
    text = message.text if len(message.text) <= most else f"{message.text[:most]} […]"
    text = sealed(text.strip())
    if message.forwarded:
        return f"(forwarded by the person, somebody else's words, no source: {text})"
    return f"#{message.id} {at:%Y-%m-%d %H:%M %A}: {text}"
