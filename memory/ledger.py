"""Pages and journal kept in step: the blocking half of `Memory`, run in a thread.

A change is written to its page first and to the journal at once after it; when the journal cannot be written the page
is put back. So whatever a crash leaves, no line is lost: at worst it is found as typed by hand.
"""

from __future__ import annotations

import contextlib
import operator
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime

from memory.adoption import Adoption, Found
from memory.changes import Source
from memory.decoding import broken
from memory.errors import StaleError, StoreBroken, StoreError
from memory.journal import Entry, Journal, Op
from memory.logbook import log_row, write_log
from memory.page import CORE, TOPICS, Line, Page, Row, fresh, named, parse, stem
from memory.snapshot import Topic
from memory.store import Store, slug
from memory.wording import Language, say
from memory.words import fold

INDEX = "index.md"
FOLDERS = ("people", "projects")  # of topics/, which a page's title may name
_TRIES = 8
_AT_ONCE = 256  # pages taken in together
_SAVING = 0.05  # seconds that a file may be away while an editor saves it


@dataclass(frozen=True, slots=True)
class Why:
    """What goes into the journal beside a line's before and after."""

    op: Op
    source: Source
    at: datetime
    undoes: int | None = None
    part_of: int | None = None
    reason: str = ""


_State = tuple[str | None, int]
"""What a page was read as: its text, and how much the journal says of it."""


