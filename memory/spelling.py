"""Chat spelling read like its long form: "pls dont, til june" → "please don't, until june", 咋 → 怎么.

The one place where it is done. What is read is the long form; what is kept as a quote is what was typed, so every
stretch of the long form knows where it came from. Names in quotation marks, addresses and code stay as they are.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from memory.language import language_of
from memory.words import HAN

_EN = {
    "u": "you", "ya'll": "you all", "yall": "you all", "pls": "please", "plz": "please", "plss": "please",
    "thx": "thanks", "thnx": "thanks", "tks": "thanks", "dont": "don't", "dnt": "don't", "doesnt": "doesn't",
    "didnt": "didn't", "isnt": "isn't", "arent": "aren't", "wasnt": "wasn't", "werent": "weren't",
    "cant": "can't", "couldnt": "couldn't", "wouldnt": "wouldn't", "shouldnt": "shouldn't", "havent": "haven't",
    "hasnt": "hasn't", "hadnt": "hadn't", "wont": "won't", "im": "I'm", "ive": "I've", "theyre": "they're",
    "youre": "you're", "youve": "you've", "hes": "he's", "shes": "she's", "thats": "that's", "whats": "what's",
    "wheres": "where's", "hows": "how's", "theres": "there's", "til": "until", "thru": "through",
    "w/": "with", "w/o": "without", "abt": "about", "b4": "before", "smth": "something", "sth": "something",
    "sumthing": "something", "ppl": "people", "everytime": "every time", "evry": "every", "nvr": "never",
    "alwys": "always", "tmrw": "tomorrow", "tmr": "tomorrow", "tmw": "tomorrow", "tomoz": "tomorrow",
    "2moro": "tomorrow", "tonite": "tonight", "2nite": "tonight", "2day": "today", "nxt": "next", "wk": "week",
    "wks": "weeks", "yr": "year", "yrs": "years", "hrs": "hours", "mth": "month", "mths": "months",
    "appt": "appointment", "bday": "birthday", "addy": "address", "rn": "right now", "jus": "just",
    "wanna": "want to", "gotta": "have to", "lemme": "let me", "gimme": "give me", "sry": "sorry",
    "ofc": "of course", "bf": "boyfriend", "gf": "girlfriend", "msgs": "messages", "msg": "message",
}  # fmt: skip
_NAMES = (
    "BF",
    "GF",
    "HRS",
    "IM",
    "MSG",
    "RN",
    "STH",
    "WK",
    "YR",
)  # in capitals they are names, and no shouting
_IN_PLACE = (  # what its neighbours decide; the first group is what is read otherwise
    (
        re.compile(r"\b(ur)(?= (?:an?|the|my|so|not|too|being|going|right|wrong|welcome|\w+ing)\b)", re.I),
        "you're",
    ),
    (re.compile(r"\b(ur)\b", re.I), "your"),
    (re.compile(r"(?<=[ ,])(w)(?= \w)"), "with"),
    (
        re.compile(
            r"\b(?:put|file|keep|make|send|give|name|call|show|stick|sort|move) ('?em)\b(?![ -]?dash)", re.I
        ),
        "them",
    ),
    (re.compile(r"\b(?:u|you|we|they|what|where) (r)\b"), "are"),
    (re.compile(r"\w{3,}s (r)(?= (?:way|too|so|not|really|always|all|just)\b)"), "are"),
    (re.compile(r"\b(r)(?= (?:u|you|we|they)\b)"), "are"),
    (re.compile(r"\b(?:bullet|key|main) (pts?)\b", re.I), "points"),
)
_WORD_EN = re.compile(
    r"(?<![\w'’@/.#-])(?:"
    + "|".join(sorted(map(re.escape, _EN), key=len, reverse=True))
    + r")(?![\w'’/@-]|\.\w)",
    re.I,
)
_ZH = (
    (re.compile(r"木有"), "没有"),
    (re.compile(r"酱紫"), "这样"),
    (re.compile(r"咋(?=[咋])"), "怎么"),
    (re.compile(r"咋(?=样|办|弄|整|说|回事|能|就|都|还|了|写|用|走|去|来|做|读|看|吃|会|$|[\s，。？?])"), "怎么"),
    (re.compile(r"啥"), "什么"),
    (re.compile(r"呗(?=$|[\s，。,.!！?？~～])"), "吧"),
    (re.compile(r"(?<!哈)哈(?=$|[\s，。,.!！?？~～])"), "啊"),
    (re.compile(r"(?<=[行好成])不(?=$|[\s，。,.!！?？~～])"), "吗"),
    (re.compile(rf"(?<=[{HAN}」』”])。。+\s*(?=[{HAN}「『“])"), "，"),
    (re.compile(rf"(?<=[{HAN}」』”])[ \u3000]+(?=[{HAN}「『“])"), "，"),  # a pause is a comma where people type fast
)  # fmt: skip
_LEFT = re.compile(  # names, what is shown, addresses, code
    r"「[^」]*」|『[^』]*』|“[^”]*”|\"[^\"\n]*\"|(?<!\w)'[^'\n]{1,40}'(?!\w)|‘[^’\n]*’|`[^`]*`|\b[a-z]{2,10}://\S+|(?<![\w.+-])[\w.+-]{1,64}@\S+"
)


@dataclass(frozen=True, slots=True)
class _Piece:
    """A stretch of the long form and where it stood in what was typed."""

    start: int  # in the long form
    end: int
    typed: int
    typed_end: int


@dataclass(frozen=True, slots=True)
class Spelled:
    """A message as it is read, and as it was typed."""

    text: str  # in long form
    typed: str
    changed: tuple[_Piece, ...] = ()

    def as_typed(self, part: str) -> str:
        """The stretch of what was typed that a part of the long form stands for; all of it where it is no part."""
        at = self.text.find(part)
        if at < 0 or not part:
            return part if part in self.typed else self.typed
        return self.typed[self._place(at, ends=False) : self._place(at + len(part), ends=True)]

    def _place(self, at: int, *, ends: bool) -> int:
        """Where a place in the long form was in what was typed; inside a changed word, its beginning or its end."""
        moved = 0
        for piece in self.changed:
            if at <= piece.start:
                break
            if at < piece.end:
                return piece.typed_end if ends else piece.typed
            moved = piece.typed_end - piece.end
        return at + moved


def spelled(typed: str) -> Spelled:
    """A message in the long form of its chat spelling; of a long one the beginning, since more of it is not read."""
    head, rest = typed[:_MOST], typed[_MOST:]
    if rest:
        read = spelled(head)
        return Spelled(read.text + rest, typed, read.changed)
    left = [m.span() for m in _LEFT.finditer(typed)]
    found = [
        (start, end, to)
        for start, end, to in (_english(typed) if language_of(typed) == "en" else _chinese(typed))
        if not any(a < end and start < b for a, b in left)
    ]
    pieces: list[_Piece] = []
    out, last, length = [], 0, 0
    for start, end, to in sorted(found, key=lambda change: change[:1]):
        if start < last:
            continue  # said otherwise already
        out += [typed[last:start], to]
        length += start - last
        pieces.append(_Piece(length, length + len(to), start, end))
        length, last = length + len(to), end
    return Spelled("".join([*out, typed[last:]]), typed, tuple(pieces))


_MOST = 4_000  # characters

Change = tuple[int, int, str]


def _english(typed: str) -> list[Change]:
    found = [
        (m.start(), m.end(), _cased(m[0], _EN[m[0].lower()]))
        for m in _WORD_EN.finditer(typed)
        if m[0] not in _NAMES
    ]
    for pattern, to in _IN_PLACE:
        found += [(m.start(1), m.end(1), _cased(m[1], to)) for m in pattern.finditer(typed)]
    return found


def _chinese(typed: str) -> list[Change]:
    return [(m.start(), m.end(), to) for pattern, to in _ZH for m in pattern.finditer(typed)]


def _cased(said: str, to: str) -> str:
    """With a capital where it had one."""
    return to[:1].upper() + to[1:] if said[:1].isupper() else to
