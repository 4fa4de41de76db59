"""What the person means by a word of theirs, and what is meant where they leave something out.

我说小仓就是东门那间 · "if I say trains with no day I mean Friday": a standing instruction, known by its form.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from memory.clauses import clauses
from memory.phrasing import is_question
from memory.wording import Language
from memory.words import has_han

_TERM_ZH = r"[「『“\"'‘]?(?P<term>[^，。,.!！?？；;「」『』“”\"]{1,20}?)[」』”\"'’]?"
_SENSE_ZH = (  # up to a wish that follows in the same breath: …换电柜你别给我导到别处去
    r"(?P<sense>(?:(?![你您](?:可|就|千万)?(?:别|不要|甭|记|给|帮|直接))[^，。!！?？；;😂]){1,40})"
)
_POINTING_ZH = r"(?![的了过到话这那它他她你谁啥什完好行不没错笑真明清重大]|一[下声遍句])"
_ZH = (
    re.compile(  # 往后我说小仓就是东门那间; 我说“老大”都是指我们组长
        rf"我(?:再|要是|如果|一)?(?:说|讲|提到?|写|打)(?:的是?|起|到)?\s*{_POINTING_ZH}{_TERM_ZH}(?:的时候|时|"
        rf"的话)?\s*[，,]?\s*"
        r"(?:就|都|一律|全|也|指的)*(?:是?指的?就?是?(?![标甲挥导责望出])|就是说|就是(?!指)|都是(?!指)|"
        r"意思(?:就)?是|等于|"
        r"就当是?|=)\s*(?:的是)?" + _SENSE_ZH
    ),
    re.compile(  # 以后“小仓”就指东门那间
        r"(?:以后|往后|今后|从今|记[住着下])[^。！？]{0,8}[「『“\"](?P<term>[^」』”\"]{1,16})[」』”\"]\s*(?:就|都|"
        r"一律)*(?:是指|指的?是|指|代表|等于|就是|=)\s*" + _SENSE_ZH
    ),
)
_TERM_EN = r"[\"“'‘]?(?P<term>(?:(?! and |n['’]t\b)[^\"”,.;!?]){1,40}?)[\"”'’]?"
_SENSE_EN = r"(?P<sense>[^,.;!?\n]{2,60})"
_EN = (
    re.compile(  # if I say trains with no day I mean Friday
        rf"\b(?:when(?:ever)?|if|any ?time|every ?time|where|once)\s+i(?:['’]m)?\s+(?:say|write|type|mention|"
        rf"talk about|ask for|ask about|ask)\s+"
        rf"(?!(?:it|that|this|so|yes|no|something|anything|you)\b){_TERM_EN},?\s+"
        rf"(?:i(?:['’]m| am)? (?:always |just |really )?(?:mean|talking about|meaning)|(?:it|that)(?: always|"
        rf" just)? means|that['’]?s|assume(?: i mean)?|"
        rf"take (?:it|that) (?:as|to mean)|treat (?:it|that) as|read (?:it|that) as)\s+{_SENSE_EN}",
        re.I,
    ),
    re.compile(  # by "the shed" I always mean the studio
        rf"\bby\s+{_TERM_EN},?\s+i (?:always |just )?mean\s+{_SENSE_EN}", re.I
    ),
    re.compile(  # "the shed" is my word for the studio
        rf"(?:^|[,;:]\s*)[\"“'‘]?(?P<term>[^\"”,.;!?]{{1,30}}?)[\"”'’]? is (?:what i call|my (?:word|name|"
        rf"shorthand|nickname|code) for)\s+{_SENSE_EN}",
        re.I,
    ),
)
_DENIED = re.compile(
    r"^(?:不|没|别)|^[这那](?:儿|里|个|边)$|^它$|"
    r"(?:什么|啥|谁|哪)|^(?:not|what|which|how|nothing|the (?:one|same)"
    r"(?! (?:on|in|at|from|with|near|by)\b))\b|\b(?:ask|check|tell)\b",
    re.I,
)
_ASKS = re.compile(r"[?？]\s*$|[吗么呢]\s*[?？。]*$")
_CLOSES = re.compile(
    r"(?:(?:那个|的那个|的意思|的)?(?:哈|啊|呀|哦|吧|了|嘛|呗|就行|就好)+|[,，\s]*(?:please|pls|ok|okay|thanks|"
    r"from now on|always))$",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Term:
    """A word of the person's, perhaps with what they leave out ("trains with no day"), and what it stands for."""

    term: str
    sense: str

    def line(self, language: Language) -> str:
        """As a standing instruction in the first person, to be put like any other."""
        if language == "zh":
            return f"我说“{self.term}”时，指{self.sense}"
        return f"When I say “{self.term}”, I mean {self.sense}"


_NAMES_BEFORE = re.compile(  # whenever i say the cage thats what i mean
    r"\b(?:when(?:ever)?|if|any ?time|every ?time)\s+i\s+(?:say|write|type|mention)\s+[\"“'‘]?"
    r"(?P<en>[^\"”,.;!?]{1,40}?)[\"”'’]?,?\s+(?:that['’]?s|thats|it['’]?s|this is) "
    r"(?:what|the one|where|who) i (?:always )?mean\b|"
    r"我(?:再|以后|要是)?(?:说|提到?|讲)(?:的)?[「『“\"]?(?P<zh>[^，。,.!！?？；;「」『』“”\"]{1,16}?)[」』”\"]?"
    r"(?:的时候|时)?[，,]?(?:就|都|是)*(?:是|指)(?:的)?(?:这个|那个|它|这儿|那儿|这里|那里)(?:意思)?(?=$|[，,。！!啊哈哦了])",
    re.I,
)
_CALLS = re.compile(  # a word to the listener before what is meant
    r"^(?:(?:mate|dude|bro|man|yo|hey|well|oh|no|so)\b|(?:that|it)['’]?s\b|就是|是|哦|啊|[,，\s])+", re.I
)


def names_before(text: str) -> str:
    """The word of which a sentence says that it means what was said just before; "" where it says so of none."""
    found = None if _ASKS.search(text.strip()) else _NAMES_BEFORE.search(text)
    return (found["en"] or found["zh"]).strip() if found else ""


def defined_before(text: str, before: str) -> Term | None:
    """The meaning that what was said just before gives to the word that such a sentence names.

    Args:
        before: the person's words up to the sentence; its last clause is the meaning.
    """
    found, term = _NAMES_BEFORE.search(text), names_before(text)
    told = clauses(f"{before}\n{text[: found.start()]}".strip()) if found else []
    named = [part for part in told if any(map(str.isalpha, part.text))]  # "the tacoma. 2009. when I say …"
    sense = _CALLS.sub("", named[-1].text.strip(" ,，。;；—-")) if named else ""
    if not (term and sense) or is_question(sense, "zh" if has_han(sense) else "en"):
        return None
    return Term(term, sense if re.search(r"[A-Z]\w* ?(?:St|Rd|Ave)\.$", sense) else sense.rstrip("."))


def defined(text: str) -> Term | None:
    """The meaning that a sentence gives to a word; None where it gives none, asks for one or denies one."""
    if _ASKS.search(text.strip()):
        return None
    for pattern in (*_ZH, *_EN):
        found = pattern.search(text)
        if found is None:
            continue
        term, sense = found["term"].strip(), _CLOSES.sub("", found["sense"].strip()).strip()
        if term and sense and not _DENIED.search(sense):
            return Term(term, sense)
    return None
