"""Whose fact or wish it is: what is said of somebody else is never stored as the person's own."""

from __future__ import annotations

import re

from memory.words import squeeze

_KIN_ZH = (
    r"(?:妈妈?|母亲|爸爸?|父亲|爹|老公|丈夫|老婆|妻子|太太|媳妇|儿子|女儿|孩子|闺女|哥哥?|弟弟?|姐姐?|妹妹?|爷爷|奶奶|外公|外婆|姥姥|姥爷|"
    r"婆婆|公公|岳父|岳母|老板|领导|上司|经理|同事|室友|邻居|房东|男朋友|女朋友|男友|女友|朋友|闺蜜|导师|老师|客户|同学|亲戚|爸妈|父母|"
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
    rf"^(?:但是?|不过|而且|另外|其实|因为|所以|对了|嗯)?[，,]?(?:(?:我|咱|我们)(?:的|家的?)?{_KIN_ZH}|{_KIN_ZH}|[他她](?:们)?|"
    r"[小老阿][\u4e00-\u9fff](?=[喜爱讨恨不要想说住在是有没吃喝对]))"
)
_OTHER_EN = re.compile(
    rf"^(?:but |and |also |well,? |because |so )?(?:(?:my|our|his|her|their) (?:\w+ )?{_KIN_EN}\b|he\b|"
    rf"she\b|they\b)",
    re.I,
)
_NAMED_EN = re.compile(
    r"^([A-Z][a-z]+) (?:is|was|has|had|lives?|likes?|hates?|loves?|works?|wants?|moved|needs?|"
    r"prefers?|thinks?|eats?|can['’]?t)\b"
)
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
    named = _NAMED_EN.match(clause)
    if opening is None and named is not None and squeeze(named[1]) not in squeeze(text):
        opening = named
    if opening is None or _OWN.search(clause[opening.end() :]) or _ANYBODY.search(text):
        return False
    rest = clause[opening.end() :]
    return bool(_ABOUT_USER.match(text)) if fact else bool(_WISH.match(rest.strip()))
