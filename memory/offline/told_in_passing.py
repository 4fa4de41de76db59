"""Talk of which nothing stays: a nod at an answer, a moment that passes, a thought in theory, how things once were.

Form alone, and only what is plain; the rest is weighed in `earnest.py`.
"""

from __future__ import annotations

import re

from memory.clauses import clauses
from memory.offline.cues import for_good
from memory.words import content, covered, has_han

_NOD_EN = (
    r"(?:o?k(?:ay)?|right(?: you are)?|gotcha|got it|got you|i see|ah+|oh+|mm+|hm+|yep|yeah|yes|"
    r"fair(?: enough)?|noted|"
    r"cool|nice|great|good|fine|perfect|brilliant|lovely|sweet|sure|alright|all right|understood|makes sense|"
    r"good to know(?: for later)?|interesting|figures|never ?mind|no worries|all good|as you were|carry on|"
    r"that['’]s (?:all|fine|it|right|clear|what i (?:thought|hoped|wanted))(?: i wanted to know)?|"
    r"thanks?(?: you| a (?:lot|million)| so much)?|thx|cheers|ta|purely (?:theoretical|hypothetical|"
    r"academic)(?: question)?|"
    r"(?:(?:i )?(?:was |am |['’]m )?(?:just|only|purely) )?(?:curious|wondering|asking|checking|"
    r"testing)(?: out of curiosity)?|"
    r"(?:just|only|purely)(?: an?)? (?:academic |hypothetical |theoretical )?(?:question|thought)|"
    r"no(?:pe| need| thanks| thank you)?|nah|don['’]?t bother|not now|maybe (?:later|some ?time|one day)|later|"
    r"will do|"
    r"leave it(?: as it is)?|i(?:['’]ll| will) leave it(?: for now)?)"
)
_EVADES_EN = (
    r"(?:(?:it |that )?(?:all )?depends\b.*|whatever(?: works| you (?:like|think))?|no (?:idea|clue)(?: yet)?|"
    r"(?:i['’]?m )?not sure(?: yet)?|dunno|(?:i )?don['’]?t know(?: yet)?|you (?:choose|decide|pick)|"
    r"surprise me|up to you|"
    r"hard to say|(?:it )?varies|it['’]?s different every \w+|long story|ask me (?:later|again|another time)\b.*)"
)
_NOD_ZH = (
    r"(?:哦+|噢+|嗯+|啊+|唉|哈+|好(?:的|吧|嘞|啊|呀|滴)?|好好好?|行(?:吧|啊|呗)?|成|懂了?|明白了?|收到|知道了|"
    r"晓得了|了解了?|"
    r"记下了|清楚了|谢谢?(?:你|啦|了)?|多谢|辛苦了?|没事没?事?|没(?:有)?别的意思|原来如此|"
    r"原来(?:是)?这样(?:啊)?|这样啊?|"
    r"(?:我)?(?:就是|就|只是|纯(?:属)?|随口|随便)*(?:好奇|问问|问一?[下声]|打听(?:一下)?|试试(?:你)?)(?:而已|的)?|"
    r"有道理|果然|挺好(?:的)?|那就好|就好|不用(?:了|麻烦了?|谢)?|没必要|别+|不必(?:了)?|算了|先这样|再说(?:吧)?|"
    r"(?:以后|回头|改天|到时候)(?:用得上|有空)?(?:再)?(?:说|讲|聊)(?:吧)?|可别|照旧(?:吧)?|对+|是的?|没错)"
)
_EVADES_ZH = (
    r"(?:看(?:情况|心情|着办)(?:吧|呗)?|(?:都|怎么都|随便都?)(?:行|可以|成|好)|随便|无所谓|不(?:一定|好说|清楚|知道)|"
    r"说来话长|还?没(?:想好|定)(?:呢)?|你(?:定|决定|看着(?:来|办))(?:吧)?|天天不一样|没准(?:儿)?|说不准)"
)
_NODS = re.compile(rf"(?:{_NOD_EN}|{_NOD_ZH})(?:[\s,]+(?:{_NOD_EN}|then|so|and|that|it))*", re.I)
_EVADES = re.compile(rf"(?:{_EVADES_EN}|{_EVADES_ZH})", re.I)
_MARKS = " \t\n，,。.、!！?？~～…—–-;；:：😀😄😅😂🤣😊🙂👍🙏👌"
_ASKED = re.compile(r"[?？][”」\"'\s]*$")
_ECHO = 6  # words, of an echo at most


