"""What the person asks for one picture only ("put this one in Misc", 这张先放杂项). Never a rule."""

from __future__ import annotations

import re
from collections.abc import Sequence

from classifiers.kinds import fold
from classifiers.rules import known_place, match_one, place_of

_ONCE = re.compile(
    r"(?:就|只|仅)?(?:限|在)?这一?[次回](?:而已|先|就好)?|(?:就|只|仅|仅此|只此)(?:这|那)?一[次回张个](?:图|片)?|下不为例|破例|例外|一次性(?:地|的)?|"
    r"\b(?:just|only)?\s*(?:for\s+)?this\s+(?:once|(?:one\s+)?time)(?:\s+(?:only|round))?\b|\bjust\s+(?:the\s+)?once\b|"
    r"\bonly\s+(?:for\s+)?this\s+one(?=\s*(?:[,.;:]|$))|\bfor\s+(?:now|once|the\s+moment)\b|"
    r"\b(?:as\s+)?(?:a|an)?\s*(?:one-?off|exception)\b|\bexceptionally\b",
    re.IGNORECASE,
)
_THIS = re.compile(
    r"^(?:请|麻烦|帮我|帮忙|那就|就|先|把|将|给我|你)*(?:刚才|刚刚|刚|等会儿?|待会儿?|等下|一会儿?|接下来|下面|后面|前面|上面|我发|要发)*的?"
    r"(?:这|那|此|本|上|下|前|后|最后|它)?[一几两次回]?的?(?:这|那)?[张个些幅份]?的?(?:图片?|截图|照片)?(?:\s*[#＃第]\s*\d+\s*[张号]?\s*)?"
    r"(?:单独|也|先|暂时|就|都|给我|请|帮我|麻烦|要)*$"
)
_THIS_EN = re.compile(
    r"^(?:please|can you|could you|would you|just|ok(?:ay)?|and|so|for|then|\s)*"
    r"(?:this|that|it|these|those|them|the\s+(?:next|last|previous|following|first|latest)|(?:my\s+)?next|last)?"
    r"(?:\s*(?:one|picture|photo|screenshot|image|pic|shot)s?)?(?:\s+(?:please|just|should|can|may))*$",
    re.IGNORECASE,
)
_STATES = re.compile(
    r"(?:\b(?:is|are|was|were)|['’](?:s|re))\s+(?:in|on|at|under|inside|within)\b", re.IGNORECASE
)
_NO_PLACE = re.compile(
    r"(?:着|好|一放|一下|一[边旁]|[这那][儿里边]?|.*[桌地床]上|(?:别|其他|其它)的?地方|.*(?:哪|什么|怎么).*|"
    r"mind|touch|here|there|place|(?:a )?safe(?: place)?|some(?:where|thing)(?: else)?|.*\b(?:where|which|what)\b.*)",
    re.IGNORECASE,
)
_NAME_ONLY = re.compile(
    r"^\s*(?:→|->|=>|[#＃](?!\s*\d)|放|归档[:：]?|file\s*[:：]|category\s*[:：]|分类\s*[:：])\s*(?P<where>.{1,40})$",
    re.IGNORECASE,
)
_AHEAD = re.compile(
    r"(?<!以)下(?:面|一|次|回|个|几|两)*(?:这|那|发)?[一几两]?的?[张幅]|下一?[次回]|接下来|(?:待会|等会|等下|一会)儿?|"
    r"(?:马上|准备|正要|要|再)发|后面(?:这|那|发)?[一几]?的?[张幅]|"
    r"\b(?:next|following|upcoming|coming)\b|\b(?:about|going|gonna)\s+(?:to\s+)?send\b|\bi(?:['’]ll|\s+will)\s+send\b",
    re.IGNORECASE,
)
_CALLED_OFF = re.compile(
    r"^\W*(?:(?:还是)?算了|(?:还是)?不用了|不必了|取消|撤[销回]|当我没说)|"
    r"\b(?:never\s?mind|forget\s+(?:it|that)|cancel\s+(?:it|that)|scrap\s+that|undo)\b",
    re.IGNORECASE,
)
_NOT = re.compile(r"不[用要必再]|别|\b(?:not|don['’]?t|no longer)\b", re.IGNORECASE)
_MARKS = " 。.!！?？~～"


def says_once(words: str) -> bool:
    """Whether the words themselves say that they are meant for once."""
    return _ONCE.search(words) is not None


def points_ahead(words: str) -> bool:
    """Whether a wish is about a picture that is still to come, as the words themselves say."""
    return _AHEAD.search(words) is not None


def calls_off(words: str) -> bool:
    """Whether words said after a wish for a picture still to come take it back ("never mind", 下一张不用放那了)."""
    return _CALLED_OFF.search(words) is not None or (points_ahead(words) and _NOT.search(words) is not None)


def read_wish(caption: str, categories: Sequence[str]) -> str | None:
    """The category that words about one picture ask for; None if they ask nothing."""
    text = caption.strip(_MARKS)
    if not text or len(text) > 120:
        return None
    exact = [name for name in categories if fold(name) == fold(text)]
    if exact:
        return exact[0]
    for piece in dict.fromkeys([text, *re.split(r"[，,。；;]\s*", text)]):
        bare = _ONCE.sub(" ", piece).strip(f"{_MARKS},，、:：")
        if bare and (found := _wished(" ".join(bare.split()), categories)):
            return found
    return None


def _wished(piece: str, categories: Sequence[str]) -> str | None:
    if _STATES.search(piece):
        return None
    hit = match_one(piece)
    if hit and not hit[2] and (_THIS.match(hit[0]) or _THIS_EN.match(hit[0].strip())):
        where = hit[1]
    elif match := _NAME_ONLY.match(piece):
        where = place_of(match["where"])
    else:
        return None
    where = where.strip(f"{_MARKS} 「」\"'“”")
    return None if _NO_PLACE.fullmatch(where) else known_place(where, categories) or where or None
