"""Whether a wish is of the moment: for now, about what is at hand, one piece of work, or only thought about.

Form alone. What says that it holds from now on is never of the moment, whatever else it says.
"""

from __future__ import annotations

import re

from memory.offline.cues import for_good
from memory.offline.practised import practised
from memory.speech_acts import deliberates
from memory.words import has_han

_FOR_NOW = re.compile(
    r"眼下|暂时|暂且|这会儿|临时|等下|等会儿?|先这么|这一?[次回]|今[天晚]先|\b(?:temporarily|for now|"
    r"for the moment|for the time being|right now|just this once|"
    r"this once|this time|tonight only|just for (?:today|tonight|this))\b",
    re.I,
)
_AT_HAND = re.compile(
    r"[把将]?(?:下面|上面|以上|以下|下列|附件|刚才|刚刚)(?:的|里|这|那|给|发)|附件|[此这那](?:张|幅|份|篇|"
    r"段)?图(?!都|全|一律)|[上下]一?[张份条篇]|你那[张份]|"
    r"\b(?:the (?:data|text|list|table|notes?|code|file) (?:below|above|attached)|below|attached|the following|"
    r"the last (?:one|two|photo|picture))\b",
    re.I,
)
_ONE_WORK = re.compile(
    r"^\W*(?:(?:帮我|给我|请|麻烦|再|先|你|那)*)(?:写|画|做|测|算|查|列|编|拟|生成|翻译|译|起|搜|找|看|改|润色|"
    r"总结)(?:一?[个份张篇首段封版幅条]|一?下|看看)(?!都)",
)
_THOUGHT = re.compile(
    r"在想|考虑(?:要|着|把)|还没想好|没想好|说不定|也许(?:哪天|以后)|可能(?:以后|会想)|哪天(?:我)?(?:可能|也许)|"
    r"\b(?:maybe (?:one day|some ?day|at some point|later)|i (?:might|may) (?:want|need|like)|at some point|"
    r"still deciding|(?:i['’]?m )?thinking (?:of|about)|"
    r"considering|not now though|haven['’]?t decided|one of these days)\b",
    re.I,
)
_PUT_OFF = re.compile(  # said of the answer at hand: 先别，明天再说
    r"^\W*先(?:别|不)(?:了|急|忙)?(?:$|[\s，,。.!！])|(?:明天|明儿|回头|改天|以后|过两天|晚点|等会儿?)再(?:说|聊|弄|看)|"
    r"^\W*(?:not now|later|hold off)\b[\s,.!]",
    re.I,
)
_HOW = re.compile(r"怎么(?!都)(?!说都)|如何|咋(?!都)|\bhow (?:do|can|should|would|to)\b", re.I)


def of_the_moment(text: str) -> bool:
    """Whether what a wish asks for is to be done once, or not yet."""
    if _THOUGHT.search(text) or _PUT_OFF.search(text) or deliberates(text) or _HOW.search(text):
        return True
    if for_good(text):
        return False
    return any(form.search(text) for form in (_FOR_NOW, _AT_HAND, _ONE_WORK))


_EXAGGERATES = re.compile(
    r"\bi['’]?m so [\w-]+ (?:i|that)\b|\bi could (?:eat|use|murder|kill|sleep|really use)\b|\b(?:starving|"
    r"dying for|dead on my feet)\b|"
    r"饿死|累死|困死|气死|热死|冻死|笑死|烦死|急死",
    re.I,
)
_REPORTED = re.compile(
    r"(?:\b(?:wrote|writes|said|says|texted|emailed|posted|replied|goes)\b|[说写发问回])\s*[:：,，]?\s*[\"“「『]",
    re.I,
)
_PROPOSES = re.compile(r"(?:换|改|来|去|用|吃|买|订)[^，。,]{0,8}吧(?!台)")
_NEXT_STEP = re.compile(  # what one is about to do, of which nothing stays: 我去药店问问, "I'll check the website"
    r"(?:^|[，,。\s])那?(?:我|咱|俺)?们?(?:这就|先|再|回头|待会儿?|明儿|明天|去|回去|得|来)\S{0,6}?"
    r"(?P<v>[看问想试查找说聊瞧听歇学])(?:(?P=v)|会儿?|一?下|了?再说)(?:去|吧|了|啊)?[。.!！~\s]*$|"
    r"\bi(?:['’]ll| will)(?: (?:just|probably|maybe|go and|go|have to|try and))* (?:look|check|ask|see|think|try|"
    r"have a|get back|let you|do that|do it|find out|google|call|ring|text)\b",
    re.I,
)
_EITHER = re.compile(
    r"是[^，。]{1,8}还是[^，。]{1,8}[?？。]?$|[^，。]{1,8}还是[^，。]{1,8}(?:好|呢)[?？。]?$|[^，。不]不[?？。]?$"
)


def no_fact(text: str) -> bool:
    """Whether what reads as a fact tells none: it exaggerates, hands on what was said, or asks which of two."""
    if practised(text, "zh" if has_han(text) else "en"):
        return _REPORTED.search(text) is not None  # 我高血压还能喝咖啡不: what it asks takes nothing back
    return any(form.search(text) for form in (_EXAGGERATES, _REPORTED, _PROPOSES, _EITHER, _NEXT_STEP))
