"""Between what was typed and what is read: chat spelling is written out before, quotes are put back after."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from memory.changes import Speaker
from memory.extraction import Extraction, Proposal
from memory.spelling import Spelled, spelled
from memory.utterance import Utterance


def in_full(utterance: Utterance) -> Utterance:
    """An utterance with the person's chat spelling written out; what others said stays as it is."""
    own = utterance.role is Speaker.PERSON
    return replace(utterance, text=spelled(utterance.text).text) if own else utterance


def as_typed(found: Extraction, typed: Spelled) -> Extraction:
    """What was found in the long form, its words and quotes as they were typed."""

    def quoted(proposals: Sequence[Proposal]) -> tuple[Proposal, ...]:
        return tuple(
            (change, replace(source, words=typed.typed, quote=typed.as_typed(source.quote)))
            for change, source in proposals
        )

    return Extraction(quoted(found.changes), quoted(found.questions))
