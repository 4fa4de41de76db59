"""What the form of a sentence says that it is, held against the chances that the probe gives each label."""

from __future__ import annotations

import re
from collections.abc import Mapping

from memory.clauses import clauses
from memory.offline.cues import (
    for_good,
    frames_an_order,
    orders,
    orders_for_a_time,
    plays_with,
    settles,
    tells_how_to_talk,
)
from memory.offline.elliptical import elliptical
from memory.offline.filing_forms import Placed, forbids_filing, placed, with_its_like
from memory.offline.filing_pairs import pairs
from memory.offline.lasting import lasts, lasts_of_another
from memory.offline.occasions import on_occasion
from memory.offline.practised import practised
from memory.offline.probe import KEEPS, KINDS
from memory.offline.spans import load_tagger
from memory.offline.terms import defined, names_before
from memory.people import introduces_oneself, names_somebody, tells_of_somebody
from memory.phrasing import asks_whether, is_question, supposes, trimmed
from memory.speech_acts import (
    asks_what_is_kept,
    deliberates,
    forgets_of_oneself,
    insists,
    leaves_out,
    names_oneself,
    points_at,
    puts_somewhere,
    relays,
    takes_back,
    tells_a_habit,
    wants_forgotten,
)
from memory.wording import Language

_LANGUAGE = re.compile(  # what is written in one is not filed there
    r"(?:English|French|German|Spanish|Italian|Chinese|Mandarin|Cantonese|Japanese|Korean|Russian|Portuguese|"
    r"Arabic|Dutch|Latin)\W*$|"
    r"(?:中文|英文|英语|日文|日语|法语|德语|韩语|繁体字?|简体字?)$"
)
NEVER_TOLD = ("secret", "forget", "undo", "once", "quoted", "hypothetical")
WISHED = 0.5  # chance from which a message is kept that asks for it in words ("remember that …")
MAY_BE_FILING, PLAINLY = 0.25, 4.0  # chance of the probe, lead of the tagger's best reading
PERHAPS_FILING = 0.1  # chance from which the form of a filing rule is asked about
_PLAINLY_FILING = (
    0.6  # chance from which what the person insists on is a filing rule, whatever else it looks like
)
_WISH_AT_ALL, _PLAYED = (
    0.1,
    0.3,
)  # chance of a wish, and of a sneer or a quotation, where form says "from now on"
_MAY_BE_FACT = 0.1  # chance from which a lasting thing, by its form, is a fact whatever else it looks like
_CLAUSES = 3  # of a sentence in which one may say what to be called
_HOW_TO_TALK = 0.3  # chance of a wish from which one about how to talk is for good
_NO_ORDER = ("secret", "undo", "quoted", "hypothetical", "irony")
_MISTAKEN = ("hypothetical", "quoted", "chat", "task", "once", "rule")
_ABOUT_MEMORY = ("filing", "rule", "change", "forget")  # what only the person's own wish can be


def _beyond_doubt(text: str, language: Language) -> tuple[str, str, bool] | None:
    """What a sentence is whose form leaves the probe no say."""
    short = for_good(text) and elliptical(trimmed(text, language), language)
    called = any(names_oneself(part.text) for part in clauses(text)[:_CLAUSES])
    said_so = called or names_before(text) or settles(text) or forbids_filing(text)
    if said_so or short or defined(text):
        return "rule", "rule", True
    if practised(text, language) and not (relays(text, language) or plays_with(text)):
        return "fact_self", "fact", True
    if names_somebody(text, language):
        return "fact_other", "fact", True
    if leaves_out(text) and lasts(text, language):
        return ("fact_other" if lasts_of_another(text, language) else "fact_self"), "fact", True
    return ("fact_self", "fact", True) if tells_a_habit(text) or introduces_oneself(text) else None