class Ledger:
    """One person's pages with their journal."""

    def __init__(self, store: Store, language: Language) -> None:
        self.store = store
        self.journal = Journal(store)
        self.language: Language = language
        self._parsed: dict[str, tuple[_State, Page]] = {}  # by name, as last read
        self._adopted: dict[str, _State] = {}  # pages in which nothing was left to take in
        self._lines: tuple[object, dict[str, Line]] = (None, {})
        self._homes: set[str] = set()  # pages that have lines, as the journal knows them
        self._topics: dict[str, tuple[Page, date, Topic]] = {}
        self._settled: tuple[object, ...] = (None, None, None)  # what was read when all was taken in
        self._read: tuple[object, object, list[Page]] = (
            None,
            None,
            [],
        )  # the topics, and what they were read from
        self._indexed: tuple[object, date | None, list[Topic]] = (None, None, [])

    # ---- reading

    def page(self, name: str) -> Page | None:
        """A page as it lies on disk, its lines with what the journal knows about them."""
        text = self.store.read(name)
        return None if text is None else self._page(name, text, self.journal.touched())

    def _page(self, name: str, text: str, touched: Mapping[str, int]) -> Page:
        """A page of this text; the same object as before where neither text nor journal say anything new of it.

        Of one that is broken: what the journal knows to stand there.
        """
        state = (text, touched.get(name, 0))
        known = self._parsed.get(name)
        if known is not None and known[0] == state:
            return known[1]
        if broken(text):
            lines = (line for home, line in self.journal.known().values() if home == name)
            page = Page(name, tuple(Row("", line) for line in lines), stem(name))
        else:
            page = parse(name, text, self._known())[0]
        self._parsed[name] = (state, page)
        return page

    def topics(self, texts: Mapping[str, str] | None = None) -> list[Page]:
        """All topic pages. `texts`: theirs, if they were read this moment."""
        texts = self.store.pages(TOPICS) if texts is None else texts
        touched = self.journal.touched()
        if self._read[0] is not texts or self._read[1] is not touched:
            for name in self._parsed.keys() - texts.keys() - {CORE}:
                self._parsed.pop(name, None)
            pages = [self._page(name, text, touched) for name, text in texts.items()]
            self._read = (texts, touched, pages)
        return self._read[2]

    def pages(self, texts: Mapping[str, str] | None = None) -> list[Page]:
        """CORE.md, where there is one, then the topics. `texts`: theirs, if they were read this moment."""
        core = self.page(CORE)
        return [*([core] if core else []), *self.topics(texts)]

    def problems(self) -> list[str]:
        """What cannot be read in the files, for `doctor`."""
        found: list[str] = []
        for name in (CORE, *self.store.names(TOPICS)):
            text = self.store.read(name)
            if text is not None and broken(text):
                found.append(
                    f"{name}: is no text; the rules in force are those of the journal, nothing is written there"
                )
            elif text is not None:
                found.extend(parse(name, text)[1])
        self.journal.entries()
        return found + self.journal.problems

    def recent(self, most: int, now: datetime) -> list[str]:
        """The last changes, newest last, for a prompt: what does not hold now is told without its words."""
        known = self.journal.known()
        rows: list[str] = []
        for entry in self.journal.entries()[-most:]:
            home, line = known.get(entry.line, ("", None))
            holds = line is not None and line.active(now.date())
            words = f" {line}" if holds and home == entry.page and line == entry.after else ""
            rows.append(f"- {entry.at:%Y-%m-%d %H:%M} {_VERBS[entry.op]} {entry.page} ^{entry.line}{words}")
        return rows

    def named(self, title: str) -> Page | None:
        """The topic page of that title."""
        return named(self.topics(), title)

    def find(self, id: str) -> tuple[Page, Line] | None:
        """The line of that id, and its page."""
        known = self.journal.known().get(id)
        pages = [page for page in [self.page(known[0])] if page] if known else self.pages()
        return next(((page, line) for page in pages if (line := page.line(id))), None)

    def _known(self) -> dict[str, Line]:
        known = self.journal.known()
        if self._lines[0] is not known:
            self._lines = (known, {id: line for id, (_, line) in known.items()})
            self._homes = {page for page, _ in known.values()}
        return self._lines[1]

    # ---- writing

    def topic(self, title: str, purpose: str = "") -> str:
        """The name of the page of that title; a new title gets a name that no other page has.

        The title may also be a page's own name, or name the folder it belongs into: "people/诺亚".
        """
        pages = self.topics()
        if page := named(pages, title):
            return page.name
        folder, _, rest = title.partition("/")
        path = slug(title)
        if folder in FOLDERS and rest:
            within = [page for page in pages if page.name.startswith(f"{TOPICS}{folder}/")]
            if page := named(within, rest):
                return page.name
            path, title = f"{folder}/{slug(rest)}", rest
        elif title.startswith(TOPICS) and any(page.name == title for page in pages):
            return title
        taken = {fold(name) for name in self.store.names(TOPICS)}
        name, n = f"{TOPICS}{path}.md", 2
        while fold(name) in taken:
            name, n = f"{TOPICS}{path}-{n}.md", n + 1
        page = fresh(name, title, purpose or say(self.language, "topic_purpose", title=title))
        with contextlib.suppress(StaleError):  # somebody was quicker
            self.store.write(name, page.render(), was=None)
        return name

    def put(self, name: str, line: Line | None, before: Line | None, why: Why) -> Entry:
        """Set one line of a page and write it down.

        Args:
            line: what it is to say; None = it goes; with id "" it gets the next free one.
            before: what it says now; None = there is none.

        Raises:
            StaleError: the line is not `before` any more.
            StoreUnwritable: nothing was changed.
        """
        for _ in range(_TRIES):
            text = self.store.read(name)
            if text is None:
                page = fresh(name, say(self.language, "rules_title") if name == CORE else stem(name))
            elif broken(text):
                raise StoreBroken
            else:
                page = parse(name, text, self._known())[0]
            if line is not None and not line.id:
                line = replace(line, id=self.journal.next_id(name, [other.id for other in page.lines]))
            id = line.id if line else before.id if before else ""
            if _differs(page.line(id), before):
                raise StaleError
            new = page.without(id)
            if line is not None:
                new = page.changed(line) if before else page.added(line)
            try:
                self.store.write(name, new.render(), was=text)
            except StaleError:
                continue
            n = self.journal.next_number()
            entry = Entry(
                n, why.at, why.op, name, id, before, line, why.source, why.undoes, why.part_of, why.reason
            )
            self._record([entry], {name: (text, new.render())})
            self._derive([entry])
            return entry
        raise StaleError

    def decline(self, name: str, line: Line, why: Why) -> Entry:
        """Write down that a line was offered and not wanted: a tombstone of what never lived."""
        line = replace(line, id=self.journal.next_id(name))
        entry = Entry(
            self.journal.next_number(),
            why.at,
            why.op,
            name,
            line.id,
            line,
            None,
            why.source,
            reason=why.reason,
        )
        self.journal.append([entry])
        with contextlib.suppress(StoreError):
            write_log(self.store, self.language, [log_row(entry)])
        return entry

    def adopt(
        self, at: datetime, name: str | None = None, texts: Mapping[str, str] | None = None
    ) -> list[Entry]:
        """Write down what a person did to the files by hand: lines typed, changed, removed.

        Args:
            name: only this page; None = all.
            texts: those of the topic pages, if they were read this moment.
        """
        texts = {} if name else self.store.pages(TOPICS) if texts is None else texts
        core = self.store.read(CORE) if name in (None, CORE) else None
        state = (texts, core, self.journal.touched())
        if name is None and all(map(operator.is_, state, self._settled)):
            return []
        self._known()
        names = [name] if name else [CORE, *texts, *sorted(self._homes - texts.keys())]
        read = {
            page: texts[page] if page in texts else self.store.read(page) for page in dict.fromkeys(names)
        }
        entries: list[Entry] = []
        for _ in range(_TRIES):
            stale = self._adopt(read, at, entries)
            read = {page: self.store.read(page) for page in stale}
            if not read:
                break
        if entries:
            self._derive(entries)
        elif name is None and not read:
            self._settled = state
        return entries

    def _adopt(self, read: Mapping[str, str | None], at: datetime, done: list[Entry]) -> list[str]:
        """Take pages in, many at a time: the disk is waited for once for all of them. `done` grows by what was
        written down. Returns the pages that changed meanwhile.
        """
        touched = self.journal.touched()
        due = [page for page, text in read.items() if self._adopted.get(page) != (text, touched.get(page, 0))]
        stale: list[str] = []
        for first in range(0, len(due), _AT_ONCE):
            looking = Adoption(self.journal.known(), self.journal.highest())
            found: list[Found] = []
            for page in due[first : first + _AT_ONCE]:
                text = read[page]
                if text is None and looking.holds(page):
                    time.sleep(_SAVING)  # an editor may just be putting the new file in its place
                    text = self.store.read(page)
                if text is not None and broken(text):
                    continue
                found.append(looking.look(page, text, parse(page, text or "", self._known())[0], at))
            stale += self._write_down(found, done)
        return stale

    def _write_down(self, found: Sequence[Found], done: list[Entry]) -> list[str]:
        """Pages with their new names, then the journal, in one go. Returns the pages that changed meanwhile."""
        writes = {
            each.page: (each.now, each.was) for each in found if each.now is not None and each.now != each.was
        }
        stale = self.store.write_all(writes) if writes else []
        kept = [each for each in found if each.page not in stale]
        first = self.journal.next_number()
        told = [entry for each in kept for entry in each.entries]
        entries = [replace(entry, n=first + i) for i, entry in enumerate(told)]
        if entries:
            self._record(entries, {each.page: (each.was, each.now) for each in kept})
            done += entries
        for each in kept:
            if not each.entries:
                self._adopted[each.page] = (each.was, self.journal.touched().get(each.page, 0))
        return stale

    def _record(self, entries: Sequence[Entry], written: Mapping[str, tuple[str | None, str | None]]) -> None:
        """Journal what was written to pages (name → text before, text now); where that fails, they are put back."""
        try:
            self.journal.append(entries)
        except StoreError:
            for name, (was, now) in written.items():
                if was is not None and now is not None and was != now:
                    with contextlib.suppress(StoreError):
                        self.store.write(name, was, was=now)
            raise

    def _derive(self, entries: Sequence[Entry]) -> None:
        with contextlib.suppress(StoreError):  # both can be derived again
            write_log(self.store, self.language, [log_row(entry) for entry in entries])
            self.reindex()

    def record(self, rows: Sequence[str]) -> None:
        """Append rows of a job to log.md; its place in the file is its date."""
        write_log(self.store, self.language, rows)
        with contextlib.suppress(StoreError):
            self.reindex()

    def discard(self, name: str) -> bool:
        """Remove a topic page with nothing in it but its front matter and blank rows."""
        page, text = self.page(name), self.store.read(name)
        if page is None or text is None or not name.startswith(TOPICS) or page.lines or page.prose:
            return False
        self.store.remove(name, was=text)
        with contextlib.suppress(StoreError):
            self.reindex()
        return True

    def index(self, today: datetime, texts: Mapping[str, str] | None = None) -> list[Topic]:
        """Topic pages with how many of their lines hold. `texts`: theirs, if they were read this moment."""
        day, pages = today.date(), self.topics(texts)
        if self._indexed[0] is pages and self._indexed[1] == day:
            return self._indexed[2]
        found: dict[str, tuple[Page, date, Topic]] = {}
        for page in pages:
            known = self._topics.get(page.name)
            if known is None or known[0] is not page or known[1] != day:
                count = sum(1 for line in page.lines if line.active(day))
                known = (page, day, Topic(page.name, page.title, page.purpose, count))
            found[page.name] = known
        self._topics = found
        self._indexed = (pages, day, [topic for _, _, topic in found.values()])
        return self._indexed[2]

    def reindex(self) -> None:
        """Write index.md anew from the pages."""
        rows = [f"# {say(self.language, 'index_title')}", ""]
        for page in self.pages():
            purpose = f" — {page.purpose}" if page.purpose else ""
            rows.append(f"- [{page.title or page.name}]({page.name}) ({len(page.lines)}){purpose}")
        text, was = "\n".join(rows) + "\n", self.store.read(INDEX)
        if text != was:
            self.store.write(INDEX, text, was=was)


def _differs(line: Line | None, expected: Line | None) -> bool:
    if line is None or expected is None:
        return line is not expected
    return str(line) != str(expected)


_VERBS = {
    "add": "added",
    "replace": "changed",
    "remove": "removed",
    "undo": "undone",
    "edit": "edited by hand",
    "decline": "not wanted",
}
