"""From what a person typed to one plain sentence that can be obeyed, or believed, out of context.

Only safe steps: lead-ins and endings of talk come off, the first person becomes "用户" / "the user", relative days
become dates. Nothing is added that was not said.
"""

from __future__ import annotations

import re
from datetime import datetime

from memory.asides import bare, opened, without_reason
from memory.clauses import Part, clauses, sentences
from memory.dating import dated, recurs
from memory.people import KIN, SAID_EN, SAID_ZH
from memory.periods import in_dates
from memory.verbs import third_person
from memory.wording import Language
from memory.words import content, has_han

_ASIDE = r"[，,。.!！：:;；\s—-]*"
_LEAD_ZH = re.compile(
    r"^(?:(?:对了|哦对|然后|诶|欸|哎|唉|嗯|那个|话说|顺便(?:说一?[句下])?|另外|还有|好(?:的|吧|了)?|行|"
    r"那|啊|哦|喂|跟你说(?:一?[声下]|个事)?|"
    r"提醒你(?:一下)?|(?:你?可?千万|你)?别忘了?(?=.{3})|有个小?要求|立个规矩|定个规矩|给你(?:立|"
    r"定)个规矩|新规矩|"
    r"(?:请|麻烦|帮我|帮忙|你|要|得|给我|替我|好好|务必)*(?:记住|记着|记好|记牢|记下来?|记得|"
    r"记一?下|记一笔|存一?下|备忘一下|记清楚)(?:了|哈|啊|一下|点儿?)?|"
    r"(?:你|您)?(?:能不能|可不可以|能否|可否|可以不可以)|"
    r"(?:从|打|自)?(?:现在|今天|今儿|今日|今|此)(?:起|开始|往后|以后)|(?:以后|今后|往后|日后|将来|之后)[吧嘛啊呢]?|"
    r"打今儿起|"
    r"我改主意了|改主意了|想了想|算了|更正(?:一下)?|纠正(?:一下)?|说错了|不对|搞错了)" + _ASIDE + r")+"
)
_TAIL_ZH = re.compile(
    r"(?:"
    + _ASIDE
    + r"(?:谢谢(?:你|啦|了)?|多谢|谢啦|拜托了?|辛苦了?|记住了?(?:没|吗|啊|哈)?|记一?下(?:哈|啊|吧)?|记着(?:哈|啊)?|"
    r"知道了?(?:吗|没)|"
    r"懂(?:了)?(?:吗|没)|好(?:吗|不|不好|了)|行(?:吗|不|不行)|可以(?:吗|不)|别忘了?|别搞混|就这样|"
    r"就这么定了?|"
    r"就(?:行|好|成|可以)了?|即可|往后都这样|"
    r"以后都这样|(?<=[，,\s])以后(?:都是)?|都这样|哈|哦|噢|啊|呀|(?<![酒网贴水茶])吧|呗|啦|嘛|哟|"
    r"[~～…。.!！，,、；;：:—-]+|\s+))+$"
)
_LEAD_EN = re.compile(
    r"^(?:(?:oh|ok|okay|so|well|right|alright|also|and|btw|by the way|hey|hi|hm+|actually|fyi|tbh|ah|um|"
    r"just|now|hello|"
    r"(?:just )?so you know|for the record|note to self|"
    r"(?:can|could|would|will) you (?:please )?(?=remember|note|keep in mind|bear in mind)|(?:i(?:'d|"
    r" would) like|i want|i need) you to|"
    r"this (?:is|goes|holds) for (?:everything|all(?: of (?:it|them))?|everyone|every \w+)(?: from (?:now|here) on)?|"
    r"(?:please |pls |do |just )*(?:remember|note|make a note|bear in mind|keep in mind|"
    r"don['’]?t forget|save|jot down)"
    r"(?: for (?:me|later|next time|the future))?(?: will you)?(?: please)?(?: that| this)?"
    r"(?: one)?(?: properly| well)?(?:\b[^:.!?]{0,48}:)?|"
    r"(?:can|could|would|will) you "
    r"(?:please |maybe |perhaps |kindly |in (?:the )?future |from now on )*"
    r"(?=(?:always|never|not|stop|use|call|answer|reply|write|keep|speak|talk)\b)|"
    r"(?:starting |beginning )?from (?:now|here|today) on(?:wards?)?|as of (?:now|today)|"
    r"going (?:forwards?|fwd)|in (?:the )?future|henceforth|"
    r"starting (?:now|"
    r"today)|new rule|"
    r"rule|house rule|change of plans?|i(?:'ve| have)? changed my mind|on second thoughts?|scratch that|"
    r"correction|please|pls)"
    r"(?:\b|(?<=:))[,.:;!\s—–-]*)+",
    re.I,
)
_TAIL_EN = re.compile(
    r"(?:[,.;:!\s—–-]*\b(?:please|pls|plz|thanks?(?: you| so much)?|thx|ta|cheers|lol|ok(?:ay)?\??|"
    r"got it\??|remember (?:that|it|this)|"
    r"from (?:now|here) on(?:wards?)?|going (?:forwards?|fwd)|in (?:the )?future|btw|by the way|always|"
    r"(?:so |and )?keep (?:that|it|this) in mind|"
    r"if you don['’]?t mind)[\s.!?]*|[\s,;:!…—–-]+)+$",
    re.I,
)
_TOLD = 2  # words that say something
_NEXT_TIME = re.compile(r"^(?:for|until) (?:the )?(?:next|another) time\W*$|^(?:下次|以后|回头)", re.I)
_ASKING = 3  # words that a sentence may have which only asks to remember its neighbour
_KEEP_ZH = re.compile(
    r"^(?:请|麻烦|帮我|帮忙|你|要|得|给我|替我|好好|务必)*(?:记住|记着|记好|记牢|记下|记一下|记得|"
    r"存一下|备忘)(?!.*[吗没?？]$)|(?:帮我|给我|请|"
    r"你)记(?:住|着|下|一下|好)|^(?:这个?|那个?|这点|一定|可|都|全|要|得|千万)+(?:给我)?记(?:牢|住|着|好)"
)
_KEEP_EN = re.compile(
    r"^(?:\W*(?:please|pls|can you|could you|do|just|and|so|also|for me)\W*)*(?:remember|note|"
    r"make a note|bear in mind|keep in mind|don['’]?t forget|save)"
    r"(?: down)?(?: (?:that|this|it|for me|please|will you|for later|for next time))*\b(?! (?:when|how|"
    r"the time|kids|me to)\b)",
    re.I,
)
_DENIES = re.compile(r"^我?不是.{1,14}[，,]$")
_INSTEAD = re.compile(r"^(?:我|而)?是")
_WISH_FIRST = re.compile(  # 芒果就别放了，我家老二…
    r"^[^，,。！!？?\s]{0,12}(?:别|不要|不用)[^，,。！!？?\s]{1,8}[ \u3000，,]+"
    r"(?=(?:我|俺|咱)家?[^，,。\s]{0,6}(?:过敏|不能吃|不吃))"
)
_REMINDS = re.compile(r"不是.{2,}(?:嘛|来着)[，,。]?$")
_THEY_ZH = re.compile(r"^(?:他|她|它)(?:们)?")
_THEY_EN = re.compile(r"^(?:(?:he|she)\b|(?:it|they)\b(?!['’]))", re.I)
_MY_ZH = re.compile(rf"我(?={KIN})")
_KIN_ZH = re.compile(r"我(妈|爸|哥|姐|弟|妹)(?!\1|妈|爸|夫|婿|媳|妇)")
_OURS_ZH = re.compile(r"[我俺咱]们|咱(?!们)")
_YOU_ZH = re.compile(r"^(?:你|您)(?:就|要|得|可以|给我|帮我|以后|再)*")
_NO_SUBJECT = re.compile(
    r"^(?:现在|目前|如今|今年|去年|前年|上个?[月周]|\d{4}年(?:\d{1,2}月)?|\d{4}-\d\d-\d\d)?(?:住|在|对|爱|喜欢|讨厌|不吃|不喝|从不|从来|每|血型|身高|体重|"
    r"鞋码|生日|属|今年|养|有|没有|"
    r"已经|刚|搬|换|姓|叫|是)"
)
_SOMEBODY = re.compile(rf"^(?:用户|我|你|他|她|它|{KIN})")
_OLD_ZH = re.compile(
    rf"^(?:别|不要|不用|不再|(?:[他她它]|我(?:家|的)?(?:{KIN})?)?(?:早就?|已经|现在)*(?:不|没)(?!是不))"
    r".{1,14}了[，,]?$|^(?:之前|原来|以前|上次|上回|本来).{0,20}[，,]?$"
)
_NEW_ZH = re.compile(r"现在|改|换|搬|叫|以后|还是|^(?:我|而)?是")
_BARE_ZH = re.compile(r"^(?:我?改主意了|更正|纠正|想了想|算了|说错了|不对)[，,]?$")
_OLD_EN = re.compile(r"\b(?:any ?more|no longer)\b|^(?:don['’]?t|stop|do not)\b", re.I)
_NEW_EN = re.compile(
    r"^(?:call|use|put|make|it['’]?s|just|instead|now)\b|\bnow\b|\binstead\b|\b(?:moved|switched|"
    r"changed)\b",
    re.I,
)
_BARE_EN = re.compile(
    r"^(?:actually|correction|scratch that|on second thoughts?|i(?:['’]ve| have)? changed my mind|"
    r"change of plans?)[,.:]?$",
    re.I,
)
_ONLY_WHEN = re.compile(  # says when, and nothing that comes instead: 别用感叹号了，以后
    r"^\W*(?:以后|今后|往后|从现在起|从今以后|现在|以后都是?|from now on|now|going forward|in future|please|"
    r"thanks)\W*$",
    re.I,
)
_ASKS_ZH = re.compile(
    r"[?？]$|[吗呢]$|(?:怎么|咋|如何|什么|哪|多少|几|是不是|能不能|可不可以|要不要|行不行).{0,14}$"
    r"|^(?:顺便|那)?(?:帮|给|替|麻烦|请|求|推荐|写|查|算|找|看看|你看|讲讲|说说|想想)(?!.*记)"
)
_SUPPOSES = re.compile(
    r"^(?:\W|那|诶|哎)*(?:如果|要是|假如|假设|万一|比方说|比如)|^\W*(?:so |and |"
    r"but )?(?:what )?(?:if|suppose|say i)\b",
    re.I,
)
_SUPPOSED_EN = re.compile(  # "say I moved to Rome, would I …"
    r"[,;] *(?:then |so |and )?(?:would|could|can|should|do|does|will|what|how|where|which|who|is|are)\b "
    r"(?:i|you|we|it|the|my|that)\b",
    re.I,
)
_SUPPOSED_ZH = re.compile(
    r"(?:怎么办|怎么样|怎样|咋办|咋整|(.)不\1|咋样|如何|会不会.{0,8}|[吗呢么没不])[?？。]*$"
)
_QUESTION = re.compile(r"[?？][”」\"]?$")
_WHETHER_ZH = re.compile(  # 还能吃不, 到了没 ask; 还没, 我偏不, 记住没 do not
    r"(?=[^，,。！!？?；;]{3,}$).*(?<![从绝还才偏都也要就并毫再我你他她它更决永可啥么])(?<!记住)(?<!知道)(?<!知道了)(?<!记住了)"
    r"(?<!懂)(?<!懂了)(?<!明白)(?<!明白了)(?<!听见)(?<!收到)[不没]$"
)
_ASKS_EN = re.compile(
    r"\?$|^(?:so |and |but |ok |then )?(?:what|how|why|when|where|who|which|can|could|would|should|"
    r"shall|do|does|did|is|are|any|"
    r"give|tell|show|help|write|draft|find|suggest|recommend|make|plan|look|check|remind|explain|list)\b",
    re.I,
)


