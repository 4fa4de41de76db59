"""Whether what a line states was meant, or only supposed: a wish, a role that is played, the "if" of a sentence.

By form alone. A rule may well hold "if …", and a fact may tell what would follow; what is never stored is the thing
supposed itself, told as a fact ("if I were a doctor …" → "The user is a doctor").
"""

from __future__ import annotations

import re

from memory.clauses import sentences
from memory.filing_rules import read_rule
from memory.words import content, covered, squeeze

_UNREAL = re.compile(  # nothing in such a sentence is so, what follows from it neither
    r"(?:如果|要是|假如|若)我?(?:们)?.{0,20}就好了|(?:如果|要是|假如|假设|倘若)我(?:是|有(?!.{0,6}(?:问|"
    r"说)))[^，,]{1,12}"
    r"[，,]?(?:那|我)?(?:就|会|肯定|一定|早)|恨不得我?|真?希望我(?:是|有|能|住)"
    r"|^\W*(?:假设|假使|倘若|想象一?下?|设想)[^，,]{0,3}我|"
    r"\bif (?:i|we) (?:were|was|had (?:a|an|the|more|enough|been)|could)\b|\bif only\b|\bi wish (?:i|we)\b"
    r"|^\W*(?:so |ok |well )?(?:suppos(?:e|ing)|imagine|let['’]s say|what if|say) (?:that )?(?:i|we|i['’]m|my)\b",
    re.I,
)
_PLAYED = re.compile(  # a role for the talk at hand
    r"^\W*(?:假设|想象一?下?|假装|扮演|我们来?玩|来玩|角色扮演)|角色扮演|(?:你|我)(?:来)?扮演"
    r"|^\W*(?:ok |now |so )?(?:suppos(?:e|ing)|imagine|pretend|let['’]s (?:say|pretend|play)|role[- ]?play)\b|"
    r"\brole[- ]?play\b",
    re.I,
)
_IF = re.compile(
    r"(?:如果|要是|假如|假设|假使|倘若|万一)(?P<zh>[^，,。；;]{1,30}?)(?:[，,。；;]|的话|那么?|就|$)"
    r"|\bif (?P<en>[^,.;]{1,60}?)(?:[,.;]|\bthen\b|\bi(?:['’]d|['’]ll| would| will)\b|$)",
    re.I,
)
_OPEN = re.compile(
    r"如果|要是|假如|万一|的话|时|就|会|除非|\b(?:if|when|whenever|unless|would|could|in case)\b", re.I
)
_HOLDER = re.compile(r"^(?:该?用户|我)的?|^the user(?:['’]s)?\b", re.I)


def supposed(text: str, quote: str, words: str, *, fact: bool) -> bool:
    """Whether a line states what was only supposed in the sentence of the words that it rests on.

    Args:
        text: the line.
        quote: the part of the words that says it.
        fact: else it is an instruction, for which "if" is a scope.
    """
    short = squeeze(quote)
    around = [part.text for part in sentences(words) if short in squeeze(part.text)]
    sentence = around[0] if around else quote
    if _PLAYED.search(sentence) and not _PLAYED.search(text) and read_rule(text, None) is None:
        return True
    if not fact or _OPEN.search(text):
        return False
    return _UNREAL.search(sentence) is not None or _supposed_part(text, sentence)


def _supposed_part(text: str, sentence: str) -> bool:
    """Whether the line says no more than what stands between "if" and what follows from it."""
    matter = content(_HOLDER.sub(" ", text))
    parts = (found["zh"] or found["en"] for found in _IF.finditer(sentence))
    return bool(matter) and any(covered(matter, content(part)) >= 0.99 for part in parts)
