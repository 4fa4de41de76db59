"""A message that says several things, each told apart with the words that say it; a reason is no thing of its own."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

from memory.asides import opened, without_reason
from memory.clauses import Part, clauses
from memory.language import language_of
from memory.offline.amending import holds_elsewhere
from memory.offline.cues import passing
from memory.offline.filing_forms import placed, puts_somewhere
from memory.offline.filing_pairs import pairs, pairs_and_rest
from memory.offline.lasting import lasts
from memory.offline.occasions import on_occasion
from memory.offline.of_the_moment import going_on
from memory.offline.practised import practised
from memory.offline.probe import KINDS
from memory.offline.spans import load_tagger
from memory.offline.statements import statements
from memory.offline.terms import defined
from memory.offline.understanding import Understanding
from memory.periods import for_a_time
from memory.phrasing import asks_to_keep, only_asks_to_keep, stated, untagged, without_questions
from memory.places import says_nothing
from memory.speech_acts import carried_on, leaves_out, relays
from memory.wording import Language
from memory.words import content, has_han

Understand = Callable[[str], Awaitable[Understanding]]

_SINGLE = ("filing", "rule", "fact_self", "fact_other")
_INSTEAD = re.compile(  # one rule that takes the place of another, not two
    r"不(?:再|要|用|想)?(?:放|进|归|收|搁|丢|存|是)|别(?![的人家处])|改|换|"
    r"\b(?:not|instead|rather|no longer|no more|any ?more|stop)\b|n['’]t\b",
    re.I,
)
_ORDERS = re.compile(
    r"^\W*(?:\S{0,12}?)(?:别|不要|不许|少给|请)|\b(?:don['’]?t|never|always|stop|only)\b", re.I
)
_FRAMES = re.compile(  # a clause that limits the wish beside it
    r"如果|要是|只要|其他|其它|其余|别的|凡是|的时候|时$|之前|以前|期间|为止|之后|以后|除非|除了|的话|而不是|不是|"
    r"\b(?:if|when|whenever|until|till|through|from|unless|except|while|during|before|after|for|in|on|about|not|"
    r"instead|then|"
    r"even|otherwise|else|elsewhere)\b",
    re.I,
)
_CONDITION = re.compile(  # a clause that only says when the wish beside it holds
    r"^\W*(?:如果|要是|假如|若是|万一|只要|每当|when(?:ever)?\b|if\b|once\b|as soon as\b)|(?:的话|的时候|时)\W*$",
    re.I,
)
_FOLLOWS = re.compile(  # what follows its "when", or goes on with the wish before it: 别解释了，直接上重点
    r"^\W*(?:就|那就|则|一律|默认|直接|只|先|尽量|最多|最好|控制|改成|换成)|就(?:行|成|好|可以|够)了?\W*$|^\W*(?:then|just|default|only|keep)\b",
    re.I,
)
_OF_IT = re.compile(r"[他她它]|这[个样么]|那[个样么]|\b(?:him|her|them|it|that|those|these)\b", re.I)
_COMPLAINS = re.compile(  # why it is wished, in the shape of a wish: 每次都问
    r"^\W*(?:每次|每回|老是?|总是?|天天|动不动)(?:都|就)?[^，,。给用要请按]{1,4}\W*$|"
    r"^\W*(?:every|each) (?:single )?time\W*$",
    re.I,
)
_WISHES = ("rule", "filing")
_NOT_THERE = re.compile(
    r"^(?:别|不要|不用|甭)再?(?:放|归|存|丢|扔|搁|收)|^(?:and )?(?:not|never) (?:in|into|under)\b", re.I
)
_AND = re.compile(r"\s+and\s+", re.I)
_PARTS = 4  # clauses of a message at most that may each be kept by themselves


async def apart(
    found: Understanding, text: str, language: Language, understand: Understand
) -> list[tuple[Understanding, str]]:
    """The things a message says, where it plainly says several, each with the words that say it."""
    whole = [(found, found.keep or text)]
    if found.label in ("filing", "rule", "change") and (
        ruled := await _ruled(found, text, language, understand)
    ):
        return ruled
    if found.label not in _SINGLE or on_occasion(found.keep or text, language):
        return whole
    if found.level == "save" and (several := await _several(found, text, understand)):
        return several
    return _facts(found, text, language) if found.label.startswith("fact") else whole


def _facts(found: Understanding, text: str, language: Language) -> list[tuple[Understanding, str]]:
    """The facts that a sentence states, without what others say beside it and what passes."""
    whole = [(found, found.keep or text)]
    kept = without_questions(carried_on(text, found.keep or text, language))
    if practised(text, language) and not stated(kept, language):
        return whole  # "can't do dairy so what's a good swap?"
    told = [
        one
        for one in statements(opened(stated(kept, language), language), language)
        if len(content(one.text)) > 1
    ]
    own = [one for one in told if not relays(one.quote, language)]
    if 0 < len(own) < len(told):  # what a colleague says beside it is no fact
        told = own
        if len(told) == 1:
            return [(replace(found, keep=told[0].text), told[0].quote)]
    told = [one for one in told if not (leaves_out(one.text) or only_asks_to_keep(one.text))] or told
    told = [one for one in told if lasts(one.text, language) or not going_on(one.text)]
    lasting = [one for one in told if not passing(one.text)]
    if not told:
        return []
    if 0 < len(lasting) < len(told):
        told = lasting
        if len(told) == 1:
            return [(replace(found, keep=told[0].text), told[0].quote)]
    return [(replace(found, keep=one.text), one.quote) for one in told] if len(told) > 1 else whole


async def _ruled(
    found: Understanding, text: str, language: Language, understand: Understand
) -> list[tuple[Understanding, str]]:
    """Several filing rules, or some and one sure wish or fact beside them, known by their form; else nothing."""
    ruled, rest = pairs_and_rest(text, language)
    told: list[tuple[Understanding, str]] = [
        (
            replace(found, label="filing", of="", keep=one.said, what=one.rule.what, where=one.rule.where),
            one.said,
        )
        for one in ruled
    ]
    if not rest or _NOT_THERE.match(rest):
        return told if len(told) > 1 else []
    if _CONDITION.search(rest):
        return []  # "if it is code,": a piece of the rule, and no wish of its own
    beside = await understand(rest) if told and len(content(rest)) > 1 else None
    if beside is None or beside.level != "save" or beside.label == "filing":
        return []
    return [*told, (replace(beside, keep=beside.keep or rest), rest)]


async def _several(
    found: Understanding, text: str, understand: Understand
) -> list[tuple[Understanding, str]]:
    """A fact and a wish, or two filing rules, where all of it is sure; else nothing."""
    language: Language = "zh" if has_han(text) else "en"
    if placed(text, language) or pairs(text, language) or defined(text):
        return []  # one rule, whatever commas it has
    parts = [part.text.strip("，,。.;； ") for part in clauses(found.keep or text)]
    if any(
        lasts(part, language) for part in parts
    ):  # 芒果就别放了，我家老二…: what is to be left out is not for good
        parts = [part for part in parts if not leaves_out(part)]
    parts = [part for part in parts if not _COMPLAINS.match(part)]
    if found.label == "filing":  # 都丢到报账，别放杂项: where they do not go is no rule of its own
        parts = [part for part in parts if not _NOT_THERE.match(part)]
    if len(parts) == 1 and found.label == "filing":
        parts = _AND.split(parts[0], maxsplit=1)
    whens = [part for part in parts if _CONDITION.search(part) and not placed(part, language)]
    if whens or not 2 <= len(parts) <= _PARTS:
        return []  # 如果我截的图是代码的话，给它放到…: when it holds, and then what
    each = [await understand(part) for part in parts]
    ruled = [load_tagger().find(part, "file") for part in parts]
    if (
        found.label == "filing"
        and not _INSTEAD.search(text)
        and all(
            one.sure >= 0 and _complete(part, one.what, one.where)
            for part, one in zip(parts, ruled, strict=True)
        )
    ):  # each says what goes where
        return [
            (replace(found, keep=part, what=one.what, where=one.where), part)
            for part, one in zip(parts, ruled, strict=True)
        ]
    if any(
        one.label == "filing" and not _complete(part, one.what, one.where)
        for one, part in zip(each, parts, strict=True)
    ):
        return []  # a piece of a rule: what goes, or where to
    wishes = [
        (replace(one, keep=part), part)
        for one, part in zip(each, parts, strict=True)
        if one.level == "save" and one.label in _WISHES
    ]
    asked = [  # 记一下我乳糖不耐，以后饮品都别带奶: no reason, where it is to be remembered
        (replace(one, keep=part, asked=True), part)
        for one, part in zip(each, parts, strict=True)
        if one.level == "save" and one.label in KINDS["fact"] and asks_to_keep(part)
    ]
    rest = [part for part in parts if part not in [kept for _, kept in wishes]]
    plain = found.label in _WISHES or all(_ORDERS.search(kept) for _, kept in wishes)
    limited = any(_FRAMES.search(part) or _FOLLOWS.search(part) or for_a_time(part) for part in rest) or any(
        _CONDITION.search(kept) or holds_elsewhere(kept) or (rest and _OF_IT.search(kept))
        for _, kept in wishes
    )
    if wishes and (asked or (rest and plain and not limited)):
        return [*asked, *wishes]  # what stands beside a wish in its sentence is its reason
    kinds = {next((kind for kind, labels in KINDS.items() if one.label in labels), "") for one in each}
    apart = all(one.level == "save" for one in each) and "" not in kinds and len(kinds) > 1
    return [(replace(one, keep=part), part) for one, part in zip(each, parts, strict=True)] if apart else []


_GOES_ON = re.compile(  # how long, said of the clause before it: 执业十一年了, "been at it nine years"
    r"^(?:也|还|已经|都|到现在)*(?:执业|从业|入行|从教|行医|干|做|教|开|住|养|练|学|有|工作)(?:了|这行|这个)*"
    r"[^，,。]{0,4}(?:年|个月|辈子)[^，,。]{0,2}[，,。.!！]*$|"
    r"^\W*(?:and )?(?:i['’]?ve )?been (?:doing|in|at|teaching|running)\b.{0,24}\b(?:years?|months?|decades?)\W*$",
    re.I,
)


def gone_on(text: str, clause: Part, told: Sequence[Part]) -> str:
    """A clause with those right after it that only say for how long it has been so."""
    end = clause.end
    for part in told:
        if part.start >= end:
            if not _GOES_ON.match(part.text):
                break
            end = part.end
    return text[clause.start : end]


def _complete(part: str, what: str, where: str) -> bool:
    """Whether a clause alone says which pictures go where: 要是小票呢 (丢到账本里) only says which."""
    return bool(where) and not says_nothing(what) and puts_somewhere(part)


def essence(quote: str) -> str:
    """The words that say it, without an answer before them and a reason after; a part of the quote."""
    language: Language = language_of(quote) or "zh"
    return untagged(without_reason(opened(quote, language), language))
