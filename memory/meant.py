"""Whether a sentence bears out a line as something the person means, of whom they mean it: by form alone.

Stricter than the guard of every write, since nobody is there to be asked by night: not somebody else's taste as the
person's own, not what is only supposed, not a price or a state of the day, and no permission. Where form cannot tell,
it lets pass: the guard judges as well.
"""

from __future__ import annotations

import re

from memory.language import language_of
from memory.people import KIN, SAID_EN, SAID_ZH
from memory.speech_acts import relays

_SUPPOSED = re.compile(
    r"如果我?是|要是|假如|假设|假使|倘若|万一|想象|就好了|扮演|\bif (?:i|we) (?:were|was|had|could)\b|\bif only\b|"
    r"\b(?:suppos(?:e|ing)|imagine|pretend|let['’]s say|what if|role[- ]?play)\b",
    re.I,
)
_LIVE = re.compile(
    r"库存|现货|现价|报价|售价|单价|股价|汇率|余额|审批|待审|已审|缺货|有货|到货"
    r"|\d\s*(?:元|块|美元|欧元)?\s*(?:一|每|/)\s*[瓶件个斤克台箱盒吨股张份]"
    r"|\b(?:in|out of) stock\b|\bstock (?:level|price)|\bexchange rate\b|\bpending approval\b|\bapproval (?:is|was)\b|"
    r"\b(?:got|was|is|were|are|been) approved\b|\bcosts? [$€£¥]?\d|\bpriced? (?:at|is|of)\b",
    re.I,
)
_ALLOWS = re.compile(
    r"(?:你|助手|机器人|AI).{0,4}(?:有权|有权限|可以直接|被授权|获准)|授权你|允许你|(?:允许|同意|授权)(?:直接|自动)"
    r"|\byou (?:have|['’]ve) (?:my |the |full )?permission\b|\byou(?: are|['’]re) (?:allowed|authori[sz]ed)\b"
    r"|\b(?:assistant|bot) (?:may|is allowed|is authori[sz]ed)\b",
    re.I,
)
_OF_USER = re.compile(r"\W*(?:该?用户|本人|我(?!们)|(?:the )?user(?!['’]s)\b|i(?:['’]m)?\b)", re.I)
_KIN_BEHIND = rf"(?:们|家)?(?:的)?(?:{KIN}|朋友|哥们|[^\s，。]{{0,3}}(?:总|工|姐|哥))"
_I = re.compile(rf"我(?!{_KIN_BEHIND})|咱|本人|\b(?:i|i['’](?:m|ve|d|ll)|me|we|mine)\b", re.I)
_MY = re.compile(r"^(?:我|咱|俺)(?:们|家)?的?|^(?:my|our)\s+", re.I)
_NAMED = re.compile(  # somebody else opens the sentence
    r"^\W*(?:[A-Z][a-z]+ (?:is|isn['’]?t|does|doesn['’]?t|has|hates?|likes?|loves?|lives?|works?|"
    r"wants?|thinks?|says?|prefers?)\b"
    r"|(?:他|她|[小老][\u4e00-\u9fff]|[\u4e00-\u9fff]{2,3})(?:说|想|要|喜欢|讨厌|希望|觉得|不吃|不喜欢|爱|住|是))"
)


def unmeant(text: str, sentence: str, *, rule: bool = False) -> str:
    """Why a sentence of the person's does not bear out a line; "" when nothing speaks against it.

    Args:
        text: the line, in words of its own.
        sentence: what was said, the whole sentence.
        rule: whether it would be an instruction.
    """
    told = relays(sentence, language_of(sentence) or "en")
    of_user = rule or _OF_USER.match(text) is not None
    reasons = (
        ("only supposed", bool(_SUPPOSED.search(sentence)) and not _SUPPOSED.search(text)),
        ("a price, a stock or a state of the day", bool(_LIVE.search(f"{text}\n{sentence}"))),
        ("a permission, which no page can give", bool(_ALLOWS.search(f"{text}\n{sentence}"))),
        ("somebody else's, not the person's own", of_user and (told or _anothers(text, sentence))),
    )
    return next((reason for reason, holds in reasons if holds), "")


def _anothers(text: str, sentence: str) -> bool:
    """Whether the sentence is about somebody the line does not name, and not about the person who says it."""
    if _I.search(sentence):
        return False
    kin = SAID_ZH.search(sentence) or SAID_EN.search(sentence) or re.search(rf"我{_KIN_BEHIND}", sentence)
    if kin is not None:
        return _MY.sub("", kin[0]).casefold() not in text.casefold()
    return _NAMED.search(sentence) is not None
