"""Ways to say where pictures go that are plain by their form: a kind, a verb of filing, a place.

For what the reader's marks tear apart: two kinds in one rule, a kind set before a comma (高铁票机票这些，统统扔进出行),
a folder named in a clause of its own ("code and logs should live in the same folder, call it Dev").
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from memory.wording import Language

_PUT_ZH = r"(?:放|扔|丢|归|存|收|塞|搁|挪|移|归档|归类)"
_ALL_ZH = r"(?:以后|今后|现在|请|都|就|全部?|一律|统统|统一|一并|给我|单独|直接|[，,\s])*"
_NAME_ZH = r"[「『“\"]?(?P<where>[^，,。！!？?、；;「」『』“”\"]{1,16}?)[」』”\"]?"
_END_ZH = (
    r"(?:那|这)?(?:一?[类栏个]|个?文件夹|个?分类|个?相册|里面?|里头|下面|中)*(?:里面?|"
    r"去)?(?:吧|就行|就好|好了|呗|啊|哈)*[。！!~～]*$"
)
_OPEN_ZH = (
    r"^(?:(?:对了|那|还有|以后|今后|往后|(?:从|打)?(?:今天|现在|今)(?:起|开始|以后)|凡是|"
    r"所有|请|把|将)[，,\s]*)*"
)
_NO_CASE_ZH = (
    r"(?!如果|要是|假如|若|万一|只要|每当|当|看到|遇到|碰到|[我你他她它]|凡)"  # 如果是小票的话 names no kind
)
_ZH = (
    re.compile(  # 高铁票机票这些，统统扔进出行
        _OPEN_ZH + r"(?P<what>[^，,。！!？?；;]{2,20}?)(?:这些|这几[样类种]|这类|这种|之类的?|什么的|那些|"
        r"一类的?)(?:东西|图|截图|照片)?"
        rf"[，,]?\s*{_ALL_ZH}{_PUT_ZH}(?:到|进|在|入|去)+\s*{_NAME_ZH}{_END_ZH}"
    ),
    re.compile(  # 机票和酒店单归在一块儿，叫「出差」
        _OPEN_ZH + r"(?P<what>[^，,。！!？?；;]{2,24}?)(?:以后|都|就|全)*"
        rf"{_PUT_ZH}(?:到|在|进)?(?:一块儿?|一起|一处|同一个[^，,]{{0,4}})(?:里)?[，,]\s*"
        rf"(?:名字)?(?:叫|取名|命名为|就叫|名叫)(?:做|它)?\s*{_NAME_ZH}{_END_ZH}"
    ),
    re.compile(  # 小票，放账本
        _OPEN_ZH + rf"{_NO_CASE_ZH}(?P<what>[^，,。！!？?；;]{{2,12}}?)[，,]\s*{_ALL_ZH}"
        rf"{_PUT_ZH}(?:到|进|在|入|去)*\s*{_NAME_ZH}{_END_ZH}"
    ),
)
_NAME_EN = r"[\"“'‘]?(?P<where>[A-Z][\w&'’ /-]{0,30}?)[\"”'’]?"
_END_EN = (
    r"(?: (?:folder|category|album))?(?:[,.]? (?:please|pls|thanks|instead|now|then|too|"
    r"again|after all|ok|okay|from now on|always|every time))*[.!]*$"
)
_OPEN_EN = (
    r"^(?i:(?:(?:and|also|so|ok|okay|actually|please|btw|from (?:now|today) on|starting (?:now|today)|"
    r"until [A-Z]\w+ \d{1,2}(?:st|nd|rd|th)?|until the end of \w+|until \w+)[,:]? )*)"
)
_EN = (
    re.compile(  # code and logs should live in the same folder, call it Dev
        _OPEN_EN + r"(?P<what>[^,.;?!]{3,60}?) (?i:(?:should |can |could |must )?(?:all )?(?:live|go|"
        r"belong|sit|be kept|be filed|be) "
        r"(?:together|in (?:one|the same|a single) (?:folder|category|place|"
        r"album)))(?i:,? (?:and )?(?:call|name) it|, called|"
        rf"[,:] (?:named )?) {_NAME_EN}{_END_EN}"
    ),
    re.compile(  # Receipts? Stick them all in Expenses.
        _OPEN_EN
        + r"(?P<what>[^,.;?!]{3,40}?)[?:—–-]+ (?i:just )?(?i:stick|put|file|chuck|throw|drop|stash|shove|dump) "
        rf"(?i:(?:them|those|it|'em)(?: all)?) (?i:in|into|under)(?i: the)? {_NAME_EN}{_END_EN}"
    ),
    re.compile(  # put anything about the move under Flat; recipes go to Kitchen
        _OPEN_EN + r"(?i:put|file|stick|keep|store|save|chuck|drop|stash) (?P<what>(?!(?:it|this|that|"
        r"them|these|those|your|me)\b)[^,.;?!]{3,50}?) "
        rf"(?i:in|into|under)(?i: the)? {_NAME_EN}{_END_EN}"
    ),
    re.compile(
        _OPEN_EN + r"(?P<what>(?!(?i:i|we|he|she|they|it|this|that|these|those|you|"
        r"my)\b)[^,.;?!]{3,40}?) (?i:should )?(?i:all )?(?i:always )?"
        rf"(?i:goe?s?|belongs?|lives?) (?i:in|into|to|under)(?i: the)? {_NAME_EN}{_END_EN}"
    ),
)
_FILES = re.compile(  # words without which nothing is filed: a picture, or a verb of filing, or what holds pictures
    r"截图|截屏|照片|相片|图|拍|[放扔丢归存收塞搁挪移进入扔搬]|→|文件夹|分类|相册|目录|"
    r"\b(?:screen ?shots?|screen ?grabs?|photos?|pictures?|pics?|images?|scans?|snaps?|shots?|folders?|category|"
    r"categories|album|file[sd]?|filing|put|stick|stash|store|save|chuck|drop|throw|dump|shove|move|keep|tuck|"
    r"under|into|goe?s?|live|belongs?|sort|bin|archive|to)\b|[=-]>",
    re.I,
)


_AGAIN = re.compile(  # a second rule, taken for the rest of a name: "Money and tickets go to Travel"
    r"\b(?:goe?s?|belongs?|lives?) (?:in|into|to|under)\b", re.I
)


@dataclass(frozen=True, slots=True)
class Placed:
    """Pictures of `what` go to `where`; both are substrings of the sentence."""

    what: str
    where: str
    sure: bool = True  # else the place is only that of its like, and nobody said what it is called


def placed(text: str, language: Language) -> Placed | None:
    """The rule in a sentence that is nothing but one."""
    for pattern in _ZH if language == "zh" else _EN:
        found = pattern.match(text.strip())
        if found and not _AGAIN.search(found["where"]):
            return Placed(found["what"].strip(), found["where"].strip())
    return None


_WITH_ITS_LIKE = (  # 登机牌和别的出行资料放一块, "keep tickets with the other travel stuff"
    re.compile(
        _OPEN_ZH + r"(?P<what>[^，,。！!？?；;]{2,14}?)(?:和|跟|与|同)(?:别的|其他|其它|其余)的?"
        r"(?P<where>[^，,。！!？?；;]{2,10}?)"
        rf"(?:以后|都|就|全|请|给我)*{_PUT_ZH}(?:在|到)?(?:一块儿?|一起|一处)(?:吧|就行|就好|好了|呗|啊|了)?[。！!~～]*$"
    ),
    re.compile(
        _OPEN_EN
        + r"(?i:put|file|stick|keep|store|save) (?P<what>(?!(?:it|this|that|them|these|those)\b)[^,.;?!]{3,40}?)"
        r"(?i: together)? (?i:with|alongside) (?i:the|my|all the)(?i: other| rest of (?:the|my)) "
        r"(?P<where>[^,.;?!]{3,30}?)[.!]*$"
    ),
)


def with_its_like(text: str) -> Placed | None:
    """The rule of a sentence that puts one kind where others are, and names no category: unsure."""
    found = next((m for pattern in _WITH_ITS_LIKE if (m := pattern.match(text.strip()))), None)
    return Placed(found["what"].strip(), found["where"].strip(), sure=False) if found else None


def speaks_of_filing(text: str) -> bool:
    """Whether it has a picture, a verb of filing or a folder in it; "in letters I want British spelling" has none."""
    return _FILES.search(text) is not None
