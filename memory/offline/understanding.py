"""What the parts of a message mean for memory: whether each is kept, and as what."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from memory.offline.filing_forms import speaks_of_filing
from memory.offline.labels import KEEPS, OF_A_LINE, Of
from memory.offline.reader import Part, Span
from memory.words import HAN, has_han

_KINDS = ("filing", "rule", "fact_self", "fact_other")
_DONE_AT_ONCE = ("forget", "undo")  # what one part among others is enough for
SAVE, ASK = 0.55, 0.45  # chance from which a part is kept, and from which it is asked about
_NO_WISH = ("secret", "hypothetical", "irony")  # whatever is asked for in it
_WISHED = 0.2  # chance from which a part is kept that the person wants remembered
_SECRET = 0.2  # chance of being a secret from which nothing is kept, whatever else it may be
_SORTS = re.compile(r"\bsort\b[^.]{0,30}\bby\b|按[^，。]{1,10}排", re.I)
_STATES = re.compile(r"\W*(?:我|咱|俺|他|她|(?:i|i['’]\w+|my|we|our|he|she)\b)", re.I)
_WISHES = re.compile(
    r"以后|今后|每次|别|不要|请|你|\b(?:always|never|please|you|from now on|want|need)\b", re.I
)
_QUOTED = re.compile(r"「[^」]{1,40}」|『[^』]{1,40}』|“[^”]{1,40}”|《[^》]{1,40}》|\"[^\"]{1,40}\"")
_HAN_RUN = re.compile(rf"(?:\d+ ?)?[{HAN}]+")
_LATIN = re.compile(r"[a-z]{2}", re.I)
_INSIDE = re.compile(rf"[^\W_{HAN}]{{2}}")  # two letters of one word
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

    @property
    def files(self) -> bool:
        """Whether it says what goes where."""
        return "filing" in (self.label, self.of)

    def wished(self) -> Understanding:
        """The same where the person says that it be remembered: no less is needed than that it may be kept."""
        likely = max(_KINDS, key=lambda name: self.scores.get(name, 0.0))
        if self.label in (*_NO_WISH, *OF_A_LINE) or self.chance < _WISHED:
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
        of = kinds[line] if line is not None else _of(part, said)
    return Understanding(
        label="change" if label == "more" else label,
        confidence=part.scores.get(label, 0.0),
        scores=part.scores,
        keep=text[slice(*part.keep)].strip(),
        what=_words(text, part.what),
        where=_words(text, part.where),
        of=of,
        asked=part.asked >= 0.5,
        chance=part.chance,
        level=_level(part.chance) if label in KEEPS else "",
        said=said,
        start=part.start + len(stretch) - len(stretch.lstrip()),
        line=line,
        aim=part.lines[line] if line is not None else 0.0,
        none=max(0.0, 1 - sum(part.lines)),
    )


def _label(part: Part, said: str) -> str:
    if part.scores.get("secret", 0.0) >= _SECRET:
        return "secret"
    label = part.label
    if part.chance >= ASK and label not in KEEPS:
        label = max((*KEEPS, "same"), key=lambda name: part.scores.get(name, 0.0))
    if label == "filing" and (_SORTS.search(said) or not speaks_of_filing(said)):
        return "rule"  # "a shopping list: sort it by aisle"
    return label


def _level(chance: float) -> str:
    return "save" if chance >= SAVE else "ask" if chance >= ASK else ""


def _words(text: str, span: Span) -> str:
    """A name that was marked, to the ends of its words, or of its quotation marks."""
    start, end = span
    if start == end:
        return ""
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


def _of(part: Part, said: str) -> Of:
    """What a change is about that speaks of no line."""
    if _STATES.match(said) and not _WISHES.search(said):
        return "fact"
    if (0, 0) not in (part.what, part.where) and speaks_of_filing(said):
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
