"""PDF files: the text of every page and a picture of the first. The home of pypdfium2."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from classifiers.decoded import LONGEST, Decoded, picture_of
from classifiers.errors import Unreadable
from classifiers.papers import MORE, MOST_TEXT

if TYPE_CHECKING:
    from PIL import Image

MOST_PAGES = 200
SHARPEST = 4.0  # times 72 dpi


def refuse_polyglot(head: bytes) -> None:
    """Only blanks may stand before a PDF's signature.

    Other bytes there mean that the file was damaged on the way or pretends to be two things at once; programs
    then disagree about what it shows, so it is kept but not believed.

    Raises:
        Unreadable: something else stands there.
    """
    if head[: head.index(b"%PDF-")].strip(b"\xef\xbb\xbf\0 \t\r\n"):
        raise _damaged()


def decode_pdf(data: bytes) -> Decoded:
    """Every page's text layer and the first page's picture.

    Raises:
        Unreadable: it is encrypted or damaged; kept, since the person sees why and may still want it.
    """
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as error:
        if "password" in str(error).lower():
            raise Unreadable(
                "这个 PDF 有密码，读不了里面的文字；已保留原件。",
                "This PDF is locked with a password, so its text could not be read; the file is kept.",
                True,
                ".pdf",
            ) from error
        raise _damaged() from error
    try:
        pages = len(document)
        if pages == 0:
            raise _damaged()
        image, size = _first_page(document)
        text = _texts(document, min(pages, MOST_PAGES))
    except pypdfium2.PdfiumError as error:
        raise _damaged() from error
    finally:
        document.close()
    picture = picture_of(image, data, format="PDF", extension=".pdf", size=size)
    note = f"PDF，共 {pages} 页 · {pages} pages" if pages > 1 else ""
    return Decoded(replace(picture, frames=pages, note=note, page_text=text), np.asarray(image))


def _first_page(document: Any) -> tuple[Image.Image, tuple[int, int]]:
    page = document[0]
    width, height = page.get_size()  # points
    if not (width > 0 and height > 0):
        raise _damaged()
    scale = min(SHARPEST, LONGEST / max(width, height))
    bitmap = page.render(scale=scale)
    image: Image.Image = bitmap.to_pil().convert("RGB")
    bitmap.close()
    page.close()
    return image, image.size


def _texts(document: Any, pages: int) -> str:
    found: list[str] = []
    length = 0
    for index in range(pages):
        page = document[index]
        layer = page.get_textpage()
        text = layer.get_text_bounded().replace("\r\n", "\n").replace("\0", "").strip()
        layer.close()
        page.close()
        if text:
            found.append(text)
            length += len(text)
        if length > MOST_TEXT:
            break
    whole = "\n\n".join(found)
    if len(whole) > MOST_TEXT or (whole and pages < len(document)):
        return whole[:MOST_TEXT] + MORE
    return whole


def _damaged() -> Unreadable:
    return Unreadable(
        "这个 PDF 已损坏，打不开；已保留原件。",
        "This PDF is damaged and cannot be opened; the file is kept.",
        True,
        ".pdf",
    )
