"""Read the standing instructions that keep pictures out of every category: "Do not file memes", 聊天截图不归档.

Such pictures are not filed, and not lost either: the original is kept in one place beside the categories
(`categories.UNFILED`), and its receipt names the rule. Whether a picture is one of them is decided in
`classifiers.obeying`, as for every rule.
"""

from __future__ import annotations

import re

_NOT = (
    r"(?:不(?:要|用|必|需要?|想|许|准|该|应该?|再)?|无[需须]|别|甭|勿|请勿|禁止|停止|拒绝)"
    r"(?:再|帮我|给我|替我|自动|往后|继续)*"
)
_KEEP = r"(?:归档|归类|存档|入档|存图|保存|收录|收藏|收纳|整理|分类|存|收|留|归)(?:着|起来|下来|进来|进去)?"
_TAIL = r"(?:了|啦|吧|啊|呀|就行|就好|即可|就是|它们?|掉)*"
_PLACE = r"(?![到进入在为成作至「『“])"
_ALL_ZH = r"(?:以后|今后|往后|从今天起|从现在起|今天起|一律|统统|通通|全都?|都|就|也|请|一概|的话|[，,])*"
_ZH = (
    re.compile(rf"^(?:把|将)?(?P<what>.{{1,60}}?){_ALL_ZH}{_NOT}{_KEEP}{_TAIL}$"),
    re.compile(rf"^(?:但是?|不过)?{_ALL_ZH}{_NOT}(?:把|将)(?P<what>.{{1,60}}?){_KEEP}{_TAIL}$"),
    re.compile(rf"^(?:但是?|不过)?{_ALL_ZH}{_NOT}{_KEEP}{_PLACE}(?P<what>.{{1,60}}?){_TAIL}$"),
)

_VERB = r"(?:fil(?:e|ing)|sav(?:e|ing)|keep(?:ing)?|stor(?:e|ing)|archiv(?:e|ing)|sort(?:ing)?|categori[sz](?:e|ing))"
_DONE = r"(?:filed|saved|kept|stored|archived|sorted|categori[sz]ed)"
_NOT_EN = (
    r"(?:(?:do|should|must|need)(?: not|n[’']?t)|never|no longer|stop|quit|avoid|refuse to|no need to|needn[’']?t|"
    r"you (?:do not|don[’']?t|need not|needn[’']?t) (?:have to|need to)?)"
)
_END_EN = r"(?:,? (?:any ?more|any longer|from now on|please|for me|at all|in future|either|again))*"
_EN = (
    re.compile(
        rf"^(?:(?:please|from now on|starting today|so|and|but|just|always),? )*(?:you )?{_NOT_EN} "
        rf"(?:(?:to|ever|bother(?: to|ing(?: to)?)?|even|start|automatically) )*{_VERB} (?P<what>.{{1,80}}?){_END_EN}$",
        re.IGNORECASE,
    ),
    re.compile(
        rf"^(?P<what>.{{1,80}}?)(?:,? (?:from now on|please|just|they|these))* "
        rf"(?:(?:should|must|need|do|does|are|is|can|shall|will|to|may|want)(?: not|n[’']?t)|"
        rf"cannot|are never|should never|must never|never|needn[’']?t|no longer)"
        rf"(?: (?:to|be|get|have|need|being|getting))* (?:{_DONE}|(?:fil|sav|keep|stor|archiv)ing){_END_EN}$",
        re.IGNORECASE,
    ),
    re.compile(
        rf"^no (?:more )?(?:filing|saving|archiving)(?: of)? (?P<what>.{{1,80}}?){_END_EN}$", re.IGNORECASE
    ),
)
_INTO = re.compile(r"\b(?:in|into|under|inside|within)\b|[「『“\"]", re.IGNORECASE)


def left_out(text: str) -> str | None:
    """Which pictures one thing that is said wants in no category; None when it wants nothing of the kind."""
    text = " ".join(text.strip(" 。.!！").split())
    for pattern in (*_ZH, *_EN):
        match = pattern.match(text)
        if match is not None and (what := match["what"].strip(" ，,：:、的")) and not _INTO.search(what):
            return what
    return None
