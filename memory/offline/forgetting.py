"""Which stored lines an order to forget is about: the clear ones go, several that fit equally well are asked about."""

from __future__ import annotations

from collections.abc import Sequence

from memory.changes import Retire, Source
from memory.extraction import Extraction, Proposal
from memory.language import language_of
from memory.offline.at_hand import spoken_line
from memory.offline.targets import split_list, spoken_of
from memory.offline.understanding import Understanding
from memory.page import Line
from memory.phrasing import trimmed
from memory.search import Meanings
from memory.speech_acts import forgets, wants_forgotten
from memory.utterance import Utterance


async def forgotten(
    found: Understanding,
    utterance: Utterance,
    earlier: Sequence[Utterance],
    lines: Sequence[tuple[str, Line]],
    source: Source,
    meanings: Meanings,
) -> Extraction:
    """Lines the person wants gone. Several that fit equally well are asked about, one by one."""
    about = trimmed(found.keep or utterance.text, language_of(utterance.text) or "zh")
    cosines = await meanings.cosines(about, [line.text for _, line in lines])
    sure, maybe = spoken_of(about, utterance.text, lines, cosines)
    each = [spoken_of(one, one, lines, None)[0] for one in split_list(about)]
    if len(each) > 1 and all(len(one) == 1 for one in each):
        sure, maybe = list(dict.fromkeys(id for one in each for id in one)), []
    line = None if sure else spoken_line(utterance, earlier, lines)
    if line and (line.id in maybe or not maybe):
        sure, maybe = [line.id], []  # 删了吧: what was spoken of just before
    proposals = tuple((Retire(id), source) for id in sure)
    asked: tuple[Proposal, ...] = tuple((Retire(id), source) for id in maybe)
    plain = wants_forgotten(utterance.text) or forgets(utterance.text)
    if not plain and found.label == "forget" and found.confidence < 0.45:
        return Extraction((), (*proposals, *asked))
    return Extraction(proposals, asked)
