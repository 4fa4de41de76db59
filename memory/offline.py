"""Understanding and extraction with no language model: a probe and a tagger trained on banks, plus structure.

The same promise as with a model: it proposes, `Memory.apply` decides. Sure → a change; unsure → one short question;
most messages hold nothing. What is not the person's own typing is never read.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

import numpy as np

from memory.changes import Change, Instruct, Kind, Learn, Origin, Retire, Source
from memory.clauses import sentences
from memory.dates import find_dates
from memory.extraction import Extraction, Proposal, last_said
from memory.filing_rules import SCOPE, phrase
from memory.page import Line
from memory.phrasing import asks_to_keep, changed, end_of, fact, standing, trimmed
from memory.places import kind_of_picture, place
from memory.probe import KEEPS, KINDS, REFERENCE, Probe, Vectors, kind_in, load_probe, storing
from memory.proposals import approved
from memory.search import Embed, Meanings
from memory.secret_shapes import secret_in
from memory.spans import Spans, group_of, load_tagger
from memory.targets import same_matter, spoken_of
from memory.turn import Turn
from memory.wording import Language, say
from memory.words import language_of

_MOST = 4_000  # characters of one message that are read; a paste longer than that is no rule
_MAY_HOLD = (
    0.28  # on the held-out bank 99 % of what is to be kept passes, and 38 % of other talk (at 0.15: 65 %)
)
_LONG = 400  # a message this long is mostly pasted: its sentences count, the whole does not


@dataclass(frozen=True, slots=True)
class Understanding:
    """What a message is and which of its words matter. All spans are substrings of the message."""

    label: str  # filing, rule, change, fact_self … task, chat
    confidence: float  # of the label, 0..1
    scores: Mapping[str, float] = field(default_factory=dict)  # of every label
    keep: str = ""  # the part to keep, or what to forget
    what: str = ""  # the kind of picture
    where: str = ""  # the category
    of: str = ""  # what a change is about: filing, rule, fact
    asked: bool = False  # keeping it was asked for in words
    chance: float = 0.0  # that it holds something to keep
    level: str = ""  # "save", "ask" or "": what that chance is good for


class Offline:
    """The embedded default."""

    def __init__(self, embed: Embed | None) -> None:
        """Args:
        embed: *query* vectors of the embedder the probe was trained with; another one, or None, is noticed and
            the probe goes by words alone.
        """
        self._embed = embed
        self._meanings = Meanings(embed)
        self._probe: Probe | None = None
        self._fits: bool | None = None
        self._lock = asyncio.Lock()

    async def understand(self, text: str, *, previous: Sequence[Turn] = ()) -> Understanding:
        """What the person means by one message."""
        text = text.strip()[:_MOST]
        if not text:
            return Understanding("chat", 1.0)
        if self._probe is None:
            await asyncio.to_thread(load_tagger)
            self._probe = await asyncio.to_thread(load_probe)
        probe = self._probe
        parts = [part.text for part in sentences(text)]
        texts = [text, *(parts if len(parts) > 1 else [])]
        vectors = await self._vectors(texts, probe)
        if vectors is None and len(text) <= _LONG:  # half a millisecond: crossing to a thread costs as much
            return _understand(text, texts, vectors, probe)
        return await asyncio.to_thread(_understand, text, texts, vectors, probe)

    async def may_hold(self, text: str) -> bool:
        """Whether there may be anything to keep, change or forget: the gate before a model is asked."""
        if not text.strip():
            return False
        found = await self.understand(text)
        kept = sum(found.scores.get(label, 0.0) for label in (*KEEPS, "forget"))
        return found.level != "" or found.asked or max(kept, found.chance) >= _MAY_HOLD

    async def extract(
        self, turns: Sequence[Turn], lines: Sequence[tuple[str, Line]], now: datetime
    ) -> Extraction:
        """What follows for memory from the person's last turn; the earlier ones are context.

        Args:
            lines: (page, line) of all live lines, to find what a change or a "forget" is about.
            now: used where a turn has no time of its own.
        """
        said = last_said(turns)
        if said is None:
            return Extraction()
        turn, earlier = said
        found = await self.understand(turn.text, previous=earlier)
        language: Language = "zh" if language_of(turn.text, "zh") == "zh" else "en"
        source = Source(turn.conversation, turn.message, turn.at or now, turn.text, found.keep or turn.text)
        if found.label == "forget":
            return await self._forget(found, turn, lines, source)
        if not found.level or secret_in(turn.text):
            return Extraction()
        kind = (
            found.label
            if found.label in KEEPS
            else max(KEEPS, key=lambda label: found.scores.get(label, 0.0))
        )
        change = self._change(replace(found, label=kind), turn, language)
        change, source = await self._settled(change, found, turn, earlier, lines, source)
        if change is None:
            return Extraction()
        return (
            Extraction(((change, source),)) if found.level == "save" else Extraction((), ((change, source),))
        )

    # ---- steps

    async def _vectors(self, texts: Sequence[str], probe: Probe) -> Vectors | None:
        if self._embed is None:
            return None
        async with self._lock:
            if self._fits is None:
                self._fits = probe.fits(await self._embed([REFERENCE]))
        return await self._embed(texts) if self._fits else None

    def _change(self, found: Understanding, turn: Turn, language: Language) -> Instruct | Learn | None:
        """The message as a change, in words that stand alone."""
        kept = found.keep or turn.text
        until = end_of(kept, turn.at)
        if group_of(found.label, found.of) in ("file", "refile"):
            what, where = kind_of_picture(found.what, turn.text, language), place(found.where)
            if not what or not where:
                return None
            return Instruct(phrase(what, where, language), SCOPE[language], until)
        if found.label == "change":
            kept = changed(kept, language)
        if found.label == "rule" or (found.label == "change" and found.of == "rule"):
            return Instruct(standing(kept, turn.at, language), None, until)
        text = fact(kept, turn.at, language, about_self=found.label != "fact_other")
        kind = Kind.EPISODIC if _on_a_day(kept, turn.at) else Kind.PERSONA
        origin = Origin.EXPLICIT if found.asked or found.label == "change" else Origin.LEARNED
        topic = say(language, "others" if found.label == "fact_other" else "about_me")
        return Learn(
            text, topic, kind, origin=origin, until=end_of(kept, turn.at) if kind is Kind.PERSONA else None
        )

    async def _settled(
        self,
        change: Instruct | Learn | None,
        found: Understanding,
        turn: Turn,
        earlier: Sequence[Turn],
        lines: Sequence[tuple[str, Line]],
        source: Source,
    ) -> tuple[Change | None, Source]:
        """With its target where a changed mind names one, or its content where it leans on a proposal."""
        if approval := approved(turn, earlier, found.keep or turn.text):
            text, context = approval
            return Instruct(text), replace(source, context=context)
        if change is None:
            return None, source
        if found.label == "change":
            cosines = await self._meanings.cosines(change.text, [line.text for _, line in lines])
            target = same_matter(change, turn.text, lines, cosines)
            if target is not None:
                return replace(change, target=target), source
        return change, source

    async def _forget(
        self, found: Understanding, turn: Turn, lines: Sequence[tuple[str, Line]], source: Source
    ) -> Extraction:
        """Lines the person wants gone. Several that fit equally well are asked about, one by one."""
        about = trimmed(found.keep or turn.text, "zh" if language_of(turn.text, "zh") == "zh" else "en")
        cosines = await self._meanings.cosines(about, [line.text for _, line in lines])
        sure, maybe = spoken_of(about, turn.text, lines, cosines)
        proposals = tuple((Retire(id), source) for id in sure)
        asked: tuple[Proposal, ...] = tuple((Retire(id), source) for id in maybe)
        if found.confidence < 0.45:
            return Extraction((), (*proposals, *asked))
        return Extraction(proposals, asked)


def _understand(text: str, texts: Sequence[str], vectors: Vectors | None, probe: Probe) -> Understanding:
    face = "words" if vectors is None else "full"
    head = probe.heads[f"{face}:label"]
    rows = probe.rows(texts, vectors)
    found = head(rows)
    whole, parts = found[0], found[1:] if len(texts) > 1 else found
    chance = storing(whole, parts, head.classes)
    best = int(parts[:, [head.classes.index(label) for label in KEEPS]].sum(axis=1).argmax())
    kept = np.maximum(whole, parts[best] if chance > 0.2 else whole)
    kind = kind_in(kept, head.classes)
    low, high = probe.levels[f"{face}:{kind}"]
    level = "save" if chance >= high else "ask" if chance >= low else ""
    label = head.classes[int(whole.argmax())]
    if level:
        label = max((*KINDS[kind], "change"), key=lambda name: float(kept[head.classes.index(name)]))
    row = rows[:1] if len(texts) < 2 or len(text) < _LONG else rows[1 + best : 2 + best]
    of = _best(probe, f"{face}:of", row) if label == "change" else ""
    asked = label in KEEPS and (asks_to_keep(text) or _chance(probe, f"{face}:asked", row, "yes") >= 0.5)
    spans = load_tagger().find(text, group_of(label, of)) if label in (*KEEPS, "forget", "move") else Spans()
    if level == "ask" and asked and head.classes[int(whole.argmax())] in KEEPS:
        level = "save"  # "remember that …" leaves no doubt that it is to be kept
    if level == "save" and group_of(label, of) in ("file", "refile") and spans.sure < 0:
        level = "ask"  # it is a rule, but which words are the place is a guess
    scores = {name: round(float(p), 4) for name, p in zip(head.classes, whole, strict=True)}
    return Understanding(
        label, float(whole[head.classes.index(label)]), scores, spans.keep, spans.what, spans.where,
        of, asked, chance, level,
    )  # fmt: skip


def _best(probe: Probe, head: str, row: Vectors) -> str:
    found = probe.heads[head](row)[0]
    return probe.heads[head].classes[int(found.argmax())]


def _chance(probe: Probe, head: str, row: Vectors, name: str) -> float:
    return float(probe.heads[head](row)[0, probe.heads[head].classes.index(name)])


def _on_a_day(text: str, at: datetime) -> bool:
    return any(found.unit == "day" for found in find_dates(text, at))
