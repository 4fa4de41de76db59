"""Text in pixels, by RapidOCR: the only file that knows it. Runs inside the picture worker.

Its models lie inside the wheel. It is fed upright BGR arrays only: given a path or bytes it decodes
by itself, and then reads palette pictures as noise and turned ones sideways.
"""

from __future__ import annotations

import math
import os
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from classifiers.decoded import Pixels
from classifiers.prepare import tiles

FLOOR = 0.5  # mean character probability below which a line is not believed
FLOOR_SHORT = 0.75  # for lines of one or two characters: textures read as "X" or "★"
DETECTED = 1_536  # px, longest side of the copy in which lines are looked for
THREADS = 2  # more gain little: most lines are too short to share
LARGEST = 4_000  # px; higher than any piece we feed, so that RapidOCR never resizes


Piece = tuple[int, int, Pixels]
"""Left and top of a piece in the whole picture, and its pixels."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line as found: its box in the whole picture (pixels), words and probability."""

    left: float
    top: float
    right: float
    bottom: float
    text: str
    score: float


def read_pixels(
    pixels: Pixels, seconds: float = math.inf, clock: Callable[[], float] = time.monotonic
) -> tuple[str, int, float]:
    """(text, number of lines, mean confidence) of an upright RGB picture.

    What is too tall to be read within `seconds` is read from the top as far as that goes; "…" then ends the text.
    """
    found: list[tuple[Piece, list[Line]]] = []
    pieces = tiles(pixels)
    began = last = clock()
    for left, top, piece in pieces:
        found.append(((left, top, piece), _read_piece(piece, left, top)))
        last, before = clock(), last
        if last - began + (last - before) > seconds:  # the next one would take as long as this one
            break
    read = [piece for piece, _ in found]
    mine = [line for piece, lines in found for line in lines if _belongs(line, piece[0], piece[1], read)]
    kept = [line for line in mine if _believable(line)]
    if not kept:
        return "", 0, 0.0
    rows = [*_rows(kept), *(["…"] if len(read) < len(pieces) else [])]
    return "\n".join(rows), len(rows), round(sum(line.score for line in kept) / len(kept), 3)


def _read_piece(piece: Pixels, left: int, top: int) -> list[Line]:
    if min(piece.shape[:2]) < 8:
        return []
    output = _engine()(np.ascontiguousarray(piece[:, :, ::-1]))
    if getattr(output, "txts", None) is None or getattr(output, "boxes", None) is None:
        return []
    lines = []
    for box, text, score in zip(output.boxes, output.txts, output.scores, strict=True):
        xs, ys = box[:, 0] + left, box[:, 1] + top
        lines.append(
            Line(float(xs.min()), float(ys.min()), float(xs.max()), float(ys.max()), text, float(score))
        )
    return lines


def _belongs(line: Line, left: int, top: int, pieces: list[Piece]) -> bool:
    """Whether this piece is the one where the line lies deepest: a line in an overlap is taken once."""
    if len(pieces) == 1:
        return True
    deepest = max(pieces, key=lambda piece: _depth(line, piece))
    return (deepest[0], deepest[1]) == (left, top)


def _depth(line: Line, piece: Piece) -> float:
    """How far the line's middle is from the piece's nearest edge; negative when outside."""
    left, top, pixels = piece
    height, width = pixels.shape[:2]
    x, y = (line.left + line.right) / 2 - left, (line.top + line.bottom) / 2 - top
    return float(min(x, width - x, y, height - y))


def _believable(line: Line) -> bool:
    letters = re.sub(r"[\W_]", "", line.text)
    floor = FLOOR if len(letters) > 2 else FLOOR_SHORT
    return line.score >= floor and bool(line.text.strip())


def _rows(lines: list[Line]) -> list[str]:
    """Join neighbours that stand close together on a row ("14" and its code); keep columns apart."""
    rows: list[str] = []
    previous: Line | None = None
    for line in lines:
        text = line.text.strip()
        if previous is not None and _same_row(previous, line):
            rows[-1] += f" {text}"
        else:
            rows.append(text)
        previous = line
    return rows


def _same_row(one: Line, two: Line) -> bool:
    height = min(one.bottom - one.top, two.bottom - two.top)
    shared = min(one.bottom, two.bottom) - max(one.top, two.top)
    gap = two.left - one.right
    return shared > 0.6 * height and -0.5 * height < gap < 1.5 * height


@cache
def _engine() -> Any:
    from omegaconf import flag_override
    from rapidocr import RapidOCR

    engine = RapidOCR(
        params={
            "Global.log_level": "critical",
            "Global.text_score": FLOOR,
            "Global.max_side_len": LARGEST,
            "Det.limit_type": "max",  # lines are looked for in a smaller copy and read at full size:
            "Det.limit_side_len": DETECTED,  # a fifth less work, and as many words found
        }
    )
    for part in ("Det", "Cls", "Rec"):
        with flag_override(engine.cfg[part], "allow_objects", True):
            engine.cfg[part].session = _session(part.lower())
    return engine


def _session(part: str) -> Any:
    """One of RapidOCR's models on our terms: two threads, so that a person waits less, and none of them ever spins.

    A thread that spins while it has nothing to do costs a third more CPU and, on two cores, the bot its turn.
    """
    import rapidocr
    from onnxruntime import InferenceSession, SessionOptions

    [model] = (Path(rapidocr.__file__).parent / "models").glob(f"*_{part}_*.onnx")
    options = SessionOptions()
    options.log_severity_level = 4
    options.enable_cpu_mem_arena = False  # an arena keeps what the largest picture needed
    options.intra_op_num_threads = min(THREADS, os.cpu_count() or 1)
    options.inter_op_num_threads = 1
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
