"""What of the lines that an engine finds is believed, and in which order it is read."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from classifiers import reading
from classifiers.prepare import tiles

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


@pytest.mark.parametrize(("seconds", "pieces"), [(100.0, 0), (25.0, 2), (5.0, 1)])
def test_what_is_too_tall_for_its_time_is_read_from_the_top(
    monkeypatch: pytest.MonkeyPatch, seconds: float, pieces: int
) -> None:
    tall = np.full((9_000, 600, 3), 255, np.uint8)
    whole = len(tiles(tall))
    assert whole > 2
    now, read = 0.0, 0

    def engine(pixels: np.ndarray) -> object:
        nonlocal now, read
        now, read = now + 10, read + 1
        box = np.array([(10, 700), (300, 700), (300, 720), (10, 720)], float)
        return SimpleNamespace(txts=[f"piece {read}"], scores=[0.9], boxes=[box])

    monkeypatch.setattr(reading, "_engine", lambda: engine)
    text, _, _ = reading.read_pixels(tall, seconds, lambda: now)
    assert read == (pieces or whole)
    assert text.splitlines()[0] == "piece 1"
    assert text.endswith("…") == bool(pieces)
