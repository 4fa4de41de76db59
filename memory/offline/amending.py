"""What a message does to a rule that is there: it narrows it down, or says one thing more."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memory.asides import without_reason
from memory.changes import Change, Instruct, Origin, Retire, Revise
from memory.clauses import clauses
from memory.filing_rules import read_rule
from memory.offline.aiming import GENERIC
from memory.offline.at_hand import ending, just_made, withdraws
from memory.offline.put_right import put_right
from memory.offline.second_thoughts import instead
from memory.offline.taught_again import taught_again
from memory.page import CORE, Line
from memory.phrasing import trimmed
from memory.utterance import Utterance
from memory.wording import Language
from memory.words import STOP_WORDS, tokens

_NARROWS = re.compile(
    r"只(?:在|有|用于|限于?|对|给|是)|仅(?:限|在|用于)|\bonly (?:for|in|when|if|on|with)\b|\b(?:for|in|on|"
    r"with) [\w' -]{2,40} only\b|\bkeep [\w' -]{2,40} (?:for|to)\b[^.]*\bonly\b",
    re.I,
)
_ELSEWHERE = re.compile(
    r"其他|其它|其余|别的|剩下的?|平时|\b(?:every(?:thing|where) else|anything else|otherwise|the rest|elsewhere|"
    r"all other)\b",
    re.I,
)
_BESIDE = re.compile(
    r"^\W*(?:(?:and|oh|ok|so)\W+)*(?:separately|also|additionally|in addition|on top of that|as well as that|"
    r"plus)\b|^\W*(?:另外|此外|还有(?!一)|除此之外|再就是)",
    re.I,
)
_MORE = re.compile(
    r"(?:再|另外|还要?)(?:补|加|添|追加)(?:充)?(?:一|两)?(?:条|点|个|句)|\b(?:add (?:one|another) (?:thing|rule|"
    r"bit)|one more (?:thing|rule)|also add)\b",
    re.I,
)


def amended(
    utterance: Utterance, earlier: Sequence[Utterance], lines: Sequence[tuple[str, Line]], language: Language
) -> Change | None:
    """The change to a rule that is there, where the message is nothing but one and its form says which."""
    if changed := (
        instead(utterance, earlier, lines, language)
        or taught_again(utterance, language)
        or put_right(utterance, lines, language)
    ):
        return changed
    if withdraws(utterance.text) and (line := just_made(earlier, lines)):
        return Retire(line.id)
    if end := ending(utterance, earlier, lines):
        return Revise(end.line.id, end.line.text, end.line.when, end.until, Origin.EXPLICIT)
    if more := addition(utterance.text, lines, language):
        line, text = more
        return Instruct(text, line.when, line.until, target=line.id)
    return None


def narrows(text: str) -> bool:
    """Whether it says where alone something holds: 敬语只在写给长辈时用."""
    return _NARROWS.search(text) is not None


_OCCASION = re.compile(  # where alone a rule holds: "French for poems", 周末可以用英文
    r"\bfor (?:my |the |our |all )?(?P<for>[a-z][\w-]+)(?=\W*$|,)"
    r"|\b(?:on|at) (?:the )?(?P<on>weekends?|weekdays|(?:mon|tues|wednes|thurs|fri|satur|sun)days?)\b"
    r"|\bin (?:my |the |our )?(?P<in>chats?|e?-?mails?|reports?|code|python|javascript|notes|letters|"
    r"messages|drafts|tables)\b"
    r"|(?P<zh>周末|工作日|周[一二三四五六日天])|(?:^|[，,])(?:写|回|发|做|在)(?P<at>[^，。,]{1,6}?)(?:里|时|的时候)",
    re.I,
)
_PERSON = re.compile(r"^(?:me|us|now|good|once|everyone|everything|you|it|that|this)$", re.I)


def is_exception(text: str, line: Line) -> bool:
    """Whether a rule holds only on an occasion that the line it seems to change does not speak of: both hold then."""
    held = f"{line.text} {line.when or ''}".casefold()
    for found in _OCCASION.finditer(text):
        day, other = found["on"] or found["zh"], found["for"] or found["in"] or found["at"]
        if day and not any(each["on"] or each["zh"] for each in _OCCASION.finditer(held)):
            return True  # where both name a day, it is the day that changes
        if other and other.casefold() not in held and not _PERSON.match(other):
            return True
    return False


def stands_beside(text: str) -> bool:
    """Whether it says itself that it comes on top of what holds: "separately, …", 另外…"""
    return _BESIDE.match(text) is not None


def holds_elsewhere(text: str) -> bool:
    """Whether a rule says what holds outside its case too, so that no scope takes all of it in."""
    return _ELSEWHERE.search(text) is not None


def narrowed_line(text: str, lines: Sequence[tuple[str, Line]]) -> Line | None:
    """The one rule that speaks of what is narrowed down."""
    return _only_one(text, lines)


def addition(text: str, lines: Sequence[tuple[str, Line]], language: Language) -> tuple[Line, str] | None:
    """(the rule, what it says from now on) where a message names a rule and adds to it.

    重量用公斤这个不变，再加一条，都写到整数 → …以公斤为单位，都写到整数.
    """
    parts = clauses(text)
    at = next((i for i, part in enumerate(parts) if _MORE.search(part.text)), None)
    if at is None or at == 0:
        return None
    line = _only_one("".join(part.text for part in parts[max(0, at - 2) : at]), lines)
    rest = _MORE.sub("", parts[at].text).strip(" ，,：:。") or (
        text[parts[at + 1].start :] if at + 1 < len(parts) else ""
    )
    more = trimmed(without_reason(rest, language), language)
    if line is None or len(more) < 2 or read_rule(line.text, line.when):
        return None
    comma = "，" if language == "zh" else "; "
    return line, f"{line.text.rstrip('。. ')}{comma}{more}"


def _only_one(text: str, lines: Sequence[tuple[str, Line]]) -> Line | None:
    """The one rule that shares a word, or a pair of characters, with the text; None where there are more."""
    said = _names(text)
    held = [line for page, line in lines if page == CORE and said & _names(f"{line.text} {line.when or ''}")]
    return held[0] if len(held) == 1 else None


def _names(text: str) -> set[str]:
    return {
        token for token in tokens(text) if token not in GENERIC and token not in STOP_WORDS and len(token) > 1
    }
