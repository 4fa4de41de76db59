"""Memory, bound to one person at birth. Make one a person and process: its lock is what keeps changes in order."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from memory.changes import Change, Did, Instruct, Learn, Outcome, Source
from memory.contradictions import Contradiction, settle
from memory.errors import StoreError
from memory.fullness import BUDGET, Fullness, alike, fullness_of
from memory.index import Index
from memory.journal import Entry, Held, held
from memory.judging import Judge
from memory.ledger import Ledger
from memory.page import CORE, TOPICS, Line, Page
from memory.rehearsal import Rehearsal
from memory.restoring import restore
from memory.search import Embed, Finder, Found, Meanings
from memory.snapshot import Snapshot, rule_row
from memory.store import Store
from memory.wording import Language
from memory.writing import Writing, outcome_of


class Memory:
    """What one person's assistant remembers. Everything is truthful to the files at the moment of the call."""

    def __init__(  # noqa: PLR0913 - all by name, in one place
        self,
        store: Store,
        *,
        person: str,
        now: Callable[[], datetime],
        settled: Callable[[], Awaitable[None]] | None = None,
        embed: Embed | None = None,
        index: Index | None = None,
        judge: Judge | None = None,
        language: Language = "zh",
        core_budget: int = BUDGET,
    ) -> None:
        """Bind to a person's files.

        Args:
            now: the time in the person's zone, aware.
            settled: awaited before the rules are read for background work, so that a rule said a second ago
                counts; returns when everything the person said so far has been taken in (or a limit has passed).
            embed: unit vectors of texts; without it words alone decide what is near.
            judge: tells what is never kept where no form does; None: forms alone.
            index: what search keeps beside the files; None = in memory.
            language: of titles and of sentences for the person.
            core_budget: tokens that the rules may take before the person is told; they are never cut.
        """
        self.person = person
        self._core_budget = core_budget
        self._now = now
        self._settled = settled
        self._ledger = Ledger(store, language)
        self._meanings = Meanings(embed)
        self._judge = judge
        self._writing = Writing(self._ledger, self._meanings, judge)
        self._finder = Finder(index, embed)
        self._lock = asyncio.Lock()
        self.changed = (
            0  # how often it was, by a write or by a hand edit that was read: tells whether to look again
        )
        self._by_hand: list[Outcome] = []
        self._contradictions: list[Contradiction] = []

    def speak(self, language: Language) -> None:
        """From now on say things, and name new pages, in this language."""
        self._ledger.language = language

    async def core(self) -> str:
        """Standing instructions that hold now, one a line as `[id] text`; "" when there are none.

        Waits until what the person said before has been taken in. This is what background work is handed, uncalled.
        """
        if self._settled is not None:
            await self._settled()
        return "\n".join(rule_row(line) for line in await self._core())

    async def snapshot(self) -> Snapshot:
        """Everything at this moment, without waiting for anything said before."""
        async with self._lock:
            entries, snapshot = await asyncio.to_thread(self._whole, self._now())
            self._note_by_hand(entries)
        return snapshot

    async def lines(self, page: str | None = None) -> list[tuple[str, Line]]:
        """(page name, line) of all lines that hold, or of one page's; CORE.md first."""
        async with self._lock:
            entries, lines = await asyncio.to_thread(self._taken_in_lines, self._now(), page)
            self._note_by_hand(entries)
        return lines

    async def everything(self) -> list[tuple[str, Line]]:
        """(page name, line) of every line in the files, those too that are paused or have expired; CORE.md first."""
        await self._take_in()
        pages = await asyncio.to_thread(self._ledger.pages)
        return [(page.name, line) for page in pages for line in page.lines]

    async def fullness(self) -> Fullness:
        """How much of their budget the rules in force take."""
        return fullness_of(await self._core(), self._core_budget)

    async def alike(self) -> list[tuple[Line, Line]]:
        """Pairs of rules (older, newer) that say nearly the same, nearest first."""
        return await alike(await self._core(), self._meanings)

    async def held(self) -> list[Held]:
        """Every line there is, those that have expired too, each with the source of its present words."""
        async with self._lock:
            await self._adopt()
            pages = await asyncio.to_thread(self._ledger.pages)
            return held(pages, await asyncio.to_thread(self._ledger.journal.entries))

    async def read(self, name: str) -> Page | None:
        """A page by its name or by its title, with all lines that stand there."""
        await self._take_in()
        return await asyncio.to_thread(self._page, name)

    async def apply(self, changes: Sequence[Change], source: Source, *, whole: bool = False) -> list[Outcome]:
        """Check and write changes in order, one outcome each. A refusal is an outcome, not an error.

        Args:
            whole: a part of all that `source.by` (one run of a job) has changed and will change: taken back together.

        Raises:
            StoreUnwritable: read-only, or the disk is full; that change and those after it did not happen.
        """
        async with self._lock:
            await self._adopt()
            outcomes: list[Outcome] = []
            for change in changes:
                writing = await self._within(source.by) if whole else self._writing
                outcomes.append(await writing.write(change, source, self._now()))
        await self._let_go(outcomes)
        return outcomes

    async def move(self, line: str, topic: str, source: Source) -> Outcome | None:
        """Bring a learned line onto the page of a title, as a part of all that `source.by` changes.

        None when it is the person's own, or there already. Raises `StoreUnwritable`.
        """
        async with self._lock:
            await self._adopt()
            writing = await self._within(source.by)
            self.changed += 1
            return await asyncio.to_thread(writing.move, line, topic, source, self._now())

    async def decline(self, change: Change, source: Source) -> None:
        """The person does not want what was offered: learning will not offer it again, in these or like words.

        Only a new line can be declined so; no to a revision or a removal leaves the line as it is.

        Raises:
            StoreUnwritable: read-only, or the disk is full.
        """
        if isinstance(change, Instruct | Learn):
            async with self._lock:
                await self._adopt()
                await asyncio.to_thread(self._writing.decline, change, source, self._now())

    async def unwanted(self, change: Instruct | Learn, source: Source) -> bool:
        """Whether the person deleted such a line, or declined it, and has not taught it again."""
        async with self._lock:
            await self._adopt()
            return await self._writing.unwanted(change, source)

    async def foresee(self, change: Change, source: Source) -> Outcome:
        """What `apply` would do, with nothing written: whether a question is worth asking at all.

        KNOWN or REFUSED means that there is nothing to ask. The ids and entry numbers of the outcome are provisional.
        """
        async with self._lock:
            await self._adopt()
            rehearsal = await asyncio.to_thread(Rehearsal, self._ledger.store)
            writing = Writing(Ledger(rehearsal, self._ledger.language), self._meanings, self._judge)
            return await writing.write(change, source, self._now())

    async def text(self, name: str) -> str:
        """A file of memory as it stands, index.md and log.md too; "" when there is none. Raises `BadName`."""
        await self._take_in()
        return await asyncio.to_thread(self._ledger.store.read, name) or ""

    async def record(self, rows: Sequence[str]) -> None:
        """Append rows to log.md, and write index.md anew. Raises `StoreUnwritable`."""
        async with self._lock:
            await asyncio.to_thread(self._ledger.record, rows)

    async def discard(self, name: str) -> bool:
        """Remove a page that holds nothing, neither lines nor a person's own text; False when it holds something."""
        async with self._lock:
            await self._adopt()
            return await asyncio.to_thread(self._ledger.discard, name)

    async def whole(self, by: str) -> list[Entry]:
        """All that one run of a job changed, oldest first; the first entry's number takes all of it back."""
        entries = await asyncio.to_thread(self._ledger.journal.entries)
        return [entry for entry in entries if entry.source.by == by]

    async def undo(self, entry: int | None = None) -> Outcome:
        """Take back one change; None = the person's last one that stands. An undo can be undone by its number.

        Raises:
            StoreUnwritable: read-only, or the disk is full; nothing was changed.
        """
        async with self._lock:
            await self._adopt()
            outcome = await asyncio.to_thread(self._writing.undo, entry, self._now())
        await self._let_go([outcome])
        return outcome

    async def restore(self, entry: int) -> Outcome:
        """Bring back the words that an entry of the journal tells of, whatever happened to the line since.

        KNOWN means that the line says so now.

        Raises:
            StoreUnwritable: read-only, or the disk is full; nothing was changed.
        """
        async with self._lock:
            await self._adopt()
            outcome = await asyncio.to_thread(restore, self._ledger, entry, self._now())
        await self._let_go([outcome])
        return outcome

    async def undoable(self) -> Entry | None:
        """The person's last change that stands: what `undo()` would take back."""
        await self._take_in()
        return await asyncio.to_thread(self._writing.undoable)

    async def search(self, words: str, most: int = 8) -> list[Found]:
        """Lines by their words and meaning, best first, with who said them; paused and expired ones come along."""
        found = await self._finder.find(words, most, self._pages)
        entries = await asyncio.to_thread(self._ledger.journal.last)
        return [
            replace(each, source=entries[each.line.id].source) if each.line.id in entries else each
            for each in found
        ]

    async def understand(self, most: int | None = None) -> int:
        """Bring search in step with the files, and embed up to `most` lines; how many lack their vectors yet.

        For idle time: a search does so itself. Raises `IndexUnusable`.
        """
        return await self._finder.understand(most, self._pages)

    async def explain(self, line_id: str) -> list[Entry]:
        """All that happened to a line, oldest first: who said it, when, the quote, what it replaced."""
        await self._take_in()
        return await asyncio.to_thread(self._ledger.journal.explain, line_id)

    async def log(self, most: int | None = 20) -> list[Entry]:
        """The last changes, newest first; None = all there are."""
        await self._take_in()
        entries = await asyncio.to_thread(self._ledger.journal.entries)
        return list(reversed(entries if most is None else entries[-most:]))

    async def version(self) -> str:
        """A short name of the rules that hold now; another one as soon as they differ."""
        rules = "\n".join(rule_row(line) for line in await self._core())
        return hashlib.sha256(rules.encode()).hexdigest()[:12]

    async def adopt(self) -> list[Outcome]:
        """What the person changed in the files by hand and has not been told about; each once."""
        async with self._lock:
            await self._adopt()
        return self.untold()

    def untold(self) -> list[Outcome]:
        """As `adopt`, of what was taken in already: right after a snapshot there is no need to look again."""
        found, self._by_hand = self._by_hand, []
        return found

    def contradictions(self) -> list[Contradiction]:
        """Rules typed by hand that contradict another, of which the person has not been told; each once."""
        found, self._contradictions = self._contradictions, []
        return found

    async def problems(self) -> list[str]:
        """What cannot be read in the files, one sentence each, for `doctor`."""
        return await asyncio.to_thread(self._ledger.problems)

    # ---- the steps

    async def _let_go(self, outcomes: Sequence[Outcome]) -> None:
        """Words that are gone from the pages are gone from the search index at once, not at the next search."""
        self.changed += 1
        if any(each.did in (Did.REPLACED, Did.REMOVED, Did.RESTORED) for each in outcomes):
            await self._finder.let_go(self._pages)

    async def _within(self, by: str) -> Writing:
        """Writes that are part of what this run of a job has changed so far."""
        first = await asyncio.to_thread(self._ledger.journal.first_by, by)
        return Writing(self._ledger, self._meanings, self._judge, first)

    async def _core(self) -> list[Line]:
        async with self._lock:
            entries, lines = await asyncio.to_thread(self._taken_in_core, self._now())
            self._note_by_hand(entries)
        return lines

    def _taken_in_core(self, now: datetime) -> tuple[list[Entry], list[Line]]:
        return self._taken_in(now, CORE), [line for _, line in self._lines(CORE, now)]

    def _lines(self, name: str | None, now: datetime) -> list[tuple[str, Line]]:
        page = self._page(name) if name is not None else None
        pages = self._ledger.pages() if name is None else [page] if page else []
        return [(page.name, line) for page in pages for line in page.lines if line.active(now.date())]

    def _taken_in_lines(self, now: datetime, name: str | None) -> tuple[list[Entry], list[tuple[str, Line]]]:
        return self._taken_in(now), self._lines(name, now)

    def _page(self, name: str) -> Page | None:
        if name == CORE or (name.startswith("topics/") and name.endswith(".md")):
            return self._ledger.page(name)
        return self._ledger.named(name)

    async def _pages(self) -> list[Page]:
        async with self._lock:
            entries, pages = await asyncio.to_thread(self._taken_in_pages, self._now())
            self._note_by_hand(entries)
        return pages

    def _taken_in_pages(self, now: datetime) -> tuple[list[Entry], list[Page]]:
        texts = self._ledger.store.pages(TOPICS)
        entries = self._taken_in(now, texts=texts)
        return entries, self._ledger.pages(None if entries else texts)

    async def _take_in(self) -> None:
        async with self._lock:
            await self._adopt()

    async def _adopt(self, name: str | None = None) -> None:
        """Take in hand edits. A folder that cannot be written is still read: the lines count, their names wait."""
        self._note_by_hand(await asyncio.to_thread(self._taken_in, self._now(), name))

    def _note_by_hand(self, entries: Sequence[Entry]) -> None:
        self._by_hand += [outcome_of(entry, _did(entry)) for entry in entries]
        self.changed += len(entries)

    def _taken_in(
        self, now: datetime, name: str | None = None, texts: Mapping[str, str] | None = None
    ) -> list[Entry]:
        try:
            entries = self._ledger.adopt(now, name, texts)
        except StoreError:
            return []
        with contextlib.suppress(StoreError):  # then both hold, as typed
            self._contradictions += settle(self._ledger, entries, now)
        return entries

    def _whole(self, now: datetime) -> tuple[list[Entry], Snapshot]:
        """All of a snapshot in one visit to the thread: every turn asks for one."""
        texts = self._ledger.store.pages(TOPICS)
        entries = self._taken_in(now, texts=texts)
        page = self._ledger.page(CORE)
        core = [line for line in page.lines if line.active(now.date())] if page else []
        topics = self._ledger.index(now, None if entries else texts)
        log = self._ledger.recent(20, now)
        return entries, Snapshot(tuple(core), tuple(topics), tuple(log))


def _did(entry: Entry) -> Did:
    if entry.after is None:
        return Did.REMOVED
    return Did.ADDED if entry.before is None else Did.REPLACED
