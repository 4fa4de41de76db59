"""Understanding and extraction with no language model: a probe and a tagger trained on banks, plus structure.

The same promise as with a model: it proposes, `Memory.apply` decides. Sure → a change; unsure → one short question;
most messages hold nothing. What is not the person's own typing is never read.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from memory.changes import Instruct, Learn, Origin, Source, Speaker
from memory.extraction import Extraction, Proposal, last_said
from memory.filing_rules import SCOPE, phrase, read_rule, same_place
from memory.grounding import too_wide
from memory.language import language_of
from memory.offline.aiming import load_aims
from memory.offline.amending import amended, holds_elsewhere, narrowed_line, narrows, stands_beside
from memory.offline.as_typed import as_typed, in_full
from memory.offline.at_hand import answered
from memory.offline.cues import corrects
from memory.offline.drafting import drafted, narrowed, of_the_same, put_back, without_denials
from memory.offline.earnest import Earnest, load_earnest
from memory.offline.forgetting import forgotten
from memory.offline.parting import apart, essence
from memory.offline.probe import REFERENCE, Probe, Vectors, load_probe
from memory.offline.proposals import agreed, approved
from memory.offline.reading_again import A_CHANGE, MORE_OF_IT, Again, read_again
from memory.offline.said import said
from memory.offline.scopes import scope_of
from memory.offline.spans import group_of, load_tagger
from memory.offline.targets import known, same_matter
from memory.offline.understanding import LONG, Understanding, understood
from memory.page import Line
from memory.phrasing import only_asks_to_keep, standing
from memory.scenes import plays_a_role
from memory.search import Embed, Meanings
from memory.secret_shapes import secret_in
from memory.speech_acts import forgets
from memory.spelling import spelled
from memory.utterance import Utterance
from memory.wording import Language
from memory.words import content, has_han

_MOST = 4_000  # characters of one message that are read; a paste longer than that is no rule
_ACROSS = 0.84  # cosine of two kinds of pictures named in two languages from which they are one
_SCENE = 7  # utterances of the person for which a role once taken on is played
_SAYS_SOMETHING = 2  # words of content


class Offline:
    """The embedded default."""

    def __init__(self, embed: Embed | None, *, doubts: bool = True) -> None:
        """Args:
        embed: *query* vectors of the embedder the probe was trained with; another one, or None, is noticed and
            the probe goes by words alone.
        doubts: whether what would be kept must be in earnest; False only where that is what is learned.
        """
        self._embed = embed
        self._meanings = Meanings(embed)
        self._probe: Probe | None = None
        self._earnest: Earnest | None = None
        self._doubts = doubts
        self._ready = False  # all that understanding takes is loaded
        self._fits: bool | None = None
        self._lock = asyncio.Lock()

    async def understand(self, text: str, heard: str = "", earlier: str = "") -> Understanding:
        """What the person means by one message.

        Args:
            heard: what the assistant said just before it.
            earlier: what the person said before that.
        """
        return await self._understood(text, heard, earlier, await self._second_opinion())

    async def _clause(self, text: str) -> Understanding:
        """What a piece of a message is by itself; whether it is in earnest, only the message tells."""
        return await self._understood(text, "", "", None)

    async def _understood(
        self, text: str, heard: str, earlier: str, earnest: Earnest | None
    ) -> Understanding:
        text = spelled(text.strip()[:_MOST]).text
        if not text:
            return Understanding("chat", 1.0)
        if not self._ready:
            for load in (load_tagger, load_aims):
                await asyncio.to_thread(load)
            self._ready = True
        probe = await self._known()
        sentences = said(text, heard, earlier)
        vectors = await self._vectors([one.text for one in sentences], probe)
        if vectors is None and len(text) <= LONG:  # half a millisecond: crossing to a thread costs as much
            return understood(sentences, vectors, probe, earnest)
        return await asyncio.to_thread(understood, sentences, vectors, probe, earnest)

    async def extract(
        self, utterances: Sequence[Utterance], lines: Sequence[tuple[str, Line]], now: datetime
    ) -> Extraction:
        """What follows for memory from the person's last utterance; the earlier ones are context.

        Args:
            lines: (page, line) of all live lines, to find what a change or a "forget" is about.
            now: used where an utterance has no time of its own.
        """
        last = last_said(utterances)
        own = [spelled(each.text).text for each in utterances if each.role is Speaker.PERSON]
        if last is None or plays_a_role(own[-_SCENE:]):
            return Extraction()
        typed = spelled(last[0].text)
        read = replace(last[0], text=typed.text)
        earlier = [in_full(each) for each in last[1]]
        return as_typed(await self._extract(read, earlier, lines, now), typed)

    async def _extract(
        self,
        utterance: Utterance,
        earlier: Sequence[Utterance],
        lines: Sequence[tuple[str, Line]],
        now: datetime,
    ) -> Extraction:
        """What follows from an utterance whose chat spelling is written out; so are the quotes."""
        heard = earlier[-1].text if earlier and earlier[-1].role is Speaker.ASSISTANT else ""
        said_before = next((each.text for each in reversed(earlier) if each.role is Speaker.PERSON), "")
        found = await self.understand(utterance.text, heard, said_before)
        if len(content(found.keep)) < _SAYS_SOMETHING:
            found = replace(found, keep="")
        source = Source(
            utterance.conversation,
            utterance.message,
            utterance.at or now,
            utterance.text,
            found.keep or utterance.text,
        )
        utterance = replace(utterance, text=utterance.text[:_MOST])
        if (change := amended(utterance, earlier, lines, language_of(utterance.text) or "zh")) is not None:
            return Extraction(((change, source),))
        if found.label == "forget" or forgets(utterance.text):
            return await forgotten(found, utterance, earlier, lines, source, self._meanings)
        if (told := await self._by_the_talk(utterance, earlier, lines, source)) is not None:
            return told
        if not found.level:
            found = await read_again(
                found, utterance, earlier, lines, Again(self._clause, self._aimed, self._earnest)
            )
        if not found.level or secret_in(utterance.text):
            return Extraction()
        return await self._each(found, utterance, earlier, lines, source)

    # ---- steps

    async def _by_the_talk(
        self,
        utterance: Utterance,
        earlier: Sequence[Utterance],
        lines: Sequence[tuple[str, Line]],
        source: Source,
    ) -> Extraction | None:
        """What only the words before it, or a rule that is there, give a meaning; None where it needs neither."""
        language: Language = language_of(utterance.text) or "zh"
        if told := answered(utterance, earlier, lines):
            line, text = told
            change = Learn(text, kind=line.kind, origin=line.origin, target=line.id)
            return Extraction(((change, replace(source, context=earlier[-1].text)),))
        if agreement := agreed(utterance, earlier):
            offer, context = agreement
            rule = Instruct(standing(offer, utterance.at, language), scope_of(offer, language))
            return Extraction(((rule, replace(source, quote=utterance.text, context=context)),))
        if approval := approved(utterance, earlier):
            text, context = approval
            return Extraction(((Instruct(text), replace(source, quote=utterance.text, context=context)),))
        if (back := put_back(utterance, earlier, language)) is not None:
            aimed = await self._aimed(back, utterance, lines)
            held = ((aimed, source),)
            return Extraction((), held) if aimed.target is None else Extraction(held)
        return None

    async def _second_opinion(self) -> Earnest | None:
        if self._doubts and self._earnest is None:
            self._earnest = await asyncio.to_thread(load_earnest)
        return self._earnest

    async def _known(self) -> Probe:
        if self._probe is None:
            self._probe = await asyncio.to_thread(load_probe)
        return self._probe

    async def _each(
        self,
        found: Understanding,
        utterance: Utterance,
        earlier: Sequence[Utterance],
        lines: Sequence[tuple[str, Line]],
        source: Source,
    ) -> Extraction:
        """What each sentence that holds something comes to."""
        language: Language = language_of(utterance.text) or "zh"
        changes: list[Proposal] = []
        questions: list[Proposal] = []
        for part in without_denials(found.parts) or (found,):
            for each, quote in await apart(part, part.said or utterance.text, language, self._clause):
                alone = replace(
                    utterance, text=each.keep if each is not part else part.said or utterance.text
                )
                beside = stands_beside(part.said or utterance.text)
                before = utterance.text[: max(utterance.text.find(part.said), 0)].strip()
                context = [*earlier, replace(utterance, text=before)] if before else earlier
                change = await self._settled(each, alone, context, lines, beside=beside)
                if change is not None:
                    held = changes if change[1] else questions
                    held.append((change[0], replace(source, quote=essence(quote))))
        return Extraction(tuple(changes), tuple(questions))

    async def _settled(
        self,
        found: Understanding,
        utterance: Utterance,
        earlier: Sequence[Utterance],
        lines: Sequence[tuple[str, Line]],
        *,
        beside: bool = False,
    ) -> tuple[Instruct | Learn, bool] | None:
        """(the change, whether it is sure) of one sentence or clause; None where it comes to nothing.

        Args:
            beside: it comes on top of what holds, the person said.
        """
        language: Language = language_of(utterance.text) or "zh"
        change, sure = drafted(found, utterance, earlier, language, lines), found.level == "save"
        if change is None:
            return None
        if isinstance(change, Instruct) and only_asks_to_keep(change.text):
            return None  # "please remember that": what to remember stands beside it
        if isinstance(change, Learn) and change.origin is Origin.LEARNED and known(change, lines):
            return None  # said before: nothing changes, and nothing is asked
        if isinstance(change, Instruct) and too_wide(change.text, change.when, utterance.text):
            change, sure = narrowed(change, utterance.text, language), False
        if (
            isinstance(change, Instruct)
            and change.when not in SCOPE.values()
            and holds_elsewhere(utterance.text)
        ):
            change = replace(change, when=None)
        if (
            isinstance(change, Instruct)
            and narrows(utterance.text)
            and (line := narrowed_line(change.text, lines))
        ):
            change = replace(change, target=line.id)
        elif isinstance(change, Instruct) and beside:
            pass  # on top of what holds; one in its very place still gives way at the write
        elif found.label == "change":
            change = await self._aimed(change, utterance, lines)
            if change.target is None and not sure and found.of != "filing":
                return None  # perhaps a change, but of nothing that is known
        else:
            least = A_CHANGE if corrects(utterance.text) else MORE_OF_IT
            change = await self._aimed(change, utterance, lines, least)
        filed = group_of(found.label, found.of) in ("file", "refile")
        vouched = found.doubted or filed  # it is plainly about a line that is there
        return change, sure or (vouched and change.target is not None)

    async def _vectors(self, texts: Sequence[str], probe: Probe) -> Vectors | None:
        if self._embed is None:
            return None
        async with self._lock:
            if self._fits is None:
                self._fits = probe.fits(await self._embed([REFERENCE]))
        return await self._embed(texts) if self._fits else None

    async def _aimed(
        self,
        change: Instruct | Learn,
        utterance: Utterance,
        lines: Sequence[tuple[str, Line]],
        least: float = A_CHANGE,
    ) -> Instruct | Learn:
        """With the line that it changes or says more about, where one is clearly meant.

        A changed fact is as explicit as the line it changes: what was only learned stays learned.

        Args:
            least: chance from which a line is the one; higher where nobody said that anything changes.
        """
        cosines = await self._meanings.cosines(change.text, [line.text for _, line in lines])
        target = same_matter(change, utterance.text, lines, cosines, least) or await self._in_other_words(
            change, lines
        )
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
        if isinstance(change, Learn):
            held = next(line for _, line in lines if line.id == target)
            learned = change.origin is Origin.LEARNED and held.origin is Origin.LEARNED
            kept = Origin.LEARNED if learned else Origin.EXPLICIT
            return replace(
                change, text=of_the_same(change.text, held.text), kind=held.kind, target=target, origin=kept
            )
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
