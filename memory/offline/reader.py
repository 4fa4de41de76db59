"""A trained reader of messages: it cuts one into parts and says what each means for memory.

One small encoder reads the stored lines that may be meant, what was said before, and the message, all at once. Its
word on each piece makes the parts: the label of each, the words to keep, the kind of picture and the place, whether
keeping was asked for, and which of the lines it speaks of. The weights are those of multilingual-e5-small (MIT), taught
by `reader_training.py` from the banks in `examples/`; they lie in `reader.onnx`, which says itself what it tells.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from memory.clauses import sentences
from memory.offline.labels import KEEPS
from memory.offline.pieces import END, START, Pieces

Array = NDArray[np.float32]
Span = tuple[int, int]  # start and end, in characters of the message

WEIGHTS = Path(__file__).with_name("reader.onnx")
LINES = 8  # stored lines that are read at most
PLACES = 512  # pieces that the encoder takes at once
# Kinds of text, and how many pieces of each are read: of lines and the message the first, of talk the last. Where all
# of it would be more than PLACES, a message leaves less for what stands around it.
LINE, EARLIER, HEARD, MESSAGE = 1, 2, 3, 4
MOST = {LINE: 28, EARLIER: 48, HEARD: 64, MESSAGE: 300}
FLAGS = ("begins", "keep", "asked", "what", "where")
SCALE = 8.0  # of the products by which a part finds its line
_MARGIN = 20  # pieces by which a window of a long message is shorter: cut alone it may have some more
_TEMPER = 0.5  # neighbouring pieces say the same thing twice


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a message that means one thing."""

    start: int
    end: int
    label: str
    scores: Mapping[str, float] = field(default_factory=dict)  # of every label, 0..1
    keep: Span | None = None  # the words to keep
    what: Span | None = None  # the kind of picture
    where: Span | None = None  # the category
    asked: float = 0.0  # chance that keeping it was asked for
    of: Mapping[str, float] = field(default_factory=dict)  # chance of what a change is about
    lines: tuple[float, ...] = ()  # chance of each line to be meant; what is missing to 1: none of them

    def moved(self, by: int) -> Part:
        """The same where its text begins so many characters later."""

        def later(span: Span | None) -> Span | None:
            return (span[0] + by, span[1] + by) if span else None

        return replace(
            self,
            start=self.start + by,
            end=self.end + by,
            keep=later(self.keep),
            what=later(self.what),
            where=later(self.where),
        )

    @property
    def chance(self) -> float:
        """That it holds something to keep."""
        return sum(self.scores.get(name, 0.0) for name in KEEPS)

    def line(self, least: float) -> int | None:
        """The line that is meant with at least that chance, the likeliest."""
        best = max(range(len(self.lines)), key=lambda i: self.lines[i], default=None)
        return best if best is not None and self.lines[best] >= least else None


@dataclass(frozen=True, slots=True)
class Reading:
    """The texts of one reading, laid out as the encoder takes them."""

    ids: list[int]
    kinds: list[int]
    message: Span  # where its pieces stand
    places: list[Span]  # the characters of each of them
    lines: list[Span]  # where the pieces of each line stand


