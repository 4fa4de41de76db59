"""The stored line that the talk at hand is about, where a message names none: "scratch that", 删了吧, 到4月20号就行.

Found by what was said just before, by the person or by the assistant about what it remembers; the message itself must
be little more than the wish.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from memory.changes import Speaker
from memory.clauses import clauses, sentences
from memory.dates import find_dates
from memory.filing_rules import read_rule
from memory.offline.aiming import GENERIC
from memory.page import CORE, Line
from memory.utterance import Utterance
from memory.words import content, covered

_NEAR = 2  # utterances before the message that are looked at
_SHARE, _LEAD = 0.5, 0.15  # share of a line's matter that was said, and how far it must be ahead of the next
_RESTATED = 0.6  # share of a line's matter in one message of the person, from which that message made it
_WITHDRAWS = re.compile(
    r"^(?:(?:h+m+|hang on|wait|oh|ok|no+|nah|nope|actually|sorry|well|eh|um+|right|yeah|please|just|can (?:you|we)|"
    r"let['’]?s)[\s,.!…—–-]*)*"
    r"(?:scratch that|never ?mind|forget (?:(?:it|that)(?=\W*$|\s*[,.!;…—–-])|"
    r"i (?:ever )?said (?:that|anything))|ignore (?:that|"
    r"me|what i (?:just )?said)|"
    r"(?:cancel|drop|undo|scrap|skip) (?:that|it|this|that rule|the last (?:one|rule))|leave (?:it|things|"
    r"that) (?:how|as|the way) (?:it|they|things) (?:was|were|is|are)|"
    r"(?:i )?(?:take (?:that|it) back|didn['’]?t mean (?:it|that))|as you were|keep (?:it|things) (?:as|how|"
    r"the way) (?:it|they) (?:was|were|is|are))\b"
    r"|^(?:(?:呃|额|嗯+|啊|哎|诶|等等|等下|不|不对|想了想|还是)[\s，,。.!！…]*)*"
    r"(?:算了|当我没说|刚(?:才|刚)?(?:说|讲)?(?:的|那[条个句])?\S{0,6}(?:不算|作废|取消|收回|别管|不要了|撤|忽略)|"
    r"我收回|收回刚才|(?:还是)?(?:照旧|维持原样|保持原样|跟原来一样)|不改了)",
    re.I,
)
_MORE = 4  # words that may be said beside it
_END_ONLY = re.compile(
    r"(?:到|截止到?|直到)[^，。,.]{1,12}(?:为止|就(?:行|好|可以|够)了?|就不用了?)|[^，。,.]{1,12}(?:之后|"
    r"以后)就(?:不用|别|停|不要|不需要)|"
    r"\b(?:until|till|up to|through) [\w ,]{2,24}(?:is (?:fine|enough|ok|okay|plenty|all i need)|will do|only|"
    r"would do)\b|"
    r"\bonly (?:need|want) (?:it|that|this|them) (?:until|till|through|up to)\b|\b(?:stop|end|drop) (?:it|that|"
    r"this|them) (?:on|after|at the end of)\b|"
    r"\b(?:just|only) (?:until|till|through|up to)\b",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Ending:
    """The last day of a line that goes on until then."""

    line: Line
    until: date


def withdraws(text: str) -> bool:
    """Whether it only takes back what was just asked for: "scratch that, leave it how it was", 算了，还是照旧."""
    found = _WITHDRAWS.match(text.strip())
    rest = _WITHDRAWS.sub("", text.strip(), count=1) if found else text
    return found is not None and len([word for word in content(rest) if word not in GENERIC]) <= _MORE


def just_made(earlier: Sequence[Utterance], lines: Sequence[tuple[str, Line]]) -> Line | None:
    """The rule or the fact that the person's last message asked for."""
    own = [utterance.text for utterance in earlier if utterance.role is Speaker.PERSON][-1:]
    for said in own:
        matter = content(said)
        held = [
            (covered(mine, matter), line) for _, line in lines if len(mine := _matter(_as_said(line))) >= 2
        ]
        best = max(held, key=lambda pair: pair[0], default=None)
        if best is not None and best[0] >= _RESTATED:
            return best[1]
    return None


