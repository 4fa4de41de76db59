"""Whose fact or wish it is: what is said of somebody else is never stored as the person's own."""

from __future__ import annotations

import re

from memory.language import language_of
from memory.people import KIN, SAID_EN, SAID_ZH
from memory.speech_acts import relays
from memory.words import squeeze

_KIN_ZH = (
    r"(?:妈妈?|母亲|爸爸?|父亲|爹|老公|丈夫|老婆|妻子|太太|媳妇|儿子|女儿|孩子|闺女|哥哥?|弟弟?|姐姐?|妹妹?|爷爷|"
    r"奶奶|外公|外婆|姥姥|姥爷|"
    r"婆婆|公公|岳父|岳母|老板|领导|上司|经理|同事|室友|邻居|房东|男朋友|女朋友|男友|女友|朋友|闺蜜|导师|老师|客户|"
    r"同学|亲戚|爸妈|父母|"
    r"猫|狗)"
)
_KIN_EN = (
    r"(?:mother|mum|mom|father|dad|parents?|husband|wife|partner|sons?|daughters?|kids?|child(?:ren)?|"
    r"brothers?|sisters?|"
    r"grand\w+|uncle|aunt|cousin|boss|manager|colleagues?|co-?workers?|flatmate|roommate|neighbou?rs?|"
    r"landlord|"
    r"boyfriend|girlfriend|friends?|teacher|clients?|doctor|cat|dog)"
)
_OTHER_ZH = re.compile(
    rf"^(?:但是?|不过|而且|另外|其实|因为|所以|对了|嗯)?[，,]?(?:(?:我|咱|我们)(?:的|家的?)?{_KIN_ZH}|{_KIN_ZH}|"
    rf"[他她](?:们)?|"
    r"[小老阿][\u4e00-\u9fff](?=[喜爱讨恨不要想说住在是有没吃喝对]))"
)
_OTHER_EN = re.compile(
    rf"^(?:but |and |also |well,? |because |so )?(?:(?:my|our|his|her|their) (?:\w+ )?{_KIN_EN}\b|he\b|"
    rf"she\b|they\b)",
    re.I,
)
_NAMED_EN = re.compile(
    r"^([A-Z][a-z]+) (?:is|was|has|had|lives?|likes?|hates?|loves?|works?|wants?|moved|needs?|"
    r"prefers?|thinks?|eats?|can['’]?t|isn['’]?t|doesn['’]?t|does not|never|says?|plays?|drinks?|enjoys?)\b"
)
_NAMED_ZH = re.compile(  # a surname and one or two characters: 周末 and 高温 are no people
    r"^([王李张刘陈杨赵吴徐孙朱胡郭何林罗郑梁谢宋唐许邓冯韩曹曾彭萧蔡潘袁董余苏魏吕丁任沈姚卢姜崔钟谭陆汪范石廖贾韦夏方邹熊孟秦邱侯江尹薛阎段雷]"
    r"[\u4e00-\u9fff]{1,2}?|[老小阿][\u4e00-\u9fff])"
    r"(?=不?(?:喜欢|爱吃|爱喝|讨厌|希望|觉得|吃|喝|住在|过敏|对\S{1,6}过敏|想要|想学|养了?|怕))"
)
_BARE_I = re.compile(  # "my dad" is not about me
    rf"我(?!(?:们|家)?的?(?:{KIN}|朋友|哥们))|咱|俺|本人|\b(?:i|i['’](?:m|ve|d|ll)|me|we|mine)\b", re.I
)
_MY = re.compile(r"^(?:我|咱|俺)(?:们|家)?的?|^(?:my|our)\s+", re.I)
_OWN = re.compile(r"我|咱|俺|\b(?:I|me|my|mine|we|us|our)\b")
_ABOUT_USER = re.compile(r"^(?:用户(?!的)|The user (?!['’]s)(?=\w)|The user(?!['’]s)\b)", re.I)
_ANYBODY = re.compile(rf"{_KIN_ZH}|[他她]|\b(?:{_KIN_EN}|he|she|they)\b", re.I)
_WISH = re.compile(
    r"(?:说|希望|想让?|要求|让|觉得|建议|喜欢|要)|\b(?:says?|said|wants?|wanted|asks?|asked|likes?|prefers?|thinks?|"
    r"insists?|hopes?)\b",
    re.I,
)


def somebody_else(text: str, clause: str, *, fact: bool) -> bool:
    """Whether a line speaks of the user where the clause it rests on speaks of somebody else.

    Args:
        clause: the clause, or sentence, of the person's words that holds the quote.
        fact: else it is an instruction, which is somebody else's only where it is told as their wish.
    """
    clause = clause.strip()
    opening = _OTHER_ZH.match(clause) or _OTHER_EN.match(clause)
    named = _NAMED_EN.match(clause) or _NAMED_ZH.match(clause)
    if opening is None and named is not None and squeeze(named[1]) not in squeeze(text):
        opening = named
    if opening is None and not _ANYBODY.search(text) and not _BARE_I.search(clause):
        return _told_of(text, clause) if fact else relays(clause, language_of(clause) or "en")
    if opening is None or _OWN.search(clause[opening.end() :]) or _ANYBODY.search(text):
        return False
    rest = clause[opening.end() :]
    return bool(_ABOUT_USER.match(text)) if fact else bool(_WISH.match(rest.strip()))


def _told_of(text: str, clause: str) -> bool:
    """Whether a fact of the user rests on a clause that names one of their people and not themself."""
    who = SAID_ZH.search(clause) or SAID_EN.search(clause)
    return who is not None and _ABOUT_USER.match(text) is not None and _MY.sub("", who[0]) not in text
