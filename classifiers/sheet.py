"""Thumbnails, in rows on one picture, each with its number, or alone. Takes only copies that `prepare` has made."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL.Image import Image

ACROSS = 3  # thumbnails in a row
SIDE = 420  # px of one
GAP = 12
LABEL = 34  # px, height of a number
ALONE = 1_280  # px, longest side of one that is sent alone
QUALITY = 82


def sheet(pictures: Sequence[tuple[str, bytes]]) -> bytes:
    """(label, JPEG) of each → one JPEG. A copy that is empty (a file nobody could open) leaves its place grey."""
    from PIL import Image, ImageDraw, ImageFont

    across = min(ACROSS, len(pictures))
    down = -(-len(pictures) // across)
    whole = Image.new(
        "RGB", (GAP + across * (SIDE + GAP), GAP + down * (SIDE + LABEL + GAP)), (245, 245, 245)
    )
    pen, font = ImageDraw.Draw(whole), ImageFont.load_default(24)
    for place, (label, jpeg) in enumerate(pictures):
        left = GAP + place % across * (SIDE + GAP)
        top = GAP + place // across * (SIDE + LABEL + GAP)
        pen.text((left, top), label, fill=(40, 40, 40), font=font)
        if not jpeg:
            pen.rectangle((left, top + LABEL, left + SIDE, top + LABEL + SIDE), fill=(210, 210, 210))
            continue
        image = _shrunk(jpeg, SIDE)
        whole.paste(image, (left + (SIDE - image.width) // 2, top + LABEL))
    return _jpeg(whole)


def small(jpeg: bytes) -> bytes:
    """A copy to be looked at alone."""
    return _jpeg(_shrunk(jpeg, ALONE))


def _shrunk(jpeg: bytes, side: int) -> Image:
    from PIL import Image

    with Image.open(io.BytesIO(jpeg)) as image:
        image.draft("RGB", (2 * side, 2 * side))
        shrunk = image.convert("RGB")
    shrunk.thumbnail((side, side), Image.Resampling.LANCZOS)
    return shrunk


def _jpeg(image: Image) -> bytes:
    out = io.BytesIO()
    image.save(out, "JPEG", quality=QUALITY)
    return out.getvalue()
