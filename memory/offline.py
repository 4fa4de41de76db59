"""Understanding and extraction with no language model: a probe and a tagger trained on banks, plus structure.

The same promise as with a model: it proposes, `Memory.apply` decides. Sure → a change; unsure → one short question;
most messages hold nothing. What is not the person's own typing is never read.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

import numpy as np

from memory.changes import Instruct, Kind, Learn, Origin, Retire, Source, Speaker
from memory.clauses import clauses, sentences
from memory.dates import find_dates
from memory.extraction import Extraction, Proposal, last_said
from memory.filing_rules import SCOPE, phrase, read_rule, same_place
from memory.page import Line
from memory.phrasing import (
    about_oneself,
    asks_to_keep,
    changed,
    end_of,
    fact,
    is_question,
    is_statement,
    of_others,
    of_others_words,
    spoken_for,
    standing,
    stated,
    supposes,
    trimmed,
    without_questions,
)
from memory.places import kind_of_picture, place, says_nothing
from memory.probe import KEEPS, KINDS, REFERENCE, Probe, Vectors, load_probe, storing
from memory.proposals import approved
from memory.scopes import scope_of
from memory.search import Embed, Meanings
from memory.secret_shapes import secret_in
from memory.spans import Spans, group_of, load_tagger
from memory.speech_acts import back_to, deliberates, insists, relays, wonders
from memory.targets import same_matter, spoken_of
from memory.turn import Turn
from memory.wording import Language, say
from memory.words import has_han, language_of

_MOST = 4_000  # characters of one message that are read; a paste longer than that is no rule
_MAY_HOLD = (
    0.28  # on the held-out bank 99 % of what is to be kept passes, and 38 % of other talk (at 0.15: 65 %)
)
_NO_PLACE = -1.0  # log odds at which the tagger is sure that a message names no kind of picture and place
_ACROSS = 0.84  # cosine of two kinds of pictures named in two languages from which they are one
_MAY_BE_FILING, _PLAINLY = 0.25, 4.0  # chance of the probe, lead of the tagger's best reading
_NEVER_TOLD = ("secret", "forget", "undo", "once", "quoted", "hypothetical")
_ABOUT_MEMORY = ("filing", "rule", "change", "forget")  # what only the person's own wish can be
_RECENT = 3  # turns of the person in which "it" and "them" are looked up
_SINGLE = ("filing", "rule", "fact_self", "fact_other")
_AND = re.compile(r"\s+and\s+", re.I)
_PARTS = 4  # clauses of a message at most that may each be kept by themselves
_WISHED = 0.5  # chance from which a message is kept that asks for it in words ("remember that …")
_SECRET = 0.2  # chance of being a secret from which nothing is kept, whatever else it may be
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
        if approval := approved(turn, earlier):
            text, context = approval
            return Extraction(((Instruct(text), replace(source, quote=turn.text, context=context)),))
        if not found.level or secret_in(turn.text):
            return Extraction()
        proposals: list[Proposal] = []
        for each in await self._apart(found, turn.text):
            change = self._change(each, turn, earlier, language)
            if change is None:
                continue
            if each.label == "change":
                change = await self._aimed(change, turn, lines)
            elif target := await self._in_other_words(change, lines):
                change = replace(change, target=target)
            proposals.append((change, replace(source, quote=each.keep or turn.text)))
        return Extraction(tuple(proposals)) if found.level == "save" else Extraction((), tuple(proposals))

    # ---- steps

    async def _apart(self, found: Understanding, text: str) -> list[Understanding]:
        """The things a message says, where it plainly says several: a fact and a wish, or two filing rules."""
        parts = [part.text.strip("，,。.;； ") for part in clauses(found.keep or text)]
        if len(parts) == 1 and found.label == "filing":
            parts = _AND.split(parts[0], maxsplit=1)
        if found.level != "save" or found.label not in _SINGLE or not 2 <= len(parts) <= _PARTS:
            return [found]
        each = [await self.understand(part) for part in parts]
        kinds = {next((kind for kind, labels in KINDS.items() if one.label in labels), "") for one in each}
        several = kinds == {"filing"} and all(one.what and one.where for one in each)
        apart = all(one.level == "save" for one in each) and "" not in kinds and (several or len(kinds) > 1)
        return each if apart else [found]

    async def _vectors(self, texts: Sequence[str], probe: Probe) -> Vectors | None:
        if self._embed is None:
            return None
        async with self._lock:
            if self._fits is None:
                self._fits = probe.fits(await self._embed([REFERENCE]))
        return await self._embed(texts) if self._fits else None

    def _change(
        self, found: Understanding, turn: Turn, earlier: Sequence[Turn], language: Language
    ) -> Instruct | Learn | None:
        """The message as a change, in words that stand alone."""
        if (back := back_to(turn.text, language)) and (kind := _kind_before(earlier, language)):
            return Instruct(phrase(kind, place(back), language), SCOPE[language])
        kept = without_questions(found.keep or turn.text)
        around = _sentence(turn.text, kept)
        is_fact = found.label.startswith("fact") or found.of == "fact"
        until = end_of(around, turn.at, implied=not is_fact)
        if group_of(found.label, found.of) in ("file", "refile"):
            what, where = kind_of_picture(found.what, turn.text, language), place(found.where)
            if says_nothing(found.what) or says_nothing(what):
                what = _kind_before(earlier, language)  # "no, back to Bills after all"
            if not what or not where:
                return None
            return Instruct(phrase(what, where, language), SCOPE[language], until)
        if found.label in ("change", "rule"):
            kept = changed(kept, language)
        is_rule = found.label == "rule" or (found.label == "change" and found.of == "rule")
        if is_rule and not is_statement(trimmed(kept, language)):
            scope = scope_of(around, language)
            return Instruct(standing(kept, turn.at, language), scope, until)
        said = spoken_for(stated(kept, language), turn.text.split(kept)[0], language)
        if not said or (
            found.level == "ask" and found.label == "fact_self" and not about_oneself(said, language)
        ):
            return None
        text = fact(said, turn.at, language, about_self=not of_others(said))
        kind = Kind.EPISODIC if _on_a_day(said, turn.at) else Kind.PERSONA
        origin = Origin.EXPLICIT if found.asked else Origin.LEARNED
        topic = say(language, "others" if of_others(said) else "about_me")
        return Learn(text, topic, kind, origin=origin, until=until if kind is Kind.PERSONA else None)

    async def _aimed(
        self, change: Instruct | Learn, turn: Turn, lines: Sequence[tuple[str, Line]]
    ) -> Instruct | Learn:
        """With the line that a changed mind speaks of, where one is clearly meant.

        A changed fact is as explicit as the line it changes: what was only learned stays learned.
        """
        cosines = await self._meanings.cosines(change.text, [line.text for _, line in lines])
        target = same_matter(change, turn.text, lines, cosines) or await self._in_other_words(change, lines)
        if target is None:
            return change
        if isinstance(change, Instruct):
            held_line = next(line for _, line in lines if line.id == target)
            new, old = read_rule(change.text, change.when), read_rule(held_line.text, held_line.when)
            if (
                new and old and same_place(new.what, old.where)
            ):  # "the Bills one goes to Money": named by its place
                language: Language = "zh" if has_han(change.text) else "en"
                return replace(change, text=phrase(old.what, new.where, language), target=target)
        if isinstance(change, Learn) and change.origin is Origin.LEARNED:
            held = next(line for _, line in lines if line.id == target)
            kept = Origin.LEARNED if held.origin is Origin.LEARNED else Origin.EXPLICIT
            return replace(change, target=target, origin=kept)
        return replace(change, target=target)

    async def _in_other_words(
        self, change: Instruct | Learn, lines: Sequence[tuple[str, Line]]
    ) -> str | None:
        """The filing rule on the same kind of picture that was said in another language ("收据", "receipts").

        They share no word, so meaning decides: of 16 such pairs 11 reach 0.84, of 240 others none.
        """
        rule = read_rule(change.text, change.when) if isinstance(change, Instruct) else None
        if rule is None:
            return None
        known = [(line.id, old.what) for _, line in lines if (old := read_rule(line.text, line.when))]
        known = [(id, what) for id, what in known if has_han(what) != has_han(rule.what)]
        cosines = await self._meanings.cosines(rule.what, [what for _, what in known])
        if not cosines:
            return None
        best = max(range(len(known)), key=lambda i: cosines[i])
        return known[best][0] if cosines[best] >= _ACROSS else None

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
    lowest = min(probe.levels[f"{face}:{kind}"][0] for kind in KINDS)  # below it the kind makes no difference
    kind = _kind_by_words(text, kept, head.classes) if chance >= min(lowest, _WISHED) else "fact"
    first = head.classes[int(whole.argmax())]
    language: Language = "zh" if has_han(text) else "en"
    told = insists(text, language) and first not in _NEVER_TOLD
    if told and first not in KEEPS:
        first = max(KEEPS, key=lambda name: float(kept[head.classes.index(name)]))
    if first in _ABOUT_MEMORY and relays(text, language):
        first, chance = "quoted", 0.0  # somebody else's wish
    elif first == "forget" and (supposes(text, language) or deliberates(text)):
        first = "hypothetical"
    wished = asks_to_keep(text) and first in KEEPS
    low, high = probe.levels[f"{face}:{kind}"]
    level = "save" if told or chance >= (_WISHED if wished else high) else "ask" if chance >= low else ""
    if level and kind == "fact" and wonders(stated(text, language) or text, language):
        level, first = "", "ask_fact"  # it speaks of a fact and states none
    if float(whole[head.classes.index("secret")]) >= _SECRET:
        level = ""
    label = first
    if level:
        label = max((*KINDS[kind], "change"), key=lambda name: float(kept[head.classes.index(name)]))
    row = rows[:1] if len(texts) < 2 or len(text) < _LONG else rows[1 + best : 2 + best]
    of = _about(text, probe, f"{face}:of", row) if label == "change" else ""
    asked = label in KEEPS and (wished or _chance(probe, f"{face}:asked", row, "yes") >= 0.5)
    spans = load_tagger().find(text, group_of(label, of)) if label in (*KEEPS, "forget", "move") else Spans()
    level = _doubted(level, first, spans, text) if level else level
    scores = {name: round(float(p), 4) for name, p in zip(head.classes, whole, strict=True)}
    return Understanding(
        label, float(whole[head.classes.index(label)]), scores, spans.keep, spans.what, spans.where,
        of, asked, chance, level,
    )  # fmt: skip


def _doubted(level: str, first: str, spans: Spans, text: str) -> str:
    """What form says against keeping, or for it: a thought played with, or another's text, is dropped; a wish put
    as a question, or a rule whose place is a guess, is asked about; one that plainly names both is not.
    """
    language: Language = "zh" if has_han(text) else "en"
    kept = spans.keep or text
    if supposes(kept, language) or of_others_words(text, kept):
        return ""
    guessed = bool(spans.where) and spans.sure < 0
    if guessed or is_question(kept, language):
        return "ask"
    return "save" if first == "filing" and spans.where and spans.sure >= _PLAINLY else level


def _kind_before(earlier: Sequence[Turn], language: Language) -> str:
    """The kind of picture that the person's last words about filing named; "" when there are none."""
    for turn in reversed([turn for turn in earlier if turn.role is Speaker.PERSON][-_RECENT:]):
        spans = load_tagger().find(turn.text, "refile")
        if spans.what and spans.where and spans.sure >= _PLAINLY and not says_nothing(spans.what):
            return kind_of_picture(spans.what, turn.text, language)
    return ""


