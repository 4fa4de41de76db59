"""What of the lines that an engine finds is believed, and in which order it is read."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from classifiers import reading

BLANK = np.full((400, 600, 3), 255, np.uint8)


def finding(*lines: tuple[str, float]) -> object:
    """An engine that finds these lines, one under the other."""
    boxes = [
        np.array([(10, 40 * n), (300, 40 * n), (300, 40 * n + 20), (10, 40 * n + 20)], float)
        for n in range(len(lines))
    ]
    found = SimpleNamespace(
        txts=[text for text, _ in lines], scores=[score for _, score in lines], boxes=boxes
    )
    return lambda pixels: found


def test_textures_are_no_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """A photograph of leaves has "lines" too: short ones, and none that the engine is sure of."""
    engine = finding(("★", 0.6), ("X", 0.7), ("*//", 0.55), ("GRAND TOTAL", 0.91), ("leafy mess", 0.4))
    monkeypatch.setattr(reading, "_engine", lambda: engine)
    assert reading.read_pixels(BLANK) == ("GRAND TOTAL", 1, 0.91)


def test_nothing_believable_is_no_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "_engine", lambda: finding(("★★", 0.6), ("/ X", 0.7)))
    assert reading.read_pixels(BLANK) == ("", 0, 0.0)


def test_the_engine_gets_upright_blue_green_red(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[np.ndarray] = []

    def engine(pixels: np.ndarray) -> object:
        seen.append(pixels)
        return SimpleNamespace(txts=None, boxes=None)

    monkeypatch.setattr(reading, "_engine", lambda: engine)
    red = np.zeros((50, 60, 3), np.uint8)
    red[..., 0] = 200
    reading.read_pixels(red)
    assert seen[0][0, 0].tolist() == [0, 0, 200]
    assert seen[0].flags["C_CONTIGUOUS"]
