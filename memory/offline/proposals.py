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
