"""What the parts of a message mean for memory: whether each is kept, and as what."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from memory.offline.cues import opens_with_someone
from memory.offline.filing_forms import speaks_of_filing
from memory.offline.labels import KEEPS, NEVER, OF_A_LINE, Of
from memory.offline.reader import Part, Span
from memory.words import HAN, content, has_han

_KINDS = ("filing", "rule", "fact_self", "fact_other")
_DONE_AT_ONCE = ("forget", "undo")  # what one part among others is enough for
# Chance from which a part is kept, and from which it is asked about. A fact too many does less harm than a rule.
SAVE, ASK = 0.75, 0.7
_SAVE_FACT, _ASK_FACT = 0.65, 0.6
_NO_WISH = (*NEVER, "hypothetical", "irony")  # whatever is asked for in it
_LIVE = 0.9  # chance of being a fact of the hour from which it is not kept for the asking
_WISHED = 0.2  # chance from which a part is kept that the person wants remembered
# Chance of being what is never kept from which nothing is, whatever else it may be.
_NEVER = dict(zip(NEVER, (0.2, 0.45), strict=True))
_SORTS = re.compile(r"\bsort\b[^.]{0,30}\bby\b|按[^，。]{1,10}排", re.I)
_WISHES = re.compile(
    r"以后|今后|每次|别|不要|请|你|\b(?:always|never|please|you|from now on|want|need)\b", re.I
)
_QUOTED = re.compile(r"「[^」]{1,40}」|『[^』]{1,40}』|“[^”]{1,40}”|《[^》]{1,40}》|\"[^\"]{1,40}\"")
_HAN_RUN = re.compile(rf"(?:\d+ ?)?[{HAN}]+")
_LATIN = re.compile(r"[a-z]{2}", re.I)
_INSIDE = re.compile(rf"[^\W_{HAN}]{{2}}")  # two letters of one word
_OF_FILING = 0.4  # chance from which a change is about where pictures go
_LINE = 0.4  # chance from which a line is the one that is meant


@dataclass(frozen=True, slots=True)
class Understanding:
    """What a message, or a part of one, is and which of its words matter. All spans are substrings of the message."""

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
    said: str = ""  # the words of the part
    start: int = 0  # where they stand in the message
    line: int | None = None  # which of the lines that were read beside it it speaks of
    aim: float = 0.0  # chance that it speaks of that one
    none: float = 0.0  # chance that it speaks of none of them
    more: bool = False  # it says more of its line, which stays true

    @property
    def files(self) -> bool:
        """Whether it says what goes where."""
        return "filing" in (self.label, self.of)

    def wished(self) -> Understanding:
        """The same where the person says that it be remembered: no less is needed than that it may be kept."""
        likely = max(_KINDS, key=lambda name: self.scores.get(name, 0.0))
        live = self.label == "live" and self.confidence >= _LIVE
        if live or self.label in (*_NO_WISH, *OF_A_LINE) or self.chance < _WISHED:
            return replace(self, asked=True)
        return replace(self, asked=True, level="save", label=self.label if self.label in KEEPS else likely)


def understood(part: Part, text: str, kinds: Sequence[Of]) -> Understanding:
    """One part of a message.

    Args:
        kinds: what each line is that was read beside it.
    """
    stretch = text[part.start : part.end]
    said, label = stretch.strip(), _label(part, stretch)
    line = part.line(_LINE) if label in OF_A_LINE else None
    of: str = ""
    if label in ("change", "more"):
        files = (
            part.of.get("filing", 0.0) >= _OF_FILING
            and _names_kind_and_place(part)
            and speaks_of_filing(said)
        )
        if files and line is not None and kinds[line] == "fact":
            line = None  # what was said just before speaks of another line, and the reader takes the one for the other
        of = _of(part, said) if line is None else "filing" if files else kinds[line]
    return Understanding(
        label="change" if label == "more" else label,
        more=label == "more",
        confidence=part.scores.get(label, 0.0),
        scores=part.scores,
        keep=_kept(text, part),
        what=_words(text, part.what),
        where=_words(text, part.where) or (_foreign(said) if "filing" in (label, of) else ""),
        of=of,
        asked=part.asked >= 0.5,
        chance=part.chance,
        level=_level(part.chance, label) if label in KEEPS else "",
        said=said,
        start=part.start + len(stretch) - len(stretch.lstrip()),
        line=line,
        aim=part.lines[line] if line is not None else 0.0,
        none=max(0.0, 1 - sum(part.lines)),
    )


def _label(part: Part, said: str) -> str:
    for never, least in _NEVER.items():
        if part.scores.get(never, 0.0) >= least:
            return never
    label = part.label
    if part.chance >= ASK and label not in KEEPS:
        label = max((*KEEPS, "same"), key=lambda name: part.scores.get(name, 0.0))
    if label == "filing" and (_SORTS.search(said) or not speaks_of_filing(said)):
        return "rule"  # "a shopping list: sort it by aisle"
    return label


def _level(chance: float, label: str) -> str:
    save, ask = (_SAVE_FACT, _ASK_FACT) if label in ("fact_self", "fact_other") else (SAVE, ASK)
    return "save" if chance >= save else "ask" if chance >= ask else ""


_DENIES = re.compile(
    r"(?:(?:不是|(?<!要)不要|不用|没有?|(?<!要)不|(?<![特分个级告区差性])别)(?:那么|这么|太|再|老)?\s*$"
    r"|\b(?:not|never|no|don['’]?t|doesn['’]?t|isn['’]?t|no longer))\s*$",
    re.I,
)
_IN_A_WORD = re.compile(r"[a-z'’]{2}", re.I)
_ONE_CLAUSE = re.compile(rf"\s*(?=[^{HAN}]*[{HAN}]|[^{HAN}]+$)[^，。！？；、,.!?;:：\n]{{2,16}}")
_OPENS = {"“": "”", "「": "」", "『": "』", "《": "》"}


def _kept(text: str, part: Part) -> str:
    """The words to keep, with a "not" of the part and a quotation mark that stand right before them."""
    if part.keep is None:
        return ""
    start, end = part.keep
    while start > part.start and _IN_A_WORD.match(text[start - 1 : start + 1]):
        start -= 1
    while end < part.end and _IN_A_WORD.match(text[end - 1 : end + 1]):
        end += 1
    if said := _DENIES.search(text[part.start : start]):
        start = part.start + said.start()
    if (
        part.label in ("rule", "change")
        and _ONE_CLAUSE.fullmatch(lead := text[part.start : start])
        and content(lead)
    ):
        start = part.start  # "standup 从今天起都写英文": of what it holds stands before
    before = text[:start].rstrip()
    if before and _OPENS.get(before[-1], "\0") in text[start:end]:
        start = len(before) - 1
    return text[start:end].strip()


def _foreign(said: str) -> str:
    """The one name in Han in a sentence that has no other: "put recipes in 周末食谱"."""
    runs = _HAN_RUN.findall(said)
    return runs[0] if len(runs) == 1 and _LATIN.search(_HAN_RUN.sub("", said)) else ""


def _words(text: str, span: Span | None) -> str:
    """A name that was marked, to the ends of its words, or of its quotation marks."""
    if span is None:
        return ""
    start, end = span
    for quoted in _QUOTED.finditer(text):
        if quoted.start() <= start and end <= quoted.end():
            return quoted[0][1:-1].strip()
    for run in _HAN_RUN.finditer(text):
        outside = text[: run.start()] + text[run.end() :]
        if run.start() <= start and end <= run.end() and _LATIN.search(outside) and not has_han(outside):
            return run[0]  # "recipes go in 周末食谱": a name, in a sentence that has no other Han
    while start and _INSIDE.match(text[start - 1 : start + 1]):
        start -= 1
    while _INSIDE.match(text[end - 1 : end + 1]):
        end += 1
    return text[start:end].strip()


def _names_kind_and_place(part: Part) -> bool:
    """Whether a kind of picture and a place are named in it."""
    return part.what is not None and part.where is not None


def _of(part: Part, said: str) -> Of:
    """What a change is about that speaks of no line."""
    if opens_with_someone(said) and not _WISHES.search(said):
        return "fact"
    if _names_kind_and_place(part) and part.of.get("filing", 0.0) >= _OF_FILING and speaks_of_filing(said):
        return "filing"
    rule = part.scores.get("rule", 0.0) + part.of.get("rule", 0.0)
    fact = part.scores.get("fact_self", 0.0) + part.scores.get("fact_other", 0.0) + part.of.get("fact", 0.0)
    return "fact" if fact > rule else "rule"


def together(parts: Sequence[Understanding]) -> Understanding:
    """The message: what its weightiest part is; that of most words where none holds anything for memory."""
    if not parts:
        return Understanding("chat", 1.0)
    told = [part for part in parts if part.level]
    wanted = [part for part in parts if part.label in _DONE_AT_ONCE]
    if told:
        best = max(told, key=lambda part: (part.level == "save", part.chance))
    elif wanted:
        best = max(wanted, key=lambda part: part.confidence)
    else:
        best = max(parts, key=lambda part: (part.label != "chat", len(part.said)))
    chance = max(part.chance for part in parts)
    return replace(best, chance=chance)
