"""Cues in how a sentence is put: that it holds for good, puts something right, is said with rolling eyes …

Form alone.
"""

from __future__ import annotations

import re

from memory.asides import opened
from memory.people import KIN
from memory.periods import for_a_time
from memory.speech_acts import wonders
from memory.wording import Language

_FOR_GOOD = re.compile(
    r"以后|今后|往后|从此|从今|从现在|每次|每回|凡是|一直|长期|\b(?:from (?:now|here|today) on|"
    r"going (?:forwards?|fwd)|in (?:the )?future|"
    r"every ?time|any ?time|whenever|each time|always from|permanently|for good)\b",
    re.I,
)
_MOCKS = re.compile(
    r"🙄|🙃|呵呵[\W]*$|^\W*呵呵|才好呢|\[(?:白眼|翻白眼|微笑|再见)\]|行行行|好好好|你最棒|你可真行|真是谢谢(?:你|您)|\b(?:oh|"
    r"well|wow|yeah),? (?:great|fantastic|brilliant|wonderful|lovely|perfect|"
    r"marvell?ous|superb)\b|\bthanks a (?:lot|bunch) for\b|\bi (?:just )?(?:live for|love) (?:this|it when|"
    r"scrolling|waiting|being ignored|repeating myself)\b|"
    r"\boh,? (?:brilliant|great|fantastic|wonderful|lovely|perfect|joy|good|nice|super)\b",
    re.I,
)


def for_good(text: str) -> bool:
    """Whether it says in words that it holds from now on, or every time."""
    return _FOR_GOOD.search(text) is not None


_CORRECTS = re.compile(
    r"[级岁班任]了|啦|不是|不再|早就?不|已经不|改[成到为]|换[了成到]|搬[到去]|升[到了]|现在|说错|记错|搞错|弄错|"
    r"\b(?:no longer|not any ?more|any ?more|now|these days|moved|switched|"
    r"actually|never|wrong|used to|since left|instead)\b|!!|n['’]t (?:in|at|on)\b",
    re.I,
)


def corrects(text: str) -> bool:
    """Whether it has the sound of putting something right: 她早不是三年级了, "he's in Cork now"."""
    return _CORRECTS.search(text) is not None


_STATES_ZH = re.compile(rf"^(?:\W|对了|其实)*(?:我|咱|俺|[他她](?!们?说))(?:们|家|的)?(?:{KIN})?\S{{2,}}")
_STATES_EN = re.compile(
    r"^\W*(?:(?:so|and|well|ok) )*(?:for (?:my|our) [\w'’ -]{2,30},? )?"
    r"(?:i['’]?m|i am|i['’]?ve|i (?:have|work|live|teach|run|own|drive|play|study|use|eat|drink|"
    r"take|speak)|"
    r"(?:he|she)(?:['’]s| is| has| works| lives)|my \w+(?: \w+)?(?:['’]s| is| are| has| works|"
    r" lives)|we(?:['’]re|['’]ve| have| live| are))\b(?! (?:so|just|not sure|really|sorry|going|"
    r"tired|bored|dying|done|fine|ok|okay|good|afraid|guessing|kidding|joking|ready|back|here|sure|"
    r"told|asking|trying|thinking)\b)",
    re.I,
)


def states(text: str, language: Language) -> bool:
    """Whether it plainly states something about the person or somebody named before."""
    found = (_STATES_ZH if language == "zh" else _STATES_EN).search(opened(text, language))
    return found is not None and not wonders(text, language)


_STANDING = re.compile(
    r"^\W*(?:(?:no|ok|and|but|so|hey|please|also|in (?:the )?future|from now on|going forwards?)\W+)*"
    r"(?:can|could|would|will) (?:you|u) "
    r"(?:please |pls |just |maybe |kindly |in (?:the )?future |from now on |going forward )*"
    r"(?:stop|quit|always|never|not|start|avoid|drop)\b|(?:能不能|可不可以|能否|可否)\S{0,4}?(?:别|不要|"
    r"不)\S{0,2}?(?:再|总|老|每次|每回|一直|动不动)|"
    r"(?:能不能|可不可以|能否|可否)(?:以后|每次|每回|一直|都)",
    re.I,
)
_ORDERS_EN = re.compile(
    r"^\W*(?:(?:please|just|also|and|always|never|then|ok|so)\W+)*(?:name|title|call|label|tag|use|keep|write|"
    r"answer|reply|respond|start|begin|end|"
    r"put|file|format|give|show|list|sort|spell|speak|talk|quote|round|translate|skip|drop|avoid|"
    r"stop|don['’]?t|do not|stick to|go back|leave|add|"
    r"include|mention|address|sign|open|make|be|get to|ask|check|convert|order|close|finish)\b"
    r"(?! (?:is|are|was|has|['’]s|says|said)\b)",
    re.I,
)


