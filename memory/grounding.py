"""How much of what a model proposes is borne out by what the person said: its quote, scope, end and target.

Small models fill in every field they have seen once, and copy what is near. What is not borne out is mended where
that needs no guess (a quote with a slip in it), else left out (a scope of pictures where nobody spoke of any), or
put as a question (a line to change or to forget that has nothing to do with the message).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from datetime import date
from difflib import SequenceMatcher

from memory.changes import Kind, Origin, Source
from memory.clauses import clauses, sentences
from memory.dates import find_dates
from memory.dating import end_of
from memory.filing_rules import SCOPE, phrase, read_rule
from memory.language import language_of
from memory.page import Line
from memory.places import kind_of_picture, place
from memory.sameness import Relation, relation
from memory.words import bag, content, covered, fold, has_han, jaccard, squeeze

_NEARLY = 0.75  # likeness of a quote and the words it was copied from
_SAYS = 0.8  # share of what is new in a text that the words must hold, to count as having said it
_BORNE = 0.5  # share of a text's words that must have been said, for it to be what was said
_REPEATS = 0.6  # share of its words that a scope has in common with the rule, when it only says it again
_PICTURES = re.compile(
    r"图|截屏|照片|相片|拍|归档|归类|存到|\b(?:screen ?shots?|photos?|pictures?|pics?|images?|scans?|filed?|filing)\b",
    re.I,
)
_ALL = re.compile(
    r"所有|全部|一切|任何|不管|无论|每[一张]|\b(?:all|every|any|everything|whatever|each)\b", re.I
)
_FILING = re.compile(
    r"以后|今后|往后|从现在起|从今|如果|的话|凡是|统统|一律|直接|自动|帮忙?|一下|就行|好了|可以|分类|类别|文件夹|"
    r"目录|相册|"
    r"[截发传把给它放存收归档到进入去里下中类]|\b(?:from now on|in future|going forward|file|put|save|store|keep|move|"
    r"sort|send|go(?:es)?|belongs?|should|under|inside|folder|category|album|there|here|now|later|of|called)\b",
    re.I,
)
_EVERYWHERE = bag(
    "null none n/a global everywhere always anytime now any all 无 所有 全部 全局 以后 今后 往后 现在"
) | {
    "from now on",
    "in general",
    "at all times",
    "从现在起",
    "任何时候",
}
_LIMITED = re.compile(
    r"为止|之前|节前|期间|截止|直到|到.{1,12}(?:结束|完)|\b(?:until|till|before|through|during)\b", re.I
)


def quoted(quote: str, words: str, text: str, line: str = "") -> str:
    """The part of the words that is meant, where a model did not copy it letter by letter.

    A slip (a word dropped, a comma turned) is mended; where something else was quoted, such as the line that changes,
    but the words do say what `text` says, the part that says it is the quote. What is neither is returned as it is,
    and refused at the write.

    Args:
        line: the line that changes; what of the text stood there already need not be said again.
    """
    if not quote or squeeze(quote) in squeeze(words):
        return quote
    parts = [words, *(part.text for part in (*sentences(words), *clauses(words)))]
    near = max(parts, key=lambda part: _alike(quote, part))
    if _alike(quote, near) >= _NEARLY:
        return near
    new = Counter(content(text)) - Counter(content(line))
    says = max(parts, key=lambda part: (covered(new.elements(), content(part)), -len(part)))
    return says if new and covered(new.elements(), content(says)) >= _SAYS else quote


def _alike(left: str, right: str) -> float:
    return SequenceMatcher(None, squeeze(left), squeeze(right), autojunk=False).ratio()


def scoped(text: str, when: str | None, said: Source, shown: str) -> tuple[str, str | None]:
    """(rule, scope): a filing rule in its normal form and scope; no scope that nobody spoke of.

    Args:
        shown: what the model was told to do; a scope out of its examples that shares nothing with the message was
            only copied.
    """
    language = language_of(text) or "zh"
    if when is not None and fold(when).strip(" .。") in _EVERYWHERE:
        when = None
    of_pictures = when is not None and fold(when) in SCOPE.values()
    if of_pictures and not _PICTURES.search(f"{text}\n{said.words}\n{said.context}"):
        return text, None
    rule = read_rule(text, SCOPE["zh"] if of_pictures else "")
    if rule is not None:
        what, where = (
            kind_of_picture(rule.what, said.words, "zh" if language == "zh" else "en"),
            place(rule.where),
        )
        if what and where:
            return phrase(what, where, "zh" if language == "zh" else "en"), SCOPE[language]
    if (
        when is None
        or not any(c.isalpha() for c in when)
        or jaccard(content(when), content(text)) >= _REPEATS
    ):
        return text, None
    copied = squeeze(when) in squeeze(shown) and not set(content(when)) & set(
        content(said.words + said.context)
    )
    return text, None if copied else when


def too_wide(text: str, when: str | None, words: str) -> bool:
    """Whether a filing rule takes in all pictures where the person spoke of some: "截图归档到「代码笔记」"."""
    rule = read_rule(text, when)
    if rule is None or _PICTURES.sub(" ", rule.what).strip(" 截发传的") or _ALL.search(words):
        return False
    rest = content(_FILING.sub(" ", _PICTURES.sub(" ", fold(words).replace(fold(rule.where), " "))))
    return any(not has_han(word) for word in rest) or len(rest) >= 2


def circumstance(when: str | None, said: Source) -> str | None:
    """When a fact holds, in words the person used; facts need no scope, and models invent them."""
    spoken = set(content(f"{said.words} {said.context}"))
    return when if when and spoken & set(content(when)) else None


def ending(until: date | None, said: Source) -> date | None:
    """The last day, if the person limited it in any way and that day is still to come."""
    if until is None or until < said.at.date():
        return None
    words = f"{said.words}\n{said.context}"
    named = find_dates(words, said.at)
    if any(until in (found.first, found.last) for found in named):
        return until
    if meant := end_of(said.quote, said.at):
        return meant
    return until if named or _LIMITED.search(words) else None


def akin(left: str, right: str) -> bool:
    """Whether two texts share any matter; texts of two languages may always."""
    if has_han(left) != has_han(right):
        return True
    shared = Counter(content(left)) & Counter(content(right))
    return any(not has_han(word) for word in shared) or shared.total() >= 2


def same_matter(text: str, when: str | None, line: Line) -> bool:
    """Whether a text can be what becomes of a line: it stands in its place, or speaks of the same things."""
    new = Line("", text, line.kind, Origin.EXPLICIT, when)
    return akin(text, line.text) or relation(new, line) is not Relation.APART


def replaces_any(text: str, when: str | None, lines: Sequence[Line]) -> bool:
    """Whether a rule takes the place of one of the lines, whichever was aimed at."""
    new = Line("", text, Kind.INSTRUCTION, Origin.EXPLICIT, when)
    return any(relation(new, line) is Relation.REPLACES for line in lines)


def only_asks(quote: str) -> bool:
    """Whether the words are a question and state nothing beside it."""
    parts = [part.text for part in clauses(quote)]
    if not parts or not parts[-1].rstrip('”」"’ ').endswith(("?", "？")):
        return False
    return len(content(" ".join(parts[:-1]))) < 2


def borne(text: str, *said: str) -> bool:
    """Whether a text says what was said, in better words, rather than something else with a true quote beside it.

    In the same language: a translation cannot be checked by its words.
    """
    words = "\n".join(said)
    languages = {language_of(text), language_of(words)} - {None}
    mine, theirs = content(text), content(words)
    held = sum(any(_inflected(word, other) for other in theirs) for word in mine)
    return len(languages) < 2 and held >= _BORNE * len(mine)


def _inflected(word: str, other: str) -> bool:
    """The same word, or one that only ends otherwise ("row", "rowing")."""
    return word == other or (
        min(len(word), len(other)) >= 3 and (word.startswith(other) or other.startswith(word))
    )
