"""What one message says twice: it is kept once."""

from __future__ import annotations

from collections.abc import Sequence

from memory.changes import Instruct, Learn
from memory.extraction import Proposal
from memory.words import content


def each_once(changes: Sequence[Proposal]) -> list[Proposal]:
    """Of changes to one line the last, and none that another one says as well: "43 wide. I'm a 43, always wide"."""
    found = list[Proposal]()
    for i, (change, source) in enumerate(changes):
        later = [each for each, _ in changes[i + 1 :]]
        if isinstance(change, Instruct | Learn):
            mine = content(change.text)
            others = [each for each, _ in changes if each is not change and type(each) is type(change)]
            if change.target and any(
                isinstance(each, Instruct | Learn) and each.target == change.target for each in later
            ):
                continue
            if any(
                set(mine) < set(content(each.text)) for each in others if isinstance(each, Instruct | Learn)
            ):
                continue
        found.append((change, source))
    return found
