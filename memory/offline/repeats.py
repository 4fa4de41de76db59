"""What one message says twice: it is kept once."""

from __future__ import annotations

from collections.abc import Sequence

from memory.changes import Change, Instruct, Learn
from memory.extraction import Proposal
from memory.words import content


def each_once(changes: Sequence[Proposal]) -> list[Proposal]:
    """Of changes to one line the last, and none that another one says as well: "43 wide. I'm a 43, always wide"."""
    told = [change for change, _ in changes if isinstance(change, Instruct | Learn)]
    return [pair for pair in changes if not _said_again(pair[0], told)]


def _said_again(change: Change, told: Sequence[Instruct | Learn]) -> bool:
    """Whether a later one takes the same line's place, or another one of its kind says all of it and more."""
    if not isinstance(change, Instruct | Learn):
        return False
    later = told[next(i for i, each in enumerate(told) if each is change) + 1 :]
    if change.target and any(each.target == change.target for each in later):
        return True
    mine = set(content(change.text))
    return any(type(each) is type(change) and mine < set(content(each.text)) for each in told)
