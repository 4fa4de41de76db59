"""The person's own people, and their pets: who is meant, and which words plainly tell a lasting thing of one.

Form alone, for what the probe is not sure of: 我妹妹叫小雨 is as plain as a sentence gets, and too short for it.
"""

from __future__ import annotations

import re

from memory.wording import Language

KIN = (
    "妈妈?|爸爸?|哥哥?|姐姐?|弟弟?|妹妹?|爷爷|奶奶|姥姥|姥爷|外公|外婆|婆婆|公公|岳父|岳母|老公|老婆|媳妇|爱人|对象|先生|太太|丈夫|妻子|"
    "儿子|女儿|闺女|孩子|娃|孙子|孙女|侄子|侄女|外甥女?|舅舅?|姑姑?|姨妈?|叔叔?|表[哥姐弟妹]|堂[哥姐弟妹]|闺蜜|发小|室友|同学|同事|邻居|房东|"
    "老板|领导|上司|主管|经理|总监|组长|店长|队长|教练|师傅|徒弟|导师|老师|学生|客户|公司|单位|学校|猫|狗|男朋友|女朋友|男友|女友|前任|前男友|前女友"
)
_KIN_EN = (
    r"mu?[uo]m|mother|dad|father|parents|husband|wife|partner|fianc[eé]e?|spouse|son|daughter|kids?|child(?:ren)?|baby|"
    r"brother|sister|twin|sibling|boss|manager|friend|flatmate|roommate|housemate|neighbou?r|landlord|landlady|"
    r"girlfriend|boyfriend|gran(?:dma|dad|dpa|ny)?|grandmother|grandfather|grandson|granddaughter|nan|aunt(?:ie)?|"
    r"uncle|"
    r"cousin|niece|nephew|(?:mother|father|brother|sister|son|daughter)-in-law|step\w+|god\w+|colleague|coworker|"
    r"teacher|tutor|student|pupil|client|cat|kitten|dog|puppy|hamster|rabbit|parrot|horse|supervisor|doctor|dentist|"
    r"vet|gp|coach|trainer|accountant|lawyer|nanny|babysitter|carer|therapist"
)
_WHICH_EN = (
    r"(?:(?:best|old|older|elder|eldest|oldest|big|little|younger|youngest|middle|late|twin|new|other|step|half|"
    r"good|close|school|uni|work|next-door|upstairs|downstairs|first|second) )*"
)
SAID_ZH = re.compile(rf"(?:我们?|咱们?|俺)(?:家)?(?:的)?(?:{KIN})")
_WHO_ZH = (
    rf"(?:我们?|咱们?|俺)(?:家)?(?:的)?(?:那?[大小二三老][只个位]?)?(?:那?[只个位])?(?:{KIN})(?:的(?:{KIN}))?"
)
_WHO_EN = rf"(?:my|our) {_WHICH_EN}(?:(?:{_KIN_EN})['’]s {_WHICH_EN})*(?:{_KIN_EN})"
SAID_EN = re.compile(rf"\b{_WHO_EN}s?\b", re.I)
_PET_EN = r"the (?:cat|kitten|dog|puppy|hamster|rabbit|parrot|horse)"
_OPENS_ZH = r"^(?:对了|哦对|嗯|诶|那个|话说|顺便说一?[句下])?[，,。\s]*"
_OPENS_EN = r"^(?:(?:oh|so|and|btw|by the way|also|well|fyi)\W+)*"
_NAME_ZH = (
    r"(?!我|你|您|他|她|它|人|醒|车|了|过|什么|啥|谁|停|苦|好|来|去|不|外卖|救|板|真|起|上|下|得|做|作)"
    r"[「“\"]?[^\s，。,.!！?？；;的了吗呢吧去来吃着过]{1,6}[」”\"]?"
)
_NAME_EN = (
    r"(?:(?i:dr|mr|mrs|ms|prof)\.? )?[A-Z\u00c0-\u00de][\w'’-]*(?: (?:(?:van|von|de|da|di|al|bin) )?"
    r"[A-Z\u00c0-\u00de][\w'’-]*){0,3}"
)
_END_ZH = r"(?:哦|啊|呀|哈|啦|~)*[。.!！~\s]*$"
_END_EN = r"(?:,? (?i:by the way|btw|actually))?[.!\s]*$"
_NAMES_ZH = re.compile(
    rf"{_OPENS_ZH}{_WHO_ZH}(?:(?:的(?:大名|小名|全名|名字))?(?:叫做?|名叫|取名|起名叫?)|(?:的)?(?:大名|小名|全名|"
    rf"名字)(?:是|叫)|姓)"
    rf"{_NAME_ZH}{_END_ZH}"
)
_NAMES_EN = re.compile(
    rf"(?i:{_OPENS_EN}(?:{_WHO_EN}|{_PET_EN}))"
    rf"(?:(?i:['’]s name(?: is|['’]s)|(?: is|['’]s)(?: called| named)| goes by) "
    rf"(?:{_NAME_EN}|(?!up|in|off|out|away|back|on|to)[a-z]{{2,14}})|(?i: is|['’]s) (?=\S*[a-z]){_NAME_EN}){_END_EN}"
)
_TELLS_ZH = re.compile(
    rf"{_OPENS_ZH}{_WHO_ZH}(?:也|还|都|最|很|特别|一直|从小|现在|从来)*"
    r"(?:喜欢|爱|讨厌|害怕|不吃|不喝|信|会(?=[说弹拉唱做打下游开])|学的?是|读|属|住|在\S{1,10}(?:上班|工作|上学|读书)|"
    r"对\S{1,8}过敏|有(?=\S*病|\S*高血|\S*糖)|是(?=\S{0,8}(?:师|工|医|护士|司机|员|律|警|商|学生|老板|导演|会计|人)))"
    r"[^，。,.!！?？；;]{0,14}$"
)
_TELLS_EN = re.compile(
    rf"{_OPENS_EN}{_WHO_EN}(?:(?: is|['’]s) an? "
    r"(?!bit|lot|little|pain|nightmare|mess|joke|genius|saint|star|legend|monster)[a-z][\w' -]{2,30}|"
    r" (?:really |also |still )?(?:loves|likes|hates|plays|speaks|collects|teaches|studies|works|lives|keeps|drives|"
    r"believes|can['’]?t (?:eat|swim|drive)|does(?:n['’]t| not) (?:eat|drink|drive|like)) [^,.;!?]{2,40})[.!\s]*$",
    re.I,
)


