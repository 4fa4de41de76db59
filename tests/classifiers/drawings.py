"""Pictures drawn for the tests: nothing here was taken from anybody."""

from __future__ import annotations

import io
import struct
import zlib

from PIL import Image, ImageDraw, ImageFont
from pillow_heif import from_pillow

CODE = """def drain(queue, limit):
    while queue and limit > 0:
        job = queue.pop()
        job.send()
    return limit"""
RECEIPT = """GREEN LANE BAKERY
Rye bread      4.20
Oat bun x2     3.60
SUBTOTAL       7.80
TAX            0.62
TOTAL          8.42
VISA ****      8.42"""


def font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """Pillow's own font: present wherever Pillow is."""
    return ImageFont.load_default(size)


def page(
    text: str, *, size: tuple[int, int] = (900, 420), ink: str = "black", paper: str = "white"
) -> Image.Image:
    """Words on paper."""
    image = Image.new("RGB", size, paper)
    ImageDraw.Draw(image).multiline_text((30, 30), text, fill=ink, font=font(30), spacing=12)
    return image


def transparent(text: str, ink: str) -> Image.Image:
    """Words on nothing."""
    image = Image.new("RGBA", (900, 200), (0, 0, 0, 0))
    ImageDraw.Draw(image).multiline_text((30, 60), text, fill=ink, font=font(48))
    return image


def saved(image: Image.Image, format: str, **options: object) -> bytes:
    """The picture as a file's bytes."""
    buffer = io.BytesIO()
    image.save(buffer, format, **options)
    return buffer.getvalue()


def sideways(image: Image.Image) -> bytes:
    """As a phone held sideways saves it: turned pixels and EXIF orientation 6, with GPS."""
    exif = Image.Exif()
    exif[0x0112] = 6
    exif[0x0132] = "2026:03:04 05:06:07"
    exif.get_ifd(0x8825)[1] = "N"
    return saved(image.rotate(90, expand=True), "JPEG", exif=exif, quality=95)


def animation(frames: list[Image.Image], format: str = "GIF") -> bytes:
    """A moving picture."""
    return saved(frames[0], format, save_all=True, append_images=frames[1:], duration=100)


def deep_grey(low: int, high: int) -> bytes:
    """A 16-bit greyscale PNG, a ramp between two values."""
    image = Image.new("I;16", (64, 16))
    for x in range(64):
        for y in range(16):
            image.putpixel((x, y), low + (high - low) * x // 63)
    return saved(image, "PNG")


def bomb(width: int = 40_000, height: int = 40_000) -> bytes:
    """A PNG whose header promises far more pixels than anybody should decode."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    header = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(b"\0"))
        + chunk(b"IEND", b"")
    )


def located(image: Image.Image, **options: object) -> bytes:
    """As a phone saves it: where it was taken stands in EXIF and in XMP."""
    exif = Image.Exif()
    exif[0x010F] = "Phonemaker"
    exif[0x8825] = {1: "N", 2: (52.0, 31.0, 12.5), 3: "E", 4: (13.0, 24.0, 18.1)}
    xmp = b'<x:xmpmeta xmlns:x="adobe:ns:meta/"><exif:GPSLatitude>52,31.2N</exif:GPSLatitude></x:xmpmeta>'
    return saved(image, "JPEG", exif=exif, xmp=xmp, quality=95, **options)


def pdf(*texts: str) -> bytes:
    """A PDF with a text layer, a page for each text, written by hand."""
    kids = " ".join(f"{4 + 2 * number} 0 R" for number in range(len(texts)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(texts)} >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for number, text in enumerate(texts):
        stream = f"BT /F1 24 Tf 72 700 Td ({text}) Tj ET".encode()
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents %d 0 R "
            b"/Resources << /Font << /F1 3 0 R >> >> >>" % (5 + 2 * number)
        )
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream))
    body, places = b"%PDF-1.4\n", []
    for number, written in enumerate(objects, 1):
        places.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, written)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    size = len(objects) + 1
    return (
        body
        + b"xref\n0 %d\n0000000000 65535 f \n%strailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF"
        % (size, table, size, len(body))
    )


def heic(image: Image.Image) -> bytes:
    """Written by its own library: that Pillow opens such files is our affair, and no test may see to it."""
    out = io.BytesIO()
    from_pillow(image).save(out)
    return out.getvalue()
