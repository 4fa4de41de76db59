"""The one kind of rule that other code acts on: which pictures go where.

Such a rule is stored in a normal form, so that a judge of pictures, the check at write and the person all read
the same thing: 代码截图归档到「代码笔记」 · File code screenshots under "Code notes".
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from memory.wording import Language
from memory.words import content, fold, has_han, stem

SCOPE = {"zh": "归档图片", "en": "filing pictures"}

_NORMAL = (
    re.compile(
        r"^(?:把|将)?(?P<what>.{1,80}?)(?:一律|都|就|应|应该|全部|统统|统一)?归档到「(?P<where>[^」]{1,60})」[。.]?$"
    ),
    re.compile(r"^File (?P<what>.{1,120}?) under [\"“](?P<where>[^\"”]{1,60})[\"”][.]?$", re.I),
)
# How models and people who edit the file put it; only read, never written.
_LOOSE = (
    re.compile(
        r"^(?:以后|今后|如果|凡是|所有|把|将|的)*(?P<what>.{1,60}?)[，,]?(?:请|一律|都|就|应该|应|全部|统统|统一|"
        r"要|给我)*"
        r"(?:归档?|放|存|收|搁|丢|移|保存|归类|分类|归入)(?:到|在|进|入|至|"
        r"为)?\s*[「『“\"]?(?P<where>[^「」『』“”\"，。,]{1,30}?)"
        r"[」』”\"]?\s*(?:这?个?(?:分类|类别|文件夹|目录|里面?|下面?|中)|这一?[类栏])*[。.]?$"
    ),
    re.compile(
        r"^(?:always |please )*(?:file|put|save|store|place|keep|archive|move) (?P<what>.{1,80}?) "
        r"(?:under|in|into|to) (?:the )?[\"“]?(?P<where>[^\"”.]{1,60}?)[\"”]?(?: (?:category|folder|"
        r"album))?[.]?$",
        re.I,
    ),
    re.compile(
        r"^(?P<what>.{1,80}?) (?:go|goes|belong|belongs|should go|should be filed|are filed|is filed) "
        r"(?:under|in|into|to|with) (?:the )?[\"“]?(?P<where>[^\"”.]{1,60}?)[\"”]?(?: (?:category|"
        r"folder|album))?[.]?$",
        re.I,
    ),
)
_PICTURE = re.compile(
    r"截图|截屏|照片|图片|相片|拍的|拍照|那[种类]|这[种类]|一类|之类|[图照]$|所有|全部|"
    r"\b(?:screen ?shots?|photos?|pictures?|pics?|images?|shots?|of|any|all|every)\b",
    re.I,
)


@dataclass(frozen=True, slots=True)
class FilingRule:
    """Pictures of `what` go to `where`."""

    what: str
    where: str


def phrase(what: str, where: str, language: Language) -> str:
    """The normal form."""
    what, where = what.strip(" ,，。."), where.strip(" \"'“”「」『』‘’")
    if language == "zh":
        return f"{what}归档到「{where}」"
    return f'File {what} under "{where}"'


def read_rule(text: str, when: str | None = None) -> FilingRule | None:
    """The rule in a stored line: its normal form anywhere, looser words only where pictures are spoken of."""
    for pattern in _NORMAL:
        if found := pattern.match(text.strip()):
            return FilingRule(found["what"].strip(), found["where"].strip())
    if when not in SCOPE.values() and not (_PICTURE.search(text) and when is None):
        return None
    for pattern in _LOOSE:
        if found := pattern.match(text.strip()):
            return FilingRule(found["what"].strip(), found["where"].strip())
    return None


def same_kind(left: str, right: str) -> bool:
    """Whether two `what`s name the same kind of picture ("代码的截图", "代码截图")."""
    return bool(kind := kind_words(left)) and kind == kind_words(right)


def kind_words(what: str) -> tuple[str, ...]:
    """The words of content in a `what`, without those for any picture: code screenshots are no receipt screenshots."""
    bare = _PICTURE.sub(" ", fold(what))
    parts = content(bare)
    if not parts:  # "all screenshots": the kind is the picture itself
        parts = [stem(word) if not has_han(word) else word for word in fold(what).split()]
    return tuple(parts) if has_han(bare) else tuple(sorted(parts))


def same_place(left: str, right: str) -> bool:
    """Whether two `where`s are one place."""
    return fold(left).strip("「」『』“”\"' ") == fold(right).strip("「」『』“”\"' ")