def nods(text: str, heard: str) -> bool:
    """Whether a message only takes note of what the assistant said, repeats it, or leaves its question open."""
    if not heard or for_good(text):
        return False
    told = [part.text.strip(_MARKS) for part in clauses(text)]
    told = [part for part in told if any(c.isalnum() for c in part)]
    asked = _ASKED.search(heard) is not None
    known = content(heard)
    nodded = [
        _NODS.fullmatch(part) is not None
        or (asked and _EVADES.fullmatch(part) is not None)
        or (not asked and _echoes(part, known))
        for part in told
    ]
    return bool(told) and all(nodded)


def _echoes(part: str, known: list[str]) -> bool:
    said = content(part)
    return 0 < len(said) <= _ECHO and covered(said, known) >= 1


_NUMBER_EN = (
    r"(?:about |around |maybe |like )?(?:\d+|an?|half an?|a few|two|three|four|five|ten|fifteen|twenty|thirty|"
    r"forty)"
)
_MOMENT = re.compile(
    rf"\b(?:i|we)(?:['’]ve| have)(?: only| still)?(?: got)? {_NUMBER_EN} (?:min(?:ute)?s?|hours?|"
    rf"sec(?:ond)?s?)\b(?!['’]s)"
    r"(?! (?:of|each|every|a |there|daily|commute))|"
    r"\b(?:i|we)(?:['’]m| am|['’]re| are) (?:just |still |currently |now |already )*(?:at the (?:dentist|doctor|"
    r"station|"
    r"airport|shops?|supermarket|gate|till|checkout|vet|barber|hairdresser|pharmacy|bus stop)s?['’]?s?\b|"
    r"on (?:hold|the phone|"
    r"a call|(?:the|a) (?:bus|train|tram|plane|ferry)|my way|the way)\b|in (?:a|the) (?:queue|line|meeting|bath|"
    r"traffic)\b|"
    r"in traffic|stuck|waiting|queueing|queuing|about to|running late|meeting (?:an?|my|the|some) |"
    r"(?:nearly |almost )?"
    r"out of )|"
    r"我(?:们)?(?:现在|正|这会儿|还|刚)*在(?:看牙|排队|等|开会|路上|车上|地铁上?|公交|飞机|厕所|洗澡|做饭|吃饭|"
    r"睡觉|挂号|打电话|(?:超市|机场|车站)(?=$|[呢了，,。！!]))|"
    r"(?:还有|就剩|只剩)(?:下)?[^，。]{0,4}(?:分钟|个?小时|钟头)(?!的?(?:车|路))|"
    r"就剩(?:下)?[^，。]{0,3}[\d一二两俩三四五六七八九十半]"
    r"[^，。]{0,2}(?:个|瓶|条|盒|块|张|包)?[^，。]{0,4}(?:了|$|[，,。])",
    re.I,
)
_ABSTRACT = re.compile(  # what nobody is allergic to, but says so
    r"allergic to (?:mon|tues|wednes|thurs|fri|satur|sun)days?|allergic to (?:small talk|people|work|meetings?|"
    r"commitment|"
    r"drama|nonsense|effort|exercise|mornings?|email|housework|homework|bullshit|queues?|spreadsheets?|maths?)\b|"
    r"对(?:周[一二三四五六日]|星期[一二三四五六日天]|上班|开会|工作|人|寒暄|承诺|早起|加班|运动|学习|作业|家务|"
    r"排队|数学|表格|废话)[^，。]{0,2}过敏",
    re.I,
)


def of_this_moment(text: str) -> bool:
    """Whether what it tells is over before long ("I've ten minutes", 我在排队), or said of what cannot be so."""
    return _MOMENT.search(text) is not None or _ABSTRACT.search(text) is not None


_STRANGERS = re.compile(  # people nobody keeps track of
    r"^\W*(?:so |and |ugh |lol )?(?:(?:my|our|the|some|this) )?(?:(?:new|old|nice|weird|upstairs|downstairs|other) )?"
    r"(?:neighbou?rs?(?:['’]s)?|(?:guy|bloke|man|woman|lady|kids?|people|couple|folks) (?:next door|upstairs|"
    r"downstairs|at the|on the|"
    r"from the|in the)|postman|postie|bus driver|waiter|waitress|cashier|barista|busker|new guy|somebody|someone)\b|"
    r"^(?:\W|哎|诶|唉)*(?:我们?家?)?(?:隔壁|邻居|楼[上下]|对门|对面|送[信快外]\S{0,3}的?|快递(?:员|小哥)|"
    r"外卖(?:员|小哥)|报亭|门口那?|新来的|"
    r"有个(?:人|大[爷妈哥姐])|那谁|收银)",
    re.I,
)
_NAMED = re.compile(r"(?<=\w )[A-Z][a-z]+|(?:叫|姓|名叫)[\u4e00-\u9fff]{1,3}")


