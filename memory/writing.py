"""The check at write: what a change really does, given the lines that are there.

Said already → KNOWN. Something else in the same place → the old line gives way, in place, and stays in the journal.
Otherwise a line of its own. What the person deleted does not come back by learning.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from memory.changes import (
    Change,
    Did,
    Instruct,
    Kind,
    Learn,
    Origin,
    Outcome,
    Restore,
    Retire,
    Revise,
    Source,
)
from memory.errors import StaleError
from memory.journal import Entry, Op
from memory.judging import Judge, refused
from memory.ledger import Ledger, Why
from memory.page import CORE, TOPICS, Line, Page, split_scope
from memory.restoring import make_way
from memory.sameness import Relation, relation, restates
from memory.search import Meanings
from memory.slots import slots_of
from memory.wording import Language, say
from memory.words import content, legible

_NEAREST = 5
_LIKE = 0.92  # cosine from which another wording may say the same, if it also shares …
_SHARE = 0.35  # … this much of its matter
_TRIES = 8
_AUTHORITY = {Origin.LEARNED: 0, Origin.EXPLICIT: 1, Origin.EDITED: 2}


class Writing:
    """Turns requested changes into entries. Callers hold the person's lock."""

    def __init__(
        self, ledger: Ledger, meanings: Meanings, judge: Judge | None = None, part_of: int | None = None
    ) -> None:
        """`part_of`: the first entry of the change that all that is written here belongs to."""
        self._ledger = ledger
        self._judge = judge
        self._meanings = meanings
        self._part_of = part_of

    def _why(
        self, op: Op, source: Source, at: datetime, *, part_of: int | None = None, reason: str = ""
    ) -> Why:
        return Why(op, source, at, part_of=self._part_of or part_of, reason=reason)

    async def write(self, change: Change, source: Source, now: datetime) -> Outcome:
        """One change, start to end; re-reads and tries again when a hand edit came between."""
        change = _clean(change)
        source = replace(source, words=legible(source.words), quote=legible(source.quote))
        for _ in range(_TRIES):
            try:
                return await self._write(change, source, now)
            except StaleError:
                await asyncio.to_thread(self._ledger.adopt, now)
        raise StaleError

    async def _write(self, change: Change, source: Source, now: datetime) -> Outcome:
        if isinstance(change, Restore):
            return await asyncio.to_thread(self.undo, change.entry, now)
        found = await asyncio.to_thread(self._ledger.find, change.target) if change.target else None
        language = self._ledger.language
        gone = await self._also(change, found)
        covered = [str(line) for _, line in [*([found] if found else []), *gone]]
        asked: Change = change
        if found is not None and _same_words(change, found[1]):
            # to pause says nothing new: it takes no more than the person's own words
            asked = Retire(found[1].id)
        if refusal := await refused(asked, source, language, covered, self._judge):
            return replace(refusal, change=change)
        if isinstance(change, Retire | Revise):
            if found is None:
                return Outcome(change, Did.REFUSED, reason=say(language, "no_line"))
            if isinstance(change, Retire):
                return await asyncio.to_thread(self._retire, change, found, source, now)
            return await asyncio.to_thread(self._revise, change, found, gone, source, now)
        return await self._keep(change, found, source, now)

    async def _also(self, change: Change, found: tuple[Page, Line] | None) -> list[tuple[Page, Line]]:
        """The other lines that a revision takes the place of."""
        if not isinstance(change, Revise) or found is None:
            return []
        others = [id for id in dict.fromkeys(change.also) if id != change.target]
        lines = [await asyncio.to_thread(self._ledger.find, id) for id in others]
        return [each for each in lines if each is not None and each[0].name == found[0].name]

    async def _keep(
        self, change: Instruct | Learn, found: tuple[Page, Line] | None, source: Source, now: datetime
    ) -> Outcome:
        line = _line_of(change, source)
        if found is not None and _fits(found[0], change):
            return await asyncio.to_thread(self._replace, change, line, [found], source, now)
        known, gives_way = None, list[tuple[Page, Line]]()
        for page, other in await self._near(line, now):
            match relation(line, other):
                case Relation.SAME:
                    known = known or (page, other)
                case Relation.REPLACES:
                    gives_way.append((page, other))
                case Relation.APART:
                    pass
        if known is not None:
            return await asyncio.to_thread(self._known, change, line, known, source, now)
        if line.origin is Origin.LEARNED and await self._buried(line):
            return Outcome(change, Did.REFUSED, reason=say(self._ledger.language, "deleted"))
        if gives_way:
            return await asyncio.to_thread(self._replace, change, line, gives_way, source, now)
        return await asyncio.to_thread(self._add, change, line, source, now)

    async def _near(self, line: Line, now: datetime) -> list[tuple[Page, Line]]:
        """Lines that could be about the same: those that share words or a slot, and the nearest in meaning.

        Paused ones too: what the person says again is in force again.
        """
        pages = await asyncio.to_thread(self._ledger.pages)
        there = [(page, other) for page in pages for other in page.lines if not other.expired(now.date())]
        mine, slots = set(content(line.text)), slots_of(line.text).keys()
        near = {
            i
            for i, (_, other) in enumerate(there)
            if mine & set(content(other.text)) or slots & slots_of(other.text).keys()
        }
        cosines = await self._meanings.cosines(line.text, [other.text for _, other in there])
        if cosines is not None:
            best = sorted(range(len(there)), key=lambda i: -cosines[i])
            near |= set(best[:_NEAREST]) | {i for i in best if cosines[i] >= 0.90}
        return [there[i] for i in sorted(near)]

    # ---- what is written (blocking)

    def _known(
        self, change: Change, line: Line, known: tuple[Page, Line], source: Source, now: datetime
    ) -> Outcome:
        """It is there. What was learned becomes explicit when the person now asks for it."""
        page, old = known
        if old.paused and line.origin is not Origin.LEARNED:
            new = replace(old, paused=False, until=line.until)
            why = self._why("replace", source, now, reason=say(self._ledger.language, "resumed"))
            return outcome_of(self._ledger.put(page.name, new, old, why), Did.RESTORED, change)
        if _AUTHORITY[line.origin] > _AUTHORITY[old.origin]:
            new = replace(old, origin=line.origin)
            self._ledger.put(page.name, new, old, self._why("replace", source, now))
        return Outcome(change, Did.KNOWN, old.id, page.name, before=old.text, after=old.text)

    def _add(self, change: Instruct | Learn, line: Line, source: Source, now: datetime) -> Outcome:
        language = self._ledger.language
        name = CORE
        if isinstance(change, Learn):
            title = change.topic.strip() or say(language, "about_me")
            purposes = {say(language, key): say(language, f"{key}_purpose") for key in ("about_me", "others")}
            name = self._ledger.topic(title, purposes.get(title, ""))
        return outcome_of(
            self._ledger.put(name, line, None, self._why("add", source, now)), Did.ADDED, change
        )

    def _replace(
        self,
        change: Instruct | Learn,
        line: Line,
        gives_way: list[tuple[Page, Line]],
        source: Source,
        now: datetime,
    ) -> Outcome:
        """The first line says the new thing from now on; others that contradict it go with it."""
        guarded = next(
            (old for _, old in gives_way if _AUTHORITY[old.origin] > _AUTHORITY[line.origin]), None
        )
        if guarded is not None:
            reason = say(self._ledger.language, "yours", what=guarded.text)
            return Outcome(change, Did.REFUSED, guarded.id, reason=reason, before=guarded.text)
        newer = next((old for _, old in gives_way if self._said_later(old, line.origin, source)), None)
        if newer is not None:
            reason = say(self._ledger.language, "newer", what=newer.text)
            return Outcome(change, Did.REFUSED, newer.id, reason=reason, before=newer.text)
        page, old = gives_way[0]
        new = replace(line, id=old.id)
        if str(new) == str(old):
            return self._known(change, new, (page, old), source, now)
        reason = say(self._ledger.language, "superseded", text=new.text)
        entry = self._ledger.put(page.name, new, old, self._why("replace", source, now, reason=reason))
        for other_page, other in gives_way[1:]:
            why = self._why("remove", source, now, part_of=entry.n, reason=reason)
            self._ledger.put(other_page.name, None, other, why)
        gone = tuple(other.text for _, other in gives_way[1:])
        return replace(outcome_of(entry, Did.REPLACED, change), gave_way=gone)

    def _revise(
        self,
        change: Revise,
        found: tuple[Page, Line],
        also: list[tuple[Page, Line]],
        source: Source,
        now: datetime,
    ) -> Outcome:
        page, old = found
        origin = change.origin or old.origin
        if reason := self._unwilling(change, [old, *(line for _, line in also)], origin, source):
            return Outcome(change, Did.REFUSED, old.id, page.name, before=old.text, reason=reason)
        said = source.shown or (old.said if change.text == old.text else "")
        end = (change.when, change.until, change.paused, said)
        new = Line(old.id, change.text, old.kind, origin, *end)
        if new == old and not also:
            return Outcome(change, Did.KNOWN, old.id, page.name, before=old.text, after=old.text)
        language = self._ledger.language
        reason = change.reason or _reason(new, old, language)
        entry = self._ledger.put(page.name, new, old, self._why("replace", source, now, reason=reason))
        merged = self._why(
            "remove", source, now, part_of=entry.n, reason=say(language, "said_as_well", text=new.text)
        )
        for other_page, other in also:
            self._ledger.put(other_page.name, None, other, merged)
        gone = [other.text for _, other in also]
        gone += make_way(self._ledger, new, replace(merged, reason=""), [line.id for _, line in also])
        return replace(outcome_of(entry, Did.REPLACED, change), gave_way=tuple(gone))

    def _unwilling(self, change: Revise, lines: Sequence[Line], origin: Origin, source: Source) -> str | None:
        """Why lines must stay as they are; the first is the one that changes."""
        language, old = self._ledger.language, lines[0]
        for line in lines:
            if _AUTHORITY[line.origin] > _AUTHORITY[origin]:
                return say(language, "yours", what=line.text)
        if change.was is not None and change.was != str(old):
            return say(language, "changed_meanwhile", what=old.text)
        if self._said_later(old, origin, source):
            return say(language, "newer", what=old.text)
        return None

    def _said_later(self, old: Line, origin: Origin, source: Source) -> bool:
        """Whether a line rests on words younger than these, which were only read late: they must not turn it back.

        Where the person asked for something, both time and number of the message must say so: clocks of two channels
        differ, and a new database counts its messages from one again. Learning gives way sooner.
        """
        last = next((e for e in reversed(self._ledger.journal.entries()) if e.line == old.id), None)
        if last is None or last.source.at < source.at:
            return False
        if origin is Origin.LEARNED and last.source.at > source.at:
            return True
        theirs, ours = last.source.message, source.message
        numbered = last.op in ("add", "replace") and theirs.isdigit() and ours.isdigit()
        return numbered and int(theirs) > int(ours)

    def _retire(self, change: Retire, found: tuple[Page, Line], source: Source, now: datetime) -> Outcome:
        page, old = found
        if self._said_later(old, Origin.EXPLICIT, source):
            reason = say(self._ledger.language, "newer", what=old.text)
            return Outcome(change, Did.REFUSED, old.id, page.name, before=old.text, reason=reason)
        entry = self._ledger.put(page.name, None, old, self._why("remove", source, now, reason=change.reason))
        return outcome_of(entry, Did.REMOVED, change)

    def move(self, target: str, topic: str, source: Source, now: datetime) -> Outcome | None:
        """Bring a learned line onto another page; None when it is the person's own, gone, or there already (blocking).

        It is added before it is removed: a crash in between leaves it twice, never not at all.
        """
        found = self._ledger.find(target)
        if found is None or found[0].name == CORE or found[1].origin is not Origin.LEARNED:
            return None
        page, old = found
        name = self._ledger.topic(topic)
        if name == page.name:
            return None
        new = replace(old, id="", said=source.shown or old.said)
        entry = self._ledger.put(name, new, None, self._why("add", source, now))
        self._ledger.put(page.name, None, old, self._why("remove", source, now, part_of=entry.n))
        return outcome_of(entry, Did.ADDED)

    async def _buried(self, line: Line) -> bool:
        """Whether the person deleted or declined this, in these words or others that say the same."""
        gone = await asyncio.to_thread(self._ledger.journal.tombstones)
        if any(restates(line, each) for each in gone):
            return True
        like = await self._meanings.cosines(line.text, [each.text for each in gone])
        return like is not None and any(
            cosine >= _LIKE and restates(line, each, share=_SHARE)
            for cosine, each in zip(like, gone, strict=True)
        )

    async def unwanted(self, change: Instruct | Learn, source: Source) -> bool:
        """Whether the person deleted or declined such a line: nobody but them brings it up again."""
        cleaned = _clean(change)
        return isinstance(cleaned, Instruct | Learn) and await self._buried(_line_of(cleaned, source))

    def decline(self, change: Instruct | Learn, source: Source, now: datetime) -> None:
        """Remember that a line is not wanted (blocking)."""
        line = _line_of(change, source)
        line = replace(line, text=" ".join(line.text.split()))
        page = self._ledger.named(change.topic.strip()) if isinstance(change, Learn) else None
        name = CORE if isinstance(change, Instruct) else page.name if page else TOPICS
        self._ledger.decline(name, line, Why("decline", replace(source, by="person"), now))

    def undoable(self) -> Entry | None:
        """The last entry that the person asked the assistant for and that was not taken back (blocking)."""
        journal = self._ledger.journal
        undone = journal.undone()
        return next((e for e in reversed(journal.entries()) if _own(e) and e.n not in undone), None)

    def undo(self, number: int | None, now: datetime) -> Outcome:
        """Take back an entry and those of the same change (blocking)."""
        journal, language = self._ledger.journal, self._ledger.language
        undone = journal.undone()
        if number is None:
            last = self.undoable()
            number = last.n if last else None
        entry = journal.entry(number) if number is not None else None
        asked = Restore(number or 0)
        if entry is None or entry.op == "decline":
            return Outcome(asked, Did.REFUSED, reason=say(language, "no_entry"))
        if entry.n in undone:
            return Outcome(asked, Did.REFUSED, entry.line, entry.page, reason=say(language, "undone_already"))
        group = [part for part in journal.group(entry.part_of or entry.n) if part.n not in undone]
        done: dict[int, Entry] = {}  # by the entry that was taken back
        for part in reversed(group):  # a run may have touched a line twice
            found = self._ledger.find(part.line)
            current = found[1] if found else None
            if str(current) != str(part.after):  # by hand, or by a later change: nobody's words go unseen
                continue  # of a run, the rest goes back
            source = replace(part.source, at=now, by="person")
            why = Why("undo", source, now, part.n, min((e.n for e in done.values()), default=None))
            done[part.n] = self._ledger.put(part.page, part.before, current, why)
        if not done:
            reason = say(language, "changed_since")
            return Outcome(asked, Did.REFUSED, group[0].line, group[0].page, reason=reason)
        first = min(written.n for written in done.values())
        return replace(outcome_of(done[min(done)], Did.RESTORED, asked), entry=first, parts=len(done))


