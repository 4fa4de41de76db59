"""What a message is: the probe's word for it, held against its form and against the words that the tagger finds."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from memory.people import names_somebody, tells_of_somebody
from memory.phrasing import asks_to_keep, is_question, of_others_words, stated, supposes
from memory.probe import KEEPS, KINDS, Probe, Vectors, storing
from memory.spans import Spans, group_of, load_tagger
from memory.speech_acts import (
    deliberates,
    insists,
    names_oneself,
    puts_somewhere,
    relays,
    takes_back,
    wants_forgotten,
    wonders,
)
from memory.wording import Language
from memory.words import has_han

_NO_PLACE = -1.0  # log odds at which the tagger is sure that a message names no kind of picture and place
_MAY_BE_FILING, PLAINLY = 0.25, 4.0  # chance of the probe, lead of the tagger's best reading
_PLAINLY_FILING = (
    0.6  # chance from which what the person insists on is a filing rule, whatever else it looks like
)
_NOT_KEPT = ("undo", "quoted", "hypothetical")  # where form says so: the probe then has no say
_MAY_I = re.compile(
    r"能不能|可不可以|能否|可否|行不行|好不好"
)  # a wish put as a question, with no mark at its end
_NEVER_TOLD = ("secret", "forget", "undo", "once", "quoted", "hypothetical")
_ABOUT_MEMORY = ("filing", "rule", "change", "forget")  # what only the person's own wish can be
_WISHED = 0.5  # chance from which a message is kept that asks for it in words ("remember that …")
_SECRET = 0.2  # chance of being a secret from which nothing is kept, whatever else it may be
LONG = 400  # a message this long is mostly pasted: its sentences count, the whole does not


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


def understood(text: str, texts: Sequence[str], vectors: Vectors | None, probe: Probe) -> Understanding:
    """A message, from its rows of features. `texts`: itself and, where there are several, its sentences."""
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
    by_label = dict(zip(head.classes, map(float, kept), strict=True))
    likeliest = first
    first, kind, told = _by_form(text, first, kind, by_label, language)
    if first != likeliest and first in _NOT_KEPT:
        chance = 0.0
    wished = asks_to_keep(text) and first in KEEPS
    low, high = probe.levels[f"{face}:{kind}"]
    level = "save" if told or chance >= (_WISHED if wished else high) else "ask" if chance >= low else ""
    plain = None if level or first in _NEVER_TOLD else _plain(text, by_label, language)
    if plain:
        (level, kind, first), told = plain, True
    if level and kind == "fact" and wonders(stated(text, language) or text, language):
        level, first = "", "ask_fact"  # it speaks of a fact and states none
    if float(whole[head.classes.index("secret")]) >= _SECRET:
        level = ""
    label = first
    if level and not (told and first in KINDS[kind]):
        label = max((*KINDS[kind], "change"), key=lambda name: float(kept[head.classes.index(name)]))
    row = rows[:1] if len(texts) < 2 or len(text) < LONG else rows[1 + best : 2 + best]
    of = _about(text, probe, f"{face}:of", row) if label == "change" else ""
    asked = label in KEEPS and (wished or _chance(probe, f"{face}:asked", row, "yes") >= 0.5)
    spans = load_tagger().find(text, group_of(label, of)) if label in (*KEEPS, "forget", "move") else Spans()
    level = _doubted(level, first, spans, text) if level else level
    if plain and level:
        level = plain[0]  # no surer than the form
    scores = {name: round(float(p), 4) for name, p in zip(head.classes, whole, strict=True)}
    return Understanding(
        label, float(whole[head.classes.index(label)]), scores, spans.keep, spans.what, spans.where,
        of, asked, chance, level,
    )  # fmt: skip


def _by_form(
    text: str, first: str, kind: str, kept: Mapping[str, float], language: Language
) -> tuple[str, str, bool]:
    """(what the message is, what it would keep, whether keeping it is beyond doubt), where form speaks plainly."""
    if names_oneself(text):
        return "rule", "rule", True
    if names_somebody(text, language):
        return "fact_other", "fact", True
    if takes_back(text):
        return "undo", kind, False
    if insists(text, language) and first not in _NEVER_TOLD:
        if kind == "filing" and kept["filing"] < _PLAINLY_FILING:
            kind = "fact"  # "remember: the bins go out on Thursdays" has the form of a filing rule
        return first if first in KEEPS else max(KEEPS, key=lambda name: kept[name]), kind, True
    if first in ("ask_fact", "ask_memory") and wants_forgotten(text):
        first = "forget"
    if first in _ABOUT_MEMORY and relays(text, language):
        first = "quoted"  # somebody else's wish
    elif first == "forget" and supposes(text, language):
        first = "hypothetical"
    elif first in ("forget", "move", "ask_pictures") and deliberates(text):
        first = "task"
    return first, kind, False


def _plain(text: str, kept: Mapping[str, float], language: Language) -> tuple[str, str, str] | None:
    """(level, kind, label) of a message that the probe makes little of, and whose form says plainly what it is."""
    if tells_of_somebody(text, language):
        return "ask", "fact", "fact_other"
    if (said := puts_somewhere(text)) and kept["filing"] + kept["change"] >= _MAY_BE_FILING:
        found = load_tagger().find(text, "file")
        if found.what and found.where and found.sure >= PLAINLY:
            return said, "filing", "filing"
    return None


def _doubted(level: str, first: str, spans: Spans, text: str) -> str:
    """What form says against keeping, or for it: a thought played with, or another's text, is dropped; a wish put
    as a question, or a rule whose place is a guess, is asked about; one that plainly names both is not.
    """
    language: Language = "zh" if has_han(text) else "en"
    kept = spans.keep or text
    if supposes(kept, language) or of_others_words(text, kept):
        return ""
    guessed = bool(spans.where) and spans.sure < 0
    if guessed or is_question(kept, language) or _MAY_I.search(kept):
        return "ask"
    return "save" if first == "filing" and spans.where and spans.sure >= PLAINLY else level


def _kind_by_words(text: str, kept: Vectors, classes: Sequence[str]) -> str:
    """What a kept message is of; where it names a kind of picture and a place, or plainly none, that decides."""
    chances = {
        kind: sum(float(kept[classes.index(label)]) for label in labels) for kind, labels in KINDS.items()
    }
    found = load_tagger().find(text, "file")
    if found.what and found.where and found.sure >= PLAINLY:
        wanted = chances["filing"] + chances["rule"]  # a wish at any rate
        if chances["filing"] >= _MAY_BE_FILING or (found.sure >= 2 * PLAINLY and wanted >= _WISHED):
            return "filing"
    if found.sure < _NO_PLACE:
        del chances["filing"]
    return max(chances, key=lambda kind: chances[kind])


def _about(text: str, probe: Probe, head: str, row: Vectors) -> str:
    """What a change is about. A kind of picture and a category, plainly found, speak where the probe wavers."""
    if _chance(probe, head, row, "filing") >= _MAY_BE_FILING:
        spans = load_tagger().find(text, "refile")
        if spans.what and spans.where and spans.sure >= PLAINLY:
            return "filing"
    found = probe.heads[head](row)[0]
    return probe.heads[head].classes[int(found.argmax())]


def _chance(probe: Probe, head: str, row: Vectors, name: str) -> float:
    return float(probe.heads[head](row)[0, probe.heads[head].classes.index(name)])