_WAYS = re.compile(  # what they always do, or do again
    r"\b(?:always|never|again|every|everyone|everything|keeps?|still|only ever|whistl\w+|drill\w+|calls?|"
    r"won['’]?t)\b|"
    r"又|老是?|从来|天天|整天|每次|见谁|永远|一直|总"
)


def of_strangers(text: str) -> bool:
    """Whether it tells the ways of people who are nobody's: "the bloke at the kiosk calls me chief", 楼上又在钻."""
    own = re.search(r"[，,].{0,3}我(?!们)|\b(?:i|i['’]\w+)\b", text, re.I)
    return (
        _STRANGERS.search(text) is not None
        and _WAYS.search(text) is not None
        and _NAMED.search(text) is None
        and own is None
    )


_THEORY = re.compile(
    r"\b(?:in theory|theoretically|hypothetically|purely (?:theoretical|hypothetical|academic)|"
    r"for the sake of (?:the )?argument|thought experiment|in an ideal world|just (?:supposing|imagining)|"
    r"thinking (?:aloud|out loud))\b|"
    r"理论上|纯(?:属)?(?:假设|理论|好奇)|打个比方|假设(?:一下)?[:：，,]|思想实验|自言自语|"
    r"^(?:\W|那|你)*我(?:要是|要真|若是?|如果|要)有(?:一?个|一)?[^，。]{1,8}(?:就|[，,]我)",
    re.I,
)
_REAL = re.compile(r"\b(?:but|though|actually|really|anyway)\b|不过|但|真的|其实|反正", re.I)


def in_theory(text: str) -> bool:
    """Whether it says of itself that it is only a thought: "in theory …", 纯属假设, 我要有个儿子就…"""
    return _THEORY.search(text) is not None and _REAL.search(text) is None


_WERE = re.compile(
    r"\b(?:back then|in those days|back in the day|at (?:my|our) (?:last|old|former|first) (?:place|job|firm|company|"
    r"school|office)|(?:my|our) (?:last|old|first|former) (?:boss|job|place|school|teacher)|"
    r"when i was (?:a |at |in |little|young|small|eight|ten)|as a kid|i (?:nearly|almost) \w+ed)\b|"
    r"\bwe (?:used to|always \w+ed)\b|"
    r"^\W*(?:那会儿|当年|当时|那些年|小时候|从前|早年|有阵子|有一阵|以前我们?|上学(?:的时候|那会儿)|念书那会儿?|"
    r"(?:我)?(?:第一个|前)(?:老板|领导|单位|公司)|上家|老东家)",
    re.I,
)
_NOW = re.compile(
    r"\b(?:now|these days|today|since|any ?more|still|from now on|nowadays|instead)\b|现在|如今|后来|以后|还是|"
    r"至今|到今天|改",
    re.I,
)


def as_it_was(text: str) -> bool:
    """Whether it tells how things once were, and nothing of how they are: "back then we filed by year"."""
    return _WERE.search(text) is not None and _NOW.search(text) is None


_FILES_BY_ITSELF = re.compile(  # who files is somebody or something else: "gmail files …", 邮箱把信归到…去了
    r"^\W*(?:(?:my|our|the|this|that|their|his|her) )?(?!(?:everything|anything|whatever|all|each|every|please)\b)"
    r"[\w'’-]+(?: [\w'’-]+){0,2} (?:always |just |now |automatically )*"
    r"(?:files|puts|saves|stores|sorts|dumps|throws|archives|sticks|drops)\b|"
    r"\b(?:ended|went|wound) up (?:in|under)\b|\bgoe?s? to die\b|"
    r"^(?:\W|哎|怎么)*(?!你|您|请|麻烦|帮|给我|以后|那|就|都|全|凡|所有|再|先)[^，。把将]{1,8}(?:把|将)[^，。]{1,14}"
    r"(?:归|放|存|收|丢|塞|分|搁)[到进在入]?[^，。]{1,12}(?:去了|来了|里了)[。！!~]*$",
    re.I,
)


def files_by_itself(text: str) -> bool:
    """Whether it tells where somebody or something else puts things, and wishes nothing."""
    return _FILES_BY_ITSELF.search(text) is not None and (has_han(text) or not for_good(text))
