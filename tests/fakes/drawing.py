"""Pictures drawn for tests: text on a plain ground, as a screenshot shows it."""

from __future__ import annotations

import io

from PIL import Image, ImageDraw, ImageFont

CODE = """def unpack(row):
    name, price = row["name"], row["price"]
    for key, value in row.items():
        print(key, value)
    return {"name": name, "price": price}

import numpy as np
x = np.zeros((3, 4))"""

RECEIPT = """SUNRISE GROCERY
12 Hill Road
Milk 2L          3.49
Bread            2.10
Apples 1kg       4.25
TOTAL            9.84
VISA ****  APPROVED
Thank you for shopping"""


def drawn(
    text: str, *, size: tuple[int, int] = (900, 520), ground: str = "white", ink: str = "black"
) -> bytes:
    """`text` as a PNG."""
    image = Image.new("RGB", size, ground)
    font = ImageFont.load_default(26)
    ImageDraw.Draw(image).multiline_text((40, 40), text, fill=ink, font=font, spacing=12)
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()