def asks_to_keep(text: str) -> bool:
    """Whether the message opens or closes with the wish that it be remembered."""
    parts = clauses(text)
    ends = [part.text for part in (parts[:1] + parts[-1:])]
    return any(_KEEP_ZH.search(part) or _KEEP_EN.search(part) for part in ends)


def only_asks_to_keep(text: str) -> bool:
    """Whether it asks that what stands beside it be remembered, and says nothing itself ("please remember that")."""
    if not asks_to_keep(text) or len(content(text)) > _ASKING:
        return False
    left = trimmed(text, "zh" if has_han(text) else "en")  # "remember my locker is 88" says something
    return left == text.strip() or len(content(left)) < _TOLD or _NEXT_TIME.match(left) is not None


def trimmed(text: str, language: Language) -> str:
    """Without lead-ins ("对了", "please remember that") and endings of talk ("吧", "thanks")."""
    lead, tail = (_LEAD_ZH, _TAIL_ZH) if language == "zh" else (_LEAD_EN, _TAIL_EN)
    left = text.strip()
    for _ in range(2):  # an answer or a sigh may stand before a lead-in, and after it
        cut = tail.sub("", bare(lead.sub("", left), language)).strip()
        left = cut if len(cut) >= 2 else left
    left = tail.sub("", without_reason(left, language)).strip() or left
    return left if len(left) >= 2 else text.strip()


