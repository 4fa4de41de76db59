"""What the person had deleted and wants back: "put the oat milk rule back pls", 之前删掉的那条帮我加回来."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import timedelta

from memory.journal import Entry
from memory.language import language_of
from memory.phrasing import is_question
from memory.spelling import spelled
from memory.utterance import Utterance
from memory.wording import Language
from memory.words import bag, content, covered

_BACK_ZH = re.compile(
    r"(?:记|加|存|补|找|弄)回(?:来|去|上)?|(?<![月周天年后时期])恢复(?:回来|一下)?(?=$|[，,。！!吧]|那|我|之前)|"
    r"(?:再|重新|还是)(?:给我|帮我)?(?:记|存)(?:上|着|一下|回)|"
    r"删错(?:了|啦)"
)
_BACK_EN = re.compile(
    r"\b(?:put|add|bring|save|store|get|have|note) (?:it|that|this|them|(?:the|my|that) [^.?!,]{2,40}?) back\b|"
    r"\b(?:restore|undelete|re-?add) (?:it|that|this|the|my)\b|\bremember (?:it|that|this) again\b|"
    r"\b(?:deleted?|removed?|forget|forgot) (?:it|that|this|the [^.?!,]{2,40}|my [^.?!,]{2,40}) (?:by (?:mistake|"
    r"accident)|too soon)\b",
    re.I,
)
_OF_GONE = re.compile(
    r"(?:我|之前|上次|上\S{1,3}|刚才?|那天|前几天)[^，。,]{0,6}(?:让|叫|要)你(?:删|忘)(?:了|掉)?的?|"
    r"\b(?:the|that) [^.?!,]{0,40}?\b(?:i (?:had|made|told|asked|got) (?:you|u) (?:to )?|you )"
    r"(?:delete|deleted|forget|forgot|remove|removed|drop|dropped|erase)\b",
    re.I,
)
_ENOUGH = 0.5  # share of a deleted line's matter that must be said
_JUST_NOW = timedelta(hours=1)  # for which "it" may be what was deleted last
_OF_NOTHING = bag("用户 事 件 条 那 规 矩 则 记 忆 thing stuff rule note line one user have has")


def says_back(text: str, language: Language) -> bool:
    """Whether these words ask for something back: 给我记回来吧, "put it back"."""
    return (_BACK_ZH if language == "zh" else _BACK_EN).search(text) is not None


def speaks_of_gone(text: str) -> bool:
    """Whether it speaks of something that was deleted, and so tells nothing new: "that rule I had you delete"."""
    return _OF_GONE.search(text) is not None


def asks_back(text: str) -> bool:
    """Whether a message asks, and does not wonder, that something deleted be remembered again."""
    language = language_of(text) or "zh"
    return says_back(text, language) and not is_question(text, language)


def wanted_back(utterance: Utterance, earlier: Sequence[Utterance], removed: Sequence[Entry]) -> Entry | None:
    """The one deleted line that is asked for; None where none, or no single one, is named.

    Args:
        removed: entries that removed a line which is gone still, newest first.
    """
    said = spelled(utterance.text).text
    if not removed or not asks_back(said):
        return None
    words = content("\n".join([*(each.text for each in earlier[-2:]), said]))
    named = [word for word in _matter(said) if word not in content(_TALK)]
    shares = [
        (max(covered(mine, words), _held(named, mine)), entry)
        for entry in removed
        if (mine := _matter(entry.text))
    ]
    most = max((share for share, _ in shares), default=0.0)
    best = [entry for share, entry in shares if share == most and share >= _ENOUGH]
    if len(best) == 1:
        return best[0]
    just_now = utterance.at - removed[0].at <= _JUST_NOW
    return removed[0] if just_now and not best and not named else None  # "put it back": what went last


def _held(named: Sequence[str], line: Sequence[str]) -> float:
    """1 where a line holds all that is named: 龙井那条."""
    return 1.0 if named and covered(named, line) == 1 and len("".join(named)) >= _A_NAME else 0.0


_A_NAME = 2  # characters
_TALK = (  # words of asking, that name nothing
    "put add bring back restore in memory please actually it that thing deleted by mistake i rule "
    "刚那这条个一下之了掉删记回来恢复加补存找弄让以前上次才错重新再还给帮吧"
)


def says(text: str, gone: Entry) -> bool:
    """Whether a line that would be written says what was deleted, rather than that it is wanted back."""
    return covered(_matter(gone.text), content(text)) >= _ENOUGH and not asks_back(text)


def _matter(text: str) -> list[str]:
    return [word for word in content(text) if word not in _OF_NOTHING]
