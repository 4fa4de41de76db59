"""What a person asks for a filed picture, in so many words: "→ Receipts", 改名为…, "delete it". Reads, does nothing.

Only words that can hardly mean anything else are read here; a rule ("from now on …"), a question or a talk about the
picture is left to the conversation.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from classifiers.categories import find
from classifiers.kinds import HAN
from classifiers.types import Category
from classifiers.wishes import read_wish

Deed = Literal["move", "rename", "delete", "restore", "undo"]

LONGEST = 160  # characters; longer words are talk
_NUMBERS = re.compile(
    r"(?:[#＃]\s*\d{1,6}|第\s*\d{1,6}(?:\s*[,，、和跟]\s*\d{1,6})*\s*[张号]|"
    r"\d{1,6}(?:\s*[,，、和跟]\s*\d{1,6})*\s*号\s*(?:图片?|截图|照片)|"
    r"(?<!\bto )(?<!\bin )(?<!\binto )(?<!\bunder )"  # a name: "to Photos 2026"
    r"\b(?:picture|photo|image|screenshot|pic|number|no\.?)s?\s*#?\s*\d{1,6})"
    r"(?:\s*(?:,\s*and|[,，、和跟&]|and|[-–—~～]|(?<=\s)(?=[#＃]))\s*[#＃]?\s*\d{1,6})*",
    re.IGNORECASE,
)
_RANGE = re.compile(r"(\d+)\s*[-–—~～]\s*[#＃]?\s*(\d+)")
_NEWEST = re.compile(
    r"(?:最后|最新|最近|刚才|刚刚|刚发|上)(?:的|发|存|那|一|这)*张(?:图片?|截图|照片)?|"
    r"\bthe (?:last|latest|newest|most recent) (?:picture|photo|image|screenshot|pic|one)\b(?: i sent(?: you)?)?",
    re.IGNORECASE,
)
MOST = 200  # pictures in a range; more are no range
_STANDING = re.compile(
    r"以后|今后|往后|从现在起|从今|每次|每张|凡是|所有|一律|这[种类样]|那[种类样]|都(?=[放归移存])|"
    r"\b(?:always|from now on|every|all|such|whenever|in (?:the )?future|like this|like these)\b",
    re.IGNORECASE,
)
_QUESTION = re.compile(
    r"[?？]\s*$|[吗呢么]\s*$|^\s*(?:why|what|where|how|when|who|which|is|are|did|does|do)\b", re.I
)
_IT_ZH = r"(?:它|他|她|(?:这|那|上)(?:一|几)?(?:张|个|幅|些)?(?:图片?|截图|照片)?|图片?|照片|截图)?"
_IT_EN = r"(?:\s+(?:it|this|that|them|these|those|(?:this|that|the)?\s*(?:one|picture|photo|image|screenshot|pic)s?))?"
_QUOTES = " \t\n「」『』“”\"'‘’《》【】:："
_RENAME = (
    re.compile(
        rf"^(?:请|麻烦|帮我|给我|把|将|给)*\s*{_IT_ZH}\s*的?\s*"
        r"(?:改个?名字?|重新?命名|更名|换个?名字?|(?:名字|名称|标题|题目)(?:要|得|应该)?(?:改|换|叫|是|写|定))"
        r"\s*(?:为|成|叫|作|做|到|是)*\s*[:：]?\s*(?P<to>.+)$"
    ),
    re.compile(
        rf"^(?:请|把|将|这张|它|就)*{_IT_ZH}\s*(?:就|改|应该|要)*叫(?:做|作|它)?\s*(?P<to>[「『“\"《].+)$"
    ),
    re.compile(
        rf"^(?:please\s+|can you\s+|could you\s+)?(?:rename|re-?title){_IT_EN}"
        r"(?:\s+(?:to|as|into))?\s*[:：]?\s+(?P<to>.+)$",
        re.IGNORECASE,
    ),
    re.compile(
        r"^(?:please\s+)?(?:call|name|title)\s+(?:it|this|that)\s*[:：]?\s+(?P<to>.+)$", re.IGNORECASE
    ),
    re.compile(
        r"^(?:please\s+)?(?:change|set|make)\s+(?:the|its|this)\s+(?:title|name)\s+(?:to|into|as)?\s*[:：]?\s*(?P<to>.+)$",
        re.IGNORECASE,
    ),
    re.compile(r"^(?:new\s+)?(?:title|name)\s*[:：]\s*(?P<to>.+)$", re.IGNORECASE),
    re.compile(r"^(?:新)?(?:标题|名字|题目)\s*[:：]\s*(?P<to>.+)$"),
)
_DELETE = re.compile(
    rf"^(?:请|麻烦|帮我|给我|你)*(?:把|将)?\s*{_IT_ZH}\s*(?:给我|都|直接|就)?"
    rf"(?:删除?|删掉|删去|丢掉|扔掉?|移除|不要(?=了)|不用留|不需要)(?:掉|了)?\s*{_IT_ZH}(?:吧|了|掉)*$|"
    rf"^(?:please\s+|can you\s+|could you\s+|just\s+)?(?:delete|remove|bin|trash|discard|erase|get\s+rid\s+of|"
    rf"throw\s+away|throw\s+out){_IT_EN}(?:\s+(?:away|please|pls|thanks))*$|"
    r"^(?:i\s+)?don['’]?t\s+(?:need|want|keep)\s+(?:it|this|that)(?:\s+any\s?more)?$|^throw\s+it\s+(?:away|out)$",
    re.IGNORECASE,
)
_RESTORE = re.compile(
    rf"^(?:请|帮我|把|将)*\s*{_IT_ZH}\s*(?:从回收站)?(?:里)?(?:恢复|还原|找回|取回|捞回)(?:来|一下|回来)?\s*{_IT_ZH}(?:吧)?$|"
    rf"^(?:please\s+)?(?:restore|undelete|un-delete|bring\s+back){_IT_EN}(?:\s+(?:back|please|from\s+the\s+bin))*$",
    re.IGNORECASE,
)
_UNDO = re.compile(
    r"^(?:撤[销回](?:一下|它|这个|吧)?|undo(?:\s+(?:it|that|this))?|revert(?:\s+it)?|take\s+it\s+back)$", re.I
)
_BEFORE_ZH = re.compile(
    r"^(?:不对|错了|不是|no|nope|wrong)?[，,。.!！:：\s]*(?:这|它|那)?(?:张|个)?(?:图)?(?:应该|该)?(?:要|得)?"
    r"(?:是|属于|算|归|放|改成|改到|改为|换成|换到|去|在)?\s*",
    re.IGNORECASE,
)
_BEFORE_EN = re.compile(
    r"^(?:no|nope|wrong)?[,.!\s]*(?:it(?:['’]s|\s+is)?|this(?:\s+is)?|that(?:['’]s)?)?\s*(?:should\s+be|belongs?)?\s*"
    r"(?:in|to|under|into)?\s+",
    re.IGNORECASE,
)
_AFTER = re.compile(
    r"(?:(?:这|那)?(?:个|一)?(?:分类|类别?|文件夹)?(?:里面?|下面?|中)?(?:才对|吧|啊|哦|了)?|\s+(?:please|pls|instead|folder|"
    r"category|thanks))\s*$",
    re.IGNORECASE,
)
_MERGE = (
    re.compile(
        r"^(?:请|帮我|把|将)*\s*[「【『“\"]?(?P<old>[^「」【】『』“”\"，,。]{1,40}?)[」】』”\"]?\s*(?:这个)?(?:分类)?\s*(?:合并|并|合)"
        r"(?:到|进|入|成|为)+\s*[「【『“\"]?(?P<new>[^「」【】『』“”\"，,。]{1,40}?)[」】』”\"]?\s*(?:里面?|中|吧|分类)*$"
    ),
    re.compile(
        r"^(?:please\s+)?merge\s+(?:the\s+)?(?:category\s+)?[\[“\"']?(?P<old>[^\[\]“”\"]{1,40}?)[\]”\"']?\s+(?:in)?to\s+(?:the\s+)?"
        r"[\[“\"']?(?P<new>[^\[\]“”\"]{1,40}?)[\]”\"']?(?:\s+(?:category|please))*$",
        re.IGNORECASE,
    ),
)


@dataclass(frozen=True, slots=True)
class Asked:
    """One thing to do to filed pictures."""

    deed: Deed
    to: str = ""  # category or title
    numbers: tuple[int, ...] = ()  # the pictures that the words name; () = the one they are about


def read_asked(text: str, categories: Sequence[Category]) -> Asked | None:
    """What words about a filed picture ask for; None when they ask nothing that is read here."""
    words = " ".join(text.split()).strip(" 。.!！~～")
    if not words or len(words) > LONGEST or _QUESTION.search(text):
        return None
    numbers = numbers_in(words)
    bare = " ".join(_NUMBERS.sub(" ", words).split()).strip(" :：,，")
    for pattern in _RENAME:
        if (hit := pattern.match(bare)) and (title := hit["to"].strip(_QUOTES)):
            return Asked("rename", title, numbers)
    if _STANDING.search(bare):
        return None
    for deed, pattern in (("delete", _DELETE), ("restore", _RESTORE), ("undo", _UNDO)):
        if pattern.match(bare):
            return Asked(deed, "", numbers)  # type: ignore[arg-type]  # each is a Deed
    it = "这张" if HAN.search(words) else "it"
    where = _where(bare, categories) or (_where(_NUMBERS.sub(it, words), categories) if numbers else "")
    return Asked("move", where, numbers) if where else None


def deletes_newest(text: str) -> bool:
    """Whether the newest picture is to go, whatever else is talked about: "delete the last picture"."""
    words, found = _NEWEST.subn("这张" if HAN.search(text) else "it", text)
    asked = read_asked(words, ()) if found else None
    return asked is not None and asked.deed == "delete" and not asked.numbers


def numbers_in(words: str) -> tuple[int, ...]:
    """The pictures that words name by number: "#2, #3 and 5", "#2 #3", "#4-#7"."""
    found: list[int] = []
    for hit in _NUMBERS.finditer(words):
        rest = hit[0]
        for span in _RANGE.finditer(hit[0]):
            first, last = int(span[1]), int(span[2])
            if first <= last < first + MOST:
                found += range(first, last + 1)
                rest = rest.replace(span[0], " ")
        found += map(int, re.findall(r"\d+", rest))
    return tuple(dict.fromkeys(found))


def _where(words: str, categories: Sequence[Category]) -> str:
    """The category that words want, "" when they want none: as a wish with a picture, or its bare name."""
    if wished := read_wish(words, [each.name for each in categories]):
        return wished
    shorter = words
    for pattern in (_BEFORE_ZH, _BEFORE_EN, _AFTER):
        shorter = pattern.sub("", shorter, count=1).strip(_QUOTES)
        if found := find(shorter, categories):
            return found.name
    return ""


def read_merge(text: str) -> tuple[str, str] | None:
    """(old, new) where words ask to make two categories one."""
    words = " ".join(text.split()).strip(" 。.!！")
    if len(words) > LONGEST or _QUESTION.search(text):
        return None
    for pattern in _MERGE:
        if hit := pattern.match(words):
            return hit["old"].strip(_QUOTES), hit["new"].strip(_QUOTES)
    return None
