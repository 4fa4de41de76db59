"""Anything people send is opened upright and in RGB, or ends in a clear sentence."""

from __future__ import annotations

import io
from itertools import pairwise

import numpy as np
import pytest
from PIL import Image, PngImagePlugin

from classifiers.decoded import LONGEST
from classifiers.errors import Unreadable
from classifiers.fingerprint import distance
from classifiers.prepare import OVERLAP, TILE, decode, prepare, tiles
from tests.classifiers import drawings


def shown(jpeg: bytes) -> Image.Image:
    return Image.open(io.BytesIO(jpeg))


FORMATS = ["PNG", "JPEG", "WEBP", "GIF", "BMP", "TIFF", "AVIF", "HEIF", "ICO", "PPM"]


@pytest.mark.parametrize("format", FORMATS)
def test_every_usual_format_opens(format: str) -> None:
    image = drawings.page("hello", size=(256, 128))
    data = drawings.heic(image) if format == "HEIF" else drawings.saved(image, format)
    picture = prepare(data, "wrong-name.xyz")
    assert picture.format == format
    assert picture.extension.startswith(".")
    assert shown(picture.jpeg).mode == "RGB"
    assert picture.note == ""


@pytest.mark.parametrize("mode", ["L", "P", "1", "LA", "RGBA", "CMYK", "YCbCr"])
def test_every_mode_becomes_rgb_of_the_same_colours(mode: str) -> None:
    image = Image.new("RGB", (64, 64), (230, 230, 230)).convert(mode)
    data = drawings.saved(image, "TIFF")
    mean = np.asarray(shown(prepare(data).jpeg)).mean()
    assert mean > 200


def test_a_cmyk_jpeg_is_no_negative() -> None:
    data = drawings.saved(Image.new("RGB", (64, 64), (250, 20, 20)).convert("CMYK"), "JPEG")
    red, green, blue = np.asarray(shown(prepare(data).jpeg))[32, 32]
    assert red > 180
    assert green < 90
    assert blue < 90


@pytest.mark.parametrize(("low", "high"), [(0, 65535), (20_000, 40_000), (30_000, 30_400)])
def test_sixteen_bit_scans_are_scaled_not_clipped(low: int, high: int) -> None:
    pixels = decode(drawings.deep_grey(low, high)).pixels
    assert int(pixels.max()) - int(pixels.min()) > 60


def test_exif_orientation_is_applied_once_and_left_out_of_the_copy() -> None:
    upright = drawings.page("A\nB\nC", size=(300, 500))
    data = drawings.sideways(upright)
    picture = prepare(data)
    assert (picture.width, picture.height) == (300, 500)
    assert shown(picture.jpeg).size == (300, 500)
    assert not shown(picture.jpeg).getexif()
    assert picture.taken is not None
    assert picture.taken.year == 2026
    assert picture.original == data
    assert distance(picture.phash, prepare(drawings.saved(upright, "PNG")).phash) <= 20


def test_damaged_exif_does_not_cost_the_picture() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    image = drawings.page("x", size=(80, 40))
    data = drawings.saved(image, "JPEG", exif=b"Exif\0\0" + exif.tobytes())
    assert prepare(data).format == "JPEG"


@pytest.mark.parametrize(("ink", "background_is_dark"), [("white", True), ("black", False)])
def test_words_on_transparency_stay_readable(ink: str, background_is_dark: bool) -> None:
    pixels = decode(drawings.saved(drawings.transparent("hello there", ink), "PNG")).pixels
    assert (int(np.median(pixels)) < 100) is background_is_dark
    assert pixels.max() - pixels.min() > 150


def test_a_wholly_transparent_export_shows_what_is_under_it() -> None:
    image = drawings.page("hello", size=(200, 80)).convert("RGBA")
    image.putalpha(0)
    assert decode(drawings.saved(image, "PNG")).pixels.std() > 5


@pytest.mark.parametrize("format", ["GIF", "PNG", "WEBP"])
def test_an_animation_shows_its_first_frame_that_is_not_blank(format: str) -> None:
    blank = Image.new("RGB", (200, 100), "white")
    data = drawings.animation([blank, drawings.page("hello", size=(200, 100)), blank.copy()], format)
    picture = prepare(data)
    assert picture.frames >= 2
    assert "2" in picture.note
    assert np.asarray(shown(picture.jpeg)).std() > 5


def test_pages_of_a_tiff_are_said() -> None:
    data = drawings.animation([drawings.page("one"), drawings.page("two")], "TIFF")
    picture = prepare(data)
    assert picture.frames == 2
    assert "1" in picture.note


