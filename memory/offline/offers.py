"""What the assistant offered to remember and the person said yes to: "shall I remember that …?" – "ah, go on then"."""

from __future__ import annotations

import re

from memory.clauses import sentences
from memory.offline.cues import mocks
from memory.offline.proposals import only_for_now, says_yes
from memory.words import content, has_han

_OFFERS = re.compile(
    r"\b(?:(?:want|like|wish) me to|(?:shall|should|can|could|may) i) "
    r"(?:remember|note(?: down)?|save|store|keep in mind)(?: that|:)? (?P<en>.+)"
    r"|(?:要不要|需不需要|需要|是否|要|可以|帮[您你])我?(?:帮[您你])?记(?:住|下来?|一下|着|录)[：:，,“「\s]*(?P<zh>.{3,})"
    r"|(?:要不要|需不需要|需要|是否|要|可以)我?(?:帮[您你])?把[“「]?(?P<whole>.{3,}?)[”」]?(?:这[条点件]事?)?"
    r"(?:记(?:住|下来?|一下|着)|存下来?)",
    re.I,
)
_ASKED_AT_THE_END = re.compile(
    r"[”」，,；;\s]*(?:[您你]?(?:看|觉得)?(?:这样)?(?:行|好|可以)吗|吗|呢|吧|,? (?:is that )?ok(?:ay)?|for you)*"
    r"[\s?？]*$",
    re.I,
)
_POINTS = re.compile(r"^(?:it|this|that|them|these|those|这[个点条]|那[个点条]|它)\W*$", re.I)
_ASKS = re.compile(r"[?？]\s*$|[吗呢]\W*$")
_KEEP_IT = re.compile(r"记(?:住|下来?|一下|着|上|录)?|存(?:下来?|着|上)?|\b(?:remember|note|save)\b", re.I)
_LEAST = 2  # words of content that an offer has


def taken_up(said: str, shown: str) -> str | None:
    """What the person said yes to, as they would say it; None where they did not, or it was no offer to remember.

    Args:
        shown: what the assistant said just before.
    """
    yes = _KEEP_IT.sub("好" if has_han(said) else "yes", said.strip())
    if mocks(said) or only_for_now(said) or not says_yes(yes):
        return None
    for part in reversed(sentences(shown)):
        found = _OFFERS.search(part.text) if _ASKS.search(part.text) else None
        if found:
            told = _ASKED_AT_THE_END.sub("", found["en"] or found["zh"] or found["whole"])
            enough = not _POINTS.match(told) and len(content(told)) >= _LEAST
            return in_their_words(told) if enough else None
    return None


def in_their_words(told: str) -> str:
    """With "you", where it is the person, made "I": "your knee" → "my knee"."""
    if has_han(told):
        return re.sub(r"[您你](?!们)", "我", told).strip(" ，,：:")
    for theirs, own in _THEIRS:
        told = theirs.sub(own, told)
    return told.strip()


_THEIRS = tuple(
    (re.compile(theirs, re.I), own)
    for theirs, own in (
        (r"\byou['’]re\b", "I'm"), (r"\byou are\b", "I am"), (r"\byou were\b", "I was"), (r"\byou['’]ve\b", "I've"),
        (r"\byours\b", "mine"), (r"\byourself\b", "myself"), (r"\byour\b", "my"),
        (r"\byou\b(?=\s+\w+)(?!\s+(?:and|or|at|in|on|for|to|by|about|every|each|when|if|from|with)\b)", "I"),
        (r"\byou\b", "me"),
    )
)  # fmt: skip
_A_THING = re.compile(
    r"^(?:the|an?) (?!.*\b(?:is|are|was|were|has|have|had)\b)[\w -]+ (?:in|on|of) my [\w ]+$", re.I
)


def stated(offered: str) -> str:
    """A thing of the person's as a statement: "the torn ligament in my knee" → "I have the torn …"."""
    return f"I have {offered}" if _A_THING.match(offered) else offered
