"""Pictures drawn for the tests: nothing here was taken from anybody."""

from __future__ import annotations

import io
import struct
import zlib

from PIL import Image, ImageDraw, ImageFont

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


def pdf(text: str) -> bytes:
    """A one-page PDF with a text layer, written by hand."""
    stream = f"BT /F1 24 Tf 72 700 Td ({text}) Tj ET".encode()
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R "
        b"/Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    body, places = b"%PDF-1.4\n", []
    for number, written in enumerate(objects, 1):
        places.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, written)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    return (
        body
        + b"xref\n0 6\n0000000000 65535 f \n%strailer << /Size 6 /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF"
        % (table, len(body))
    )
