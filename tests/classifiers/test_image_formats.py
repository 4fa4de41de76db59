"""Whatever people send goes its whole way: opened, judged by a clean copy, shelved as it came, and so is the next."""

from __future__ import annotations

import io
from collections.abc import Callable

import pytest
from PIL import Image, PngImagePlugin

from classifiers.image import ImageClassifier, Judges
from classifiers.judge import ModelJudge
from classifiers.offline import OfflineJudge
from classifiers.prepare import decode, prepare
from classifiers.types import Ended, Filed
from tests.classifiers import drawings
from tests.classifiers.drawings import animation, page, saved
from tests.classifiers.fakes import FakeShelf, Scripted, embed, open_here, reads

GOOD = saved(page(drawings.CODE), "PNG")
BLANK = Image.new("RGB", (300, 120), "white")


def _palette() -> Image.Image:
    return page("hello").quantize(16)


def _swollen() -> bytes:
    info = PngImagePlugin.PngInfo()
    info.add_itxt("a", "x" * 2_000_000, zip=True)
    return saved(Image.new("RGB", (4, 4)), "PNG", pnginfo=info)


SENT: dict[str, tuple[str, Callable[[], bytes]]] = {
    "a JPEG for printers": ("JPEG", lambda: saved(page("hello").convert("CMYK"), "JPEG")),
    "a PNG with a palette": ("PNG", lambda: saved(_palette(), "PNG")),
    "a PNG of 16 bits": ("PNG", lambda: drawings.deep_grey(1_000, 60_000)),
    "white words on nothing": ("PNG", lambda: saved(drawings.transparent("White words", "white"), "PNG")),
    "a WebP": ("WEBP", lambda: saved(page("hello"), "WEBP")),
    "a GIF that moves": ("GIF", lambda: animation([BLANK, page("hello", size=(300, 120))], "GIF")),
    "an APNG": ("PNG", lambda: animation([BLANK, page("hello", size=(300, 120))], "PNG")),
    "a HEIC": ("HEIF", lambda: drawings.heic(page("hello"))),
    "an AVIF": ("AVIF", lambda: saved(page("hello"), "AVIF")),
    "a TIFF": ("TIFF", lambda: saved(page("hello"), "TIFF")),
    "a BMP": ("BMP", lambda: saved(page("hello"), "BMP")),
    "an MPO": ("MPO", lambda: animation([page("a"), page("b")], "MPO")),
    "a PDF": ("PDF", lambda: drawings.pdf("Meeting on the third floor", "Bring the maps")),
    "a photo turned by its EXIF": ("JPEG", lambda: drawings.sideways(page("hello"))),
    "a very tall screenshot": ("PNG", lambda: saved(page("a\nb", size=(700, 9_000)), "PNG")),
}
HOSTILE: dict[str, tuple[Ended, Callable[[], bytes]]] = {
    "zero bytes": (Ended.REFUSED, lambda: b""),
    "a web page": (Ended.REFUSED, lambda: b"<html>not found</html>"),
    "no picture at all": (Ended.REFUSED, lambda: bytes(range(256)) * 9),
    "half a JPEG": (Ended.REFUSED, lambda: saved(page("hello"), "JPEG")[:4_000]),
    "half a PNG": (Ended.REFUSED, lambda: saved(page("hello"), "PNG")[:1_500]),
    "a bomb": (Ended.REFUSED, drawings.bomb),
    "a scan of 200 megapixels": (Ended.REFUSED, lambda: drawings.bomb(12_600, 16_800)),
    "a text chunk that swells": (Ended.REFUSED, _swollen),
    "a drawing that runs programs": (Ended.KEPT_UNREAD, lambda: b"<svg onload='x()'></svg>"),
    "a broken PDF": (Ended.KEPT_UNREAD, lambda: b"%PDF-1.4\nnothing"),
    "a video": (Ended.KEPT_UNREAD, lambda: b"\0\0\0\x18ftypmp42" + bytes(200)),
}


def classifier(shelf: FakeShelf, model: Scripted) -> ImageClassifier:
    offline = OfflineJudge(embed)
    judges = Judges(offline, ModelJudge(offline, see=model.see, embed=embed), sees=True)

    async def core() -> str:
        return ""

    return ImageClassifier(core, shelf, judges, open=open_here, read=reads("hello"))


