"""Whether a line to be stored is one whole sentence: with whom it is about, and something told of them."""

from __future__ import annotations

import re

from memory.people import SAID_EN, SAID_ZH
from memory.wording import Language
from memory.words import content

_DANGLES_EN = re.compile(
    r"^(?:it|it['’]?s|its|that|that['’]?s|this|these|those|they|they['’]?re|he|she|there|there['’]?s|and|but|so|or|"
    r"because|if|when|while|which|who|then|also|plus|to|for|of|with|not|just|yes|no|what|how|why)\b",
    re.I,
)
_DANGLES_ZH = re.compile(r"^(?:这|那|它|而且|所以|但是?|因为|不过|然后|就|才|也|还|都|又|或者|以及|的|了)")
_HERE = re.compile(
    r"(?:^|[在到去来从住，、])[这那](?:边|里|儿)|\b(?:over here|over there)\b|\bhere$", re.I
)  # wherever that was
_CUT_OFF = re.compile(
    r"(?:\b(?:the|a|an|and|or|but|of|to|that|which|with|because|so)|[和跟与或]|因为|但是?|所以)$", re.I
)
_OF_USER_EN = re.compile(r"\buser(?:['’]s)?\b", re.I)
_NAMED_EN = re.compile(
    r"^(?:The |Our )?[A-Z\u00c0-\u00de][\w'’-]+(?: [A-Z\u00c0-\u00de][\w'’-]+)*['’]?s? [a-z\d]"
)
_NOT_NAMES = re.compile(
    r"^(?:barely|hardly|never|always|just|still|only|also|maybe|perhaps|probably|finally|got|had|went|feeling|"
    r"sounds?|looks?|"
    r"thanks?|good|great|nice|sorry|can(?:['’]?t)?|could|would|should|will|let['’]?s|coffee|morning|guess|think|"
    r"hope|been|"
    r"need|want|[a-z]+ing|[a-z]+ly)\b",
    re.I,
)
_COMPLAINS_ZH = re.compile(
    r"^(?:用户|用户自己|自己)(?:也|都|又|真的?)?(?:自己)?(?:老是?|总是?|总|经常|每次|常常|都|又)*"
    r"(?:记不住|记不得|忘了?|忘记了?|想不起来|不知道|不晓得|不清楚|不确定|不懂|没想好|没想到|搞不懂|"
    r"搞不清)[^，。]{0,4}$"
)
_COMPLAINS_EN = re.compile(
    r"^the user (?:can never|never can|can['’]?t|cannot|keeps?|always|does not|doesn['’]?t|is not|never) "
    r"(?:remembers?|forget(?:s|ting)?|knows?|sure|recall)\b[^,.]{0,20}$",
    re.I,
)
# A thing and nothing told of it: 72伏的电池, "The bike lockup on Elm St."
_THING_ZH = re.compile(
    r"^[^，,。是有在会能要叫姓对住学做养爱喜不没去来]{1,12}的[^，,。是有在会能要叫姓住学做养爱喜不没了着过得对]{1,6}$"
)
_THING_EN = re.compile(
    r"^(?:The|A|An) (?!.*(?:\b(?:is|are|was|were|has|have|had|can|cannot|will|does|did|do|went|got|goes)\b|['’]s |"
    r"\b[a-z]{2,}(?:s|ed)\b))",
)
_OF_THE_USER = re.compile(r"用户|^the user\b(?!['’]s)", re.I)
_USER = frozenset(["用户", "我", "my", "the", "user", "user's", "theirs", "them"])


def stands_alone(text: str, language: Language, *, asked: bool) -> bool:
    """Whether a fact can be read and believed by itself.

    Args:
        asked: keeping it was asked for; then it may be about anything ("the bins go out on Thursdays").
    """
    bare = text.strip(" .。!！,，;；")
    if (_COMPLAINS_ZH if language == "zh" else _COMPLAINS_EN).search(bare) or _CUT_OFF.search(bare):
        return False
    if (_DANGLES_ZH if language == "zh" else _DANGLES_EN).search(bare) or _HERE.search(bare):
        return False
    thing = _THING_ZH if language == "zh" else _THING_EN
    if not asked and not _OF_THE_USER.search(bare) and thing.search(bare):
        return False
    bare = (
        re.sub(r"^the user['’]s", "my", bare, flags=re.I)
        if language == "en"
        else bare.replace("用户", "我", 1)
    )
    whose = (SAID_ZH if language == "zh" else SAID_EN).match(bare)
    told = [
        word
        for word in content(bare[whose.end() :] if whose else bare)
        if word not in _USER and word != "用户"
    ]
    if not told:
        return False
    if language == "zh" or asked or _OF_USER_EN.search(text):
        return True
    return _NAMED_EN.search(bare) is not None and _NOT_NAMES.search(bare) is None
