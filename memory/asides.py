"""What people put around a statement and is no part of it: answers, sighs, laughter, a reason or a plea."""

from __future__ import annotations

import re

from memory.wording import Language

_EMOJI = "\U0001f300-\U0001faff\u2600-\u27bf\ufe0f\u200d"
_SIGNS = rf"[\s,，.。!！?？;；:：…~～—–{_EMOJI}-]"
_OPENS_ZH = re.compile(
    rf"^(?:(?:不用不用|不用了?|不必|不要|不是|不对|不|别|对|对对|对啊|对的|是|是的|是啊|嗯+|嗯呐|没有|没|没事|有|"
    rf"好|好的|行|"
    rf"可以|照常啊?|当然|哈+|嘿+|呵+|噗|唉|哎+|哎呀|"
    rf"害|诶|欸|哦+|喔|啊+|呃+|额|emm+|hh+|233+|笑死(?:我了)?|天哪|救命|真的|说真的|讲真|话说回来|"
    rf"其实|反正|总之|拜托|求你了?)"
    rf"(?:了|啦|啊|呀|吧|哈)?{_SIGNS}+)+(?=\S)",
    re.I,
)
_OPENS_EN = re.compile(
    rf"^(?:(?:no+|nope|nah|yes|yeah|yep|yup|yea|ya|sure|ok+|okay|right|correct|exactly|true|thanks?|"
    rf"ha(?:ha)*|lol+|lmao|rofl|"
    rf"omg|ugh+|argh+|oof|oops|whoops|sorry|wait|hang on|hmm*|huh|wow|phew|damn|god|gosh|man|mate|"
    rf"dude|honestly|tbh|ngl|"
    rf"imo|look|listen|see|anyways?|oh|ah|aw+|eh|er+m?|um+|well|btw|fyi|please|pls|plz|right so|"
    rf"yeah no|no no)\b{_SIGNS}*"
    rf"(?<=[,.;:!?…~—–{_EMOJI}\s-]))+(?=\S)",
    re.I,
)
# "no exclamation marks": a word of the sentence
_NO_ANSWER = re.compile(r"^(?:no|ok|see|look|sure|man|right|please|true|well|god) (?!no\b)(?=[a-z])", re.I)
_CLOSES = re.compile(
    rf"(?:{_SIGNS}*(?:哈{{2,}}|嘿{{2,}}|呵{{2,}}|hh+|233+|[{_EMOJI}]+|\[[\u4e00-\u9fff]{{1,4}}\]|"
    rf"\b(?:lol+|lmao|rofl|ha(?:ha)+|xx*|ugh|smh|tbh|"
    rf"ngl|haha)\b)[\s.。!！~～]*)+$",
    re.I,
)
_REASON_ZH = re.compile(
    r"[，,\s](?:不然|要不然?|否则|省得|免得|因为|毕竟|反正|主要是|不为别的|理由是|看着|听着|读着|"
    r"累得|烦死|太累|太烦|太乱|太占)[^，,。]*[。.!！~]*$"
)
_REASON_EN = re.compile(
    r"(?:,|\s[–—-]|;|\.)?\s+(?:(?:because|bc|cos|cuz|coz|'cause|or else)\b|"
    r"(?<!say )(?<!says )(?<!said )(?<!told )(?<!or )otherwise(?=,? \w)|"
    r"since (?!(?:my|the) \w+(?: (?:of|in|on) (?:the |my |last )?\w+)?\W*$)(?=i\b|it|my|the|they|we)|"
    r"it['’]?s (?:so |too |really |just )?(?:annoying|exhausting|distracting|ugly|confusing|driving)\b|"
    r"and (?:these|this|those)\b|(?<=, )so (?=i\b|it|that|my|your|we|they|maybe|no|the)|"
    r"so (?:maybe|your|that['’]?s|it['’]?s|this is)\b).*$",
    re.I,
)
_ENOUGH = 12  # characters that are enough to be left, however long the rest is
_LEAST = 0.25  # share of a text that must be left when a reason is cut off it


def opened(text: str, language: Language) -> str:
    """Without an answer or a sigh before it ("Yep, the band …", 别，我…)."""
    if language == "zh":
        return _OPENS_ZH.sub("", text)
    return text if _NO_ANSWER.match(text) else _OPENS_EN.sub("", text)


def answers_only(text: str, language: Language) -> bool:
    """Whether it is no more than an answer or a sigh: 不要。, "no no"."""
    return opened(f"{text.strip()}, x", language) == "x"


def closed(text: str) -> str:
    """Without laughter after it."""
    return _CLOSES.sub("", text) or text


def bare(text: str, language: Language) -> str:
    """Without answers and laughter around it."""
    return closed(opened(text.strip(), language)).strip() or text.strip()


_UPSHOT_ZH = re.compile(
    r"[，,。;；\s](?:所以|因此|那就|这样|我(?:就|先|让|叫|得|再|去|还是|想)|让|叫|帮|给我|替我|请|你|您|就(?:别|不|"
    r"帮|给|选|来)|别|不要|能不能|有没有|"
    r"[^，。,]{1,10}(?:就别|别选|别给|别推|得了|算了|吧|呗|你看|行不|好不|怎么|推荐))[^。！!？?]*[。！!~～\s]*$"
)
_UPSHOT_EN = re.compile(
    r"(?:,|;|\s[–—-])?\s+so (?:i|i['’]m|im|i['’]ll|we|it|that|the|can|could|what|maybe|please|don['’]?t|no|my|any|"
    r"keep|just|nothing|you|make|let|skip|leave|avoid|dont|never|watch|mind|two|all)\b.*$"
    r"|[,;]\s+(?:can|could|would|will|please|don['’]?t|nothing|anything|something|no|what|how|which|any|keep|make|"
    r"just)\b.*$",
    re.I,
)


def without_upshot(text: str, language: Language) -> str:
    """Without what is to be done about a fact: "I'm a baker so I sleep at noon", 我对花粉过敏，带花的别选."""
    found = (_UPSHOT_ZH if language == "zh" else _UPSHOT_EN).search(text)
    return text[: found.start()].rstrip(" ,，;；—–-") if found and found.start() >= 4 else text


def without_reason(text: str, language: Language) -> str:
    """Without the reason or the plea after it; never less than a quarter of it."""
    found = (_REASON_ZH if language == "zh" else _REASON_EN).search(text)
    if found and found.start() >= max(4, min(len(text) * _LEAST, _ENOUGH)):
        return text[: found.start()].rstrip(" ,，;；—–-")
    return text