def stands(text: str) -> bool:
    """Whether a wish put as a question is about how things are always done ("can you stop …?", 能不能别每次都…)."""
    return _STANDING.search(text) is not None


_OF_ALL_EN = re.compile(
    r"\bfor (?:this (?:one )?and )?(?:all|every|any)(?: (?:of )?(?:my|our|the))? (?P<kind>[^,.:;]{3,40}?)"
    r"(?: (?:going forwards?|from (?:now|here) on|in (?:the )?future))?\s*[:,—–]\s*(?P<order>\S.+)$",
    re.I | re.S,
)


def ordered_for_all(text: str) -> tuple[str, str] | None:
    """(of what, the order) of one for a whole kind ("for all client letters from now on: close with …")."""
    found = _OF_ALL_EN.search(text)
    return (found["kind"], found["order"]) if found and for_good(text) and orders(found["order"]) else None


_TOLD = re.compile(
    r"\b(?:says?|said|reads|wrote)\b|就好了|[说写]着[:：「“]", re.I
)  # somebody else's, or wished for


_MANNER_EN = re.compile(  # how things are done, not a thing to be made: "write me a letter"
    r"(?:^|[\s,])(?:(?:please|just|only|always|also|can you|could you)[\s,]+)*(?P<order>answer|reply|respond|"
    r"write|use|keep|speak|"
    r"talk|spell|quote|round|translate|convert|address|call me|give me|show me|list|skip|avoid|suggest|recommend|stop|"
    r"do not|don['’]?t|never|no more|no|only)\b(?! (?:me |us )?(?:an?|this|that|it)\b)(?! the (?:other|front|back|"
    r"side|old|new)\b)(?! (?:the )?\w+[?])",
    re.I,
)
_SUBJECT_EN = re.compile(r"\b(?:i|we|you|he|she|they|it|to|that|who|(?:my|our|his|her|their) \w+)\s*$", re.I)
_MANNER_ZH = re.compile(
    r"(?:^|[，,\s]|[内里前间期月周年天日号子]|底|为止|时候)(?:(?:你|您|请|麻烦|就|先|都|也|所有|凡是|每次|给我|帮我|"
    r"跟我)[，,\s]*)*(?:回(?:我|复|答)|答我|说话|聊|别|不要|不用|甭|查|推荐|提醒|用|按|一律|称呼|叫我|菜谱|吃的|"
    r"我(?:问|发|写|让你|要你|查|找)|早上|晚上)"
    r"[^？?]{0,30}?(?:用|都|按|别|不要|不用|甭|一律|默认|简短|短|只|推|提|发|带|改|写|说|查)"
)


_TALK_ZH = re.compile(  # how it is to talk: 回我话短点, 跟我说话用大白话
    r"^(?:\W|对了|那|麻烦|请|以后|能不能|可不可以|你|您)*(?:[跟和对]我(?:说话|聊天|聊|讲话|讲|说)|"
    r"(?:回我?(?:话|消息|信息)|回复(?:我|消息)?|回我(?!电|一)|回答我?|答我|说话|发消息|讲东西|解释东西|"
    r"别给我(?=列|整|分|加|发表情|写一))"
    r"(?:的时候|时)?)"
    r"[^？?。]{0,14}?(?:别|不要|不用|甭|少|短(?!信|视频|裤|袖|片|时)|简短|简洁|用|像|直接|先|最多|不超过|控制|口语|正式|客气|多|打比方|举例|大白话|人话|以内|列(?!为|入|"
    r"车)|整(?!个|天))"
)
_TALK_EN = re.compile(
    r"^\W*(?:(?:please|just|ok|and|so|can you|could you|you can)\W+)*(?:(?:always|"
    r"never)(?![^.?!]*\byour\b)(?: ever)? (?:please )?(?:answer|reply|respond|"
    r"write|talk|speak|use|start|begin|end|keep)\b|"
    r"(?:stop|quit|no more|enough|drop|lose|ditch|cut)(?: it)?(?: with| out)? (?:the|all the|these|those|"
    r"your) [^.?!]{3,30}|"
    r"(?:don['’]?t|never) (?:do|use|give me|send me|write) [^.?!]{3,40}\b(?:with me|any ?more)\b|"
    r"(?:don['’]?t|never) (?:ever )?(?:say|call me|use the words?) [^.?!]{2,60}|"
    r"(?:reply|answer|respond|talk|speak|write)\b(?! me )[^.?!]{3,50}\b(?:from now on|always|every time)|"
    r"(?:talk|speak|write|reply|answer) (?:to me )?(?:normal(?:ly)?|like an?|in|plainly)\b[^.?!]*\b(?:always|"
    r"any ?more|from now on|"
    r"with me))",
    re.I,
)
_ONCE = re.compile(
    r"这[次回段条篇个封张份]|今天|先|一下(?:$|[，,。\s])|\b(?:this|that|these|once|today|for now|"
    r"for a (?:sec|bit|minute|moment)|now)\b",
    re.I,
)


