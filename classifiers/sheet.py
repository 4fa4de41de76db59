"""Several pictures as one: thumbnails in rows, each with its number. Takes only copies that `prepare` has made."""

from __future__ import annotations

import io
from collections.abc import Sequence

ACROSS = 3  # thumbnails in a row
SIDE = 420  # px of one
GAP = 12
LABEL = 34  # px, height of a number


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
        with Image.open(io.BytesIO(jpeg)) as image:
            image.draft("RGB", (2 * SIDE, 2 * SIDE))
            small = image.convert("RGB")
            small.thumbnail((SIDE, SIDE), Image.Resampling.LANCZOS)
        whole.paste(small, (left + (SIDE - small.width) // 2, top + LABEL))
    out = io.BytesIO()
    whole.save(out, "JPEG", quality=82)
    return out.getvalue()