def spoken_line(
    utterance: Utterance, earlier: Sequence[Utterance], lines: Sequence[tuple[str, Line]]
) -> Line | None:
    """The one line that the last words, with the message itself, are plainly about; None where two are as near."""
    said = content("\n".join([*(each.text for each in earlier[-_NEAR:]), utterance.text]))
    shares = sorted(
        (
            (covered(mine, said), place, line)
            for place, (_, line) in enumerate(lines)
            if (mine := _matter(line.text))
        ),
        reverse=True,
    )
    if not shares or shares[0][0] < _SHARE:
        return None
    clear = len(shares) < 2 or shares[0][0] - shares[1][0] >= _LEAD
    return shares[0][2] if clear else None


def ending(
    utterance: Utterance, earlier: Sequence[Utterance], lines: Sequence[tuple[str, Line]]
) -> Ending | None:
    """The end that a message sets to the rule spoken of, and nothing else: 发到4月20号就行."""
    told = [part.text for part in clauses(utterance.text) if _END_ONLY.search(part.text)]
    days = find_dates(told[0], utterance.at) if told else []
    until = days[-1].last if days else None
    if (
        until is None
        or until < utterance.at.date()
        or not earlier
        or earlier[-1].role is not Speaker.ASSISTANT
    ):
        return None
    line = spoken_line(utterance, earlier, [(page, line) for page, line in lines if page == CORE])
    return Ending(line, until) if line is not None else None


_WHICH = re.compile(  # which of whose facts was asked: "What breed is Rex?", 雷克斯是什么品种？
    r"\b[Ww]hat (?P<en>breed|colou?r|size|age|kind|make|model|grade|year|gender)(?: \w+)? (?:is|was|are|does|"
    r"do) (?P<name>[A-Z][\w'’-]+)[^?]{0,12}\?|"
    r"(?P<zh>[\u4e00-\u9fffA-Z][^，。？?\s]{0,5}?)(?:现在)?(?:是|上|属于)(?:什么|哪个?)(?P<attribute>品种|颜色|"
    r"年级|尺寸|型号|牌子|星座)",
)
_ANSWER = 4  # words, or twice as many Han characters, of an answer that is nothing but one


def answered(
    utterance: Utterance, earlier: Sequence[Utterance], lines: Sequence[tuple[str, Line]]
) -> tuple[Line, str] | None:
    """(the line, with what is known now) of a bare answer to which fact of a known one the assistant asked for."""
    heard = earlier[-1].text if earlier and earlier[-1].role is Speaker.ASSISTANT else ""
    asked = list(_WHICH.finditer(heard))
    first = next((part.text for part in sentences(utterance.text)), "").strip(" .。!！,，")
    if not asked or not heard.rstrip().endswith(("?", "？")) or utterance.text.rstrip().endswith(("?", "？")):
        return None
    short = len(first.split()) <= _ANSWER and len(first) <= 5 * _ANSWER and not _NO_ANSWER.search(first)
    name = asked[-1]["name"] or asked[-1]["zh"]
    held = [line for page, line in lines if page != CORE and name in line.text]
    if not first or not short or len(held) != 1:
        return None
    told = held[0].text.rstrip("。. ")
    if asked[-1]["name"]:
        return held[0], f"{told}; {name}'s {asked[-1]['en']} is {first}"
    return held[0], f"{told}，{name}的{asked[-1]['attribute']}是{first}"


_NO_ANSWER = re.compile(
    r"不知道|不清楚|不记得|忘了|没有|看情况|随便|\b(?:no|not|idea|dunno|don['’]?t|sure|maybe|why|what|never|"
    r"depends|unsure|forget|ask)\b",
    re.I,
)


def _as_said(line: Line) -> str:
    """A rule without the words of its normal form, which nobody says."""
    rule = read_rule(line.text, line.when)
    return f"{rule.what} {rule.where}" if rule else line.text


def _matter(text: str) -> list[str]:
    return [word for word in content(text) if word not in GENERIC]
