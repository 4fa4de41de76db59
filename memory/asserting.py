"""Whether the person said a relation at all, or a line only has their words: 帮我看看苏州的天气 tells of no home.

A model that fills in what it expects copies true words into a false sentence; names and numbers are then all covered.
Form alone, and only where it is plain: a request tells nothing of oneself, and some relations have words of their own.
"""

from __future__ import annotations

import re

from memory.concepts import concepts
from memory.language import language_of
from memory.phrasing import stated
from memory.words import has_han

_FOR_ME = re.compile(  # the person as the one a request is for
    r"(?:帮|给|替|为|跟|和|教|陪|让|叫|请|提醒|告诉|推荐|发|带|麻烦|回|问)(?:一下)?我|我(?:想|要|得|该|能|可以|"
    r"应该|需要)(?:知道|看|查|问|买|订|去|找|写|了解|学)?|"
    r"\b(?:tell|show|give|help|remind|send|let|get|find|teach|for|to|with|ask|book|make|wish|call|text|email) me\b|"
    r"\b(?:can|could|should|shall|may|do|did|will|would|must|where|how|what) i\b|\bi (?:want|need|['’]?d like|"
    r"would like|wonder|was wondering|have to|must|should|can)\b"
    r"|\bi['’]d like\b",
    re.I,
)
_ONESELF = re.compile(
    r"我|咱|俺|本人|\b(?:i|i['’]?m|i['’]ve|my|mine|myself|we|we['’]re|our|ours|us|im|ive)\b", re.I
)
# Other ways to say a relation than the words a question about it has.
_ALSO = {
    "home": re.compile(
        r"搬|家|定居|落户|租|房|在(?=\S)|人(?:$|[，。,.!！])|本地|小区|街|楼|\b(?:here|from|moved?|moving|rent\w*|"
        r"flat|apartment|house|home|in|"
        r"at|near|based|resident|address|settled|neighbou?rs?)\b",
        re.I,
    ),
    "birthday": re.compile(r"出生|生于|岁|周岁|\b(?:born|turn\w*|birth\w*|years? old|bday)\b", re.I),
    "allergy": re.compile(
        r"过敏|起疹|疹|不耐|不能(?:吃|碰|喝)|吃了?\S{0,4}(?:痒|肿|吐)|\b(?:allerg\w*|react\w*|intoleran\w*|epipen|"
        r"hives|rash|"
        r"can(?:no|['’]?)t (?:eat|have|drink|touch)|anaphyla\w*|nut[- ]free|coeliac|celiac)\b",
        re.I,
    ),
}
_LIVES = re.compile(r"住|定居|家在|\b(?:lives?|living|resides?|home) (?:in|at|near|is)\b", re.I)


def unasserted(text: str, words: str) -> bool:
    """Whether a fact tells a relation that nothing in the words asserts.

    Args:
        text: the fact.
        words: all that the person typed, and what it answers.
    """
    told, said = concepts(text).facts, concepts(words).facts
    for relation, others in _ALSO.items():
        if relation == "home" and not _LIVES.search(text):
            continue  # "moved", "is from": said in too many ways
        if relation in told and relation not in said and not others.search(words):
            return True
    return _only_asked(words) and not (told & said) and bool(told or _LIVES.search(text))


def _only_asked(words: str) -> bool:
    """Whether the words are requests and questions alone, and say nothing of the one who makes them."""
    language = language_of(words) or ("zh" if has_han(words) else "en")
    return not stated(words, language).strip() and not _ONESELF.search(_FOR_ME.sub(" ", words))
