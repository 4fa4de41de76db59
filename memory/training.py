"""Train and judge the embedded default: `python -m memory.training [--report]`. Needs scikit-learn (dev only).

Reads the banks (see `banks.py`), writes `weights.npz`; `--report` only prints how the shipped weights do on the
held-out bank.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memory.banks import Example, embed, read, training_set
from memory.changes import Speaker
from memory.clauses import sentences
from memory.places import kind_of_picture
from memory.probe import (
    FACES,
    KEEPS,
    KINDS,
    REFERENCE,
    WEIGHTS,
    Vectors,
    features,
    hashed,
    kind_in,
    load_probe,
    storing,
)
from memory.spans import group_of, load_tagger
from memory.tagger_training import train_tagger
from memory.turn import Turn

FOLDS = 5
_DIVISIONS = (7, 8, 9)  # seeds
# How often each kind of message comes in real talk, per thousand: nineteen of twenty hold nothing to keep.
NATURAL = {
    "chat": 400, "task": 380, "ask_fact": 30, "ask_pictures": 20, "ask_memory": 10, "ask_why": 5, "move": 10,
    "once": 30, "hypothetical": 12, "quoted": 15, "irony": 6, "secret": 3, "live": 20, "forget": 5, "undo": 3,
    "help": 6, "filing": 7, "rule": 9, "change": 6, "fact_self": 16, "fact_other": 9,
}  # fmt: skip
# Precision asked of saving without a question, at those frequencies. What ships does better: out of fold a fifth of the
# bank is missing, and structure (offline.py) says no to much of what the probe alone would take.
_SURE = {"filing": 0.55, "rule": 0.45, "fact": 0.56}
_ASK = 0.42  # precision asked of a question


def _fit(rows: Vectors, labels: Any, c: float, weight: NDArray[np.float64] | None = None) -> Any:
    from sklearn.linear_model import LogisticRegression

    model = LogisticRegression(C=c, max_iter=400)
    model.fit(rows, labels, sample_weight=weight)
    return model


def _parts(examples: Sequence[Example]) -> tuple[list[str], list[str], list[int]]:
    """Further training texts out of messages that hold several things: the kept part, and the rest as chat."""
    texts, labels, owners = list[str](), list[str](), list[int]()
    for i, example in enumerate(examples):
        if example.stores and example.keep and example.keep != example.text:
            texts.append(example.keep)
            labels.append(example.label)
            owners.append(i)
            others = [p.text for p in sentences(example.text.replace(example.keep, "\n")) if len(p.text) > 3]
            texts += others
            labels += ["chat"] * len(others)
            owners += [i] * len(others)
    return texts, labels, owners


def _head(model: Any) -> dict[str, Any]:
    weights, bias = model.coef_.T, model.intercept_
    if len(model.classes_) == 2:
        weights, bias = np.hstack([np.zeros_like(weights), weights]), np.asarray([0.0, bias[0]])
    return {"classes": np.asarray(model.classes_), "weights": weights.astype(np.float16), "bias": bias}


def _tagger_only() -> None:
    with np.load(WEIGHTS) as held:
        kept = {name: held[name] for name in held.files if not name.startswith("tagger:")}
    np.savez_compressed(WEIGHTS, **kept, **train_tagger(training_set()))


def train() -> None:
    """Train everything and write the weights."""
    examples = training_set()
    texts = [example.text for example in examples]
    part_texts, part_labels, owners = _parts(examples)
    vectors, part_vectors = embed(texts), embed(part_texts)
    counts = (hashed(texts) > 0).sum(axis=0)
    idf = np.log((1 + len(texts)) / (1 + counts)).astype(np.float32) + 1
    centre = vectors.mean(axis=0)
    held: dict[str, Any] = {
        "idf": idf.astype(np.float16),
        "centre": centre,
        "reference": embed([REFERENCE])[0],
    }
    names, levels = list[str](), list[tuple[float, float]]()
    for face in FACES:
        full = face == "full"
        rows = features(texts, vectors if full else None, idf, centre)
        more = features(part_texts, part_vectors if full else None, idf, centre)
        bank = _Bank(examples, rows, more, np.asarray(part_labels), np.asarray(owners), (face, idf, centre))
        for name, model in _heads(bank).items():
            names.append(f"{face}:{name}")
            held |= {f"{face}:{name}:{key}": value for key, value in _head(model).items()}
        levels += _levels(bank)
    held |= {"heads": np.asarray(names), "levels": np.asarray(levels)}
    held |= train_tagger(examples)
    np.savez_compressed(WEIGHTS, **held)
    print(f"{WEIGHTS.name}: {WEIGHTS.stat().st_size / 1e6:.2f} MB from {len(examples)} examples")


@dataclass(frozen=True, slots=True)
class _Bank:
    """What one face is trained on."""

    examples: Sequence[Example]
    rows: Vectors
    more: Vectors  # rows of parts of messages
    more_labels: NDArray[Any]
    owners: NDArray[np.int64]  # which example a part is of
    face: tuple[str, Vectors, Vectors]  # name, idf, centre

    @property
    def labels(self) -> NDArray[Any]:
        """Labels of the examples."""
        return np.asarray([example.label for example in self.examples])


def _heads(bank: _Bank) -> dict[str, Any]:
    """label: what a message is; of: what a kept one is about; asked: whether keeping it was asked for."""
    examples = bank.examples
    kept = np.asarray([e.stores for e in examples])
    kinds = [e.of or {"filing": "filing", "rule": "rule"}.get(e.label, "fact") for e in examples]
    weight = np.asarray([4.0 if e.label == "change" else 1.0 for e in examples])
    asked = np.asarray(["yes" if e.asked else "no" for e in examples])
    return {
        "label": _fit_labels(bank, np.ones(len(examples), bool), np.ones(len(bank.owners), bool)),
        "of": _fit(bank.rows[kept], np.asarray(kinds)[kept], 8.0, weight[kept]),
        "asked": _fit(bank.rows[kept], asked[kept], 8.0),
    }


def _fit_labels(bank: _Bank, mine: NDArray[np.bool_], extra: NDArray[np.bool_]) -> Any:
    weight = np.concatenate([np.ones(mine.sum()), np.full(extra.sum(), 0.6)])
    labels = np.concatenate([bank.labels[mine], bank.more_labels[extra]])
    return _fit(np.vstack([bank.rows[mine], bank.more[extra]]), labels, 8.0, weight)


def _levels(bank: _Bank) -> list[tuple[float, float]]:
    """(ask, save) levels of each kind, from chances out of fold; several divisions, because one alone is luck."""
    examples = bank.examples
    chances, kinds = zip(*(_out_of_fold(bank, seed) for seed in _DIVISIONS), strict=True)
    chance, kind = np.concatenate(chances), np.concatenate(kinds)
    shares = np.tile(_shares(examples), len(_DIVISIONS))
    kept = np.tile(np.asarray([e.stores for e in examples]), len(_DIVISIONS))
    return [
        (
            _lowest(chance[kind == i], kept[kind == i], shares[kind == i], _ASK),
            _lowest(chance[kind == i], kept[kind == i], shares[kind == i], _SURE[label]),
        )
        for i, label in enumerate(KINDS)
    ]


def _out_of_fold(bank: _Bank, seed: int) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """The chance and the kind of each example, by a probe that has not seen it."""
    examples = bank.examples
    fold = np.random.default_rng(seed).permutation(len(examples)) % FOLDS
    chances, kinds = np.zeros(len(examples)), np.zeros(len(examples), np.int64)
    for k in range(FOLDS):
        model = _fit_labels(bank, fold != k, fold[bank.owners] != k)
        classes = [str(c) for c in model.classes_]
        for i in np.flatnonzero(fold == k).tolist():
            whole = model.predict_proba(bank.rows[i][None])[0]
            chances[i] = storing(whole, _part_chances(model, examples[i].text, bank.face, whole), classes)
            kinds[i] = list(KINDS).index(kind_in(whole, classes))
    return chances, kinds


def _part_chances(model: Any, text: str, face: tuple[str, Vectors, Vectors], whole: Vectors) -> Vectors:
    parts = [part.text for part in sentences(text)]
    if len(parts) < 2:
        return whole[None]
    name, idf, centre = face
    return np.asarray(
        model.predict_proba(features(parts, embed(parts) if name == "full" else None, idf, centre))
    )


def _lowest(
    chances: NDArray[np.float64], kept: NDArray[np.bool_], shares: NDArray[np.float64], precision: float
) -> float:
    """The lowest level at which what is taken is right that often."""
    order = np.argsort(-chances)
    right = np.cumsum((shares * kept)[order]) / np.cumsum(shares[order])
    good = np.flatnonzero(right >= precision)
    return float(chances[order][good.max()]) if good.size else 0.999


def _shares(examples: Sequence[Example]) -> NDArray[np.float64]:
    """The weight of each example that makes the bank look like real talk."""
    counts = {label: sum(1 for e in examples if e.label == label) for label in NATURAL}
    return np.asarray([NATURAL[e.label] / counts[e.label] for e in examples])


# ---- the report


def report() -> None:
    """How the shipped weights do on the held-out bank."""
    tagger = load_tagger()
    examples = read("heldout")
    for face in FACES:
        started = time.perf_counter()
        judged = _judge(examples, face)
        spent = (time.perf_counter() - started) * 1000 / len(examples)
        print(f"\n== {face}: {spent:.1f} ms a message beside its vectors")
        for lang in ("zh", "en"):
            _print_face([(e, j) for e, j in zip(examples, judged, strict=True) if e.lang == lang], face)
    print("\n== the whole way, structure included")
    _whole_way()
    print("\n== spans, given the label")
    for lang in ("zh", "en"):
        for name in ("keep", "what", "where"):
            told = [e for e in examples if e.lang == lang and getattr(e, name)]
            found = [getattr(tagger.find(e.text, group_of(e.label, e.of)), name) for e in told]
            right = sum(
                1
                for e, span in zip(told, found, strict=True)
                if _bare(span, lang) == _bare(getattr(e, name), lang)
            )
            print(f"{lang} {name}: {right}/{len(told)} the same but for signs and articles")


def _bare(span: str, lang: str) -> str:
    return kind_of_picture(span, "", "zh" if lang == "zh" else "en").casefold().strip(" ，。,.!！?？、;；:：")


def _whole_way() -> None:
    """From message to write: what the embedded default would store of each held-out message, and what it would ask."""
    from memory.offline import Offline

    async def vectors(texts: Sequence[str]) -> Vectors:
        return embed(texts)

    async def run() -> None:
        offline, at = Offline(vectors), datetime(2026, 3, 11, 21, tzinfo=UTC)
        for lang in ("zh", "en"):
            examples = [e for e in read("heldout") if e.lang == lang]
            found = [await offline.extract([Turn(Speaker.PERSON, e.text, at)], [], at) for e in examples]
            kept, shares = np.asarray([e.stores for e in examples]), _shares(examples)
            for name, told in (
                ("saved", [f.changes for f in found]),
                ("saved or asked", [f.changes or f.questions for f in found]),
            ):
                taken = np.asarray([bool(t) for t in told])
                natural = shares[taken & kept].sum() / max(shares[taken].sum(), 1e-9)
                wrong = Counter(e.label for e, t in zip(examples, taken & ~kept, strict=True) if t)
                number = 1000 * shares[taken & ~kept].sum() / shares.sum()
                print(
                    f"{lang} {name}: recall {taken[kept].mean():.2f}, precision {kept[taken].mean():.2f} on the bank, "
                    f"{natural:.2f} at natural frequency; {number:.0f} wrong in 1,000 messages: {dict(wrong)}"
                )

    asyncio.run(run())


Judged = tuple[str, str, float]  # label, likeliest kind, chance of holding something to keep


def _judge(examples: Sequence[Example], face: str) -> list[Judged]:
    probe = load_probe()
    head = probe.heads[f"{face}:label"]
    judged: list[Judged] = []
    for example in examples:
        parts = [part.text for part in sentences(example.text)]
        texts = [example.text, *(parts if len(parts) > 1 else [])]
        found = head(probe.rows(texts, embed(texts) if face == "full" else None))
        chance = storing(found[0], found[1:] if len(parts) > 1 else found, head.classes)
        judged.append((head.classes[int(found[0].argmax())], kind_in(found[0], head.classes), chance))
    return judged


def _print_face(rows: Sequence[tuple[Example, Judged]], face: str) -> None:
    probe = load_probe()
    kept = np.asarray([e.stores for e, _ in rows])
    shares = _shares([e for e, _ in rows])
    print(f"{rows[0][0].lang}: label right {np.mean([e.label == j[0] for e, j in rows]):.2f}")
    for i, name in enumerate(("ask", "save")):
        taken = np.asarray([j[2] >= probe.levels[f"{face}:{j[1]}"][i] for _, j in rows])
        natural = shares[taken & kept].sum() / max(shares[taken].sum(), 1e-9)
        wrong = Counter(e.label for (e, _), t in zip(rows, taken & ~kept, strict=True) if t)
        print(
            f"  {name}: recall {taken[kept].mean():.2f}, precision {kept[taken].mean() if taken.any() else 1.0:.2f} "
            f"on the bank, {natural:.2f} at natural frequency; wrongly taken: {dict(wrong)}"
        )
    for label in KEEPS:
        levels = probe.levels.get(f"{face}:{label.removesuffix('_self').removesuffix('_other')}")
        shown = f"ask {levels[0]:.2f}, save {levels[1]:.2f}" if levels else "by its kind"
        mine = [j for e, j in rows if e.label == label]
        saved = sum(1 for _, kind, chance in mine if chance >= probe.levels[f"{face}:{kind}"][1])
        asked = sum(1 for _, kind, chance in mine if chance >= probe.levels[f"{face}:{kind}"][0]) - saved
        print(f"    {label} ({shown}): {saved} saved, {asked} asked of {len(mine)}")


if __name__ == "__main__":
    if "--report" not in sys.argv:
        train()
    report()
