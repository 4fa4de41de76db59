"""Does a new line say what an old one says, something else in its place, or something of its own?

Vectors only fetch candidates: "agrees" and "disagrees" are neighbours to them. What decides is structure: the
subject, the scope, the slot that can hold one value only, polarity, numbers and names. Where none of these settles
it, the two lines both live: a second fact is easier to take back than a lost one.
"""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from enum import StrEnum

from memory.changes import Kind
from memory.coverage import negations, numbers
from memory.filing_rules import FilingRule, read_rule, same_kind, same_place
from memory.page import Line
from memory.slots import MANNERS, Slot, slots_of
from memory.words import content, covered, fold, has_han, jaccard, squeeze

_CLAUSE = re.compile(r"[，。；;！!？?\n]|,\s|\.\s|\bbut\b|\band\b")
_NEGATED = re.compile(
    r"不再|不要|不用|不|没有|没|别|勿|从来|从不|再也|可以|能够|允许|"
    r"\b(?:do not|does not|did not|don['’]?t|doesn['’]?t|didn['’]?t|isn['’]?t|is not|not|never|"
    r"no longer|any ?more|no|can|may|again)\b",
    re.I,
)
_LIKES = (
    frozenset(["爱", "喜欢", "喜爱", "钟爱", "偏爱", "love", "like", "enjoy", "prefer", "adore"]),
    frozenset(["恨", "讨厌", "厌恶", "反感", "hate", "dislike", "detest", "loathe"]),
)
_LIKE_HAN = re.compile(
    "|".join(sorted((w for s in _LIKES for w in s if ord(w[0]) > 127), key=len, reverse=True))
)
_RELATIONS = (
    "妈妈|母亲|我妈|爸爸|父亲|我爸|老公|丈夫|老婆|妻子|太太|媳妇|儿子|女儿|孩子|哥哥|弟弟|姐姐|妹妹|爷爷|奶奶|外公|外婆|姥姥|姥爷|"
    "婆婆|公公|岳父|岳母|老板|领导|上司|同事|室友|邻居|房东|男朋友|女朋友|朋友|导师|老师|客户|猫|狗|"
    "mother|mum|mom|father|dad|husband|wife|partner|son|daughter|kid|brother|sister|grandma|grandpa|"
    "boss|manager|"
    "colleague|flatmate|roommate|neighbour|neighbor|landlord|boyfriend|girlfriend|friend|teacher|client|cat|dog"
)
_RELATION = re.compile(rf"(?:{_RELATIONS})", re.I)
_SAME_PERSON = {
    "母亲": "妈妈",
    "我妈": "妈妈",
    "mum": "mother",
    "mom": "mother",
    "父亲": "爸爸",
    "我爸": "爸爸",
    "dad": "father",
}
_NAME_EN = re.compile(r"(?<![.!?] )(?<!^)\b[A-Z][a-z]+\b")


# A number that tells one thing from another ("bus 12", 3号楼) is a name, not a value.
_NUMBERED = re.compile(
    r"(?:#|\bno\.?|\b(?:number|room|bus|line|gate|flat|unit|floor|platform|version|volume|chapter)|第)\s*\d+"
    r"|\d+\s*(?:号|路|班|楼|栋|室|单元|线|册|章)",
    re.I,
)


class Relation(StrEnum):
    """How a new line stands to an old one."""

    SAME = "same"  # nothing to write
    REPLACES = "replaces"  # the old one gives way
    APART = "apart"  # both live


class Clash(StrEnum):
    """How two rules contradict each other."""

    PLAIN = "plain"  # they fill one place with two things, or say and deny the very same
    LIKELY = "likely"  # nearly the same words, turned round or with another number


def clash(new: Line, old: Line) -> Clash | None:
    """Whether two rules cannot both be obeyed; one that only says more than the other contradicts nothing."""
    if relation(new, old) is not Relation.REPLACES:
        return None
    if read_rule(new.text, new.when) and read_rule(old.text, old.when):
        return Clash.PLAIN
    if _by_slot(new, old) is Relation.REPLACES:
        return Clash.PLAIN
    if _adds(new.text, old.text):
        return None
    turned = _leaning(new.text) != _leaning(old.text)
    if turned and _bare(new.text) == _bare(old.text):
        return Clash.PLAIN
    return Clash.LIKELY if turned or numbers(new.text) != numbers(old.text) else None