def names_somebody(text: str, language: Language) -> bool:
    """Whether all that is said is what somebody of the person's is called: "my sister is called Ana", 我同事姓何."""
    return (_NAMES_ZH if language == "zh" else _NAMES_EN).match(text.strip()) is not None


_INTRODUCES_EN = re.compile(
    rf"^(?i:(?:hi|hello|hey|oh|so|and|btw|by the way|also|well)\W+)*"
    r"(?:(?i:my (?:first |full |given )?name(?:['’]s| is))|"
    rf"(?i:i['’]?m|i am)(?=[^.!?]*(?i:nice|pleased|good|great) (?i:to meet))) (?P<name>{_NAME_EN})"
    r"(?i:[,.]? (?:(?:nice|pleased|good|great) to meet (?:you|u)|by the way|btw))?[.!\s]*$"
)


def introduces_oneself(text: str) -> str:
    """The name that a person gives as their own, and says nothing else ("my name is Ann"); "" where they do not."""
    found = _INTRODUCES_EN.match(text.strip())
    return found["name"] if found else ""


def tells_of_somebody(text: str, language: Language) -> bool:
    """Whether it is one plain sentence on what somebody of the person's is, likes, does: 我女儿喜欢画画.

    Enough to ask about; "my boss is a nightmare" is no such thing.
    """
    return (_TELLS_ZH if language == "zh" else _TELLS_EN).match(text.strip()) is not None