def test_a_phones_mpo_is_a_jpeg() -> None:
    data = drawings.animation([drawings.page("a"), drawings.page("b")], "MPO")
    picture = prepare(data)
    assert (picture.format, picture.extension, picture.frames, picture.note) == ("MPO", ".jpg", 1, "")


def test_copies_for_models_are_small_and_bare() -> None:
    image = drawings.page("x", size=(3000, 5000))
    picture = prepare(drawings.saved(image, "PNG"))
    assert max(shown(picture.jpeg).size) == LONGEST
    assert (picture.width, picture.height) == (3000, 5000)


def test_a_tall_picture_is_tiled_with_overlap_and_nothing_left_out() -> None:
    pixels = decode(drawings.saved(Image.new("RGB", (1080, 9000), "white"), "PNG")).pixels
    assert pixels.shape[1] >= 1000
    pieces = tiles(pixels)
    tops = [top for _, top, _ in pieces]
    assert tops[0] == 0
    assert pieces[-1][1] + pieces[-1][2].shape[0] == pixels.shape[0]
    assert all(piece.shape[0] <= TILE for _, _, piece in pieces)
    assert all(below - above <= TILE - OVERLAP + 1 for above, below in pairwise(tops))


def test_an_ordinary_picture_is_one_piece() -> None:
    assert len(tiles(np.zeros((2000, 1200, 3), np.uint8))) == 1


def test_a_pdf_gives_its_text_and_a_picture() -> None:
    picture = prepare(drawings.pdf("Meeting on the third floor"), "x.png")
    assert picture.format == "PDF"
    assert "Meeting on the third floor" in picture.page_text
    assert shown(picture.jpeg).height > 1000


JPEG = drawings.saved(drawings.page("hello"), "JPEG")
PNG = drawings.saved(drawings.page("hello"), "PNG")


def with_swollen_text() -> bytes:
    info = PngImagePlugin.PngInfo()
    info.add_itxt("a", "x" * 2_000_000, zip=True)
    return drawings.saved(Image.new("RGB", (4, 4)), "PNG", pnginfo=info)


HOSTILE = {
    "nothing": (b"", False),
    "a web page": (b"<!DOCTYPE html><html><body>Not found</body></html>", False),
    "words": (b"hello", False),
    "half a jpeg": (JPEG[: len(JPEG) // 2], False),
    "half a png": (PNG[: len(PNG) // 2], False),
    "a header only": (JPEG[:20], False),
    "a bomb": (drawings.bomb(), False),
    "swollen text": (with_swollen_text(), False),
    "svg": (b'<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"></svg>', True),
    "svg after a head": (b'<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"/>', True),
    "no pdf": (b"%PDF-1.4\nnothing\n%%EOF\n", True),
    "two things at once": (b"GIF89a;" + drawings.pdf("x"), True),
    "a video": (b"\0\0\0\x18ftypmp42" + b"\0" * 200, True),
    "noise": (bytes(range(256)) * 8, False),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_what_cannot_be_read_ends_in_a_sentence_in_both_languages(case: str) -> None:
    data, keep = HOSTILE[case]
    with pytest.raises(Unreadable) as caught:
        prepare(data, "photo.png")
    assert caught.value.keep is keep
    assert caught.value.sentence("zh").endswith("。")
    assert caught.value.sentence("en").endswith(".")
    assert "Error" not in caught.value.sentence("en")


@pytest.mark.parametrize("cut", range(0, 100, 7))
def test_a_file_damaged_anywhere_never_raises_anything_else(cut: int) -> None:
    for whole in (JPEG, PNG):
        spoiled = bytearray(whole)
        at = len(whole) * cut // 100
        spoiled[at : at + 40] = bytes(40)
        try:
            prepare(bytes(spoiled))
        except Unreadable:
            continue


def test_like_pictures_have_like_fingerprints_and_others_not() -> None:
    code = drawings.page(drawings.CODE, size=(1200, 800))
    small = code.resize((600, 400)).quantize(32)
    again = prepare(drawings.saved(small, "PNG"))
    other = prepare(drawings.saved(drawings.page(drawings.RECEIPT, size=(1200, 800)), "PNG"))
    first = prepare(drawings.saved(code, "PNG"))
    assert distance(first.phash, again.phash) <= 20
    assert distance(first.phash, other.phash) > 20
    assert distance(first.phash, "") == 256


def test_photographs_are_more_colourful_than_interfaces() -> None:
    noise = np.random.default_rng(1).integers(0, 255, (40, 60, 3), dtype=np.uint8)
    photo = Image.fromarray(noise).resize((600, 400), Image.Resampling.BICUBIC)
    assert prepare(drawings.saved(photo, "JPEG")).colourfulness > 0.6
    assert prepare(PNG).colourfulness < 0.3
