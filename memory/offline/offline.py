"""Understanding and extraction with no language model: a trained reader, plus structure.

The same promise as with a model: it proposes, `Memory.apply` decides. Sure → a change; unsure → one short question;
most messages hold nothing. What is not the person's own typing is never acted on.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from functools import lru_cache

from memory.asked_back import asks_back, speaks_of_gone
from memory.changes import Instruct, Learn, Origin, Retire, Source, Speaker
from memory.concepts import tells_the_same_one
from memory.extraction import Extraction, Proposal, last_said
from memory.filing_rules import SCOPE, read_rule
from memory.grounding import too_wide
from memory.language import language_of
from memory.never import permits
from memory.offline.aiming import load_aims, nearness
from memory.offline.amending import (
    amended,
    holds_elsewhere,
    narrowed_line,
    narrows,
    stands_beside,
)
from memory.offline.as_typed import as_typed, in_full
from memory.offline.at_hand import answered
from memory.offline.cues import mocks
from memory.offline.drafting import drafted, narrowed, put_back, without_the_rest
from memory.offline.essence import essence
from memory.offline.forgetting import forgotten, how_sure
from memory.offline.joining import joined
from memory.offline.labels import NEVER
from memory.offline.offers import stated, taken_up
from memory.offline.proposals import agreed, approved
from memory.offline.reader import LINES, Part, load_reader
from memory.offline.repeats import each_once
from memory.offline.replacing import in_place_of
from memory.offline.scopes import scope_of
from memory.offline.second_look import adds, is_own, kind_of, looked_over
from memory.offline.spreading import spread
from memory.offline.targets import known, may_be_one, same_matter
from memory.offline.understanding import Understanding, together, understood
from memory.page import CORE, Line
from memory.phrasing import only_asks_to_keep, standing
from memory.places import kind_of_picture, says_nothing
from memory.sameness import subject
from memory.scenes import plays_a_role
from memory.search import Embed, Meanings, lexical
from memory.secret_shapes import secret_in
from memory.speech_acts import back_to, forgets, leaves_out
from memory.spelling import spelled
from memory.utterance import Utterance
from memory.wording import Language
from memory.words import content, covered, has_han

_MOST = 4_000  # characters of one message that are read; a paste longer than that is no rule
_REMEMBERED = 16  # readings: a turn asks several times what one message is
_ACROSS = 0.84  # cosine of two kinds of pictures named in two languages from which they are one
_RECENT = 3  # utterances of the person in which "it" and "them" are looked up
_BRIEF = 120  # characters of a message whose form alone may say what it does to a line
_SCENE = 7  # utterances of the person for which a role once taken on is played
_UNMOVED = 0.7  # chance that no line is meant, from which what is told changes none
_NONE = 0.9  # chance that no line is meant, from which none is looked for by its words
_OFFERED = 0.7  # share of a line's matter that an offer to remember names, from which it is about that line
# Chance of a line to be the one that changes, from which the two need not be about the same subject.
_AIMED = 0.8
# Chance from which a line is the one that changes, or that more is said about.
_A_CHANGE, _MORE_OF_IT = 0.5, 0.8

Lines = Sequence[tuple[str, Line]]


@lru_cache(_REMEMBERED)
def _parts(text: str, heard: str, earlier: str, lines: tuple[str, ...]) -> tuple[Part, ...]:
    """What the reader makes of a message; asked again within a turn, it is not read again."""
    return tuple(joined(load_reader()(text, heard, earlier, lines), text))


class Offline:
    """The embedded default."""

    def __init__(self, embed: Embed | None) -> None:
        """`embed`: vectors of short texts, by which lines are found; None: by words alone."""
        self._meanings = Meanings(embed)

    async def understand(self, text: str, heard: str = "", earlier: str = "") -> Understanding:
        """What the person means by one message.

        Args:
            heard: what the assistant said just before it.
            earlier: what the person said before that.
        """
        return together(await self._read(spelled(text.strip()[:_MOST]).text, heard, earlier, []))

    async def extract(self, utterances: Sequence[Utterance], lines: Lines, now: datetime) -> Extraction:
        """What follows for memory from the person's last utterance; the earlier ones are context.

        Args:
            lines: (page, line) of all live lines, to find what a change or a "forget" is about.
            now: used where an utterance has no time of its own.
        """
        last = last_said(utterances)
        typed_before = [spelled(each.text).text for each in utterances if each.role is Speaker.PERSON]
        if last is None or plays_a_role(typed_before[-_SCENE:]):
            return Extraction()
        typed = spelled(last[0].text)
        read = replace(last[0], text=typed.text[:_MOST])
        source = Source(read.conversation, read.message, read.at or now, typed.text, typed.text)
        earlier = [in_full(each) for each in last[1]]
        heard = _heard(earlier)
        before = next((each.text for each in reversed(earlier) if each.role is Speaker.PERSON), "")
        near = await self._nearest(read.text, lines)
        parts = await self._read(read.text, heard, before, near)
        never = any(part.label in NEVER for part in parts)
        if mocks(read.text) or (not never and (permits(read.text) or secret_in(read.text))):
            return Extraction()  # nobody knows which of the words it is
        brief = len(read.text) <= _BRIEF and not never
        found = self._by_the_talk(read, earlier, lines, source) if brief else None
        if found is None:
            found = await self._by_its_words(read, parts, earlier, lines, near, source)
        return as_typed(found, typed)

    # ---- steps

    async def _read(self, text: str, heard: str, earlier: str, lines: Lines) -> list[Understanding]:
        parts = await asyncio.to_thread(_parts, text, heard, earlier, tuple(line.text for _, line in lines))
        kinds = [kind_of(page, line) for page, line in lines]
        return [understood(part, text, kinds) for part in parts]

    def _by_the_talk(
        self, utterance: Utterance, earlier: Sequence[Utterance], lines: Lines, source: Source
    ) -> Extraction | None:
        """What only the words before it, or a rule that is there, give a meaning; None where it needs neither."""
        language: Language = language_of(utterance.text) or "zh"
        if (change := amended(utterance, earlier, lines, language)) is not None:
            return Extraction(((change, source),))
        if told := answered(utterance, earlier, lines):
            line, text = told
            learned = Learn(text, kind=line.kind, origin=line.origin, target=line.id)
            return Extraction(((learned, replace(source, context=earlier[-1].text)),))
        if agreement := agreed(utterance, earlier):
            offer, context = agreement
            rule = Instruct(standing(offer, utterance.at, language), scope_of(offer, language))
            return Extraction(((rule, replace(source, context=context)),))
        if approval := approved(utterance, earlier):
            text, context = approval
            return Extraction(((Instruct(text), replace(source, context=context)),))
        return None

    async def _by_its_words(
        self,
        utterance: Utterance,
        parts: Sequence[Understanding],
        earlier: Sequence[Utterance],
        lines: Lines,
        near: Lines,
        source: Source,
    ) -> Extraction:
        """What each part of a message comes to."""
        language: Language = language_of(utterance.text) or "zh"
        if back_to(utterance.text, language) and not any(part.label in NEVER for part in parts):
            kind = await self._kind_before(earlier, language)
            if (back := put_back(utterance, earlier, kind, language)) is not None:
                held = ((await self._aimed(back, utterance, lines), source),)
                return Extraction((), held) if held[0][0].target is None else Extraction(held)
        text = utterance.text
        if speaks_of_gone(text) or asks_back(text):
            return Extraction()  # what stands beside it hangs on it
        heard = _heard(earlier)
        changes, questions = list[Proposal](), list[Proposal]()
        for part in looked_over(parts, near):
            if not is_own(part, text):
                continue
            said_before = text[: part.start].strip()
            context = [*earlier, replace(utterance, text=said_before)] if said_before else earlier
            if heard and (offer := taken_up(part.said, heard)):
                told = replace(source, quote=part.said, context=heard)
                changes += [(change, told) for change in await self._offered(offer, part, utterance, lines)]
            elif part.level and (agreement := agreed(replace(utterance, text=part.said), earlier)):
                ordered, shown = agreement
                rule = Instruct(standing(ordered, utterance.at, language), scope_of(ordered, language))
                changes.append((rule, replace(source, quote=part.said, context=shown)))
            elif part.label == "forget":
                alone = replace(utterance, text=part.said)
                gone = await self._gone(part, alone, context, lines, near, source)
                changes += gone.changes
                questions += gone.questions
            elif part.level:
                for one in spread(part, language):
                    alone = replace(utterance, text=one.said)
                    settled = await self._settled(one, alone, context, lines, near, text)
                    if settled is not None:
                        kept = changes if settled[1] else questions
                        kept.append((settled[0], replace(source, quote=_quoted(one, part))))
        changes = each_once(changes)
        renewed = {each.target for each, _ in changes if isinstance(each, Instruct | Learn)}
        changes = [  # 我换公司了 现在在美团 之前那个可以删了: what was is gone already
            pair for pair in changes if not (isinstance(pair[0], Retire) and pair[0].target in renewed)
        ]
        return Extraction(tuple(changes), tuple(questions))

    async def _gone(
        self,
        part: Understanding,
        alone: Utterance,
        earlier: Sequence[Utterance],
        lines: Lines,
        near: Lines,
        source: Source,
    ) -> Extraction:
        """What is to be forgotten: the line that the reader sees, or those that the words fit where it sees none."""
        source = replace(source, quote=part.said)
        line = near[part.line][1] if part.line is not None else None
        sure = how_sure(part, line)
        if not sure or (line is None and part.none >= _NONE and not forgets(part.said)):
            return Extraction()  # what ends lies outside memory: 通勤提醒可以停了, "forget the starter"
        if line is not None:
            gone = ((Retire(line.id), source),)
            return Extraction(gone) if sure == "do" else Extraction((), gone)
        return await forgotten(part, alone, earlier, lines, source, self._meanings, sure)

    async def _offered(
        self, offer: str, part: Understanding, utterance: Utterance, lines: Lines
    ) -> list[Instruct | Learn]:
        """What the person said yes to: a fact or a rule, in their words for what was offered."""
        language: Language = language_of(offer) or "zh"
        statement = stated(offer)
        told = together(await self._read(statement, "", "", []))
        label = told.label if told.level else part.label
        if label in ("rule", "filing", "change"):
            return [Instruct(standing(offer, utterance.at, language), scope_of(offer, language))]
        keep = told.keep if told.level else statement
        kept = replace(told, label="fact_self", asked=True, level="save", keep=keep, said=statement)
        change = drafted(kept, replace(utterance, text=statement), [], language)
        if not isinstance(change, Learn):
            return []
        said = content(change.text)  # what was learned of it a moment ago is now wanted
        named = [
            (covered(mine, said), line)
            for page, line in lines
            if page != CORE and (mine := content(line.text))
        ]
        share, line = max(named, key=lambda pair: pair[0], default=(0.0, None))
        return [replace(change, target=line.id if line and share >= _OFFERED else None)]

    async def _settled(
        self,
        found: Understanding,
        utterance: Utterance,
        earlier: Sequence[Utterance],
        lines: Lines,
        near: Lines,
        whole: str,
    ) -> tuple[Instruct | Learn, bool] | None:
        """(the change, whether it is sure) of one part; None where it comes to nothing."""
        change, sure = await self._worded(found, utterance, earlier, lines, whole), found.level == "save"
        if change is None:
            return None
        if isinstance(change, Instruct) and too_wide(change.text, change.when, utterance.text):
            language: Language = language_of(utterance.text) or "zh"
            change, sure = narrowed(change, utterance.text, language), False
        if isinstance(change, Learn) and self._beside(found, change, near):
            return change, sure
        if found.line is not None and (near[found.line][0] == CORE) == isinstance(change, Instruct):
            change = in_place_of(change, near[found.line][1], more=found.more)
        elif (
            isinstance(change, Instruct)
            and narrows(utterance.text)
            and (line := narrowed_line(change.text, lines))
        ):
            change = replace(change, target=line.id)
        elif not found.files and found.label != "change" and found.none >= _UNMOVED:
            # a line of its own, however much it has in common with another one
            same = [
                line for page, line in lines if page != CORE and tells_the_same_one(change.text, line.text)
            ]
            change = in_place_of(change, same[0]) if len(same) == 1 and isinstance(change, Learn) else change
        elif isinstance(change, Learn) or not stands_beside(utterance.text):
            least = _A_CHANGE if found.label == "change" and not found.more else _MORE_OF_IT
            change = await self._aimed(change, utterance, lines, least, more=found.more)
        if found.label == "change" and change.target is None and not sure and not found.files:
            return None  # perhaps a change, but of nothing that is known
        return change, sure

    async def _worded(
        self,
        found: Understanding,
        utterance: Utterance,
        earlier: Sequence[Utterance],
        lines: Lines,
        whole: str,
    ) -> Instruct | Learn | None:
        """A part in words that stand alone; None where it has none, or they say what is known."""
        language: Language = language_of(utterance.text) or "zh"
        kind = ""
        if found.files and says_nothing(found.what):
            kind = await self._kind_before(earlier, language)
        if not found.asked and leaves_out(utterance.text):
            return None  # 芒果就别放了: of the dish at hand
        change = drafted(found, utterance, earlier, language, lines, kind, whole)
        if isinstance(change, Instruct):
            if only_asks_to_keep(change.text):
                return None  # "please remember that": what to remember stands beside it
            if change.when not in SCOPE.values() and holds_elsewhere(without_the_rest(utterance.text)):
                return replace(change, when=None)
        elif change is not None and change.origin is Origin.LEARNED and known(change, lines):
            return None  # said before: nothing changes, and nothing is asked
        return change

    @staticmethod
    def _beside(found: Understanding, change: Learn, near: Lines) -> bool:
        """Whether a fact stands beside the line that seems to be meant: it says so, or is about somebody else."""
        if adds(found.said):
            return True
        if found.line is None or (found.label == "change" and found.aim >= _AIMED):
            return False
        _, line = near[found.line]
        return not may_be_one(subject(line), subject(replace(line, text=change.text)))

    async def _aimed(
        self,
        change: Instruct | Learn,
        utterance: Utterance,
        lines: Lines,
        least: float = _A_CHANGE,
        *,
        more: bool = False,
    ) -> Instruct | Learn:
        """With the line that it changes or says more about, where one is clearly meant.

        Args:
            least: chance from which a line is the one; higher where nobody said that anything changes.
            more: what the line says stays true.
        """
        await asyncio.to_thread(load_aims)
        cosines = await self._meanings.cosines(change.text, [line.text for _, line in lines])
        target = same_matter(change, utterance.text, lines, cosines, least) or await self._in_other_words(
            change, lines
        )
        held = next((line for _, line in lines if line.id == target), None)
        return in_place_of(change, held, more=more) if held is not None else change

    async def _in_other_words(self, change: Instruct | Learn, lines: Lines) -> str | None:
        """The filing rule on the same kind of picture that was said in another language ("收据", "receipts").

        They share no word, so meaning decides: of 16 such pairs 11 reach 0.84, of 240 others none.
        """
        rule = read_rule(change.text, change.when) if isinstance(change, Instruct) else None
        if rule is None:
            return None
        other = [(line.id, old.what) for _, line in lines if (old := read_rule(line.text, line.when))]
        other = [(id, what) for id, what in other if has_han(what) != has_han(rule.what)]
        cosines = await self._meanings.cosines(rule.what, [what for _, what in other])
        if not cosines:
            return None
        best = max(range(len(other)), key=lambda i: cosines[i])
        return other[best][0] if cosines[best] >= _ACROSS else None

    async def _kind_before(self, earlier: Sequence[Utterance], language: Language) -> str:
        """The kind of picture that the person's last words about filing named; "" where there are none."""
        typed = [each.text[:_MOST] for each in earlier if each.role is Speaker.PERSON]
        for text in reversed(typed[-_RECENT:]):
            for part in await self._read(text, "", "", []):
                if part.files and part.where and not says_nothing(part.what):
                    return kind_of_picture(part.what, text, language)
        return ""

    async def _nearest(self, text: str, lines: Lines) -> Lines:
        """The lines that the reader reads beside a message: all, or of many those that are likeliest meant."""
        if len(lines) <= LINES:
            return lines
        texts = [line.text for _, line in lines]
        words, cosines = lexical(text, texts), await self._meanings.cosines(text, texts)
        most = max(1e-6, *words)
        near = [word / most + (nearness(cosines[i]) if cosines else 0.0) for i, word in enumerate(words)]
        best = sorted(range(len(lines)), key=lambda i: -near[i])
        return [lines[i] for i in best[:LINES]]


def _heard(earlier: Sequence[Utterance]) -> str:
    """What the assistant said just before; "" where the person spoke last."""
    return earlier[-1].text if earlier and earlier[-1].role is Speaker.ASSISTANT else ""


def _quoted(one: Understanding, part: Understanding) -> str:
    """The words that say it, as they stand in the message."""
    return essence(one.keep if one.keep and one.keep in part.said else one.said)
