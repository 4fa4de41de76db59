"""Rules and facts said in a word or two, put so that they can be read alone: "shorter from now on", 电工，坐标绵阳."""

from __future__ import annotations

import re

from memory.wording import Language

_DEGREE_EN = (
    r"(?:(?:much|a (?:bit|little|lot)|even|way|slightly|more|less|just|nice and|keep it|make it|make them) )*"
)
_MANNER_EN = re.compile(
    rf"^{_DEGREE_EN}(?:short(?:er)?|brief(?:er)?|concise|long(?:er)?|simple|simpler|plain(?:er)?|formal|informal|"
    rf"casual|detailed|direct|blunt|polite|"
    r"friendl(?:y|ier)|chatty|to the point)(?: (?:and|but) [a-z]+)?$",
    re.I,
)
_SHAPE_EN = re.compile(
    r"^(?:(?:in|use|normal|plain|short|proper|regular|full|numbered|just|only) )*(?:paragraphs?|prose|bullets?|"
    r"bullet points?|lists?|tables?|sentences|"
    r"one (?:line|sentence|paragraph)|(?:two|three|\d) (?:lines|sentences|bullets)|"
    r"english|french|german|spanish|chinese|mandarin|cantonese|japanese|korean|italian)$",
    re.I,
)
_LIMIT_EN = re.compile(
    r"^(?:(?:max(?:imum)?|no more than|at most|up to|only|just) )?(?:\d{1,3}|one|two|three|four|five|six|ten) "
    r"(?:sentences?|lines?|words?|paragraphs?|bullets?)(?: (?:max(?:imum)?|tops|at most|or less|or fewer))?$",
    re.I,
)
_MANNER_ZH = re.compile(
    r"^(?:都|就|要|再|更|尽量|稍微|给我|请|说|写)*(?:简短|简洁|精简|短|长|详细|正式|随意|口语|简单|直接|客气|委婉|"
    r"干脆)(?:一?点儿?|一?些|明了|扼要)?(?:就行|就好|即可)?$"
)
_SHAPE_ZH = re.compile(
    r"^(?:都|就|只|请|要|给我)*(?:用)?(?P<shape>表格|列表|分点|要点|段落|一句话|两句话|三句话|一段话|中文|英文|"
    r"英语|日语|粤语|繁体字?|简体字?)(?:吧|就行|就好|即可)?(?:[，,]\s*以后都是?)?$"
)


def in_full(rule: str, language: Language) -> str:
    """A rule that leaves out what it is about, which is then the answer: "Shorter" → "Keep answers shorter"."""
    bare = rule.strip(" .。!！,，")
    if language == "zh":
        if _MANNER_ZH.match(bare):
            return f"回答{bare}"
        shape = _SHAPE_ZH.match(bare)
        return f"回答用{shape['shape']}" if shape else rule
    if _MANNER_EN.match(bare):
        return f"Keep answers {re.sub(r'^(?:keep|make) (?:it|them) ', '', bare, flags=re.I).lower()}"
    if _LIMIT_EN.match(bare):
        return f"Keep answers to {re.sub(r'^(?:only|just) ', '', bare, flags=re.I).lower()}"
    if _SHAPE_EN.match(bare):
        name = re.sub(r"^(?:(?:in|use|just|only) )+", "", bare, flags=re.I)
        return f"Answer in {name if name[:1].isupper() and ' ' not in name else name[:1].lower() + name[1:]}"
    return rule


def elliptical(rule: str, language: Language) -> bool:
    """Whether a rule leaves out what it is about."""
    return in_full(rule, language) != rule


_TRADE_EN = (
    r"nurse|teacher|doctor|lawyer|accountant|engineer|developer|programmer|designer|driver|chef|baker|barista|"
    r"editor|writer|student|"
    r"electrician|plumber|carpenter|mechanic|paramedic|midwife|dentist|vet|pharmacist|librarian|farmer|gardener|"
    r"waiter|waitress|consultant|"
    r"analyst|researcher|freelancer|welder"
)
_ITEM_EN = (
    rf"(?:\d{{1,2}}(?: ?(?:yo|f|m|y/o))?|(?:[\w-]+ )?(?:{_TRADE_EN})|single|married|divorced|"
    r"(?:no|one|two|three|\d) kids?|[A-Z][a-z]+(?:[ -][A-Z][a-z]+)?|vegan|vegetarian|on nights)"
)
_TERSE_EN = re.compile(rf"^(?:an? )?(?P<first>{_ITEM_EN})(?:, ?{_ITEM_EN}){{1,5}}[.!]?$")
_TERSE_ZH = re.compile(
    r"^(?:\d{2}岁?|坐标\S{2,4}|(?:[男女]|单身|已婚|未婚)|\S{0,4}(?:程序员|老师|护士|医生|会计|设计师|工程师|学生|"
    r"律师|司机|厨师|编辑|销售|运营|产品|财务|教师))"
    r"(?:[，,、\s]+(?:\d{2}岁?|坐标\S{2,4}|[男女]|单身|已婚|未婚|(?:一|两|俩|三|\d)个?娃|养了?\S{1,6}|"
    r"[^，,、\s我你]{2,8})){1,5}[。!！]?$"
)


def of_oneself(text: str, language: Language) -> str:
    """What one is, said as a list without a verb, as a sentence; "" where it is no such list."""
    bare = text.strip()
    if language == "zh":
        return f"用户：{bare.rstrip('。!！')}" if _TERSE_ZH.match(bare) else ""
    found = _TERSE_EN.match(bare)
    return f"The user is {_article(found['first'])}{bare.rstrip('.!')}" if found else ""


def _article(first: str) -> str:
    """An article before a trade."""
    if not re.search(rf"(?:{_TRADE_EN})$", first, re.I):
        return ""
    return "an " if first[:1].lower() in "aeiou" else "a "
