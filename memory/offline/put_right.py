"""A stored line that the person puts right or says more about, with talk about memory around it.

"you've got me down as living in Leeds, moved to York, fix that pls", 你不是记了我有只猫嘛 补充下 它叫年糕: what is said
of memory itself names the line and what is to be done; the rest is what the line says from now on.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from memory.changes import Kind, Origin, Revise
from memory.clauses import clauses
from memory.concepts import Concepts, concepts
from memory.filing_rules import read_rule
from memory.offline.aiming import GENERIC
from memory.offline.cues import mocks, states
from memory.offline.denied import denied_line, is_denied
from memory.offline.practised import lacks_subject
from memory.page import Line
from memory.phrasing import changed, fact, is_question, trimmed
from memory.speech_acts import forgets, not_to_be_forgotten
from memory.utterance import Utterance
from memory.verbs import third_person
from memory.wording import Language
from memory.words import content, covered

_OF_MEMORY_ZH = re.compile(  # 你记的那个住址得改下啊, 补充一下, 记得改
    r"(?P<what>(?:^|(?<=你)|(?<=之前)|(?<=那))?(?:你|您)?(?:之前|上次|那边|那儿|原来|不是)*(?:记|存)(?:的|了|着|过)(?P<of>[^，。！？]{0,16}?))"
    r"(?:(?:得|要|该|需要|可以|麻烦|帮我|给我)*(?:改|更新|修正|更正|换|补|加|错|不对|过时|旧)(?:充|正|新|了|啦|一?下|一?笔|上)*|嘛|来着|吧)"
    r"(?:[，,啊吧了啦哈呀]*)$|"
    r"^(?:你|您|那|就|请|麻烦|帮我|给我|帮忙|记得|顺便|都|得|要|可以|另外|再)*(?:改|更新|修正|更正|修改|补|加|添|换)"
    r"(?:充|正|一?下|一?笔|上|过来|成新的|掉|了|啦|吧|啊|哈)*[，,。]*$|"
    r"^(?:你|您)?(?:那儿|这儿|上次)?(?:记错|搞错|弄错)(?:了|啦|咯)?[，,。]*$|"
    r"^(?P<what2>[^，。！？]{0,14}(?:那条|那个记录|的记录|这条))[，,]?(?:得|要|该|再|麻烦|帮我|给我)*"
    r"(?:改|更新|修正|更正|补|加)(?:充|正|新|一?下|上|个|一?句|了|啦|吧|啊|哈)*[，,。]*$|"
    r"^(?:你|您)?(?:那儿|那边|之前)*[那这]条(?:说|写|关于|讲)?(?P<what4>[^，。！？]{1,14}?)的?(?:得|要|该)(?:改|更新|修正|更正|换)(?:了|啦|一?下|吧)*$|"
    r"^(?P<what3>(?:你|您)?(?:之前)?(?:记|存)的[^，。！？]{1,14}(?:那条|那个)?)[，,]$"
)
_MORE_ZH = re.compile(r"补|加(?:一?下|上|个|一?句)|再加|添|再记")
_OF_MEMORY_EN = re.compile(
    r"^\W*(?:(?:so|and|oh|btw|also|ok|pls|please|can you|could you|you can|just)\W+)*(?:"
    r"(?:update|fix|correct|change|amend|add|edit)(?: (?:that|it|this|to that|to it|those|your (?:notes?|memory|"
    r"records?)))*"
    r"(?: in (?:your|the) (?:notes?|memory))?(?:,? (?:please|will you|would you|for me|then|now|ok|too|"
    r"accordingly|thanks))*"
    r"|you(?:['’]ve| have)? (?:still )?(?:have |got |had )*me down as (?P<what>.+?)"
    r"|you(?:['’]ve| have) (?:still )?got (?P<what2>(?:my|our) .+?) wrong(?: btw| by the way)?"
    r"|(?:you )?(?:remember|know) (?:how |when )?(?:i said|i told you) (?:that )?(?P<what3>.+?)"
    r"|(?:that|the) (?:note|line|thing|bit|entry|one)(?: you have)? (?:about|on) (?P<what4>.+?)"
    r"|that(?:['’]s| is) (?:old|out of date|outdated|wrong|not true any ?more|no longer true)(?: now)?"
    r")\W*$",
    re.I,
)
_MORE_EN = re.compile(
    r"\badd\b|\b(?:remember|know) (?:how |when )?i (?:said|told)|\bthat (?:note|line|thing|bit) (?:about|on)\b",
    re.I,
)
_NOT_ANY_MORE_EN = re.compile(
    r"\b(?:no longer|not .{1,30}any ?more|n['’]t .{1,30}any ?more|not .{1,20}after all)\b", re.I
)
_NOT_ANY_MORE_ZH = re.compile(
    r"^(?:我|俺|咱)[^，,。！？]{0,6}(?:早就?|已经|现在)*(?:不|没)[^，,。！？]{1,12}了"
)
_PRONOUN_ZH = re.compile(r"^[它他她](?=叫|是|属|有|今年|现在|在|上|[\d一二三四五六七八九十]|喜|不|的|对)")
_NOT_A_BUT_B = re.compile(
    r"(?:\b(?:is|are)(?: not|n['’]t)|['’]s not|\bnot called) (?P<b>[\w'’ -]{2,24}?)(?: any ?more)?,? (?:it['’]?s|"
    r"but|now(?: it['’]?s)?) "
    r"(?P<a>[\w'’ -]{2,24}?)(?: now)?\W*$|"
    r"不(?:是|叫)(?P<d>[^，,。\s]{1,12}?)(?:了)?[，,]?(?:而|现在)?(?:是|叫|改成)"
    r"(?P<c>[^，,。\s]{1,12}?)(?:了)?[，,。！!]*$",
    re.I,
)
_ABOUT = re.compile(
    r"^\W*(?:re|about|regarding|as for|on) (?P<what>(?:my|the|that) [^:,]{2,30})[:,]\s*|"
    r"^\W*关于(?P<zh>[^，,：:]{2,12})[，,：:]\s*",
    re.I,
)
_A_NOT_B = re.compile(
    r"(?:是|叫|改成|应该是)(?P<a>[^，,。\s]{1,12}?)[，,]?(?:而)?不(?:是|叫)(?P<b>[^，,。\s]{1,12}?)(?=[，,。！!]|$)|"
    r"\b(?:it['’]?s|is|called|named) (?P<c>[\w'’ -]{2,24}?),? not (?P<d>[\w'’ -]{2,24}?)(?=[,.!;]|\W*$)",
    re.I,
)
_BARE = 2  # words
_CLAUSES = 3  # of a message that denies something and says what is so now
_ENOUGH, _LEAD = 0.5, 0.2  # share of a line's matter that is said, and how far it must be ahead of the next


@dataclass(frozen=True, slots=True)
class _Talk:
    """A message taken apart."""

    said: str  # what it tells
    hint: str  # what it says of the line, beside that
    more: bool  # something is added, and what stands there stays
    asked: bool  # it speaks of memory


def put_right(utterance: Utterance, lines: Sequence[tuple[str, Line]], language: Language) -> Revise | None:
    """The line as the person wants it, where the message speaks of memory, or denies what it says, and names it."""
    text = utterance.text
    talk = _apart(text, language)
    if mocks(text) or forgets(text) or not_to_be_forgotten(text) or not talk.said:
        return None
    held = [line for _, line in lines if read_rule(line.text, line.when) is None]
    if not talk.asked:  # a fact that is denied in passing
        held = [line for line in held if line.kind is not Kind.INSTRUCTION]
    named = denied_line(talk.said, held)
    if not talk.asked and named is None and not _denies(text, talk.said, language):
        return None
    line = named or _meant(talk, held)
    if line is None:
        return None
    new = _said_now(talk, line, utterance, language)
    if not new or new == line.text:
        return None
    origin = Origin.EXPLICIT if talk.asked or line.origin is not Origin.LEARNED else Origin.LEARNED
    return Revise(line.id, new, line.when, line.until, origin)


def _denies(text: str, said: str, language: Language) -> bool:
    """Whether a message does no more than say that something is so no longer."""
    form = _NOT_ANY_MORE_ZH if language == "zh" else _NOT_ANY_MORE_EN
    parts = clauses(text)
    asks = any(is_question(part.text, language) for part in parts)
    return form.search(said) is not None and not asks and len(parts) <= _CLAUSES


def _apart(text: str, language: Language) -> _Talk:
    form, more = (_OF_MEMORY_ZH, _MORE_ZH) if language == "zh" else (_OF_MEMORY_EN, _MORE_EN)
    told: list[str] = []
    hints: list[str] = []
    if named := _ABOUT.match(text):
        hints.append(named["what"] or named["zh"])
        text = text[named.end() :]
    adds = asked = False
    for part in clauses(text):
        if found := form.search(part.text.strip(" ，,。.！!")) or form.search(part.text):
            asked = True
            adds = adds or more.search(part.text) is not None
            hints += [words for name, words in found.groupdict().items() if words and name.startswith("what")]
        elif not is_question(part.text, language):
            told.append(part.text)
    return _Talk((" " if language == "en" else "").join(told).strip(), " ".join(hints), adds, asked)


def _meant(talk: _Talk, lines: Sequence[Line]) -> Line | None:
    """The one line that is spoken of."""
    words = content(f"{talk.hint} {talk.said}")
    about = concepts(f"{talk.hint} {talk.said}")
    hint = [word for word in content(talk.hint) if word not in GENERIC]
    shares = sorted(((_share(line, words, hint, about), i) for i, line in enumerate(lines)), reverse=True)
    if not shares or shares[0][0] < _ENOUGH:
        return None
    clear = len(shares) == 1 or shares[0][0] - shares[1][0] >= _LEAD
    return lines[shares[0][1]] if clear else None


def _share(line: Line, words: Sequence[str], hint: Sequence[str], about: Concepts) -> float:
    """How much of a line was said, 0..1; one whose holder or kind of fact was named counts as said."""
    mine = [word for word in content(line.text) if word not in GENERIC]
    theirs = concepts(line.text)
    if about.holders != theirs.holders:
        return 0.0
    near = _ENOUGH if theirs.holders else 0.0
    if both := theirs.facts & about.facts:
        near = _ENOUGH + 0.1 * len(both)
    if hint and covered(hint, content(line.text)) == 1:
        near = 1.0  # "that note about my knee"
    return max(covered(mine, words) if mine else 0.0, near)


def _said_now(talk: _Talk, line: Line, utterance: Utterance, language: Language) -> str:
    """What the line says from now on."""
    told = talk.said.strip(" ，,。.")
    for form in (_NOT_A_BUT_B, _A_NOT_B):
        if (swapped := form.search(told)) and (text := _swapped(line.text, swapped)):
            return text
    told = _affirmed(told, language)
    parts = [part.text.strip(" ，,。.！!;；") for part in clauses(told)]
    if talk.more or (parts and _PRONOUN_ZH.match(parts[0])):
        return _with_more(line.text.rstrip("。. "), parts, language)
    kept = changed(told, language)
    kept = (
        told if language == "en" and len(kept.split()) <= _BARE else kept
    )  # "days now" alone says too little
    parts = [part.text.strip(" ，,。.！!;；") for part in clauses(kept)]
    opening = _TURNS_OUT.sub("", parts[0])
    if language == "en" and (lacks_subject(opening) or re.match(r"(?:no longer|not)\b", opening, re.I)):
        opening = f"I {opening}" if lacks_subject(opening) else f"I'm {opening[:1].lower()}{opening[1:]}"
    first = fact(opening, utterance.at, language, about_self=True)
    if language == "zh":
        first = first if "用户" in first or concepts(line.text).holders else f"用户{first}"
        return "，".join([first, *(trimmed(part, "zh").replace("我", "用户") for part in parts[1:])])
    return ", ".join([first, *(_shared_subject(part) for part in parts[1:])])


def _affirmed(told: str, language: Language) -> str:
    """What is said to hold, where a clause beside it only says what does not."""
    parts = [part.text for part in clauses(told)]
    if not any(map(is_denied, parts)):
        return told
    said = [part for part in parts if not is_denied(part) and states(part, language)]
    return said[0] if said else told


_TURNS_OUT = re.compile(
    r"^(?:(?:oh|so|well|yeah|btw|also|fyi)\W+)*(?:(?:it )?turns out|apparently)(?: that)?\W+", re.I
)


def _swapped(held: str, said: re.Match[str]) -> str:
    """The line with one name in the place of another; "" where it does not hold that."""
    new, old = (said["a"], said["b"]) if said["a"] else (said["c"], said["d"])
    there = re.search(re.escape(old), held, re.I)
    if there is None or old.lower() in _NUMBER_WORDS:
        return ""
    if (set(content(held)) - set(content(old))) & set(content(new)):  # more than the name is said anew
        return ""
    new = new[:1].upper() + new[1:] if there[0][:1].isupper() else new
    return held[: there.start()] + new + held[there.end() :]


_NUMBER_WORDS = ("one", "two", "three", "four", "five")  # "2 cats, not one" is put in other words


def _with_more(held: str, parts: Sequence[str], language: Language) -> str:
    if language == "zh":
        return "，".join([held, *(_of_it(part, held).replace("我", "用户") for part in parts)])
    return "; ".join([held, ", ".join(third_person(part) for part in parts)])


_OWN_ZH = re.compile(
    r"^(?:我|俺)(?:们?家)?的?(?:那|这)?[只条个辆台位]?(?P<what>[^是叫有今在属，]{1,3})(?=是|叫|有|今年|在|属|现在)"
)


def _of_it(part: str, held: str) -> str:
    """A clause without whom it is about, where the line says that: 它叫年糕, 我那只猫是橘猫."""
    own = _OWN_ZH.match(part)
    return part[own.end() :] if own and own["what"] in held else _PRONOUN_ZH.sub("", part)


def _shared_subject(part: str) -> str:
    """A clause after one about the person, without its "I": "eat fish again" → "eats fish again"."""
    said = f"I {part}" if lacks_subject(part) else part
    return re.sub(r"^The user ", "", third_person(said), flags=re.I)
