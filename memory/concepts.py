"""What a question is about, in either language: whose (a person, a pet, a thing) and which of their facts.

A small table of everyday words, so that "what's my wife called?" finds "the missus is called …" and 我的猫叫什么 finds
"my cat is called …". It only ever helps to find; it decides nothing about what is kept.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from memory.answer_form import lacks_form

_NUMERAL = r"[一二三四五六七八九十百零两\d]{1,4}"

# Whose fact it is.
_HOLDERS = {
    "wife": r"老婆|媳妇|妻子|太太|\bwife\b|\bmissus\b|\bmrs\b",
    "husband": r"老公|丈夫|先生|\bhusband\b|\bhubby\b",
    "partner": r"爱人|对象|伴侣|老伴|\bpartner\b|\bother half\b|\bspouse\b|\bfianc[eé]e?\b",
    "lover": r"男朋友|女朋友|男友|女友|\bboyfriend\b|\bgirlfriend\b",
    "mother": r"妈|母亲|\bmu?[uo]ms?\b|\bmother\b|\bmam\b",
    "father": r"爸|父亲|\bdads?\b|\bfather\b",
    "son": r"儿子|\bsons?\b|\blads?\b|\bboys?\b",
    "daughter": r"女儿|闺女|丫头|\bdaughters?\b|\bgirls?\b",
    "child": r"孩子|小孩|娃|\bkids?\b|\bchild(?:ren)?\b|\bbaby\b",
    "grandchild": r"外?孙(?:子|女|儿)?|\bgrand(?:son|daughter|child(?:ren)?|kids?)\b",
    "grandparent": r"爷爷|奶奶|外公|外婆|姥姥|姥爷|\bgran(?:ny|ma|dad|dpa|dmother|dfather)?\b|\bnan(?:na|a)?\b",
    "brother": r"哥|弟弟|我弟|\bbrothers?\b",
    "sister": r"姐|妹|\bsisters?\b",
    "friend": r"朋友|闺蜜|发小|\bfriends?\b|\bmates?\b|\bbuddy\b",
    "boss": r"老板|领导|上司|主管|组长|经理|\bboss\b|\bmanager\b",
    "colleague": r"同事|徒弟|\bcolleagues?\b|\bcoworkers?\b",
    "teacher": r"老师|导师|\bteachers?\b|\btutor\b",
    "landlord": r"房东|\blandlord\b|\blandlady\b",
    "neighbour": r"邻居|隔壁|\bneighbou?rs?\b",
    "cat": r"猫|\bcats?\b|\bkitten\b",
    "dog": r"狗|犬|\bdogs?\b|\bpuppy\b",
    "car": r"车(?!站|票|次)|\bcars?\b|\bvans?\b|\bmotor\b|\btruck\b",
}
# Which of their facts.
_FACTS = {
    "name": r"叫(?!醒|车|外卖)|名字|姓(?!别)|称呼|喊(?:我|用户)|谁|"
    r"\bnames?\b|\bcalled\b|\bcall\b|\baddress (?:me|the user)\b|\bwho am i\b|\bgoes by\b",
    "age": rf"岁|年纪|年龄|多大|"
    rf"(?:今年|\d年){_NUMERAL}(?:了|，|$)|"
    rf"\bhow old\b|\bage\b|\byears? old\b|\bturn(?:s|ed)? \d|\bis \d{{1,3}}\b",
    "work": r"职业|上班|工作|哪[一]?行|做(?:什么|啥)的|干(?:什么|啥|嘛)的|当|护士|医生|教师|老师|"
    r"工程师|司机|厨师|律师|会计|程序员|学生|退休|"
    r"\bworks?\b|\bworking\b|\bjob\b|\bfor a living\b|\bline of work\b|"
    r"\bprofession\b|\bemployed\b|\bdo for work\b|\bdo(?:es)? (?:\w+ ){1,3}do\b|"
    r"\b(?:is|as|['’]s) an? [a-z -]*"
    r"(?:er|or|ist|ian|nurse|cook|chef|clerk|mechanic|electrician|joiner|postie|student|vet)\b",
    "home": r"住|家在|地址|搬|\bmoved\b|\baddress\b|\blives?\b|\bliving in\b|\bhome address\b|\bbased in\b",
    "birthday": r"生日|\bbirthday\b|\bborn\b|\bturns? \d",
    "allergy": r"过敏|\ballerg\w+",
    "food": r"吃|喝|口味|忌口|素食|吃素|\bveggie\b|\bpescatarian\b|\bcoeliac\b|\bceliac\b|\bgluten\b|"
    r"\beats?\b|\bfood\b|\bdiet\b|\bvegan\b|\bvegetarian\b|\bdrinks?\b",
    "medicine": r"药|\bpills?\b|\btablets?\b|\bmedicines?\b|\bmedication\b|\bmeds\b",
    "school": r"年级|上学|学校|\bschool\b|\bgrade\b|\byear \d",
}
_ADDRESS = re.compile(
    r"^(?:叫|喊|称呼|管)用户|^(?:call|address) the user\b", re.IGNORECASE
)  # "Teacher Meng" is theirs
_PLAIN = frozenset({"birthday", "age", "allergy", "medicine"})  # a line that tells one of these says its word
_SELF = re.compile(r"我|咱|俺|用户|\b(?:i|me|my|mine|user|user['’]s)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Concepts:
    """What a text speaks of."""

    holders: frozenset[str]
    facts: frozenset[str]
    own: bool  # it speaks of the person


@lru_cache(maxsize=1)
def _table() -> tuple[tuple[tuple[str, re.Pattern[str]], ...], ...]:
    return tuple(
        tuple((name, re.compile(words, re.IGNORECASE)) for name, words in each.items())
        for each in (_HOLDERS, _FACTS)
    )


@lru_cache(maxsize=8_192)
def concepts(text: str) -> Concepts:
    """What is spoken of in a question or a line."""
    holders, facts = (frozenset(name for name, words in each if words.search(text)) for each in _table())
    return Concepts(holders, facts, _SELF.search(text) is not None)


_ONE = frozenset(
    {"home", "age", "birthday"}
)  # of which everybody has one: a new one takes the old one's place
_PAST = re.compile(
    r"以前|曾经?|原来|从前|小时候|长大|\b(?:used to|grew up|formerly|once|was|were|had)\b", re.IGNORECASE
)


def tells_the_same_one(left: str, right: str) -> bool:
    """Whether both tell where the same one lives, how old they are, or when they were born, as it is now."""
    a, b = concepts(left), concepts(right)
    same = a.holders == b.holders and a.own == b.own and bool(a.facts & b.facts & _ONE)
    return same and not (_PAST.search(left) or _PAST.search(right))


def misses(question: str, line: str) -> bool:
    """Whether a line is about the right one, but plainly not about what is asked of them: it tells another of their
    facts, or has not the form of an answer.
    """
    asked, held = concepts(question), concepts(line)
    if not asked.holders <= held.holders:
        return False
    other = bool(asked.facts & _PLAIN or (asked.facts and held.facts)) and not asked.facts & held.facts
    named = (
        "name" in asked.facts and bool(asked.holders) and not asked.facts - {"name"}
    )  # a line may just use it
    return (other and not named) or lacks_form(question, line)


def answers(question: str, line: str) -> bool:
    """Whether a line is about what a question asks: the same holder, or the person and the same fact of theirs."""
    asked, held = concepts(question), concepts(line)
    if asked.holders:
        return asked.holders <= held.holders and bool(not asked.facts or asked.facts & held.facts)
    own = held.own and (not held.holders or _ADDRESS.search(line) is not None)
    return asked.own and own and bool(asked.facts) and asked.facts <= held.facts