def laid_out(pieces: Pieces, text: str, heard: str, earlier: str, lines: Sequence[str]) -> Reading:
    """The texts of one reading: the lines, the talk before the message, the message."""
    said, places = pieces(text)
    said, places = said[: MOST[MESSAGE]], places[: MOST[MESSAGE]]
    room = PLACES - len(said) - 2
    ids, kinds, spans = [START], [0], list[Span]()
    talk = [(kind, words) for kind, words in ((EARLIER, earlier), (HEARD, heard)) if words]
    kept = {kind: pieces(words)[0][-MOST[kind] :] for kind, words in talk}
    room -= sum(len(found) + 1 for found in kept.values())
    held = [pieces(line)[0][: MOST[LINE]] for line in lines[:LINES]]
    most = max(1, room // len(held) - 1) if held else 0
    for kind, found in (*((LINE, line[:most]) for line in held), *kept.items(), (MESSAGE, said)):
        start = len(ids)
        ids += [*found, END]
        kinds += [kind] * (len(found) + 1)
        spans.append((start, start + len(found)))
    return Reading(ids, kinds, spans[-1], places, spans[: len(held)])


class Reader:
    """The encoder with its pieces."""

    def __init__(self, weights: Path = WEIGHTS) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1  # the machine has other work
        options.log_severity_level = 3
        self._encoder = onnxruntime.InferenceSession(
            str(weights), options, providers=["CPUExecutionProvider"]
        )
        told = self._encoder.get_modelmeta().custom_metadata_map
        self.labels, self.flags, self.of = (tuple(told[name].split()) for name in ("labels", "flags", "of"))
        self._pieces = Pieces()

    def __call__(
        self, text: str, heard: str = "", earlier: str = "", lines: Sequence[str] = ()
    ) -> list[Part]:
        """The parts of a message, in order; together they cover it. A long one is read in several windows.

        Args:
            heard: what the assistant said just before.
            earlier: what the person said before that.
            lines: stored lines that may be meant; the first LINES are read.
        """
        return [
            part.moved(start)
            for start, end in self._windows(text)
            for part in self._parts(laid_out(self._pieces, text[start:end], heard, earlier, lines))
        ]

    def _windows(self, text: str) -> list[Span]:
        """Stretches of whole sentences, each of no more pieces than are read at once."""
        if len(text) <= MOST[MESSAGE]:
            return [(0, len(text))]  # a piece covers a character at least: nothing need be cut to know
        _, places = self._pieces(text)
        if len(places) <= MOST[MESSAGE]:
            return [(0, len(text))]
        ends = [part.start for part in sentences(text)]
        found, start = list[Span](), 0
        while start < len(text):
            here = [place for place in places if place[0] >= start]
            if len(here) <= MOST[MESSAGE]:
                found.append((start, len(text)))
                break
            most = here[MOST[MESSAGE] - _MARGIN][0]
            end = max((each for each in ends if start < each <= most), default=most)
            found.append((start, end))
            start = end
        return found

    def _parts(self, reading: Reading) -> list[Part]:
        fed = {"ids": np.asarray([reading.ids], np.int64), "kinds": np.asarray([reading.kinds], np.int64)}
        labels, flags, of, asks, answers, none = self._encoder.run(None, fed)
        start, end = reading.message
        said, about = _softmax(labels[start:end]), _softmax(of[start:end])
        flagged = dict(zip(self.flags, 1 / (1 + np.exp(-flags[start:end].T)), strict=True))
        keys = [answers[a : max(b, a + 1)].mean(0) for a, b in reading.lines]
        found = []
        for a, b in _cuts(said, flagged["begins"]):
            here, places = slice(start + a, start + b), reading.places[a:b]
            scores = said[a:b].mean(0)
            found.append(
                Part(
                    start=places[0][0],
                    end=places[-1][1],
                    label=self.labels[int(scores.argmax())],
                    scores=dict(zip(self.labels, map(float, scores), strict=True)),
                    keep=_reach(places, flagged["keep"][a:b]),
                    what=_run(places, flagged["what"][a:b]),
                    where=_run(places, flagged["where"][a:b]),
                    asked=float(flagged["asked"][a:b].mean()),
                    of=dict(zip(self.of, map(float, about[a:b].mean(0)), strict=True)),
                    lines=_meant(asks[here].mean(0), float(none[here].mean()), keys),
                )
            )
        return found


def _softmax(logits: Array) -> Array:
    raised = np.exp(logits - logits.max(-1, keepdims=True))
    return np.asarray(raised / raised.sum(-1, keepdims=True), np.float32)


def _meant(asks: Array, none: float, keys: Sequence[Array]) -> tuple[float, ...]:
    """The chance of each line to be the one that is meant.

    Args:
        asks, keys: of KEY numbers each.
        none: logit of no line.
    """
    if not keys:
        return ()
    logits = np.asarray([none, *(float(key @ asks) / SCALE for key in keys)], np.float32)
    return tuple(map(float, _softmax(logits)[1:]))


def _cuts(scores: Array, begins: Array) -> list[tuple[int, int]]:
    """Where parts begin and end, in pieces: the likeliest course of labels, which change only where a part begins."""
    if not len(scores):
        return []
    said = np.log(scores + 1e-6) * _TEMPER
    anew, on = np.log(begins + 1e-6), np.log(1 - begins + 1e-6)
    best, steps = said[0], list[tuple[NDArray[np.bool_], int]]()
    for each, go, stay in zip(said[1:], anew[1:], on[1:], strict=True):
        leap = best.max() + go
        steps.append((leap > best + stay, int(best.argmax())))
        best = np.maximum(best + stay, leap) + each
    label, edges = int(best.argmax()), [len(scores)]
    for place in range(len(steps), 0, -1):
        began, left = steps[place - 1]
        if began[label]:
            edges.append(place)
            label = left
    return list(pairwise([0, *reversed(edges)]))


def _reach(places: Sequence[Span], chances: Array) -> Span | None:
    """From the first piece that is marked to the last."""
    marked = np.flatnonzero(chances >= 0.5)
    return (places[marked[0]][0], places[marked[-1]][1]) if len(marked) else None


def _run(places: Sequence[Span], chances: Array) -> Span | None:
    """The weightiest run of marked pieces."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], chances >= 0.5, [False]])))
    runs = [(int(a), int(b)) for a, b in edges.reshape(-1, 2)]
    if not runs:
        return None
    a, b = max(runs, key=lambda run: float(chances[run[0] : run[1]].sum()))
    return places[a][0], places[b - 1][1]


@cache
def load_reader() -> Reader:
    """The shipped reader, loaded once: with its runtime some 110 MB."""
    return Reader()
