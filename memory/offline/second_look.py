"""A second look at the parts that were read: what form and neighbours say of them, whatever the reader thought.

"Please remember that" asks for what stands beside it; "I don't mind calls any more" puts a line right, and does not
give it up; a word that is defined is a rule however it is said.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from memory.filing_rules import read_rule
from memory.handed import of_others_words
from memory.offline.aiming import GENERIC
from memory.offline.cues import complains, orders_for_a_time
from memory.offline.filing_forms import speaks_of_filing
from memory.offline.labels import Of
from memory.offline.practised import practised
from memory.offline.terms import defined
from memory.offline.understanding import Understanding
from memory.own_words import own_words
from memory.page import CORE, Line
from memory.phrasing import asks_to_keep, only_asks_to_keep
from memory.speech_acts import forgets
from memory.wording import Language
from memory.words import STOP_WORDS, has_han, squeeze, tokens

Lines = Sequence[tuple[str, Line]]


def looked_over(parts: Sequence[Understanding], near: Lines) -> list[Understanding]:
    """The parts with what stands beside each: that it is to be remembered, that it puts a line right.

    Nothing where one of them is a secret: what stands beside it says what it is for.

    Args:
        near: (page, line) of the lines that were read beside them.
    """
    if any(part.label == "secret" for part in parts):
        return []
    asks = [only_asks_to_keep(part.keep or part.said) for part in parts]
    found = []
    for i, part in enumerate(_aimed(part, near) for part in parts):
        if part.label == "forget" and _KEPT.search(part.said):
            continue  # "don't forget my allergy", 过敏那条别删
        if asks[i] or (part.label in ("rule", "change") and complains(part.said)):
            continue  # "please remember that", "your answers are too long": what to keep stands beside it
        wished = part.asked or asks_to_keep(part.said) or any(asks[max(i - 1, 0) : i + 2])
        if part.label == "forget" and part.line is not None and (of := _put_right(part, near[part.line])):
            found.append(replace(part, label="change", of=of, level="save"))
        elif forgets(part.said) and not _KEPT.search(part.said):
            found.append(replace(part, label="forget", level=""))
        elif plain := _plainly(part):
            found.append(replace(part, label=plain, level="save", keep="", asked=wished))
        else:
            found.append(part.wished() if wished else part)
    return found


def _aimed(part: Understanding, near: Lines) -> Understanding:
    """With the line that the reader sees only where it is sure, or the two have words in common.

    What was said just before may speak of another line, and the reader takes the one for the other.
    """
    if part.line is None:
        return part
    page, line = near[part.line]
    if part.what and part.where and speaks_of_filing(part.said) and kind_of(page, line) != "filing":
        return replace(part, line=None, of="filing")
    words = {word for word in tokens(part.said) if word not in GENERIC and word not in STOP_WORDS}
    alike = words & set(tokens(f"{line.text} {line.when or ''}"))
    return part if alike or part.aim >= _SURE else replace(part, line=None)


_KEPT = re.compile(  # it is not to be forgotten, or not all of it
    r"(?:别|不要|不许|不能|不准|勿|甭|没让你)[^，。,.]{0,3}(?:忘|删|清)|除了|以外|之外"
    r"|\b(?:don['’]?t|do not|never|not to|not)\b[^,.]{0,12}\b(?:forget|delete|remove|erase|lose)\b"
    r"|\b(?:except|apart from|other than|all but|everything but)\b",
    re.I,
)
_SURE = 0.9  # chance from which a line is the one that is meant, whatever words it has


def adds(text: str) -> bool:
    """Whether a fact says itself that it comes beside another: "I also speak German", 小敏也喜欢喝茶."""
    return _ADDS.search(text) is not None


_ADDS = re.compile(
    r"也|还(?!是|在|没|不|有[多几])|另外|另一|其他|第[二三四]|[小二三]女儿|[小二三]儿子|忘了|"
    r"\b(?:also|too|as well|other|another|second|third|besides)\b",
    re.I,
)


def _plainly(part: Understanding) -> str:
    """What a part is whose form leaves no doubt, whatever the reader thinks of it; "" where it does."""
    if defined(part.said) and (part.level or part.label in ("chat", "task")):
        return "rule"  # 我说小仓就是东门那间
    if part.label == "once" and orders_for_a_time(part.said):
        return "rule"  # it has its end, and is no exception for once
    language: Language = "zh" if has_han(part.said) else "en"
    told = part.label in ("fact_self", "chat", "task", "ask_fact") and practised(part.said, language)
    return "fact_self" if told else ""  # "22 years fitting carpets will do that"


def kind_of(page: str, line: Line) -> Of:
    """What a stored line is: filing, rule or fact."""
    if page != CORE:
        return "fact"
    return "rule" if read_rule(line.text, line.when) is None else "filing"


def _put_right(part: Understanding, held: tuple[str, Line]) -> str:
    """What is said anew of a line that seems to be given up; "" where it is given up.

    "I don't mind phone calls any more" says what is so now, 代码还是放开发备忘吧 where the pictures go instead.
    """
    kind = kind_of(*held)
    if forgets(part.said) or kind == "rule":
        return ""
    return kind if (part.where if kind == "filing" else _STATES.match(part.said)) else ""


_STATES = re.compile(
    r"^\W*(?:(?:actually|well|oh|so|but|and|no|yeah|nope|fyi|btw)\W+)*(?:i|i['’]\w+|my|we|we['’]\w+|our|he|she|they)\b"
    r"|^\W*(?:其实|不过|哦|嗯|对了|话说)*[，,]?(?:我|咱|俺|他|她)",
    re.I,
)


def is_own(part: Understanding, text: str) -> bool:
    """Whether a part is the person's own words, not what they pasted, quote or hand over."""
    return squeeze(part.said) in squeeze(own_words(text)) and not of_others_words(
        text, part.keep or part.said
    )
