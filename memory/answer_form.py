"""The form an answer must have: who asks "when" is not answered by a line without a day, nor "how much" by one without
a number. It only ever rules a line out, where the question says plainly what is wanted of it.
"""

from __future__ import annotations

import re

_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|"
    r"nov(?:ember)?|dec(?:ember)?)"
)
_DAY = r"(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?s?"
_TIME = (
    rf"\d|[年月日号点]|周[一二三四五六日末天]|星期|礼拜|今|明|昨|后天|早|晚|上午|下午|中午|凌晨|每|天|春|夏|秋|冬|节|"
    rf"\b(?:{_MONTH}|{_DAY}|today|tomorrow|yesterday|tonight|week(?:ly|end)?s?|month(?:ly)?|year(?:ly)?|daily|morning|"
    r"evening|noon|night|midnight|spring|summer|autumn|winter|fall|easter|christmas|every|after|before|until|since)\b"
)
_NUMBER = (
    r"\d|[一二两三四五六七八九十百千万几半]|"
    r"\b(?:one|two|three|four|five|six|seven|eight|nine|ten|dozen|hundred|thousand)\b"
)
_COLOUR = (
    r"[红橙黄绿青蓝紫黑白灰粉棕褐银金]|色|\b(?:red|orange|yellow|green|blue|purple|violet|black|white|gr[ea]y|pink|"
    r"brown|"
    r"silver|gold(?:en)?|beige|teal|navy|maroon|cream|turquoise)\b"
)
_FORMS = (  # what is asked for, as the question says it; what a line that tells it holds
    (r"什么时候|啥时候|何时|哪[天年月]|几[号点月]|多久|\bwhen\b|\bwhat (?:time|day|date|year|month)\b|"
     r"\bhow (?:long|often)\b", _TIME),
    (r"多少钱|工资|薪水|收入|价[格钱]|房租是|\bhow much\b|\bsalary\b|\bprice\b|\bcosts?\b|\bearn\b", _NUMBER),
    (r"电话|手机号|号码|[证照单卡牌]号|\bphone\b|"
     r"\b(?:passport|account|id|flight|order|plate) (?:number|no)\b",
     r"\d(?:[ \-]?\d){4,}|\b[A-Z]{1,3}-?\d{2,}"),
    (r"多[高重]|身高|体重|\bhow (?:tall|heavy)\b|\bweigh\b|\bheight\b", _NUMBER),
    (r"多大的|尺码|几码|\bsize\b", r"\d|码|号|\b(?:small|medium|large|x?[sml]|size)\b"),
    (r"颜色|什么色|\bcolou?r\b", _COLOUR),
    (r"在哪|哪[里儿]|住哪|去哪|什么地方|哪个(?:城市|国家)|\bwhere\b|\bwhat (?:city|town|country)\b",
     r"[在住到从去来于]|[市省区县镇村路街楼号]|\b(?:in|at|on|to|from|near|under|by|inside|behind|into|of|off|"
     r"lives?|goes)\b"),
    (r"邮箱|\be-?mail\b", r"@|邮箱|\be-?mail\b"),
)  # fmt: skip
_WHO = re.compile(r"是谁|谁是|\bwho (?:is|was|are)\b|\bwho['’]s\b", re.IGNORECASE)
_SOMEBODY = re.compile(
    rf"叫|是|姓|名|\bcalled\b|\bnamed\b|(?<!^)(?<![.!?] )\b(?!(?i:{_MONTH}|{_DAY})\b)[A-Z][a-z]+", re.UNICODE
)
_ASKED = tuple((re.compile(asked, re.IGNORECASE), re.compile(held, re.IGNORECASE)) for asked, held in _FORMS)


def lacks_form(question: str, line: str) -> bool:
    """Whether a line plainly cannot be what a question asks for."""
    if any(asked.search(question) and not held.search(line) for asked, held in _ASKED):
        return True
    return _WHO.search(question) is not None and _SOMEBODY.search(line) is None
