"""Understanding and extraction with no language model: a probe and a tagger trained on banks, plus structure.

The same promise as with a model: it proposes, `Memory.apply` decides. Sure → a change; unsure → one short question;
most messages hold nothing. What is not the person's own typing is never read.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from memory.changes import Instruct, Kind, Learn, Origin, Retire, Source, Speaker
from memory.clauses import clauses, sentences
from memory.dates import find_dates
from memory.extraction import Extraction, Proposal, last_said
from memory.filing_rules import SCOPE, phrase, read_rule, same_place
from memory.grounding import too_wide
from memory.language import language_of
from memory.page import Line
from memory.phrasing import (
    about_oneself,
    changed,
    end_of,
    fact,
    is_statement,
    of_others,
    spoken_for,
    standing,
    stated,
    trimmed,
    without_questions,
)
from memory.places import kind_of_picture, place, says_nothing
from memory.probe import KEEPS, KINDS, REFERENCE, Probe, Vectors, load_probe
from memory.proposals import approved
from memory.scopes import scope_of
from memory.search import Embed, Meanings
from memory.secret_shapes import secret_in
from memory.spans import group_of, load_tagger
from memory.speech_acts import back_to, carried_on, wants_forgotten
from memory.statements import statements
from memory.targets import same_matter, spoken_of
from memory.turn import Turn
from memory.understanding import LONG, PLAINLY, Understanding, understood
from memory.wording import Language, say
from memory.words import has_han, squeeze

_MOST = 4_000  # characters of one message that are read; a paste longer than that is no rule
_MAY_HOLD = (
    0.28  # on the held-out bank 99 % of what is to be kept passes, and 38 % of other talk (at 0.15: 65 %)
)
_ACROSS = 0.84  # cosine of two kinds of pictures named in two languages from which they are one
_RECENT = 3  # turns of the person in which "it" and "them" are looked up
_SINGLE = ("filing", "rule", "fact_self", "fact_other")
_INSTEAD = re.compile(  # one rule that takes the place of another, not two
    r"不(?:再|要|用|想)?(?:放|进|归|收|搁|丢|存|是)|别(?![的人家处])|改|换|"
    r"\b(?:not|instead|rather|no longer|no more|any ?more|stop)\b|n['’]t\b",
    re.I,
)
_AND = re.compile(r"\s+and\s+", re.I)
_PARTS = 4  # clauses of a message at most that may each be kept by themselves


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

    async def understand(self, text: str) -> Understanding:
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
        if vectors is None and len(text) <= LONG:  # half a millisecond: crossing to a thread costs as much
            return understood(text, texts, vectors, probe)
        return await asyncio.to_thread(understood, text, texts, vectors, probe)

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
        found = await self.understand(turn.text)
        language: Language = language_of(turn.text) or "zh"
        source = Source(turn.conversation, turn.message, turn.at or now, turn.text, found.keep or turn.text)
        if found.label == "forget":
            return await self._forget(found, turn, lines, source)
        if approval := approved(turn, earlier):
            text, context = approval
            return Extraction(((Instruct(text), replace(source, quote=turn.text, context=context)),))
        if (back := _back(turn, earlier, language)) is not None:
            aimed = await self._aimed(back, turn, lines)
            return (
                Extraction((), ((aimed, source),)) if aimed.target is None else Extraction(((aimed, source),))
            )
        if not found.level or secret_in(turn.text):
            return Extraction()
        changes: list[Proposal] = []
        questions: list[Proposal] = []
        for each, quote in await self._apart(found, turn.text, language):
            alone = turn if each is found else replace(turn, text=each.keep)
            change = self._change(each, alone, earlier, language)
            if change is None:
                continue
            sure = each.level == "save"
            if isinstance(change, Instruct) and too_wide(change.text, change.when, alone.text):
                change, sure = _narrowed(change, alone.text, language), False
            if each.label == "change":
                change = await self._aimed(change, turn, lines)
                if getattr(change, "target", None) is None and not sure:
                    continue  # perhaps a change, but of nothing that is known
            elif target := await self._in_other_words(change, lines):
                change = replace(change, target=target)
            held = changes if sure else questions
            held.append((change, replace(source, quote=quote)))
        return Extraction(tuple(changes), tuple(questions))

    # ---- steps

    async def _apart(
        self, found: Understanding, text: str, language: Language
    ) -> list[tuple[Understanding, str]]:
        """The things a message says, where it plainly says several, each with the words that say it."""
        whole = [(found, found.keep or text)]
        if found.label not in _SINGLE:
            return whole
        if found.level == "save" and (several := await self._several(found, text)):
            return several
        if not found.label.startswith("fact"):
            return whole
        kept = without_questions(carried_on(text, found.keep or text, language))
        told = statements(stated(kept, language), language)
        return [(replace(found, keep=one.text), one.quote) for one in told] if len(told) > 1 else whole

    async def _several(self, found: Understanding, text: str) -> list[tuple[Understanding, str]]:
        """A fact and a wish, or two filing rules, where all of it is sure; else nothing."""
        parts = [part.text.strip("，,。.;； ") for part in clauses(found.keep or text)]
        if len(parts) == 1 and found.label == "filing":
            parts = _AND.split(parts[0], maxsplit=1)
        if not 2 <= len(parts) <= _PARTS:
            return []
        each = [await self.understand(part) for part in parts]
        ruled = [load_tagger().find(part, "file") for part in parts]
        if (
            found.label == "filing"
            and not _INSTEAD.search(text)
            and all(one.sure >= 0 and one.where and not says_nothing(one.what) for one in ruled)
        ):  # each names its pictures and their place
            return [
                (replace(found, keep=part, what=one.what, where=one.where), part)
                for part, one in zip(parts, ruled, strict=True)
            ]
        kinds = {next((kind for kind, labels in KINDS.items() if one.label in labels), "") for one in each}
        apart = all(one.level == "save" for one in each) and "" not in kinds and len(kinds) > 1
        return (
            [(replace(one, keep=part), part) for one, part in zip(each, parts, strict=True)] if apart else []
        )

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
        kept = found.keep or turn.text
        if found.label.startswith("fact"):
            kept = carried_on(turn.text, kept, language)
        kept = without_questions(kept)
        around = _sentence(turn.text, kept)
        is_fact = found.label.startswith("fact") or found.of == "fact"
        until = end_of(around, turn.at, implied=not is_fact)
        if group_of(found.label, found.of) in ("file", "refile"):
            where = place(found.where)
            if not has_han(turn.text.replace(where, " ")):
                language = "en"  # an English sentence with a Chinese name in it
            what = kind_of_picture(found.what, turn.text, language)
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
        others = of_others(trimmed(said, language))
        text = fact(said, turn.at, language, about_self=not others)
        kind = Kind.EPISODIC if _on_a_day(said, turn.at) else Kind.PERSONA
        origin = Origin.EXPLICIT if found.asked else Origin.LEARNED
        topic = say(language, "others" if others else "about_me")
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
        about = trimmed(found.keep or turn.text, language_of(turn.text) or "zh")
        cosines = await self._meanings.cosines(about, [line.text for _, line in lines])
        sure, maybe = spoken_of(about, turn.text, lines, cosines)
        proposals = tuple((Retire(id), source) for id in sure)
        asked: tuple[Proposal, ...] = tuple((Retire(id), source) for id in maybe)
        if found.confidence < 0.45 and not wants_forgotten(turn.text):
            return Extraction((), (*proposals, *asked))
        return Extraction(proposals, asked)


def _narrowed(change: Instruct, words: str, language: Language) -> Instruct:
    """A rule that would take in all pictures where some were meant, with all that the words say of which."""
    loose = read_rule(trimmed(words, language), SCOPE[language])
    rule = read_rule(change.text, change.when)
    what = kind_of_picture(loose.what, words, language) if loose else ""
    return replace(change, text=phrase(what, rule.where, language)) if what and rule else change


def _back(turn: Turn, earlier: Sequence[Turn], language: Language) -> Instruct | None:
    """A change of mind that names the place only ("no, back to Bills after all"): of what, was said just before."""
    where = place(back_to(turn.text, language))
    if not where or not any(squeeze(where) in squeeze(each.text) for each in earlier[-2 * _RECENT :]):
        return None  # the place was spoken of before, or it is none: "back to work"
    kind = _kind_before(earlier, language)
    return Instruct(phrase(kind, where, language), SCOPE[language]) if kind else None


def _kind_before(earlier: Sequence[Turn], language: Language) -> str:
    """The kind of picture that the person's last words about filing named; "" when there are none."""
    for turn in reversed([turn for turn in earlier if turn.role is Speaker.PERSON][-_RECENT:]):
        spans = load_tagger().find(turn.text, "refile")
        if spans.what and spans.where and spans.sure >= PLAINLY and not says_nothing(spans.what):
            return kind_of_picture(spans.what, turn.text, language)
    return ""


def _sentence(text: str, kept: str) -> str:
    """The whole sentences that the kept part lies in."""
    start = max(text.find(kept), 0)
    held = [part.text for part in sentences(text) if part.start < start + len(kept) and start < part.end]
    return " ".join(held) or kept


def _on_a_day(text: str, at: datetime) -> bool:
    return any(found.unit == "day" for found in find_dates(text, at))
