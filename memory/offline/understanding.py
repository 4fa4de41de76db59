"""What a message is, sentence by sentence: the probe's word, held against form and what the tagger finds."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from memory.offline.by_form import (
    MAY_BE_FILING,
    NEVER_TOLD,
    PERHAPS_FILING,
    PLAINLY,
    WISHED,
    by_form,
    placed_by_form,
    plainly,
    wish_to_file,
)
from memory.offline.cues import (
    for_good,
    mocks,
    orders,
    plays_with,
    stands,
    states,
)
from memory.offline.earnest import Earnest
from memory.offline.filing_forms import Placed, placed, speaks_of_filing
from memory.offline.lasting import lasts
from memory.offline.not_meant import not_meant
from memory.offline.of_the_moment import no_fact
from memory.offline.practised import practised
from memory.offline.probe import KEEPS, KINDS, Probe, Vectors, storing
from memory.offline.said import Said
from memory.offline.spans import Spans, group_of, load_tagger
from memory.phrasing import (
    asks_to_keep,
    is_question,
    only_asks_to_keep,
    stated,
    untagged,
)
from memory.speech_acts import (
    puts_somewhere,
    speaks_of_titles,
    wonders,
)
from memory.wording import Language
from memory.words import has_han

_NO_PLACE = -1.0  # log odds at which the tagger is sure that a message names no kind of picture and place
_NOT_KEPT = (
    "undo",
    "quoted",
    "hypothetical",
    "forget",
    "ask_memory",
)  # where form says so: the probe then has no say
_MAY_I = re.compile(
    r"能不能|可不可以|能否|可否|行不行|好不好"
)  # a wish put as a question, with no mark at its end
_WRITES = re.compile(r"写(?!着|满|的)|起草|\bwrit(?:e|ing)\b|\bdraft(?:ing)?\b", re.I)
_ONE_OF_THEM = 0.35  # chance that what is to be kept has as one kind; spread over all of them it is a guess
_FOR_GOOD = 0.25  # chance from which a wish is kept that says it holds from now on
_PLAIN_FORM = 0.05  # chance from which a wish is kept whose form leaves no doubt
_PLAIN_FACT = 0.5  # chance of a plain statement about oneself to be a fact, from which it is kept
_PLAINLY_PLACED = 0.6
_PLAIN_WISH = 0.9  # chance from which a wish is one, though put as a question
_SECRET = 0.2  # chance of being a secret from which nothing is kept, whatever else it may be
_DONE_AT_ONCE = ("forget", "undo")  # what one sentence among others is enough for
_CLEAR = 0.5  # chance from which it is
LONG = 400  # characters from which a message is worth a thread of its own


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
    said: str = ""  # the sentence, a substring of the message
    plain: bool = False  # its form says what it is
    odds: float = 0.0  # log odds that it is meant as said and lasts; of one that holds nothing, not asked for
    doubted: bool = False  # it would be saved, were it sure to be meant
    parts: tuple[Understanding, ...] = ()  # of a message of several sentences: those that hold something


def understood(
    sentences: Sequence[Said], vectors: Vectors | None, probe: Probe, earnest: Earnest | None
) -> Understanding:
    """A message from its sentences, as `said` gives them: itself first, then, where it has several, each of them.

    The sentence is the unit: each is read by itself, in its surroundings; the message is what its weightiest
    sentence is, or, where none holds anything for memory, what it is as a whole.

    Args:
        vectors: of the sentences; None where there are none.
        earnest: who doubts what the probe and the forms would keep; None where it is doubted elsewhere.
    """
    face = "words" if vectors is None else "full"
    head = probe.heads[f"{face}:label"]
    rows = probe.rows(sentences, vectors)
    found = head(rows)
    _, *each = sentences
    chances = storing(found[0], found[1:] if each else found, head.classes, probe.leans[face])
    if each:  # what a neighbour only passes on says nothing against "I'm a welder"
        alone = storing(found[0] * 0, found[1:], head.classes, probe.leans[face])
        plain = [
            lasts(one.text, "zh" if has_han(one.text) else "en") and not mocks(one.whole) for one in each
        ]
        chances = np.where(plain, alone, chances)
    secret = head.classes.index("secret")
    reads = [
        _Reading(one, row[None], dict(zip(head.classes, map(float, kept), strict=True)), probe, face, earnest)
        for one, row, kept in zip(sentences, rows, found, strict=True)
    ]
    if not each:
        return _read(reads[0], float(chances[0]), "")
    parts = [
        _read(reading, float(chance), _next_to(sentences, i))
        for i, (reading, chance) in enumerate(zip(reads[1:], chances, strict=True), 1)
    ]
    if float(found[1:, secret].max()) >= _SECRET or float(found[0, secret]) >= _SECRET:
        parts = [replace(part, level="") for part in parts]
    return _together(_read(reads[0], 0.0, ""), parts)


def _next_to(sentences: Sequence[Said], i: int) -> str:
    """The sentence before or after one that only asks to remember it ("Remember this. …", "… Don't forget that."))."""
    for j in (i - 1, i + 1):
        if 0 < j < len(sentences) and only_asks_to_keep(sentences[j].text):
            return sentences[j].text
    return ""


def _together(whole: Understanding, parts: Sequence[Understanding]) -> Understanding:
    """The message: as its weightiest sentence where one holds something for memory."""
    told = tuple(part for part in parts if part.level)
    chance = max(part.chance for part in parts)
    if told:
        best = max(told, key=lambda part: (part.level == "save", part.chance))
        return replace(best, parts=told, chance=chance, scores=whole.scores)
    if whole.level and placed(whole.said, "zh" if has_han(whole.said) else "en"):
        return replace(
            whole, chance=chance
        )  # "Receipts? Stick them all in Expenses.": one thing in two sentences
    wanted = [part for part in parts if part.label in _DONE_AT_ONCE and part.confidence >= _CLEAR]
    if wanted and whole.label not in (*NEVER_TOLD, *_DONE_AT_ONCE):
        best = max(wanted, key=lambda part: part.confidence)
        return replace(best, chance=chance, scores=whole.scores)
    return replace(whole, chance=chance, level="")


@dataclass(frozen=True, slots=True)
class _Reading:
    """A sentence with what the probe says of it."""

    said: Said
    row: Vectors
    scores: Mapping[str, float]
    probe: Probe
    face: str
    earnest: Earnest | None

    def odds(self) -> float:
        """The log odds that it is meant as said and lasts."""
        return float(self.earnest(self.row, [self.said])[0]) if self.earnest else 0.0

    def allowed(self, level: str, odds: float, *, plain: bool) -> str:
        """What doubt leaves of a level."""
        return self.earnest.allowed(level, odds, plain=plain) if self.earnest else level

    def chance(self, head: str, name: str) -> float:
        """What another head gives a class."""
        held = self.probe.heads[f"{self.face}:{head}"]
        return float(held(self.row)[0, held.classes.index(name)])

    def likeliest(self, head: str) -> str:
        """The class that another head thinks likeliest."""
        held = self.probe.heads[f"{self.face}:{head}"]
        return held.classes[int(held(self.row)[0].argmax())]


@dataclass(frozen=True, slots=True)
class _Weighed:
    """What a sentence is taken for, before its words are told apart."""

    first: str  # the label
    kind: str  # of what would be kept
    level: str
    told: bool  # its form says so
    form: Placed | None  # the filing rule that it is by its form
    doubtful: str  # the level that a form alone is good for; "" where more than form speaks
    chance: float
    wished: bool  # keeping it is asked for in words
    clear: bool  # the probe has no doubt at all


def _weighed(reading: _Reading, chance: float, wish: str) -> _Weighed:
    text, scores = reading.said.text, reading.scores
    levels = {kind: reading.probe.levels[f"{reading.face}:{kind}"] for kind in KINDS}
    lowest = min(low for low, _ in levels.values())  # below it the kind makes no difference
    kind = _kind_by_words(text, scores) if chance >= min(lowest, WISHED) or asks_to_keep(text) else "fact"
    first = likeliest = max(scores, key=lambda label: scores[label])
    language: Language = "zh" if has_han(text) else "en"
    first, kind, told = by_form(text, first, kind, scores, language)
    if reading.said.underlined and orders(text) and (first not in NEVER_TOLD or first == "once"):
        first, kind, told = "rule", "rule", True  # "Name them date first. Every time."
    if first != likeliest and first in _NOT_KEPT:
        chance = 0.0
    bare = sum(scores[label] for label in KEEPS)
    wished = (asks_to_keep(text) or bool(wish)) and first in KEEPS
    low, high = _eased(levels[kind], reading.said, first, scores)
    one = max(scores[label] for label in KEEPS) >= _ONE_OF_THEM or (
        first in KINDS["fact"] and lasts(text, language)
    )
    sure = bare >= WISHED if wished else chance >= high and one
    level = "save" if told or sure else "ask" if chance >= low else ""
    plain = None if level or first in NEVER_TOLD else plainly(text, scores, language)
    if plain:
        (level, kind, first), told = plain, True
    if (
        level
        and kind == "fact"
        and not practised(text, language)
        and wonders(stated(text, language) or text, language)
    ):
        level, first = "", "ask_fact"  # it speaks of a fact and states none
    form = None
    if scores["secret"] >= _SECRET:
        level = ""
    elif first not in NEVER_TOLD and (form := placed_by_form(text, scores, language)):
        of_filing = scores["filing"] >= PERHAPS_FILING or for_good(text)
        level = "save" if wish_to_file(scores) >= MAY_BE_FILING and of_filing else "ask"
        level = "ask" if level and not form.sure else level
        level = "" if level == "ask" and likeliest == "task" else level
        kind, told, first = "filing", True, "change" if first == "change" else "filing"
    clear = chance >= high and bare >= _PLAIN_WISH
    return _Weighed(first, kind, level, told, form, plain[0] if plain else "", chance, wished, clear)


def _read(reading: _Reading, chance: float, wish: str) -> Understanding:
    """One sentence. `wish`: a neighbour that asks for it to be remembered."""
    text, scores = reading.said.text, reading.scores
    held = _weighed(reading, chance, wish)
    label, level, form = held.first, held.level, held.form
    if level and not (held.told and held.first in KINDS[held.kind]):
        label = max((*KINDS[held.kind], "change"), key=lambda name: scores[name])
    of = ("filing" if form else _about(reading)) if label == "change" else ""
    asked = label in KEEPS and (held.wished or bool(wish) or reading.chance("asked", "yes") >= 0.5)
    spans = load_tagger().find(text, group_of(label, of)) if label in (*KEEPS, "forget", "move") else Spans()
    if form:
        spans = Spans(spans.keep or text, form.what, form.where, PLAINLY if level == "save" else 0.0)
    if level:
        level = _doubted(
            level, held.first, spans, reading.said, plainly=held.clear, told=held.told and form is None
        )
    if level and (label in KINDS["fact"] or of == "fact") and (plays_with(text) or no_fact(text)):
        level = ""
    if held.doubtful and level:
        level = held.doubtful  # no surer than the form
    elif level == "save" and not form and "filing" in (label, of) and puts_somewhere(text) == "ask":
        bare = sum(scores[name] for name in KEEPS)
        level = "ask" if bare < _PLAIN_WISH else level  # perhaps only about the pictures that are there
    if level == "ask" and scores["filing"] >= _PLAINLY_PLACED and spans.where[:1].isupper():
        level = "save"  # "receipts go in Money": a name is no other place
    plain = held.told or held.wished
    odds = reading.odds() if level or reading.said.alone else 0.0
    sure = level == "save"
    level = reading.allowed(level, odds, plain=plain)
    rounded = {name: round(p, 4) for name, p in scores.items()}
    return Understanding(
        label,
        scores[label],
        rounded,
        spans.keep,
        spans.what,
        spans.where,
        of,
        asked,
        held.chance,
        level,
        text,
        plain,
        odds,
        sure and level == "ask",
    )


def _eased(
    levels: tuple[float, float], said: Said, first: str, scores: Mapping[str, float]
) -> tuple[float, float]:
    """(ask, save) levels, lower where the form is plain."""
    (low, high), text, chance = levels, said.text, scores[first]
    if first in ("rule", "change") and chance >= WISHED and stands(text):
        return _PLAIN_FORM, _PLAIN_FORM
    if for_good(text) and first in ("rule", "filing", "change") and chance >= WISHED:
        high = min(high, _FOR_GOOD)  # it says itself that it holds from now on
    told = scores["fact_self"] + scores["fact_other"] + scores["change"]
    if (
        first in (*KINDS["fact"], "change")
        and told >= _PLAIN_FACT
        and states(text, "zh" if has_han(text) else "en")
    ):
        high = min(high, low)  # short and plain: "I work in a bookshop"
    if first in (*KINDS["fact"], "change") and lasts(text, "zh" if has_han(text) else "en"):
        high = min(high, low)
    return low, high


def _doubted(level: str, first: str, spans: Spans, said: Said, *, plainly: bool, told: bool) -> str:
    """What form says against keeping, or for it: a thought played with, or another's text, is dropped; a wish put
    as a question, or a rule whose place is a guess, is asked about; one that plainly names both is not.

    Args:
        told: its form says beyond doubt what it is, and not that it files pictures.
        plainly: the probe has no doubt at all, so that a wish is one however it is put ("could you always …?").
    """
    kept = untagged(spans.keep or said.text)
    wish = first in ("rule", "filing", "change")
    language: Language = "zh" if has_han(kept) else "en"
    if not_meant(first, spans, said, kept, language, told=told):
        return ""
    guessed = bool(spans.where) and spans.sure < 0
    if first in KINDS["fact"]:
        plain = stated(kept, language)
        kept = plain if plain and states(plain, language) else kept  # "I can't eat nuts, is this one safe?"
        kept = practised(kept, language) or kept
    put_as_question = is_question(kept, language) or _MAY_I.search(kept) is not None
    if guessed or (put_as_question and not (wish and (plainly or stands(said.text)))):
        return "ask"
    return "save" if first == "filing" and spans.where and spans.sure >= PLAINLY else level


def _kind_by_words(text: str, scores: Mapping[str, float]) -> str:
    """What a kept message is of; where it names a kind of picture and a place, or plainly none, that decides."""
    chances = {kind: sum(scores[label] for label in labels) for kind, labels in KINDS.items()}
    found = load_tagger().find(text, "file")
    if not speaks_of_filing(text):
        del chances["filing"]
        return max(chances, key=lambda kind: chances[kind])
    written = speaks_of_titles(text) or _WRITES.search(text) is not None
    if found.what and found.where and found.sure >= PLAINLY and not written:
        wanted = chances["filing"] + chances["rule"]  # a wish at any rate
        if chances["filing"] >= MAY_BE_FILING or (found.sure >= 2 * PLAINLY and wanted >= WISHED):
            return "filing"
    if found.sure < _NO_PLACE or written:
        del chances["filing"]
    return max(chances, key=lambda kind: chances[kind])


def _about(reading: _Reading) -> str:
    """What a change is about. A kind of picture and a category, plainly found, speak where the probe wavers."""
    if not speaks_of_filing(reading.said.text):
        return "fact" if reading.chance("of", "fact") > reading.chance("of", "rule") else "rule"
    if reading.chance("of", "filing") >= MAY_BE_FILING:
        spans = load_tagger().find(reading.said.text, "refile")
        if spans.what and spans.where and spans.sure >= PLAINLY:
            return "filing"
    return reading.likeliest("of")
