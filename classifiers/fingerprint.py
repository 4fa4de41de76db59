"""What a picture looks like, in numbers: a perceptual hash and how much it looks like a photograph."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

SIDE = 16  # the hash keeps SIDE x SIDE low frequencies: 256 bits
SAMPLES = SIDE * 4  # pixels a side that the frequencies are taken from


@cache
def _cosines() -> NDArray[np.float64]:
    """The first SIDE rows of the DCT-II matrix over SAMPLES points."""
    n = np.arange(SAMPLES)
    return np.cos(np.pi * (2 * n[None, :] + 1) * np.arange(SIDE)[:, None] / (2 * SAMPLES))


def phash(grey: NDArray[np.uint8]) -> str:
    """256-bit perceptual hash of a SAMPLES x SAMPLES greyscale picture, as 64 hex digits.

    Low frequencies above their median are ones: unchanged by size, format and mild compression. It never
    proves two pictures the same (terminals look alike): only bits ≤ 20 apart *and* like text say "perhaps".
    """
    cosines = _cosines()
    low = cosines @ grey.astype(np.float64) @ cosines.T
    bits = (low > np.median(low)).flatten()
    return np.packbits(bits).tobytes().hex()


def distance(one: str, other: str) -> int:
    """Bits in which two hashes differ; 256 when either is missing."""
    if not one or not other:
        return SIDE * SIDE
    return (int(one, 16) ^ int(other, 16)).bit_count()


def colourfulness(rgb: NDArray[np.uint8]) -> float:
    """0 for a flat interface or a page, near 1 for a photograph. `rgb` is a small (≤ 256 px) picture.

    Interfaces are large areas of few colours; photographs spread over many. The spread of a coarse colour
    histogram (its entropy) tells them apart without any model.
    """
    coarse = (rgb >> 4).astype(np.int32)
    bins = (coarse[..., 0] << 8) | (coarse[..., 1] << 4) | coarse[..., 2]
    counts = np.bincount(bins.flatten())
    shares = counts[counts > 0] / bins.size
    entropy = float(-(shares * np.log2(shares)).sum())
    return min(1.0, entropy / 8.0)