def changed(text: str, language: Language) -> str:
    """What holds from now on: the part of a changed mind that only takes the old back is dropped.

    Only where another part says what comes instead; "I don't mind calls any more" is all there is to say.
    """
    parts = clauses(text)
    old, bare, instead = (_OLD_ZH, _BARE_ZH, _NEW_ZH) if language == "zh" else (_OLD_EN, _BARE_EN, _NEW_EN)
    kept = [part for part in parts if not bare.match(part.text)] or parts
    gone = [part for part in kept if old.search(part.text)]
    rest = [part for part in kept if part not in gone]
    if gone and rest and any(instead.search(part.text) and not _ONLY_WHEN.match(part.text) for part in rest):
        kept = rest
    if kept == parts:
        return text
    if kept[-1].end - kept[0].start <= sum(len(part.text) + 1 for part in kept):
        return text[kept[0].start : kept[-1].end]
    comma = "，" if language == "zh" else ", "
    return comma.join(part.text.strip("，, ") for part in kept)


def about_oneself(text: str, language: Language) -> bool:
    """Whether it says whom it is about: the person, somebody of theirs, or a Chinese opening that leaves "我" out."""
    if language == "zh":
        return "我" in text or _OURS_ZH.search(text) is not None or _NO_SUBJECT.match(text) is not None
    return re.search(r"\b(?:i|i['’]?m|im|i['’]?ve|ive|my|mine|we|our|me)\b", text, re.I) is not None


