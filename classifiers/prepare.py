"""Decode a file once: upright, RGB, no metadata, with a fingerprint. The home of PIL.

`decode` gives the picture and the pixels that a reader wants; `prepare` only the picture. Both are pure and
blocking; `classifiers.ocr.Reader` runs them in its worker process, where a decoder that crashes harms nobody.
"""

from __future__ import annotations

import io
import re
import struct
import warnings
import zlib
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import numpy as np

from classifiers.decoded import LONGEST, Decoded, Pixels, picture_of
from classifiers.errors import Unreadable
from classifiers.types import Picture

if TYPE_CHECKING:
    from PIL import Image

MOST_PIXELS = 120_000_000  # judged from the header, before anything is decoded
LEAST_SHORT = 1_000  # px; a reader's picture is not shrunk below this on its short side
TILE = 2_000  # px, length of one tile of a tall (or wide) picture
TILED_FROM = 2_400  # px; up to here one piece is read at once
OVERLAP = 200  # px shared by neighbouring tiles, more than twice the height of a line
FRAMES_TRIED = 12  # how far to look for a frame that is not blank
FLAT = 4  # a frame whose values spread no wider than this is blank

DECODER_ERRORS = (
    OSError,
    SyntaxError,
    ValueError,
    TypeError,
    LookupError,
    ArithmeticError,
    AttributeError,
    AssertionError,
    RuntimeError,
    EOFError,
    MemoryError,
    struct.error,
    zlib.error,
)
"""What decoders raise for hostile bytes (all of these were seen in public reports)."""

EXTENSIONS = {
    "JPEG": ".jpg",
    "MPO": ".jpg",
    "TIFF": ".tif",
    "HEIF": ".heic",
    "JPEG2000": ".jp2",
}


def prepare(data: bytes, name: str = "") -> Picture:
    """The picture in `data`. Blocking.

    Raises:
        Unreadable: no picture can be made of it; the error says why, in words for the person.
    """
    return decode(data, name).picture


def decode(data: bytes, name: str = "") -> Decoded:
    """Like `prepare`, with the pixels for the reader."""
    if not data:
        raise Unreadable(
            "这个文件是空的（0 字节），请重新发送。",
            "This file is empty (0 bytes); please send it again.",
            False,
        )
    head = data[:2048]
    if b"%PDF-" in head:
        from classifiers.pdf import decode_pdf, refuse_polyglot

        refuse_polyglot(head)
        return decode_pdf(data)
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if b"<svg" in start and start.startswith(b"<"):
        raise Unreadable(
            "SVG 矢量图已保留原件；出于安全考虑没有读取其中的内容。",
            "The SVG drawing is kept as it is; for safety its contents were not read.",
            True,
            ".svg",
        )
    if start.startswith((b"<!doctype html", b"<html", b"<head", b"<body", b"<?xml")):
        raise Unreadable(
            "这不是图片，而是一个网页（下载链接可能已失效），请重新发送图片。",
            "This is a web page, not a picture (the link may have expired); please send the picture again.",
            False,
        )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # decoders warn about odd metadata; we drop all metadata
        return _decode_raster(data, name)


def _decode_raster(data: bytes, name: str) -> Decoded:
    from PIL import Image, UnidentifiedImageError

    _register_heif()
    try:
        with Image.open(io.BytesIO(data)) as image:
            size = image.size
            _refuse_bomb(size)
            kind = image.format or ""
            taken = _taken(image)
            image.draft(None, _reading_size(size))  # JPEG: decode straight to about the size wanted
            frames, note, frame = _meaningful_frame(image)
            turned = _upright(frame)
            if turned.size != frame.size and turned.size == frame.size[::-1]:
                size = size[::-1]
            upright = _flatten(turned)
    except Image.DecompressionBombError as error:
        raise _too_large() from error
    except UnidentifiedImageError as error:
        raise _unidentified(data, name) from error
    except DECODER_ERRORS as error:
        raise _broken(data, error) from error
    for_reader = _fit(upright, _reading_size(upright.size))
    pixels = np.asarray(for_reader)
    extension = EXTENSIONS.get(kind, f".{kind.lower()}" if kind else "")
    picture = picture_of(for_reader, data, format=kind, extension=extension, size=size)
    return Decoded(_with(picture, taken=taken, frames=frames, note=note), pixels)


