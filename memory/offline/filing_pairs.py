"""One filing rule or several in one message, read piece by piece: "if I send a menu put it in Food, and keep tickets
in Travel", 当我发菜单时，存到美食, 菜单→美食.

A piece is a kind with its place, or a "when" whose place stands in the next piece. Nothing is read where a piece is
left that is neither: what the message says then is not plain by its form.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

from memory.offline.filing_forms import Placed, placed
from memory.wording import Language

_PUT_ZH = r"(?:放|扔|丢|归|存|收|塞|搁|归档|归类|保存)"
_WHERE_ZH = (
    r"[「『“\"]?(?P<where>(?!哪|什么|啥|谁|几|[吗呢])[^，,。！!？?、；;「」『』“”\"的我你]{1,14}?)[」』”\"]?(?:那|"
    r"这)?(?:一?[类栏个]|"
    r"个?文件夹|个?分类|个?相册)?"
    r"(?:里面?|里头|下面|中)?(?:吧|就行|就好|好了|呗|啊|哈)*[。！!~～]*$"
)
_SHOT_ZH = r"(?:(?:截图|图片?|照片|东西|内容)(?=要?是|如果|里))"
_SENDS_ZH = r"(?:发|传|拍|截|转|上传|分享)"
_WHEN_ZH = (
    r"(?:(?:每?当|如果|要是|假如|只要|凡是|每次|以后|今后|若)[，,]?)+"
    rf"(?:{_SHOT_ZH}|(?:我|看到|遇到|碰到|收到)?(?:再)?(?:给你|跟你)?{_SENDS_ZH}?"
    rf"(?:给你|过来|来|图|图片|截图|了)?(?:的)?{_SHOT_ZH}?)"
    r"(?:是|里面?有|里面?是)?(?P<what>[^，,。！!？?；;]{1,16}?)"
)
_DO_ZH = rf"(?:就|请|都|全|一律|直接|[把将给]它们?|给我|帮我|自动)*{_PUT_ZH}(?:到|进|在|入|去)*\s*{_WHERE_ZH}"
_ZH = (
    re.compile(rf"^{_WHEN_ZH}(?:的?时候?|的话)[，,]?\s*{_DO_ZH}"),  # 当我发菜单时，存到美食
    re.compile(  # 我截的图要是代码，就把它归到代码笔记
        rf"^(?:以后|今后)?我?{_SENDS_ZH}(?:给你)?的{_SHOT_ZH}?(?:里面?)?(?:要是|如果|若)(?:是|有)?"
        rf"(?P<what>[^，,。！!？?；;]{{1,14}}?)(?:的话|[呢呀啊嘛])?[，,]\s*{_DO_ZH}"
    ),
    re.compile(
        rf"^(?:要是|如果|每?当|只要|凡是)(?:{_SHOT_ZH}|我?[发传拍截](?!图[是里])的?{_SHOT_ZH}?)是?"
        rf"(?P<what>[^，,。！!？?；;]{{1,14}}?)[，,]\s*{_DO_ZH}"
    ),
    re.compile(  # 票据另外放财务
        rf"^(?:还有|然后|而|以后|今后|往后|日后|把|将|所有|凡是)*(?:我[发拍截传转](?:给你)?的)?"
        rf"(?P<what>[^，,。！!？?；;我你]{{2,14}}?)(?:[，,]\s*(?=都|就|请|全|一律))?(?:就|都|全|则|另外|"
        rf"单独|统一|一律|请|麻烦|给我)*"
        rf"{_PUT_ZH}(?:到|进|在|入|去)+\s*{_WHERE_ZH}"
    ),
    re.compile(
        rf"^(?:还有|然后|而|以后|今后)*(?P<what>[^，,。！!？?；;我你]{{2,14}}?)(?:另外|单独)?(?:就|"
        rf"都)?{_PUT_ZH}\s*{_WHERE_ZH}"
    ),
)
_CALLED_ZH = re.compile(  # 机票单独放一个叫出行的相册
    rf"^(?:以后|今后|把|将|所有|凡是|还有)*(?P<what>[^，,。！!？?；;我你]{{2,14}}?)(?:就|都|全|另外|单独|统一|"
    rf"一律)*{_PUT_ZH}(?:到|进|在|入|去)*"
    r"(?:一?个|同一个)?(?:新的)?(?:名字)?叫(?:做|"
    r"作)?[「『“\"]?(?P<where>[^，,。！!？?、；;「」『』“”\"的]{1,14})[」』”\"]?的"
    r"(?:文件夹|分类|相册|目录|地方)(?:里面?)?(?:吧|就行|就好|好了)?[。！!]*$"
)
_ARROW = re.compile(
    r"^(?P<what>[^→=>，,。;；]{2,40}?)\s*(?:→|⇒|->|=>|—>|"
    r"-->)\s*[「“\"]?(?P<where>[^→=>，,。;；「」“”\"]{1,24}?)[」”\"]?[.。!！]*$"
)
_KIND_EN = r"(?:an? |any |some |my |the |you )*(?P<what>[^,.;?!]{2,40}?)"
_WHERE_EN = (
    r"(?:the )?[\"“'‘]?(?P<where>[A-Z][\w&'’/-]*(?: (?:[A-Z0-9&][\w&'’/-]*|notes?|stuff|and [A-Z][\w]*))*?)[\"”'’]?"
    r"(?: (?:folder|category|album|please|pls|thanks|instead|too|now))*[.!]*$"
)
_DO_EN = r"(?i:please |just |always |then )*(?i:put|file|stick|keep|store|save|chuck|drop|stash|throw|pop|move|shove)"
_EN = (
    re.compile(
        r"^(?i:(?:so |and |ok |from now on,? )*(?:if|when|whenever|any ?time|every ?time|each time) i(?:['’]m)? "
        r"(?:send|share|post|upload|take|snap|give|drop|forward|screenshot|sending|paste)(?: you| in| over)?) "
        rf"{_KIND_EN},? (?i:it )?{_DO_EN}(?i: (?:it|them|that|those|this))?(?i: in| into| under| to|"
        rf" inside) {_WHERE_EN}"
    ),
    re.compile(rf"^(?i:and |also |so )*{_DO_EN} {_KIND_EN} (?i:in|into|under|inside) {_WHERE_EN}"),
    re.compile(
        rf"^(?i:and |also |so |then )*{_KIND_EN} (?i:should |can |always |all |must )*"
        rf"(?i:goe?s?|belongs?|lives?) (?i:in|into|to|under|inside) {_WHERE_EN}"
    ),
    re.compile(  # "… and receipts in Money", after a piece that has the verb
        rf"^(?i:and |also )*{_KIND_EN} (?i:in|into|under) {_WHERE_EN}"
    ),
)
_CUT = re.compile(r"[，,；;。\n]+\s*|\.\s+|\s+and\s+(?=\S)|(?<=[\u4e00-\u9fff])\s+(?=[\u4e00-\u9fff])")
_NOISE = re.compile(
    r"^(?:and|also|so|ok|please|thanks|thx|"
    r"ta|cheers|pls|from now on|以后|今后|从现在起|谢谢|麻烦了?|就这样|好吗|(?:其他|其它|"
    r"其余|别的|剩下的)(?:的)?(?:不变|不动|照旧|不用动|不管)|(?:everything else|the rest) (?:stays?|as is|"
    r"as before).*|对了|"
    r"(?:麻烦|拜托|求)你?(?:一?[件个]事)?|有[件个]事|(?:这样)?(?:也?好找|方便(?:找|查|看)|容易找)|"
    r"还有|规矩|新规矩|新规则)?[.。!！:：]*$",
    re.I,
)
_NO_KIND = re.compile(
    r"^(?:把|将|给)?(?:它们?|这|那)|^(?:it|this|that|them|texts?|sentences?|words?|messages?|questions?|names?|these|"
    r"those|there|here|things?|"
    r"everything|我|你|它|这个?|那个?|东西)$|^(?:put|file|"
    r"keep|stick|if|when|我|你)\b|[不别没]|(?-i:\b(?:in|into|under|to) [A-Z])",
    re.I,
)
_ADVERBS = re.compile(r"(?<=.)(?:另外|单独|还是|改|就|都|全|统一|一律|先)+$")
_NO_PLACE = re.compile(r"^在|哪|什么|啥|谁|几个|^(?:the )?(?:what|which|where)\b", re.I)
_MOST, _JOINED = 6, 3  # rules of a message; pieces of one rule


@dataclass(frozen=True, slots=True)
class Pair:
    """A rule and the words that say it, a part of the message."""

    rule: Placed
    said: str


def pairs(text: str, language: Language) -> list[Pair]:
    """The filing rules that a message consists of; none where it holds anything else."""
    found, rest = pairs_and_rest(text, language)
    return [] if rest else found


def pairs_and_rest(text: str, language: Language) -> tuple[list[Pair], str]:
    """The filing rules in a message, and the words that are none of them, as they stand in it.

    ([], the whole text) where more than one stretch is left over.
    """
    pieces = _pieces(text)
    found: list[Pair] = []
    left: list[tuple[int, int]] = []
    i = 0
    while i < len(pieces):
        n, rule = _longest(text, pieces[i:], language, follows=bool(found))
        said = text[pieces[i][0] : pieces[i + n - 1][1]].strip()
        if rule is not None:
            found.append(Pair(rule, said))
        elif not _NOISE.match(said):
            left.append((i, i + n))
        i += n
    together = all(one[1] == other[0] for one, other in pairwise(left))
    if not (found and together) or len(found) > _MOST:
        return [], text
    return found, text[pieces[left[0][0]][0] : pieces[left[-1][1] - 1][1]].strip() if left else ""


def _longest(
    text: str, pieces: list[tuple[int, int]], language: Language, *, follows: bool
) -> tuple[int, Placed | None]:
    """(how many pieces, the rule they are): a "when" has its place in the next piece, a name may hold an "and"."""
    for n in range(min(_JOINED, len(pieces)), 0, -1):
        if rule := _one(text[pieces[0][0] : pieces[n - 1][1]].strip(), language, follows=follows):
            return n, rule
    return 1, None


def _pieces(text: str) -> list[tuple[int, int]]:
    edges = [0]
    for cut in _CUT.finditer(text):
        edges += [cut.start(), cut.end()]
    edges.append(len(text))
    return [(a, b) for a, b in zip(edges[::2], edges[1::2], strict=True) if text[a:b].strip()]


def _one(said: str, language: Language, *, follows: bool) -> Placed | None:
    """The single rule that these words are."""
    bare = said.strip(" ，,。;；")
    if len(_CUT.findall(bare)) == 0 and (form := placed(bare, language)):
        return None if _NO_KIND.search(form.what) else form
    patterns = (_ARROW, _CALLED_ZH, *(_ZH if language == "zh" else _EN if follows else _EN[:-1]))
    for pattern in patterns:
        found = pattern.match(bare)
        if found and not _NO_KIND.search(found["what"].strip()) and not _NO_PLACE.search(found["where"]):
            return Placed(_ADVERBS.sub("", found["what"].strip()), found["where"].strip())
    return None