def of_others(text: str) -> bool:
    """Whether a fact is about somebody or something of the person's, rather than the person."""
    bare = text.strip()
    if SAID_ZH.match(bare) or SAID_EN.match(bare):
        return True
    return (
        not re.match(r"^(?:我|俺|咱)|^(?:i|i['’]?m|i['’]?ve|im|ive|my|we|our)\b", bare, re.I)
        and about_oneself(bare, "en") is False
        and (
            "我" not in bare
            and _NO_SUBJECT.match(bare) is None
            and re.match(r"^[A-Z\u4e00-\u9fff]", bare) is not None
        )
    )


def is_statement(text: str) -> bool:
    """Whether an English sentence states something about the person rather than tells the assistant what to do."""
    return (
        re.match(
            r"^(?:i|i['’]m|im|i['’]ve)\b(?! (?:want|need|prefer|would|['’]d|wish|like|expect))",
            text.strip(),
            re.I,
        )
        is not None
    )


def is_question(text: str, language: Language) -> bool:
    """Whether it ends as a question: a wish put as one ("could you always …?") is asked about, never taken as given."""
    last = (sentences(text) or [Part(0, len(text), text)])[-1].text
    return _QUESTION.search(last) is not None or (
        language == "zh" and (re.search(r"[吗呢][？?。]*$", last) is not None or asks_whether(last))
    )


def asks_whether(text: str) -> bool:
    """Whether it asks with no more than a 不 or 没 at its end: 晒着了还能吃不. A tag (行不) asks for a nod only."""
    last = (clauses(untagged(text).rstrip("？?。！!~～ ")) or [Part(0, 0, "")])[-1].text
    return _WHETHER_ZH.match(last) is not None


def supposes(text: str, language: Language) -> bool:
    """Whether it only plays with a thought: an opening "if" and a question at the end."""
    ends = is_question(text, language) or (
        _SUPPOSED_ZH.search(text) is not None if language == "zh" else _SUPPOSED_EN.search(text) is not None
    )
    return ends and _SUPPOSES.search(text) is not None


def stated(text: str, language: Language) -> str:
    """The statements in it: clauses at its edges that ask or request something are no part of a fact; may be "".

    "不是周三，我是周四去" is a correction: what it denies goes. "我不是怕高嘛" reminds of something said before.
    """
    asks = _ASKS_ZH if language == "zh" else _ASKS_EN
    text = _WISH_FIRST.sub("", text) if language == "zh" else text
    parts = clauses(text)
    while parts and asks.search(parts[-1].text.strip()):
        parts = parts[:-1]
    while parts and (asks.search(parts[0].text.strip()) or _REMINDS.search(parts[0].text)):
        parts = parts[1:]
    if len(parts) > 1 and _DENIES.search(parts[0].text) and _INSTEAD.search(parts[1].text):
        parts = parts[1:]
    return text[parts[0].start : parts[-1].end] if parts else ""


