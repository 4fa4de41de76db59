"""How the shipped reader does on the held-out banks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from memory.offline.banks import UNKNOWN, Meant, Message, names, read
from memory.offline.labels import ASKS, KEEPS
from memory.offline.reader import Part, load_reader

_FROM = (0.5, 0.7, 0.9)  # chance from which something would be kept


def report() -> None:
    """Print it."""
    reader = load_reader()
    for bank in names(held_out=True):
        for language in ("zh", "en"):
            messages = [each for each in read(bank) if each.language == language]
            found = [reader(each.text, each.heard, each.earlier, each.lines) for each in messages]
            if messages:
                print(f"\n== {bank}, {language}: {len(messages)} messages")
                _labels(messages, found)
                _lines(messages, found)


def _labels(messages: Sequence[Message], found: Sequence[Sequence[Part]]) -> None:
    pairs = [
        (meant, part)
        for message, parts in zip(messages, found, strict=True)
        for meant in message.parts
        if meant.label != UNKNOWN and (part := _over(meant, parts))
    ]
    right = np.mean([_same(meant.label, part.label) for meant, part in pairs])
    kept = np.asarray([meant.label in KEEPS for meant, _ in pairs])
    chances = np.asarray([part.chance for _, part in pairs])
    cut = np.mean([len(m.parts) == len(p) for m, p in zip(messages, found, strict=True)])
    print(
        f"{len(pairs)} parts: {right:.2f} of the labels right; {cut:.2f} of the messages cut into as many parts"
    )
    for least in _FROM:
        taken = chances >= least
        wrong = Counter(meant.label for (meant, _), t in zip(pairs, taken & ~kept, strict=True) if t)
        print(
            f"from {least}: {taken[kept].mean():.2f} of what is to be kept, {taken[~kept].mean():.3f} of the rest "
            f"{dict(wrong.most_common(6))}"
        )
    for name in ("keep", "what", "where"):
        told = [
            (meant, part, message)
            for message, parts in zip(messages, found, strict=True)
            for meant in message.parts
            if (part := _over(meant, parts)) and getattr(meant, name) and meant.label in KEEPS
        ]
        same = sum(
            _bare(m.text, getattr(meant, name)) == _bare(m.text, getattr(part, name))
            for meant, part, m in told
        )
        print(f"{name}: {same}/{len(told)} the same but for signs")


def _bare(text: str, span: tuple[int, int] | None) -> str:
    return (text[slice(*span)] if span else "").strip(" ，。,.!！?？、;；:：").casefold()


def _lines(messages: Sequence[Message], found: Sequence[Sequence[Part]]) -> None:
    told = [
        (meant.line, part)
        for message, parts in zip(messages, found, strict=True)
        for meant in message.parts
        if meant.line is not None and (part := _over(meant, parts))
    ]
    if told:
        right = sum(part.line(0.0) == line for line, part in told)
        print(f"lines: {right}/{len(told)} found")


def _over(meant: Meant, parts: Sequence[Part]) -> Part | None:
    """The part that covers most of what is meant."""
    best = max(parts, key=lambda part: _shared(meant, part), default=None)
    return best if best is not None and _shared(meant, best) > 0 else None


def _shared(meant: Meant, part: Part) -> int:
    return min(part.end, meant.end) - max(part.start, meant.start)


def _same(meant: str, found: str) -> bool:
    return meant == found or (meant == "ask" and found in ASKS)
