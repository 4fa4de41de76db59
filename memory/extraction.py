"""What an extractor proposes; `Memory.apply` decides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memory.changes import Change, Source, Speaker
from memory.utterance import Utterance

Proposal = tuple[Change, Source]


@dataclass(frozen=True, slots=True)
class Extraction:
    """Changes that are sure, and those to ask about with one short question each."""

    changes: tuple[Proposal, ...] = ()
    questions: tuple[Proposal, ...] = ()


def last_said(utterances: Sequence[Utterance]) -> tuple[Utterance, Sequence[Utterance]] | None:
    """The person's last utterance, which is what an extraction reads, and what came before it.

    What followed it (the assistant's answer, tool results) cannot be a source and is left out. None when the person
    said nothing.
    """
    for i in range(len(utterances) - 1, -1, -1):
        if utterances[i].role is Speaker.PERSON and utterances[i].text.strip():
            return utterances[i], utterances[:i]
    return None
