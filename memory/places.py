"""The two parts of a filing rule, cleaned: which pictures, and which category."""

from __future__ import annotations

import re

from memory.wording import Language
from memory.words import has_han

_SHOT_ZH = re.compile(r"截图|截屏|截的图?|截个?图")
_PHOTO_ZH = re.compile(r"照片|相片|拍的|拍照|[我你]?拍")
_KIND_ZH = re.compile(r"图|照|片|截屏|影|画|表|单|票|证|书|卡|信|条码|维码|报|页")
_SHOT_EN = re.compile(r"\bscreen ?(?:shots?|grabs?|caps?)\b", re.I)
_PICTURE_EN = re.compile(
    r"\b(?:screen ?shots?|screen ?grabs?|photos?|pictures?|pics?|images?|shots?|scans?|snaps?)\b", re.I
)
_LEAD_ZH = re.compile(
    r"^(?:如果|要是|假如|凡是?|所有|一切|每次|以后|只要|任何|全部|把|将|但凡|碰到|遇到|看到|收到|见着)*"
    r"(?:(?:我|你|您)?(?:发|传|寄|拍|截)(?:给你|过来|来|到)?的(?:图片?|照片|截图)?(?:里面?)?(?:要是|如果)?|我(?:拍|"
    r"截|发)(?=.{2}))?"
    r"(?:要?是|里有|有|一?张)?(?=.{2})"
)
_TAIL_ZH = re.compile(
    r"(?:往后|以后|今后|日后|那[种类个些]|这[种类个些]|一类|之类|这样|那样|什么|等等|全部|统统|一律|都|的话|的时候|时|们|东西|[呢啊吧哈嘛]|，|、|,)+"
    r"的?(?:图片?|照片|截图)?$|的$"
)
_LEAD_EN = re.compile(
    r"^(?:(?:put|save|store|move|stick|drop|archive|keep|actually|so|ok|okay|also|well|and|but|then|now|please|"
    r"any ?time|every ?time|whenever|if|when|i|you|we|send|sends|get|take|there'?s?|is|are|its|"
    r"it's|a|an|any|all|every|each|the|my|"
    r"our|those|these|some|see|snap|screenshot|grab|upload|anything|everything|stuff|that|looks?|like|about|with|"
    r"from now on)\s+)+(?=\S)",
    re.I,
)
_TAIL_EN = re.compile(
    r"(?:[\s,]+(?:then|just|i send|you see|and such|and so on|and the like|etc\.?|that sort of thing|stuff|"
    r"things?|it|they|them|in the photo))+$",
    re.I,
)
_MARKS = " \t,，.。!！?？:：;；、\"'“”‘’「」『』【】《》()（）-—→>*`"
_FOLDER = re.compile(
    r"(?:这?个?(?:分类|类别|文件夹|相册|目录|里面?去?|里头去?|下面|那栏|那边|那类|这类|栏目?))+$"
)
_FOLDER_EN = re.compile(r"\s+(?:folder|category|album|section|bucket|please|pls|thanks)$", re.I)


_SENT_EN = re.compile(
    r"(?<=\w)\s+(?:that |which )?(?:i|we)(?: (?:ever )?(?:send|sent|take|took)(?: you)?)?$", re.I
)


def kind_of_picture(what: str, message: str, language: Language) -> str:
    """Which pictures a rule is about, as a noun: "代码" in a message about screenshots → "代码截图"."""
    what = what.strip(_MARKS)
    if not what:
        return ""
    if language == "zh" and has_han(what):
        bare = _LEAD_ZH.sub("", what)
        bare = _TAIL_ZH.sub("", bare).strip(_MARKS) or bare
        if not _KIND_ZH.search(bare[-3:]):
            bare += "截图" if _SHOT_ZH.search(message) else "照片" if _PHOTO_ZH.search(message) else ""
        return bare
    bare = _TAIL_EN.sub("", _LEAD_EN.sub("", _SENT_EN.sub("", what))).strip(_MARKS) or what
    if re.match(r"(?:from|by|of|for|at)\b", bare, re.I):
        bare = f"anything {bare}"  # and not what is left of it
    if language == "en" and _SHOT_EN.search(message) and not _PICTURE_EN.search(bare):
        return f"{bare} screenshots"
    if language == "zh" and not has_han(bare):
        return bare + ("截图" if _SHOT_ZH.search(message) else "照片" if _PHOTO_ZH.search(message) else "")
    return bare


_NOTHING = re.compile(
    r"(?:[给把将]|算了?|单独|另外|还是|统一|次|只|外|它们?|他们|那[个些种张]?|这[个些种张]?|东西|一下|[我你就先再都也全]|"
    r"张?图片?|下面|下一?张|刚才|"
    r"全部|所有|以后|现在|回|改|换)+|"
    r"(?:(?:it|them|this|that|these|those|they|ones?|stuff|things?|actually|just|instead|back|the|next|last|once|now|"
    r"always|so|too|again|rather|here|there|ok|no|wait|please|again)\b\W*)+",
    re.I,
)


def says_nothing(what: str) -> bool:
    """Whether the words found for a kind of picture name none: "it", "them", 那些, 还是."""
    return not what.strip(_MARKS) or _NOTHING.fullmatch(what.strip(_MARKS)) is not None


_NO_NAME = re.compile(
    r"(?:don['’]?t|do not|not|no|never|please|pls|thanks?|ok(?:ay)?|me|you|it|them|that|this|ask|now|always|so|too|"
    r"here|there|what|which|where|wherever|somewhere|anywhere|\s)+|"
    r"(?:这|那)(?:儿|里|边|个)?|[吃喝用看去来行好成要放]?[不没吗呢吧]|别|一起|一块儿?|哪(?:儿|里)?|什么|啥",
    re.I,
)


def names_nothing(where: str) -> bool:
    """Whether the words found for a category are none that one could bear: "dont", "there", 吃不."""
    return _NO_NAME.fullmatch(where.strip(_MARKS)) is not None


_CALLED = re.compile(
    r"[「『“\"](?P<zh>[^」』”\"]{1,16})[」』”\"]|"
    r"(?P<en>[A-Z][\w&'’-]*(?: [A-Z&][\w&'’-]*){0,3}) (?:folder|category|album)\b|"
    r"(?P<bare>[\u4e00-\u9fff]{1,8})(?:文件夹|分类|相册)"
)


def place_named(text: str) -> str:
    """The category that a text names last ("Stock Prices folder"), for a "there" that follows; else ""."""
    found = [m["zh"] or m["en"] or m["bare"] for m in _CALLED.finditer(text)]
    return found[-1] if found else ""


_THERE = re.compile(r"(?<=..)(?:那儿|那边|那里|这儿|里头|里面)$")


def place(where: str) -> str:
    """A category's name without the words around it."""
    where = re.sub(r"[.!]\s*(?:always|ever|every time|from now on|please|thanks)\W*$", "", where, flags=re.I)
    bare = re.sub(r"^(?:到|进|入|去|在)\s+", "", where.strip(_MARKS))
    cut = _FOLDER.sub("", _THERE.sub("", bare)).strip(_MARKS)
    cut = _FOLDER_EN.sub("", cut).strip(_MARKS)
    return cut or bare
