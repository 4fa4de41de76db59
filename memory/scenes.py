"""A scene that is played: a game with roles, a rehearsal, a story with the person in it. What is said in one is said
by somebody else.

Form alone: only what plainly opens a scene, or ends one. What merely sounds like one is left to the judge in
`offline/earnest.py`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_ME_EN = r"(?:and )?(?:i['’]?m|i am|i['’]ll|i (?:play|want|have)|me\b)"
_OPENS_EN = re.compile(
    r"\brole[- ]?play|\b(?:let['’]?s|can (?:we|you)|could (?:we|you)|help me|want to|like to|"
    r"i['’]ll) rehearse\b|\bin character\b|"
    r"\bimprov(?:ise|ize)?\b[^.!?\n]{0,12}\b(?:scene|with me)\b|\blet['’]?s improv|\btext adventure\b|"
    r"\b(?:game|show|story|scene|trial|quiz|adventure|saga|opera|time)\b[^.!?\n]{0,30}[,.:] ?(?:you['’]?re|"
    r"you are|you be|you play|i['’]?m|i play) "
    r"(?:the|an?|my) |"
    r"\bdungeons? ?(?:master|crawl|and dragons)\b|\b(?:d&d|dnd)\b|\bgm a\b|\bmurder mystery\b|\btruth or dare\b|"
    r"\bchoose your own adventure\b|"
    r"\bmock (?:\w+ )?(?:interview|trial|exam|call|negotiation|check|debate)\b|"
    r"\blet['’]?s (?:act|pretend|rehearse|play(?! (?:it|safe|down|along|by ear|catch)\b)|"
    r"do the [\w' -]{2,24} (?:thing|bit|scene))\b|"
    r"\bpretend (?:to be|you(?:['’]re| are)|i['’]?m|i am|we)\b|"
    r"\byou(?:['’]re| are|['’]ll be| be| play| run|\s*=)\s+(?:my |the |an? )?[\w' -]{2,40}[,.;:]\s*"
    rf"(?:{_ME_EN}|me\s*=)|"
    r"\byou (?:play|be) (?:him|her|them|my|the|an?)\b|"
    r"\bi(?:['’]m| am|['’]ll be| play) [^.!?\n]{2,70}?(?:,| and|[.;]) ?(?:and )?you(?:['’]re| are|['’]ll be| be|"
    r" play) "
    r"(?:my |the |an? )|"
    r"^\W*(?:(?:now|ok|so|please|can you|could you)\W+)*(?:be|play|act as|act like) (?:my |the |an? )"
    rf"[^.!?\n]{{2,50}}?[,.;:] ?{_ME_EN}|"
    r"^\W*(?:(?:now|ok|so|please|can you|could you)\W+)*play (?:my|the|an?) (?:\w+ ){0,3}(?:who|that|keeper|"
    r"captain|king|"
    r"queen|wizard|witch|vampire|pirate|knight|innkeeper|villain|detective|headmistress|recruiter|boss|landlord)\b|"
    r"\b(?:story|game|scene|adventure)\b[^.!?\n]{0,40}\b(?:i['’]?m|i am|i play|me) (?:as )?(?:an?|the)\b|"
    r"\b(?:play|do|run)\b[^.!?\n]{0,40}\bcharacter\b|\bsimulat(?:e|ion)\b[^.!?\n]{0,60}\byou\b",
    re.I,
)
_ME_ZH = r"我(?:就|来|是|当|扮|演|叫|念|练|点|住|试|来?做)?"
_OPENS_ZH = re.compile(
    r"角色扮演|扮演|文字(?:冒险|游戏)|(?:来|玩|开|带我|一起)[^，。,]{0,3}(?:跑团|剧本杀|狼人杀)|开团|"
    r"(?:^|[，,\s])(?:跑团|剧本杀|狼人杀|真心话(?:大冒险)?|\S{0,6}(?:游戏|竞赛|辩论赛?))[，,]\s*(?:你|我)(?:来|"
    r"就|先)?(?:是|当|演|扮|做)|"
    r"^\W*真心话(?:大冒险)?\W*$|"
    r"(?:咱[俩们]?|我们|来|玩|再|陪我|给我)(?:来|玩|开|接着)?(?:一?[个场局段把盘])?[^，。,\s]{0,4}"
    r"(?:游戏(?![机卡本规里的])|即兴|对台?词|对戏|冒险(?!的))|"
    r"咱[俩们]?(?:来|一起|现在)?(?:演|对戏|排练|模拟)|(?:来|玩|陪我)(?:演|对|走)(?:一?[场出段下个遍])|"
    r"你(?:来|就|先)?(?:假装|装作?|演|扮|饰)(?:成|一下|个|是)?\S|^\W*(?:来)?(?:演|扮)(?:一?个|一下)\S|"
    r"你(?:来|就)?(?:当|念|演|扮)[^，。,\s]{1,8}?我(?:来|就)?(?:当|念|演|扮)|[，,]\s*我(?:来)?(?:扮|演|还是那个)|"
    r"你(?:来|就)?(?:是|当)[^，。,\s]{1,12}[，,。]\s*" + _ME_ZH + r"(?!想|要|该|的|说|觉得|问)|"
    r"(?:我是|我来?当|我来?扮|我来?演)[^，。,\s]{1,12}[，,]\s*你(?:就|来)?(?:是|当|扮|演)(?=[^不说谁])|"
    r"模拟(?:一?[场下次个])?(?:\S{0,6})(?:面试|谈判|对话|客户|面谈|开庭)|假装(?:咱|我们?|你|自己)|^\W*设定[:：]|"
    r"(?:陪我|跟我|咱|来)?(?:练练|练一?[下个段]|练习一?下?)[^，。,]{0,10}(?:面试|谈判|开口|砍价|寒暄|台词|吵架|"
    r"相亲|分手|"
    r"电话|点单)|(?:故事|剧本|戏)里?[^，。]{0,6}我(?:是|演|当|扮)|我(?:是|当)主角"
)
_OVER = re.compile(
    r"不演了|演完|不练了|出戏|不玩了|(?:演|练|玩|模拟)到这|回到正题|说真的|说正经的?|正经[说事]|跟你说正事|"
    r"\b(?:end (?:of )?scene|out of character|stop (?:the )?(?:role|rehears|pretend|play|game)|"
    r"enough (?:rehears|play|pretend)\w*|"
    r"out of the (?:interview|game|scene|role)|back to (?:normal|reality)|that['’]s a wrap|done (?:rehearsing|"
    r"playing)|"
    r"game over|real (?:thing|talk|life)|for real|(?:but|ok|no) seriously|being serious)\b",
    re.I,
)


def opens_a_scene(text: str) -> bool:
    """Whether it plainly opens one: "you be the barista, I'll order", 陪我对个台词，你演皇上."""
    return _OPENS_EN.search(text) is not None or _OPENS_ZH.search(text) is not None


def plays_a_role(utterances: Sequence[str]) -> bool:
    """Whether the person speaks as somebody else: one of these utterances opened a scene, and none since closed it."""
    for text in reversed(utterances):
        if _OVER.search(text):
            return False
        if opens_a_scene(text):
            return True
    return False
