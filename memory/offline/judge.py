"""The reader as a judge: whether what was typed is a secret, or gives leave to act, however it is worded."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from memory.judging import Verdict
from memory.offline.labels import NEVER
from memory.words import squeeze

if TYPE_CHECKING:
    from memory.offline.reader import Part

# Chance from which a part is one: of 161 lines that careful people expect to be kept none is refused. Higher than
# where the reader itself chooses what to keep: here it takes away what was asked for.
_SURE = dict(zip(NEVER, (0.8, 0.85), strict=True))
_NAMES: dict[str, Verdict] = {"secret": "secret", "permit": "permission"}
_AROUND = 600  # characters on either side of the quote that are read
_REMEMBERED = 16  # messages: several changes come of one


async def judged(words: str, quote: str) -> Verdict:
    """What the quoted part of a message is that is never kept. The reader is loaded at first use."""
    return await asyncio.to_thread(_judged, words, quote)


def _judged(words: str, quote: str) -> Verdict:
    start, end = _place(words, quote)
    words, start, end = (
        words[max(0, start - _AROUND) : end + _AROUND],
        min(start, _AROUND),
        min(start, _AROUND) + end - start,
    )
    for part in _parts(words):
        if part.start < end and start < part.end:
            for label, least in _SURE.items():
                if part.scores.get(label, 0.0) >= least:
                    return _NAMES[label]
    return ""


def _place(words: str, quote: str) -> tuple[int, int]:
    """Where the quote stands, compared without width, case and white space; all of the words where it does not."""
    places = [(char, i) for i, typed in enumerate(words) for char in squeeze(typed)]
    at = "".join(char for char, _ in places).find(short := squeeze(quote))
    return (places[at][1], places[at + len(short) - 1][1] + 1) if short and at >= 0 else (0, len(words))


@lru_cache(_REMEMBERED)
def _parts(words: str) -> Sequence[Part]:
    from memory.offline.reader import load_reader  # with its runtime, of which a start has no need

    return tuple(load_reader()(words))
