"""The person's own people, and their pets: who is meant, and which words plainly tell a lasting thing of one.

Form alone, for what the reader is not sure of: 我妹妹叫小雨 is as plain as a sentence gets, and too short for it.
"""

from __future__ import annotations

import re

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
_WHO_EN = rf"(?:my|our) {_WHICH_EN}(?:(?:{_KIN_EN})['’]s {_WHICH_EN})*(?:{_KIN_EN})"
SAID_EN = re.compile(rf"\b{_WHO_EN}s?\b", re.I)
_NAME_EN = (
    r"(?:(?i:dr|mr|mrs|ms|prof)\.? )?[A-Z\u00c0-\u00de][\w'’-]*(?: (?:(?:van|von|de|da|di|al|bin) )?"
    r"[A-Z\u00c0-\u00de][\w'’-]*){0,3}"
)


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