def relation(new: Line, old: Line) -> Relation:
    """Compare two lines. Symmetric except for detail: a line that adds to an old one replaces it."""
    if squeeze(new.text).strip("。.!！") == squeeze(old.text).strip("。.!！"):
        return _by_frame(new, old)
    rule, known = read_rule(new.text, new.when), read_rule(old.text, old.when)
    if rule or known:
        return _by_place(rule, known) if rule and known else Relation.APART
    matters = ((line.kind is Kind.INSTRUCTION, subject(line)) for line in (new, old))
    if len(set(matters)) > 1 or not _same_scope(new.when, old.when):
        return Relation.APART
    return _by_slot(new, old) or _by_words(new, old)


def restates(new: Line, old: Line, *, share: float = 0.6) -> bool:
    """Whether a line says what an old one said, perhaps in other words: of the same subject, with the same numbers
    and the same leaning, sharing this much of its matter. Asked about what the person no longer wants kept."""
    if relation(new, old) is Relation.SAME:
        return True
    if subject(new) != subject(old) or _leaning(new.text) != _leaning(old.text):
        return False
    if numbers(new.text) != numbers(old.text) or _differ_in_value(new, old):
        return False
    mine, theirs = _bare(new.text), _bare(old.text)
    return max(jaccard(content(new.text), content(old.text)), jaccard(mine, theirs)) >= share


def _differ_in_value(new: Line, old: Line) -> bool:
    """Whether both fill one slot, and differently: another place to live is another fact."""
    mine, theirs = slots_of(new.text), slots_of(old.text)
    return any(not _same_value(mine[name], theirs[name]) for name in mine.keys() & theirs.keys())


def _by_place(rule: FilingRule, known: FilingRule) -> Relation:
    """Two filing rules: pictures of one kind have one place."""
    if not same_kind(rule.what, known.what):
        return Relation.APART
    return Relation.SAME if same_place(rule.where, known.where) else Relation.REPLACES


def _by_frame(new: Line, old: Line) -> Relation:
    """The same words: a new scope or end date is a new version."""
    if _same_scope(new.when, old.when):
        return Relation.SAME if new.until == old.until else Relation.REPLACES
    return Relation.REPLACES if new.kind is not Kind.INSTRUCTION else Relation.APART


def _same_scope(left: str | None, right: str | None) -> bool:
    if not left or not right:
        return not left and not right
    return squeeze(left) == squeeze(right) or jaccard(content(left), content(right)) >= 0.8


def subject(line: Line) -> tuple[str, ...]:
    """Whom a line is about, beside the person themself: a relation and a name that opens it.

    An instruction opens with its verb, so only a fact can open with a name.
    """
    found = [_SAME_PERSON.get(word, word) for word in _RELATION.findall(fold(line.text)[:24])][:1]
    opening = re.match(r"(?:The user['’]s (?:\w+ )?)?([A-Z][\w'’-]+)", line.text)
    if (
        opening
        and line.kind is not Kind.INSTRUCTION
        and opening[1] not in ("The", "User", "In", "On", "Until", "Since")
    ):
        found.append(opening[1].casefold().removesuffix("'s").removesuffix("’s"))
    return tuple(found)


def _by_slot(new: Line, old: Line) -> Relation | None:
    """A slot holds one value: where someone lives, what they are called, which language to answer in."""
    mine, theirs = slots_of(new.text), slots_of(old.text)
    for name in mine.keys() & theirs.keys():
        scoped = name in MANNERS and new.when and old.when  # the same kind of text, said to be so
        if not scoped and not _same_holder(mine[name], theirs[name]):
            continue
        if name in MANNERS and negations(new.text) % 2 and negations(old.text) % 2:
            continue  # no tables, and no lists either
        if not _same_value(mine[name], theirs[name]) or negations(new.text) % 2 != negations(old.text) % 2:
            return Relation.REPLACES
    return None