async def through(data: bytes, name: str) -> tuple[Filed, FakeShelf, Scripted]:
    """The file and then a good picture, both filed by a model that sees."""
    shelf, model = (
        FakeShelf("代码笔记"),
        Scripted('{"category": "c1", "title": "something", "confidence": 0.9}'),
    )
    filer = classifier(shelf, model)
    filed = await filer.file(data, name)
    assert (await filer.file(GOOD, "good.png")).ended is Ended.FILED
    assert shelf.items[-1][0].original == GOOD
    return filed, shelf, model


@pytest.mark.parametrize("case", SENT)
async def test_what_people_send_is_filed_as_it_came_and_so_is_the_next(case: str) -> None:
    """Names and types are often wrong, so the name here is always a wrong one."""
    kind, made = SENT[case]
    data = made()
    filed, shelf, model = await through(data, "holiday.mp3")
    assert filed.ended is Ended.FILED
    picture = shelf.items[0][0]
    assert (picture.original, picture.format) == (data, kind)
    shown = Image.open(io.BytesIO(model.asked[0][2]))
    assert (shown.format, shown.mode) == ("JPEG", "RGB"), "a model gets what every model takes"
    assert max(shown.size) <= 2_000
    assert shown.getextrema() != ((255, 255), (255, 255), (255, 255)), "and sees what is on it"


@pytest.mark.parametrize("case", HOSTILE)
async def test_what_is_no_picture_ends_in_a_sentence_and_the_next_is_filed(case: str) -> None:
    ended, made = HOSTILE[case]
    filed, shelf, model = await through(made(), "photo.png")
    assert filed.ended is ended
    assert filed.sentence.endswith("。")
    assert len(model.asked) == 1, "no model is asked about it"
    assert len(shelf.items) == (2 if ended is Ended.KEPT_UNREAD else 1)


@pytest.mark.parametrize("size", [(40_000, 40_000), (12_600, 16_800), (11_000, 12_000)])
async def test_a_bomb_is_refused_by_its_header(
    size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    def load(image: Image.Image) -> None:
        raise AssertionError("it was being unpacked")

    monkeypatch.setattr(PngImagePlugin.PngImageFile, "load", load)
    filed, _, _ = await _alone(drawings.bomb(*size))
    assert "太大" in filed.sentence


async def _alone(data: bytes) -> tuple[Filed, FakeShelf, Scripted]:
    shelf, model = FakeShelf(), Scripted("{}")
    return await classifier(shelf, model).file(data), shelf, model


async def test_of_what_moves_the_frame_that_is_shown_is_said() -> None:
    for format in ("GIF", "PNG"):
        filed, _, _ = await through(animation([BLANK, page("hello", size=(300, 120))], format), "a")
        assert "第 2 帧，共 2 帧" in filed.note


async def test_of_a_document_every_page_is_text() -> None:
    picture = prepare(drawings.pdf("Meeting on the third floor", "Bring the maps", "Lunch is at noon"))
    assert picture.page_text.split("\n\n") == [
        "Meeting on the third floor",
        "Bring the maps",
        "Lunch is at noon",
    ]
    assert picture.frames == 3
    assert Image.open(io.BytesIO(picture.jpeg)).format == "JPEG"


async def test_where_a_photo_was_taken_goes_to_no_model_and_into_no_record() -> None:
    data = drawings.located(page("hello"))
    assert b"GPSLatitude" in data
    assert Image.open(io.BytesIO(data)).getexif().get_ifd(0x8825)
    filed, shelf, model = await through(data, "p.jpg")
    copy = model.asked[0][2]
    for sign in (b"GPS", b"Exif", b"xmpmeta", b"Phonemaker"):
        assert sign not in copy
    assert b"GPSLatitude" in shelf.items[0][0].original, "what was sent is kept as it was sent"
    told = repr((filed.filing, filed.note, filed.text, model.asked[0][:2]))
    assert not any(sign in told for sign in ("52.", "13.4", "Phonemaker", "GPS"))


async def test_copies_stay_within_what_every_model_takes() -> None:
    """By pixels and by bytes, whatever the picture holds: noise is the worst that can be packed."""
    noise = Image.effect_noise((2_400, 2_400), 120).convert("RGB")
    for image in (noise, Image.new("RGB", (1_080, 20_000), "teal")):
        copy = prepare(saved(image, "PNG")).jpeg
        assert len(copy) < 4_500_000
        assert max(Image.open(io.BytesIO(copy)).size) <= 2_000


def test_a_picture_that_is_all_one_grey_is_not_taken_for_white() -> None:
    flat = decode(saved(Image.new("I;16", (20, 20), 30_000), "PNG")).pixels
    assert 100 < int(flat.mean()) < 140