_COMPLAINS = re.compile(
    r"^\W*(?:\w+ )?(?:your|the|these|those|all your) (?:answers?|repl(?:y|ies)|messages?|responses?|texts?|"
    r"summar(?:y|ies)|lists?) "
    r"(?:is|are|was|were|keep|get)\b[^,;]{0,12}\b(?:too|so)\b[^,;]*$|^\W*(?:你|您)(?:的?(?:回答|回复|消息|话))?(?:也)?(?:太|好|"
    r"真)(?:长|啰嗦|"
    r"多|慢|吵|正式|客气)[了啊吧]*\W*$",
    re.I,
)


def complains(text: str) -> bool:
    """Whether it only says what is wrong with the answers: "your replies are way too long"."""
    return _COMPLAINS.search(text) is not None


def tells_how_to_talk(text: str) -> bool:
    """Whether it is about how the assistant talks to the person at all, and not this once."""
    return (_TALK_ZH.search(text) or _TALK_EN.search(text)) is not None and _ONCE.search(text) is None


def orders_for_a_time(text: str) -> bool:
    """Whether it tells how things are to be done for a while: "until June 20 don't suggest …", 这两周回我都用粤语."""
    if not for_a_time(text) or _TOLD.search(text) or text.rstrip().endswith(("?", "？", "吗", "呢", "没")):
        return False
    if found := _MANNER_EN.search(text):
        before = text[: found.start("order")]
        own = not _SUBJECT_EN.search(before) and len(before.split()) <= _PERIOD
        return own and (for_a_time(before) or len(before.split()) <= 2)
    return _MANNER_ZH.search(text) is not None


_PERIOD = 12  # words of a period, at most


def orders(text: str) -> bool:
    """Whether an English sentence opens with an order, and so tells nothing of anybody."""
    return _ORDERS_EN.search(text) is not None


def mocks(text: str) -> bool:
    """Whether it is said with rolling eyes: what such a message asks for is not meant."""
    return _MOCKS.search(text) is not None


_SOMEONE = re.compile(
    r"^\W*(?:(?:actually|well|oh|so|but|and|no|yeah|nope|fyi|btw)\W+)*(?:i|i['’]\w+|my|we|we['’]\w+|our|he|she|they)\b"
    r"|^\W*(?:其实|不过|哦|嗯|对了|话说)*[，,]?(?:我|咱|俺|他|她)",
    re.I,
)


def opens_with_someone(text: str) -> bool:
    """Whether it begins with the person, or somebody named before: "well, I don't mind", 其实他…"""
    return _SOMEONE.match(text) is not None


_CONCLUDES = re.compile(
    r"^\W*(?:so|and so|hence|therefore)\b[\s,]*(?:please |pls |just )*"
    r"(?:don['’]?t|never|always|no more|avoid|skip|keep)\b"
    r"|^\W*(?:所以|因此)[，,]?(?:以后)?(?:请|就|你)*(?:别|不要|少|多|一律|都)",
    re.I,
)


def concludes(text: str) -> bool:
    """Whether it draws the order from the fact before it: "so don't suggest morning gyms", 所以别推荐辣的."""
    return _CONCLUDES.match(text) is not None


_KEEPS_OUT = re.compile(
    r"^\W*(?:please |pls |from now on,? )*(?:do not|don['’]?t|never) file (?!.*\b(?:under|in|into|to)\b)\w"
    r"|^\W*(?:以后|今后)?(?:请)?(?:不要|别|不用|甭)(?:再)?归档[^，。里到]{1,10}$|^[^，。]{1,12}?(?:都|就|一律)?(?:不要|不用|别|不)归档了?\W*$",
    re.I,
)


def keeps_out(text: str) -> bool:
    """Whether it says that a kind of picture is to be filed nowhere: "don't file memes", 发票不归档."""
    return _KEEPS_OUT.search(text.strip()) is not None