def outcome_of(entry: Entry, did: Did, change: Change | None = None) -> Outcome:
    """What an entry did, as callers see it."""
    before = entry.before.text if entry.before else None
    after = entry.after.text if entry.after else None
    return Outcome(change or Restore(entry.n), did, entry.line, entry.page, before, after, entry.n)


def _own(entry: Entry) -> bool:
    """A change that a bare "undo" takes back: asked of the assistant, whole, and no undo itself.

    What was typed into a file by hand is not: it is taken back where it was typed, or by its number.
    """
    asked = entry.op not in ("undo", "edit", "decline")
    theirs = entry.source.by == "person" or bool(entry.source.program)  # which they approved
    return asked and entry.part_of is None and theirs


def _same_words(change: Change, line: Line) -> bool:
    """Whether a revision leaves what the line says, and touches only whether it is paused or when it ends."""
    return (
        isinstance(change, Revise)
        and not change.also
        and (change.text, change.when) == (line.text, line.when)
    )


def _reason(new: Line, old: Line, language: Language) -> str:
    if new.paused != old.paused:
        return say(language, "paused" if new.paused else "resumed")
    return ""


def _fits(page: Page, change: Instruct | Learn) -> bool:
    """A rule replaces a rule and a fact a fact; across the two a line of its own is written."""
    return (page.name == CORE) == isinstance(change, Instruct)


def _line_of(change: Instruct | Learn, source: Source) -> Line:
    kind = Kind.INSTRUCTION if isinstance(change, Instruct) else change.kind
    return Line("", change.text, kind, change.origin, change.when, change.until, said=source.shown)


def _clean(change: Change) -> Change:
    """One row of text in the form it will be read back in."""
    if isinstance(change, Restore | Retire):
        return change
    text, when, until, _ = split_scope(" ".join(legible(change.text).split()).lstrip("-*+• "))
    scope = " ".join(legible(change.when or "").split()) or None
    if scope and scope.count("(") != scope.count(")"):
        scope = scope.replace("(", "").replace(")", "")
    return replace(change, text=text, when=scope or when, until=change.until or until)