def tiles(pixels: Pixels) -> list[tuple[int, int, Pixels]]:
    """Cut a tall or wide picture into overlapping pieces: (left, top, piece), in reading order."""
    height, width = pixels.shape[:2]
    tops = _cuts(height)
    lefts = _cuts(width)
    return [
        (left, top, pixels[top : top + TILE, left : left + TILE])
        if len(tops) + len(lefts) > 2
        else (0, 0, pixels)
        for top in tops
        for left in lefts
    ]


def _cuts(length: int) -> list[int]:
    """Where tiles begin along a side: evenly, each ≤ TILE long and at least OVERLAP shared."""
    if length <= TILED_FROM:
        return [0]
    count = -(-(length - OVERLAP) // (TILE - OVERLAP))
    return [round(i * (length - TILE) / (count - 1)) for i in range(count)]


def _reading_size(size: tuple[int, int]) -> tuple[int, int]:
    """The size a reader wants: longest side ≤ 2,000 px unless that would shrink the short one below 1,000."""
    width, height = size
    scale = min(1.0, LONGEST / max(size))
    if min(size) * scale < LEAST_SHORT:
        scale = min(1.0, max(scale, LEAST_SHORT / min(size)))
    return max(1, round(width * scale)), max(1, round(height * scale))


def _fit(image: Image.Image, size: tuple[int, int]) -> Image.Image:
    from PIL import Image

    return image if image.size == size else image.resize(size, Image.Resampling.LANCZOS, reducing_gap=3.0)


def _register_heif() -> None:
    try:
        from pillow_heif import register_heif_opener
    except ImportError:  # no wheel for this machine: HEIC then ends as "kept, not read"
        return
    register_heif_opener()


def _meaningful_frame(image: Image.Image) -> tuple[int, str, Image.Image]:
    """How many frames, what to say about it, and the first frame that is not blank."""
    frames = int(getattr(image, "n_frames", 1))
    if image.format == "MPO":  # a phone's JPEG with a second view; the first is the photo
        frames = 1
    image.load()
    if frames <= 1:
        return 1, "", image
    if image.format == "TIFF":
        return frames, f"第 1 页，共 {frames} 页 · page 1 of {frames}", image.copy()
    chosen = 0
    first = image.copy()
    frame = first
    for index in range(min(frames, FRAMES_TRIED)):
        image.seek(index)
        if not _is_flat(image.convert("RGBA")):
            chosen, frame = index, image.copy()
            break
    return frames, f"动图，取第 {chosen + 1} 帧，共 {frames} 帧 · frame {chosen + 1} of {frames}", frame


def _is_flat(rgba: Image.Image) -> bool:
    extremes: Any = _over(rgba, 255).resize((64, 64)).getextrema()
    return all(high - low <= FLAT for low, high in extremes)


def _upright(image: Image.Image) -> Image.Image:
    from PIL import ImageOps

    try:
        return ImageOps.exif_transpose(image)
    except DECODER_ERRORS:  # damaged EXIF: better sideways than lost
        return image


def _flatten(image: Image.Image) -> Image.Image:
    """Upright pixels of any mode → RGB, without clipping deep greys or blackening transparency."""
    mode = image.mode
    if mode.startswith("I") or mode == "F":
        return _from_deep(image)
    if mode == "LAB":
        from PIL import ImageCms

        srgb = ImageCms.createProfile("sRGB")
        converted = ImageCms.profileToProfile(image, ImageCms.createProfile("LAB"), srgb, outputMode="RGB")
        if converted is not None:
            return converted
    if image.has_transparency_data:
        rgba = image.convert("RGBA")
        return _over(rgba, _background(rgba))
    return image.convert("RGB")


def _from_deep(image: Image.Image) -> Image.Image:
    """16- or 32-bit grey or floats → RGB, scaled by what the values really are."""
    from PIL import Image

    values = np.nan_to_num(np.asarray(image).astype(np.float64))
    low, high = float(values.min()), float(values.max())
    if low >= 0 and high <= 255 and image.mode in ("I", "F") and high > 1:
        scaled = values
    elif low < 0 or high > 65535 or high <= 1:
        scaled = (values - low) * (255 / (high - low)) if high > low else values * 0
    else:
        scaled = values / 257
    if high > low and scaled.max() - scaled.min() <= 8:  # nearly one shade though the source is not: stretch
        scaled = (values - low) * (255 / (high - low))
    return Image.fromarray(np.clip(scaled, 0, 255).astype(np.uint8)).convert("RGB")


def _background(rgba: Image.Image) -> int:
    """Grey to lay a transparent picture on: dark if what is drawn is light (white text), else white."""
    small = np.asarray(rgba.resize((min(rgba.width, 400), min(rgba.height, 400)))).astype(np.float64)
    alpha = small[..., 3] / 255
    if alpha.mean() > 0.95 or alpha.max() == 0:
        return 255
    light = small[..., :3] @ np.array([0.299, 0.587, 0.114])
    on_white = float((np.abs(255 - light) * alpha).sum())
    on_dark = float((np.abs(light - 32) * alpha).sum())
    return 32 if on_dark > 3 * on_white else 255


def _over(rgba: Image.Image, grey: int) -> Image.Image:
    from PIL import Image

    ground = Image.new("RGB", rgba.size, (grey, grey, grey))
    alpha = rgba.getchannel("A")
    if alpha.getextrema() == (0, 0):  # wholly transparent: an export's slip; what is under it is the picture
        return rgba.convert("RGB")
    ground.paste(rgba.convert("RGB"), mask=alpha)
    return ground


def _taken(image: Image.Image) -> datetime | None:
    """When the camera says it was taken: wall-clock time, of an unknown zone, given as UTC."""
    try:
        exif = image.getexif()
        said = exif.get_ifd(0x8769).get(0x9003) or exif.get(0x0132)
        return datetime.strptime(str(said).strip("\0 "), "%Y:%m:%d %H:%M:%S").replace(tzinfo=UTC)
    except DECODER_ERRORS:
        return None


def _refuse_bomb(size: tuple[int, int]) -> None:
    if size[0] * size[1] > MOST_PIXELS:
        raise _too_large()


def _too_large() -> Unreadable:
    return Unreadable(
        "这张图片太大了（超过 1.2 亿像素），没有打开；请缩小后再发。",
        "This picture is too large (over 120 million pixels) and was not opened; please send a smaller one.",
        False,
    )


def _unidentified(data: bytes, name: str) -> Unreadable:
    if data[4:8] == b"ftyp":
        return Unreadable(
            "这个视频或图片格式无法打开，已保留原件。",
            "This video or image format cannot be opened; the file is kept.",
            True,
        )
    if re.search(r"\.pdf$", name, re.IGNORECASE):
        return Unreadable("这个 PDF 已损坏，打不开。", "This PDF is damaged and cannot be opened.", False)
    return Unreadable(
        "这个文件不是能识别的图片，没有归档。",
        "This file is not a picture I can recognise; it was not filed.",
        False,
    )


def _broken(data: bytes, error: BaseException) -> Unreadable:
    if "Decompressed data too large" in str(error) or isinstance(error, MemoryError):
        return Unreadable(
            "这张图片的内部数据膨胀得不正常（可能是压缩炸弹），没有打开。",
            "This picture's inner data unpacks to an abnormal size (perhaps a bomb); it was not opened.",
            False,
        )
    if data[:2] == b"\xff\xd8" or data[:4] == b"\x89PNG" or "truncated" in str(error).lower():
        return Unreadable(
            "这张图片不完整或已损坏（可能没有传完），请重新发送。",
            "This picture is incomplete or damaged (perhaps cut off on the way); please send it again.",
            False,
        )
    return Unreadable(
        "这张图片已损坏或格式特殊，打不开。",
        "This picture is damaged or of an odd kind and cannot be opened.",
        False,
    )


def _with(picture: Picture, **changes: Any) -> Picture:
    from dataclasses import replace

    return replace(picture, **changes)