def by_form(
    text: str, first: str, kind: str, kept: Mapping[str, float], language: Language
) -> tuple[str, str, bool]:
    """(what the message is, what it would keep, whether keeping it is beyond doubt), where form speaks plainly."""
    if plain := _beyond_doubt(text, language):
        return plain
    if gone := _taken_away(text, language):
        return gone, kind, False
    if _ordered(text, first, kept) or _on_occasion(text, first, kept, language):
        return "rule", "rule", True
    if insists(text, language) and (first not in NEVER_TOLD or (first == "quoted" and kept[first] < WISHED)):
        if kind == "filing" and kept["filing"] < _PLAINLY_FILING:
            kind = "fact"  # "remember: the bins go out on Thursdays" has the form of a filing rule
        return first if first in KEEPS else max(KEEPS, key=lambda name: kept[name]), kind, True
    if first in KINDS["fact"] and orders(text):
        first, kind = "rule", "rule"
    elif first in _MISTAKEN and lasts(text, language) and not plays_with(text):
        told = kept["fact_self"] + kept["fact_other"] + kept["change"]
        whose = "fact_other" if lasts_of_another(text, language) else "fact_self"
        first = whose if told >= _MAY_BE_FACT else first
    if first in ("ask_fact", "ask_memory") and wants_forgotten(text):
        first = "forget"
    if first in _ABOUT_MEMORY and relays(text, language):
        first = "quoted"  # somebody else's wish
    elif first == "forget" and supposes(text, language):
        first = "hypothetical"
    elif first == "forget" and asks_what_is_kept(text, language):
        first = "ask_memory"
    elif first in ("forget", "move", "ask_pictures") and deliberates(text):
        first = "task"
    return first, kind, False


def _taken_away(text: str, language: Language) -> str:
    """Which of "undo" and "forget" a message plainly is; "" where it is neither."""
    if takes_back(text):
        return "undo"
    return "forget" if forgets_of_oneself(text) and not is_question(text, language) else ""


def _ordered(text: str, first: str, kept: Mapping[str, float]) -> bool:
    """Whether it is an order from now on, or for a while, and meant."""
    if orders_for_a_time(text) and first not in _NO_ORDER and kept["irony"] + kept["quoted"] < _PLAYED:
        return True
    wish = kept["rule"] + kept["change"]
    if tells_how_to_talk(text) and wish >= _HOW_TO_TALK and kept["irony"] + kept["quoted"] < _PLAYED:
        return first in ("rule", "change", "task", "forget")
    return frames_an_order(text) and _seriously(first, kept)


def _on_occasion(text: str, first: str, kept: Mapping[str, float], language: Language) -> bool:
    """Whether it says what is to be done whenever the person does something, and is meant."""
    supposed = kept["hypothetical"] if text.lower().lstrip().startswith(("if", "如果", "要是")) else 0.0
    played = kept["irony"] + kept["quoted"] + supposed
    wish = kept["rule"] + kept["change"] + kept["filing"]
    told = first not in _NO_ORDER and wish >= _WISH_AT_ALL and played < _PLAYED
    return told and on_occasion(text, language) and not relays(text, language)


def _seriously(first: str, kept: Mapping[str, float]) -> bool:
    """Whether the probe does not hear a sneer, another's words or a thing of the moment in a wish for good."""
    wish = kept["rule"] + kept["change"] + kept["filing"]
    played = kept["irony"] + kept["quoted"]
    return first in ("rule", "change", "filing", "task") and wish >= _WISH_AT_ALL and played < _PLAYED


def plainly(text: str, kept: Mapping[str, float], language: Language) -> tuple[str, str, str] | None:
    """(level, kind, label) of a message that the probe makes little of, and whose form says plainly what it is."""
    if tells_of_somebody(text, language):
        return "ask", "fact", "fact_other"
    told = kept["fact_self"] + kept["fact_other"] + kept["change"]
    if told >= _MAY_BE_FACT and lasts(text, language) and not plays_with(text):
        whose = "fact_other" if lasts_of_another(text, language) else "fact_self"
        return ("" if relays(text, language) or is_question(text, language) else "save"), "fact", whose
    if (said := puts_somewhere(text)) and kept["filing"] + kept["change"] >= MAY_BE_FILING:
        found = load_tagger().find(text, "file")
        if found.what and found.where and found.sure >= PLAINLY:
            return said, "filing", "filing"
    return None


def placed_by_form(text: str, kept: Mapping[str, float], language: Language) -> Placed | None:
    """The filing rule that a sentence is by its form, where the probe does not think it absurd."""
    if wish_to_file(kept) < PERHAPS_FILING or relays(text, language) or asks_whether(text):
        return None
    form = with_its_like(text) or placed(text, language)
    form = form or next((pair.rule for pair in pairs(text, language)), None)
    return None if form is None or points_at(form.what) or _LANGUAGE.match(form.where) else form


def wish_to_file(scores: Mapping[str, float]) -> float:
    """The chance of a wish that a filing rule may be."""
    return scores["filing"] + scores["change"] + scores["rule"]