def _kind_by_words(text: str, kept: Vectors, classes: Sequence[str]) -> str:
    """What a kept message is of; where it names a kind of picture and a place, or plainly none, that decides."""
    chances = {
        kind: sum(float(kept[classes.index(label)]) for label in labels) for kind, labels in KINDS.items()
    }
    found = load_tagger().find(text, "file")
    if chances["filing"] >= _MAY_BE_FILING and found.what and found.where and found.sure >= _PLAINLY:
        return "filing"
    if found.sure < _NO_PLACE:
        del chances["filing"]
    return max(chances, key=lambda kind: chances[kind])


def _about(text: str, probe: Probe, head: str, row: Vectors) -> str:
    """What a change is about. A kind of picture and a category, plainly found, speak where the probe wavers."""
    if _chance(probe, head, row, "filing") >= _MAY_BE_FILING:
        spans = load_tagger().find(text, "refile")
        if spans.what and spans.where and spans.sure >= _PLAINLY:
            return "filing"
    found = probe.heads[head](row)[0]
    return probe.heads[head].classes[int(found.argmax())]


def _chance(probe: Probe, head: str, row: Vectors, name: str) -> float:
    return float(probe.heads[head](row)[0, probe.heads[head].classes.index(name)])


def _sentence(text: str, kept: str) -> str:
    """The whole sentences that the kept part lies in."""
    start = max(text.find(kept), 0)
    held = [part.text for part in sentences(text) if part.start < start + len(kept) and start < part.end]
    return " ".join(held) or kept


def _on_a_day(text: str, at: datetime) -> bool:
    return any(found.unit == "day" for found in find_dates(text, at))
