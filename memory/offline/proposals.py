"""A rule that leans on what was shown just before: "照这个来，以后都这样", "yes, always do it like that".

Its content is the assistant's proposal, which the person approved in their own words; the quote is the approval and
the proposal goes along as the source's context.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from memory.changes import Speaker
from memory.clauses import sentences
from memory.coverage import leans
from memory.offline.cues import mocks
from memory.utterance import Utterance
from memory.words import content, has_han

_OFFER = re.compile(
    r"^(?:好的?|行|可以|没问题|明白|嗯)?[，,。！!]?\s*(?:那)?(?:我(?:就|会|来|先|可以|给你|帮你|把|将)*|您看|要不|建议)"
)
_CHECK = re.compile(
    r"[，,。；;]?\s*(?:您?你?看(?:这样)?(?:行吗|可以吗|怎么样|如何)?|这样(?:行|可以|好)?(?:吗|不)|行吗|好吗|可以吗|"
    r"怎么样|如何|要这样吗)[？?。]?$"
)
_OFFER_EN = re.compile(
    r"^(?:ok(?:ay)?|sure|alright|right|got it)?[,.!]?\s*(?:i(?:'ll| will| can| could|'ve| have)?|"
    r"shall i|should i|how about|let me)\s+",
    re.I,
)
_CHECK_EN = re.compile(
    r"[,.;]?\s*(?:is that ok(?:ay)?|ok(?:ay)?|does that work|how(?:'s| is) that|what do you think|good|"
    r"like that|shall i)\??$",
    re.I,
)


_OFFERS = re.compile(  # what the assistant did or would do, in its own voice, or a way things are to be
    r"我(?!们?不|没)|您看|你看|可以吗|行吗|好吗|怎么样|如何|建议|已|改成|[按用以先]\S{1,12}[排列写放给分]|"
    r"\b(?:i|i['’](?:ll|ve|d|m)|let me|shall|here['’]?s|how about|ok(?:ay)?\?)\b|\b(?:does that work|like that|"
    r"changed|put|moved|grouped|sorted|listed|"
    r"shortened|switched)\b",
    re.I,
)
_FOR_GOOD = re.compile(
    r"以后|今后|往后|每次|一直|都这么|都这样|都按|\b(?:always|from now on|every time|each time|going forward|"
    r"in (?:the )?future)\b",
    re.I,
)
_ONLY_NOW = re.compile(
    r"这次|这回|这一次|今天|暂时|先这样|[吗?？]\s*$|\b(?:this time|for now|today|just this)\b", re.I
)


_ASKS = re.compile(  # the frame of an offer, which is no part of what is offered
    r"^(?:(?:also|and|so|or|by the way|btw|ok(?:ay)?|sure|done|if you(?:['’]d)? (?:like|want)|in that case)\W+)*"
    r"(?:(?:do|would|did) you (?:want|like|prefer) (?:me )?(?:to|if i)|(?:want|like) me to|(?:shall|should|can|"
    r"could|may|"
    r"might) i|"
    r"i(?:['’]ll| will| can| could| would|['’]d)|(?:how|what) about (?:if )?i|what if i|is it (?:ok(?:ay)?|fine|"
    r"alright) "
    r"(?:if i|for me to)|would it help (?:if i|to)|let me)\s+(?:(?:just|be happy to|gladly|also)\s+)*",
    re.I,
)
_TAIL_EN = re.compile(
    r"[,;]?\s*(?:for you|if you(?:['’]d)? like|would you like that|is that ok(?:ay)?|ok(?:ay)?|shall i|right|then)\W*$",
    re.I,
)
_ASKS_ZH = re.compile(
    r"(?:要不要|要不然?|需不需要|是不是需要|您?需要|是否需要|是否|想不想让?|(?<![纪须重主首摘])要|您?希望|可以让?|让)?我(?!们)"
    r"(?:来|会|就|可以|能|帮[您你]|替[您你]|顺便帮[您你])?"
)
_LEAD_ZH = re.compile(
    r"^(?:另外|对了|还有|顺便|好的?|行|可以|没问题|如果[您你](?:需要|愿意|同意)|那|此外|或者|要不然?)?[，,。！!：:\s]*(?:以后|今后|往后)?(?:的话)?[，,\s]*"
)
_TAIL_ZH = re.compile(
    r"[，,。；;]?\s*(?:[您你]?(?:看|觉得)?(?:这样)?(?:行吗|好吗|可以吗|如何|怎么样|要吗|行不行|好不好|可不可以|需要吗)|吗|呢|吧)*[？?。！!]*$"
)
_YES = re.compile(
    r"^(?:(?:omg|oh|ah|er|well|ooh|aw|ha(?:ha)*|lol|wow|hm+|啊|哦|噢|诶|哎|哈哈*|嗯)\W*)*(?:yes+|yep|yeah|yup|yea|ye+h|yh|ye|yas+|ya|aye|sure|"
    r"absolutely|go on|you (?:may|might) as well|"
    r"definitely|of course|"
    r"please do|go (?:for it|ahead)|do (?:it|that|so)|sounds (?:good|great|perfect)|(?:that(?:['’]d| would) be|"
    r"that['’]s) "
    r"(?:so |really )?(?:great|good|perfect|lovely|nice|amazing|helpful|ideal)|perfect|great|love (?:it|that)|"
    r"ok(?:ay)?|deal|"
    r"works for me|good (?:idea|call|shout)|why not|please|"
    r"好+|行+|可以+|要的?|需要|对|嗯+|成|中|没问题|挺好|太好|同意|当然|必须|就(?:这么|这样|按这个|照这个)(?:办|排|来|弄|做|定)?|"
    r"照这个|按这个|这样好|这主意(?:好|不错)|安排)(?![\w一-鿿]*(?:不要|别))",
    re.I,
)
_NO = re.compile(
    r"^\W*(?:no|nah|nope|not|maybe|don['’]?t|rather not|不|别|算了|先不|暂时|以后再|再说|随便|看情况)|"
    r"不用|不要|不需要|别|\bbut\b|但是?|不过|\b(?:no|not|don['’]?t|instead|rather|except)\b",
    re.I,
)
_AGREES = re.compile(  # what may stand beside a yes
    r"\b(?:yes+|yep|yeah|yup|yea|yh|ye|yas+|ya|sure|both|please|thanks?|thank you|always|from now on|every ?time|"
    r"each time|"
    r"going forwards?|in "
    r"(?:the )?future|all the time|"
    r"do|does|doing|that|it|so|this|like|way|keep|go|for|ahead|great|good|perfect|would|be|omg|oh|lol|lovely|"
    r"ok(?:ay)?|i|you|"
    r"can|may|might|as|well|on|if|mind|idea|helpful|love|just|the|thing|then|sounds|definitely|absolutely|of course|"
    r"haha)\b|"
    r"以后|今后|往后|每次|每回|一直|永远|都|就|这么|这样|那么|那样|按|照|这个|那个|来|排|办|弄|做|写上?|换|列|改|定|加上?|好|行|"
    r"可以|要|需要|对|嗯|成|中|没问题|的|吧|啊|呀|哈|嘛|了|呢|谢谢|麻烦|你|您|挺|太|很|同意|当然|必须|安排|不错|是",
    re.I,
)
_LEFT = 1  # words of content that may be left beside all that


def agreed(utterance: Utterance, earlier: Sequence[Utterance]) -> tuple[str, str] | None:
    """(the rule in plain words, the offer it was taken from) where the person says yes to a standing offer.

    Either the offer says that it is for good ("Want me to always …?") or the yes does ("yes, every time").
    """
    said = utterance.text.strip()
    if not earlier or earlier[-1].role is not Speaker.ASSISTANT or mocks(said) or only_for_now(said):
        return None
    if not says_yes(said):
        return None
    offer = _offer(earlier[-1].text)
    if (
        offer is None
        or not (_FOR_GOOD.search(offer) or _FOR_GOOD.search(said))
        or _ONLY_NOW_OFFERED.search(offer)
    ):
        return None
    if not _FOR_GOOD.search(offer) and leans(said):
        return None  # 就这样，以后都这么弄: of what, the talk before it tells as well
    text = _plain(offer)
    return (text, offer) if text and len(content(text)) >= _MATTER else None


_MATTER = 2  # words of content that a rule has at least
_ONLY_NOW_OFFERED = re.compile(
    r"这次|这回|暂时|今天|\b(?:this time|for now|today|just this|this one)\b", re.I
)


def says_yes(said: str) -> bool:
    """Whether it is a yes, and little else."""
    return bool(_YES.match(said)) and not _NO.search(said) and len(content(_AGREES.sub(" ", said))) <= _LEFT


def only_for_now(said: str) -> bool:
    """Whether it says itself that it is for this once."""
    return _ONLY_NOW.search(said) is not None


def _offer(shown: str) -> str | None:
    """The sentence that offers something, the last one that does more than ask for a nod."""
    for part in reversed(sentences(shown)):
        zh = has_han(part.text)
        bare = (_TAIL_ZH if zh else _TAIL_EN).sub("", part.text.rstrip(" ?？.。!！"))
        if len(content((_ASKS_ZH if zh else _ASKS).sub("", bare))) < _MATTER:
            continue
        asks = shown[part.start :].rstrip().endswith(("?", "？", "吗", "呢"))  # it, or what comes after it
        framed = _ASKS_ZH.search(bare) or _FOR_GOOD.search(bare) if zh else _ASKS.match(bare)
        return part.text if framed and asks else None
    return None


def _plain(offer: str) -> str:
    """What is offered, as the person would order it: "Want me to show your times …?" → "Show my times …"."""
    if has_han(offer):
        text = _TAIL_ZH.sub("", offer.strip())
        text = re.sub(r"要不要|需不需要|是否", "", _ASKS_ZH.sub("", _LEAD_ZH.sub("", text), count=1))
        return re.sub(r"[您你](?!们)", "我", text).strip(" ，,：:")
    text = _TAIL_EN.sub("", _ASKS.sub("", offer.strip().rstrip(" ?？.!")))
    text = re.sub(r"\byour\b", "my", text, flags=re.I)
    text = re.sub(r"\byou\b", "me", text, flags=re.I).strip(" ,")
    return text[:1].upper() + text[1:]


def approved(utterance: Utterance, earlier: Sequence[Utterance]) -> tuple[str, str] | None:
    """(the rule, the words it was taken from), or None where the message does not approve a proposal for good.

    The proposal must be the very last thing said before, and state something; a question to the person does not.
    """
    if (
        leans(utterance.text) is None
        or not _FOR_GOOD.search(utterance.text)
        or _ONLY_NOW.search(utterance.text)
    ):
        return None
    if not earlier or earlier[-1].role is not Speaker.ASSISTANT:
        return None
    if mocks(utterance.text):
        return None
    shown = earlier[-1].text.strip()
    before = next((t.text for t in reversed(earlier[:-1]) if t.role is Speaker.PERSON), "")
    zh = has_han(shown)
    if not _OFFERS.search(shown):
        return None  # it told or asked something, and proposed nothing to keep to
    offer = max((part.text for part in sentences(shown)), key=lambda text: len(content(text)), default="")
    offer = (_CHECK if zh else _CHECK_EN).sub("", offer.rstrip("？?。.！! "))
    offer = (_OFFER if zh else _OFFER_EN).sub("", offer).strip(" ，,：:")
    if len(content(offer)) < 3:
        return None
    matter = _matter(before)
    text = f"{matter}：{offer}" if zh and matter else f"{matter}: {offer}" if matter else offer
    return text[:1].upper() + text[1:], f"{before}\n{shown}"


def _matter(said: str) -> str:
    """What the talk is about: the person's own opening noun phrase, up to its complaint or wish."""
    first = next((part.text for part in sentences(said)), "")
    if has_han(first):
        found = re.match(
            r"^(?:帮我|请|把|给我|你)?(.{2,20}?)(?:太|有点|好|真|能不能|可以|怎么|不够|看着|总是|老是|应该|还是)",
            first,
        )
        return found[1].strip("，, ") if found else ""
    found = re.match(
        r"^(?:can you |please |could you )?(?:the |my |these |those )?((?:\w+[ '’]?){1,6}?) (?:is|are|"
        r"look|looks|feel|feels|seem|seems)\b",
        first,
        re.I,
    )
    return found[1].strip() if found else ""