def _same_holder(mine: Slot, theirs: Slot) -> bool:
    left, right = content(mine.holder), content(theirs.holder)
    if not left or not right:
        return not left and not right
    return max(covered(left, right), covered(right, left)) >= 0.6


def _same_value(mine: Slot, theirs: Slot) -> bool:
    """The same, or the same put more fully ("杭州", "杭州西湖区"); a longer name is another name."""
    left, right = squeeze(mine.value), squeeze(theirs.value)
    if left == right or mine.name in ("called", "name"):
        return left == right
    if not has_han(left + right):
        words = (set(content(mine.value)), set(content(theirs.value)))
        return all(words) and (words[0] <= words[1] or words[1] <= words[0])
    return min(len(left), len(right)) >= 2 and (left in right or right in left)


def _bare(text: str) -> list[str]:
    """What it is about with polarity and taste taken out: love and hate speak of the same thing."""
    words = content(_LIKE_HAN.sub(" ", _NEGATED.sub(" ", text)))
    tastes = _LIKES[0] | _LIKES[1]
    return [word for word in words if word not in tastes]


def _leaning(text: str) -> int:
    """+1 or -1: the product of its negations and its dislikes."""
    dislikes = sum(1 for word in _LIKE_HAN.findall(text) if word in _LIKES[1])
    dislikes += sum(1 for word in re.findall(r"[a-z]+", text.lower()) if word.removesuffix("s") in _LIKES[1])
    plain = re.sub(r"讨厌|\b(?:hates?|dislikes?)\b", " ", text)
    return -1 if (negations(plain) + dislikes) % 2 else 1


def _by_words(new: Line, old: Line) -> Relation:
    mine, theirs = _bare(new.text), _bare(old.text)
    if not mine or not theirs:
        return Relation.APART
    in_order = SequenceMatcher(None, mine, theirs, autojunk=False).ratio()
    alike = min(jaccard(mine, theirs), in_order)
    turned = _leaning(new.text) != _leaning(old.text)
    if alike >= 0.75 and turned:
        return Relation.REPLACES
    if _adds(old.text, new.text):
        return Relation.SAME
    more = _adds(new.text, old.text)
    if not turned and numbers(new.text) != numbers(old.text):
        return _by_numbers(new, old)
    others = turned or set(_NAME_EN.findall(new.text)) != set(_NAME_EN.findall(old.text))
    if alike >= 0.85 and not others:
        return Relation.SAME
    return Relation.REPLACES if more else Relation.APART


def _by_numbers(new: Line, old: Line) -> Relation:
    """The same words around another number: a new value, unless it is a date on which something happens."""
    mine = [word for word in _bare(new.text) if not any(c.isdigit() for c in word)]
    theirs = [word for word in _bare(old.text) if not any(c.isdigit() for c in word)]
    if Kind.EPISODIC in (new.kind, old.kind) or _numbered(new.text) != _numbered(old.text):
        return Relation.APART
    if len(mine) >= 2 and jaccard(mine, theirs) >= 0.85:
        return Relation.REPLACES
    return Relation.REPLACES if _adds(new.text, old.text) else Relation.APART


def _numbered(text: str) -> set[str]:
    return {squeeze(found) for found in _NUMBERED.findall(text)}


def _adds(longer: str, shorter: str) -> bool:
    """Whether `longer` says everything that `shorter` says, clause by clause, with the same polarity."""
    clauses = [part for part in _CLAUSE.split(longer) if content(part)]
    for part in _CLAUSE.split(shorter):
        about = content(part)
        if not about:
            continue
        held = any(
            covered(about, content(clause)) >= 0.99
            and jaccard(about, content(clause)) >= 0.6
            and negations(part) % 2 == negations(clause) % 2
            for clause in clauses
        )
        if not held:
            return False
    return len(content(longer)) >= len(content(shorter))
