"""What decoding ends in, whatever the file was: a `Picture`, and its pixels for a reader."""

from __future__ import annotations

import hashlib
import io
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from classifiers.fingerprint import SAMPLES, colourfulness, phash
from classifiers.types import Picture

if TYPE_CHECKING:
    from PIL import Image

Pixels = NDArray[np.uint8]
"""height x width x 3, RGB."""

LONGEST = 2_000  # px, longest side of what models and thumbnails get


@dataclass(frozen=True, slots=True)
class Decoded:
    """A picture and its upright pixels at the size a reader wants."""

    picture: Picture
    pixels: Pixels


def picture_of(
    image: Image.Image, data: bytes, *, format: str, extension: str, size: tuple[int, int]
) -> Picture:
    """A `Picture` around upright RGB `image`; `size` is that of the original (width, height)."""
    from PIL import Image

    small = image.copy()
    small.thumbnail((LONGEST, LONGEST), Image.Resampling.LANCZOS, reducing_gap=3.0)
    buffer = io.BytesIO()
    small.save(buffer, "JPEG", quality=85)
    grey = small.convert("L").resize((SAMPLES, SAMPLES), Image.Resampling.LANCZOS)
    stamp = small.copy()
    stamp.thumbnail((160, 160), Image.Resampling.NEAREST)  # nearest: resampling would invent colours
    return Picture(
        sha256=hashlib.sha256(data).hexdigest(),
        jpeg=buffer.getvalue(),
        width=size[0],
        height=size[1],
        format=format,
        extension=extension,
        phash=phash(np.asarray(grey)),
        colourfulness=round(colourfulness(np.asarray(stamp)), 3),
        original=data,
    )