def spoken_for(text: str, before: str, language: Language, known: str = "") -> str | None:
    """A sentence that opens with "he", "她", "they" with the one it means, named before; None where nobody was.

    Args:
        known: somebody on the person's pages who was named before, as they are named there.
    """
    text = opened(text, language)
    opening = (_THEY_ZH if language == "zh" else _THEY_EN).match(text)
    if not opening:
        return text
    named = [found[0] for found in (SAID_ZH if language == "zh" else SAID_EN).finditer(before)]
    if not (named or known):
        return None
    who, rest = known or named[-1], text[opening.end() :].lstrip()
    if language == "zh":
        return f"{who}{rest}"
    short = re.match(r"^['’](s|ll|d)\s+", rest)
    if short:
        done = HAS_DONE.match(rest[short.end() :])
        verb = {"s": "has" if done else "is", "ll": "will", "d": "had" if done else "would"}[short[1]]
        rest = f"{verb} {rest[short.end() :]}"
    return f"{who} {rest}"


# "he's moved" has done it; "he's hooked", "she's retired" is so.
HAS_DONE = re.compile(
    r"(?:(?:just|now|already|finally|recently|also|only) )*(?:got|been|gone|had|taken|given|become|lost|left|sold|"
    r"bought|begun|quit|"
    r"moved|started|switched|changed|finished|joined|packed|turned|passed|dropped|stopped|signed|booked|ordered|"
    r"applied|graduated|transferred|swapped|traded|ditched|adopted|landed|picked|opened|closed|stayed|lived|worked)\b"
)
_TAGGED = re.compile(
    r"[，,\s]*(?:行不行?|行么|成不成?|中不|好不好?|可不可以|可以不|行吗|好吗|可以吗|成吗|"
    r"(?:,\s*)?\b(?:ok|okay|alright|yeah|right|deal))\s*[?？]*$",
    re.I,
)


def untagged(text: str) -> str:
    """Without a tag that only asks for a nod (行不, "ok?"): it turns nothing around."""
    return _TAGGED.sub("", text) or text


def without_questions(text: str) -> str:
    """Without questions at its edges; a rule may hold one in its middle."""
    parts = sentences(text)
    while len(parts) > 1 and _QUESTION.search(parts[0].text):
        parts = parts[1:]
    while len(parts) > 1 and _QUESTION.search(parts[-1].text):
        parts = parts[:-1]
    return text[parts[0].start : parts[-1].end] if parts else text


def standing(text: str, at: datetime, language: Language, *, rule: bool = True) -> str:
    """A rule or fact in the third person, dates resolved."""
    text = trimmed(text, language)
    text = dated(in_dates(text, at) if rule else text, at, language, weekdays=not rule and not recurs(text))
    if rule:
        text = re.sub(r"(?:\.{2,}|[?？ ])+$", "", text)  # "can you stop …?", "unless I say otherwise.."
    if language == "zh":
        text = _NODS_ZH.sub("", text) if rule else text
        text = _OURS_ZH.sub("用户他们", text).replace("俺", "我")
        text = _KIN_ZH.sub(lambda m: f"用户的{m[1] * 2}", text)
        text = _MY_ZH.sub("用户的", text.replace("我家", "用户家"))
        return _YOU_ZH.sub("", text.replace("我", "用户"))
    text = third_person(_asked_of_it(text) if rule else text)
    return text[:1].upper() + text[1:]


_NODS_ZH = re.compile(r"[，,]?(?:行|好|成|可以)[吗不](?=[，,。]|$)|(?<=[^啊])啊(?=[，,。]|$)")


_COULD_ALL = re.compile(
    r"^(?:could|can|would) (?P<what>(?:all|the|any|every|each)\b.+?) (?P<be>be|have|come|use)\b", re.I
)


def _asked_of_it(text: str) -> str:
    """A wish put as a question, as the order that it is: "not use tables", "could all dates be day first"."""
    text = re.sub(r"^not (?=[a-z])", "do not ", text)
    return _COULD_ALL.sub(lambda m: f"{m['what']} should {m['be']}", text)


def fact(text: str, at: datetime, language: Language, *, about_self: bool) -> str:
    """A stated fact; a Chinese one that leaves out who it is about gets its subject."""
    said = standing(text, at, language, rule=False)
    if (
        language == "zh"
        and about_self
        and "用户" not in said
        and _NO_SUBJECT.match(said)
        and not _SOMEBODY.match(said)
    ):
        return f"用户{said}"
    return said
