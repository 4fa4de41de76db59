"""A second look at the parts that were read: what form and neighbours say of them, whatever the reader thought.

"Please remember that" asks for what stands beside it; "I don't mind calls any more" puts a line right, and does not
give it up; a word that is defined is a rule however it is said.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from memory.filing_rules import kind_words, read_rule, same_place
from memory.handed import of_others_words
from memory.offline.aiming import GENERIC
from memory.offline.cues import complains, concludes, keeps_out, opens_with_someone, orders_for_a_time
from memory.offline.filing_pairs import pairs_and_rest
from memory.offline.labels import NEVER, Of
from memory.offline.practised import practised
from memory.offline.terms import defined
from memory.offline.understanding import Understanding
from memory.own_words import own_words
from memory.page import CORE, Line
from memory.phrasing import asks_to_keep, only_asks_to_keep
from memory.secret_shapes import secret_in
from memory.speech_acts import forgets, not_to_be_forgotten, points_at
from memory.wording import Language
from memory.words import STOP_WORDS, has_han, squeeze, tokens

Lines = Sequence[tuple[str, Line]]


def looked_over(parts: Sequence[Understanding], near: Lines) -> list[Understanding]:
    """The parts with what stands beside each: that it is to be remembered, that it puts a line right.

    Beside a secret, or leave to act, orders to forget and facts alone, these where they have surely nothing to do
    with it.

    Args:
        near: (page, line) of the lines that were read beside them.
    """
    never = any(part.label in NEVER for part in parts)
    asks = [only_asks_to_keep(part.keep or part.said) for part in parts]
    found = []
    for i, part in enumerate(_aimed(part, near) for part in parts):
        if never and part.label != "forget" and not _surely_apart(part):
            continue
        if (part.label == "forget" and _kept(part.said)) or (
            not_to_be_forgotten(part.said) and any(_alike(part, near))
        ):
            continue  # "don't forget my allergy", 过敏那条别删
        if asks[i] or (part.label in ("rule", "change") and complains(part.said)):
            continue  # "please remember that", "your answers are too long": what to keep stands beside it
        wished = part.asked or asks_to_keep(part.said) or any(asks[max(i - 1, 0) : i + 2])
        if part.label in _MAY_KEEP_OUT and keeps_out(part.said):
            found.append(replace(part, label="change", of="rule", level="save", keep="", what="", where=""))
        elif part.label == "forget" and part.line is not None and (of := _put_right(part, near[part.line])):
            found.append(replace(part, label="change", of=of, level="save"))
        elif forgets(part.said) and not _kept(part.said):
            found.append(replace(part, label="forget", level=""))
        elif _filed_anew(part, near):
            found.append(replace(part, label="change", of="filing", level="save", keep=""))
        elif plain := _plainly(part):
            found.append(replace(part, label=plain, level="save", keep="", asked=wished))
        else:
            found.append(part.wished() if wished else part)
    return found


def _surely_apart(part: Understanding) -> bool:
    fact = part.label in ("fact_self", "fact_other") or part.of == "fact"
    never = max(part.scores.get(name, 0.0) for name in NEVER)
    return fact and part.chance >= _SURELY and never < _HARDLY and secret_in(part.said) is None


_SURELY, _HARDLY = 0.9, 0.05  # chance of being a fact, and of being what is never kept


def _aimed(part: Understanding, near: Lines) -> Understanding:
    """With the line that the reader sees, where it is sure or they have words in common; else the one that has some."""
    if part.line is None:
        return part
    alike = _alike(part, near)
    if alike[part.line]:
        return part
    if sum(map(bool, alike)) == 1:  # "the water reminder can go": there is one, whatever the reader looked at
        return replace(part, line=max(range(len(near)), key=alike.__getitem__))
    return part if part.aim >= _SURE else replace(part, line=None)


def _alike(part: Understanding, near: Lines) -> list[int]:
    """How many words each line has in common with it."""
    words = {word for word in tokens(part.said) if word not in GENERIC and word not in STOP_WORDS}
    return [len(words & set(tokens(f"{line.text} {line.when or ''}"))) for _, line in near]


_MAY_KEEP_OUT = ("forget", "filing", "change", "rule", "same", "task", "chat", "move")
_EXCEPT = re.compile(r"除了|以外|之外|\b(?:except|apart from|other than|all but|everything but)\b", re.I)


def _kept(said: str) -> bool:
    """Whether it is not to be forgotten, or not all of it."""
    return not_to_be_forgotten(said) or _EXCEPT.search(said) is not None


_SURE = 0.8  # chance from which a line is the one that is meant, whatever words it has


def adds(text: str) -> bool:
    """Whether a fact says itself that it comes beside another: "I also speak German", 小敏也喜欢喝茶."""
    return _ADDS.search(text) is not None


_ADDS = re.compile(
    r"也|还(?!是|在|没|不|有[多几])|另外|另一|其他|第[二三四]|[小二三]女儿|[小二三]儿子|忘了|"
    r"\b(?:also|too|as well|other|another|second|third|besides)\b",
    re.I,
)


def _filed_anew(part: Understanding, near: Lines) -> bool:
    """Whether it says plainly where a kind of picture goes that a stored rule files: 代码截图还是放开发备忘吧."""
    if part.label not in ("change", "same", "more", "chat", "task") or part.level:
        return False
    ruled, rest = pairs_and_rest(part.said, "zh" if has_han(part.said) else "en")
    if len(ruled) != 1 or rest or points_at(ruled[0].rule.what):
        return False
    kind = set(kind_words(ruled[0].rule.what))
    rules = [read_rule(line.text, line.when) for page, line in near if page == CORE]
    return any(rule is not None and set(kind_words(rule.what)) == kind for rule in rules)


def _plainly(part: Understanding) -> str:
    """What a part is whose form leaves no doubt, whatever the reader thinks of it; "" where it does."""
    if defined(part.said) and (part.level or part.label in ("chat", "task")):
        return "rule"  # 我说小仓就是东门那间
    if part.label == "once" and orders_for_a_time(part.said):
        return "rule"  # it has its end, and is no exception for once
    if part.label in ("fact_self", "fact_other") and concludes(part.said):
        return "rule"
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
    if kind == "fact":
        return kind if opens_with_someone(part.said) else ""
    rule = read_rule(held[1].text, held[1].when)
    elsewhere = part.where and rule and not same_place(part.where, rule.where)
    return kind if elsewhere else ""  # "stop filing receipts under Money" names the place that it gives up


def is_own(part: Understanding, text: str) -> bool:
    """Whether a part is the person's own words, not what they pasted, quote or hand over."""
    return squeeze(part.said) in squeeze(own_words(text)) and not of_others_words(
        text, part.keep or part.said
    )
