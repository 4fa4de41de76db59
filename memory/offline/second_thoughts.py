"""A mind changed right after a rule was said: "hm actually no. Sprint Notes.", 等下 还是放「账本」吧.

Only what comes instead is said; of what, the rule that was just made tells.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from memory.changes import Instruct
from memory.clauses import clauses
from memory.filing_rules import FilingRule, phrase, read_rule, same_place
from memory.offline.at_hand import just_made
from memory.page import Line
from memory.phrasing import is_question
from memory.places import names_nothing, place
from memory.utterance import Utterance
from memory.wording import Language

_TURN_EN = (
    r"(?:(?:h+m+|um+|oh|ah|ok(?:ay)?|wait|hang on|hold on|no+|nah|nope|actually|sorry|oops|whoops|well|eh|scratch that|"
    r"on second thoughts?|changed my mind|i(?:['’]ve)? changed my mind|my bad|never ?mind|rather|"
    r"not that one)[\s,.!…—–-]*)+"
)
_TURN_ZH = (
    r"(?:(?:等[下等]?一?下?|等等|诶?不对|不是|不不?|别|哎呀?|诶|啊|呃|额|嗯|哦|算了|说错了?|打错了?|我?(?:说|打|写)错了?|想了想|"
    r"改主意了|我改主意了|还是)[\s，,。.!！…]*)+"
)
_OPENS = re.compile(rf"^\W*(?:{_TURN_EN}|{_TURN_ZH})", re.I)
_PUT_EN = (
    r"(?:(?:just |please |can you |let['’]?s )*(?:make (?:it|that|them)|(?:put|file|keep|move|stick) (?:it|them|"
    r"those|that|these)"
    r"(?: all)? (?:in|into|under|to)|change (?:it|that) to|go with|call it|use|i meant|it['’]?s|should be|rather)"
    r"|in|into|under|to) "
)
_PLACE_EN = re.compile(
    rf"^(?:(?P<put>{_PUT_EN}))?(?:the )?[\"“']?(?P<where>[A-Za-z][\w&'’/ -]{{0,30}}?)[\"”']?"
    r"(?: (?:folder|album|category))?(?: (?:instead|then|please|rather|after all|thanks))*[\s.!,]*$",
    re.I,
)
_PLACE_ZH = re.compile(
    r"^(?:还是|就|都|那|请|你|给我|要|应该|都?给我)*(?P<put>(?:改|换|挪|移|放|归|存|丢|扔|收|搁|叫|是)+(?:回|成|为|到|进|在|去|入)*)"
    r"(?P<open>[「『“\"])?(?P<where>[^」』”\"，。,]{1,20}?)(?(open)[」』”\"])(?:里面?|那边|那个|文件夹|分类|相册)*"
    r"(?:吧|好了?|得了|算了|才对|就行|了)*[\s。.!！~]*$"
)
_A_NAME = re.compile(r"(?!I\b)[A-Z][\w&'’/-]*(?: (?:[A-Z0-9&][\w&'’/-]*|of|and|the))*")
_NO_PLACE = re.compile(
    r"^(?:i|you|we|it|that|this|yes|no|ok|okay|sorry|thanks|please|fine|forget it|other one|what|where|"
    r"never ?mind|good|"
    r"great|cool|sure|done|wrong|stop|wait)$",
    re.I,
)
_SAME_SORT = (  # what can only stand in the place of its like
    re.compile(
        r"\b(?:english|french|german|spanish|italian|chinese|mandarin|cantonese|japanese|korean|russian|"
        r"portuguese|dutch|"
        r"polish|swedish|turkish|arabic)\b|英[文语]|中文|汉语|普通话|粤语|日[文语]|法[文语]|德[文语]|西班牙[文语]|韩[文语]|"
        r"俄[文语]|意大利[文语]|葡萄牙[文语]|繁体字?|简体字?",
        re.I,
    ),
    re.compile(
        r"\b(?:bullet points?|bullets|tables?|paragraphs?|prose|numbered lists?)\b|表格|分点|要点|段落|列表",
        re.I,
    ),
    re.compile(r"\b\d{1,4}\b|(?<!\d)\d{1,4}(?!\d)"),
)
_CALLED = re.compile(r"^(?:叫用户|称呼用户|[Cc]all the user )(?P<name>[^，。.,]{1,24})$")
_NAMED = re.compile(
    r"^(?:还是)?(?:就)?叫(?:我)?(?P<zh>[^，。\s]{1,8}?)(?:吧|好了|得了|就行)*[。！!]*$|"
    r"^(?:just )?(?:call me )?(?P<en>[A-Z][\w'’-]{1,20})(?: is (?:better|fine))?\W*$"
)
_SHORT = 12  # words of a change of mind, or four times as many characters of a Chinese one


def instead(
    utterance: Utterance, earlier: Sequence[Utterance], lines: Sequence[tuple[str, Line]], language: Language
) -> Instruct | None:
    """The rule that the person's last message made, as they want it now; None where no other thing is named."""
    text = utterance.text.strip()
    opened = _OPENS.match(text)
    line = just_made(earlier, lines) if opened else None
    if opened is None or line is None or is_question(text, language):
        return None
    if len(text) > 4 * _SHORT if language == "zh" else len(text.split()) > _SHORT:
        return None
    rest = text[opened.end() :]
    if language == "zh" and re.search(r"还是\W*$", opened[0]):
        rest = f"还是{rest}"
    rule = read_rule(line.text, line.when)
    if rule is None:
        return _of_its_sort(line, rest)
    for part in clauses(rest):
        if where := _place(part.text, rule, language):
            form: Language = "zh" if line.text.startswith(rule.what) else "en"
            return Instruct(phrase(rule.what, where, form), line.when, line.until, target=line.id)
    return None


def _place(text: str, rule: FilingRule, language: Language) -> str:
    """The place that a clause names, and nothing else; "" where it names none."""
    text = text.strip(" ，,、;；")
    found = (_PLACE_ZH if language == "zh" else _PLACE_EN).match(text) or _PLACE_EN.match(text)
    if found is None:
        return ""
    where = place(found["where"])
    named = found["put"] or _A_NAME.fullmatch(where)  # a bare word is a place where it is written as a name
    if (
        not named
        or not where
        or names_nothing(where)
        or _NO_PLACE.match(where)
        or same_place(where, rule.where)
    ):
        return ""
    return where


def _of_its_sort(line: Line, rest: str) -> Instruct | None:
    """The rule with another name, language, shape or number in the place of its own."""
    called, named = _CALLED.search(line.text), _NAMED.search(rest)
    if called and named:
        name = named["zh"] or named["en"]
        text = line.text[: called.start("name")] + name + line.text[called.end("name") :]
        return Instruct(text, line.when, line.until, target=line.id) if name != called["name"] else None
    for sort in _SAME_SORT:
        old, new = sort.findall(line.text), sort.findall(rest)
        if len(old) == len(new) == 1 and old[0].casefold() != new[0].casefold():
            name = new[0] if not old[0][:1].isupper() else new[0][:1].upper() + new[0][1:]
            return Instruct(line.text.replace(old[0], name), line.when, line.until, target=line.id)
    return None
