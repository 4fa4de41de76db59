"""A sentence in its surroundings: the message it stands in, what was said just before it, and by whom.

The sentence is what is understood and kept; its surroundings tell how it is meant. "Never over one page" after "tidy
up this letter" is part of an order, "no, Bradford" after a question is an answer.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from memory.clauses import Part, sentences
from memory.words import has_han

_AFTER = re.compile(  # a fragment that belongs to the sentence before it: "No exclamation marks. Ever."
    r"^\W*(?:ever|always|never|period|full stop|please|pls|thanks?|thx|ta|for good|"
    r"every (?:single )?time|each time|all the time|no exceptions|"
    r"永远|一直|切记|每次都是|没有例外|谢谢|拜托)\W*$",
    re.I,
)
_FOR_GOOD = re.compile(
    r"^\W*(?:always|every (?:single )?time|each time|all the time|from now on|for good|"
    r"no exceptions|一直|每次(?:都是|都这样)?|"
    r"以后都这样|往后都这样|没有例外)\W*$",
    re.I,
)
_HEARD = 160  # characters of what the assistant said last that are looked at, from its end


@dataclass(frozen=True, slots=True)
class Said:
    """One sentence, or a whole message that is read as one."""

    text: str
    whole: str  # the message
    before: str = ""  # the sentence before it in the message
    heard: str = ""  # the end of what the assistant said just before the message
    place: int = 0  # which sentence of the message, from 0
    count: int = 1  # how many it has
    underlined: bool = False  # the message says of itself that it is for good ("Every time.")
    earlier: str = ""  # the end of what the person said in the message before

    @property
    def alone(self) -> bool:
        """Whether it is all of its message."""
        return self.count == 1


# Where somebody who dictates turns to another thing; only looked for where no comma helps.
_JOINT = re.compile(
    r"(?<=[\u4e00-\u9fff])(?=然后|嗯?对了(?!吗|吧|没)|还有就是|还有啊|另外|哦对|反正|顺便)"
    r"|(?<=\w) (?=(?:oh (?:and|also|yeah)|and also|also|anyways?|btw|by the way|and then can you)\b)",
    re.I,
)
_BREATH = re.compile(r"[^，,、；;：:。.!！?？\n]+")
_LONG_HAN, _LONG_WORDS = 28, 24  # of a stretch without a comma, from which it was dictated


def _breaths(part: Part) -> list[Part]:
    """What was dictated in one breath, cut where it turns to another thing; a typed sentence is left whole."""
    cuts = [
        stretch.start() + joint.start()
        for stretch in _BREATH.finditer(part.text)
        if _dictated(stretch[0])
        for joint in _JOINT.finditer(stretch[0])
    ]
    edges = [0, *cuts, len(part.text)]
    found = [(a, b) for a, b in pairwise(edges) if part.text[a:b].strip()]
    return [Part(part.start + a, part.start + b, part.text[a:b]) for a, b in found]


def _dictated(stretch: str) -> bool:
    return len(stretch) >= _LONG_HAN if has_han(stretch) else len(stretch.split()) >= _LONG_WORDS


def units(text: str) -> list[Part]:
    """The sentences of a message, each with the fragments that only underline it."""
    found: list[Part] = []
    for part in (breath for sentence in sentences(text) for breath in _breaths(sentence)):
        if found and (_AFTER.match(part.text) or not any(c.isalnum() for c in part.text)):
            start = found[-1].start
            found[-1] = Part(start, part.end, text[start : part.end])
        else:
            found.append(part)
    return found


def said(text: str, heard: str = "", earlier: str = "") -> list[Said]:
    """The message as one, then, where it has several, its sentences."""
    heard, earlier = heard.strip()[-_HEARD:], earlier.strip()[-_HEARD:]
    parts = units(text)
    whole = Said(text, text, "", heard, earlier=earlier)
    if len(parts) < 2:
        return [whole]
    for_good = any(_FOR_GOOD.match(part.text) for part in sentences(text))
    each = [
        Said(part.text, text, parts[i - 1].text if i else "", heard, i, len(parts), for_good, earlier)
        for i, part in enumerate(parts)
    ]
    return [whole, *each]


def last_sentence(text: str) -> str:
    """The last sentence of a text, "" of an empty one."""
    return ([part.text for part in sentences(text)] or [""])[-1]


def marks(one: Said) -> Sequence[str]:
    """What its surroundings look like, in a few words."""
    asked = last_sentence(one.heard).rstrip("”」\"' ").endswith(("?", "？", "吗", "呢"))
    first = re.split(r"[\s,，.。!！]+", one.text.strip().lower(), maxsplit=1)[0]
    return [
        f"alone={one.alone}",
        f"first={one.place == 0}",
        f"last={one.place == one.count - 1}",
        f"count={min(one.count, 4)}",
        f"place={min(one.place, 3)}",
        f"heard={bool(one.heard)}",
        f"asked={asked}",
        f"asked,first={asked and one.place == 0}",
        f"open={first[:12]}"
        if one.heard and not has_han(first)
        else f"open={first[:2]}"
        if one.heard
        else "open=",
        f"before asks={one.before.rstrip().endswith(('?', '？', '吗', '呢'))}",
    ]
