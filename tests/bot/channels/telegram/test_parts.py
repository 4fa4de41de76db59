"""What was found arrives as an album, where Telegram takes one; else as the sheet of all of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.types import Button
from tests.bot.channels.telegram.rig import OWNER, PNG, Rig, out, rig


def sheet_of(folder: Path, labels: list[str], data: bytes = PNG) -> str:
    """A sheet as `bot.storage.sheets` leaves it."""
    sheet = folder / "5f0c.jpg"
    sheet.write_bytes(b"\xff\xd8\xff the sheet")
    for place, label in enumerate(labels):
        (folder / "5f0c").mkdir(exist_ok=True)
        (folder / "5f0c" / f"{place:02} {label}.jpg").write_bytes(data + label.encode())
    return str(sheet)


def seen(r: Rig) -> list[tuple[str, str]]:
    return [(sent.method, sent.text) for sent in r.tg.sent(OWNER)]


async def test_found_pictures_are_an_album_each_under_its_number(tmp_path: Path) -> None:
    async with rig(listening=False) as r:
        sent_id = await r.channel.send(out("#12 #3 #7", picture=sheet_of(tmp_path, ["#12", "#3", "#7"])))
        assert seen(r) == [("sendMediaGroup", label) for label in ("#12", "#3", "#7")]
        assert [sent.file.data for sent in r.tg.sent(OWNER) if sent.file] == [
            PNG + label for label in (b"#12", b"#3", b"#7")
        ]
        assert sent_id == str(r.tg.sent(OWNER)[-1].id)


@pytest.mark.parametrize(
    ("labels", "text"),
    [
        (["#1"], "#1"),  # one alone
        (
            [f"#{n}" for n in range(1, 12)],
            " ".join(f"#{n}" for n in range(1, 12)),
        ),  # more than Telegram takes
        (["#1", "#2"], "#1 #2 #3"),  # one that could not be opened has its grey place on the sheet
        (["#1", "#2"], "Both lie in Receipts: #1 #2"),  # words that captions do not say
        ([], "#1 #2"),
    ],
)
async def test_else_it_is_the_sheet_with_its_words(tmp_path: Path, labels: list[str], text: str) -> None:
    async with rig(listening=False) as r:
        await r.channel.send(out(text, picture=sheet_of(tmp_path, labels)))
        assert seen(r) == [("sendPhoto", text)]


async def test_buttons_hang_on_the_sheet(tmp_path: Path) -> None:
    """An album takes none."""
    async with rig(listening=False) as r:
        picture = sheet_of(tmp_path, ["#1", "#2"])
        await r.channel.send(out("#1 #2", picture=picture, buttons=(Button("More", "more"),)))
        [sent] = r.tg.sent(OWNER)
        assert (sent.method, sent.buttons[0][0]["text"]) == ("sendPhoto", "More")


async def test_a_picture_that_telegram_refuses_costs_the_album_not_the_sheet(tmp_path: Path) -> None:
    async with rig(listening=False) as r:
        await r.channel.send(out("#1 #2", picture=sheet_of(tmp_path, ["#1", "#2"], b"no picture")))
        assert seen(r) == [("sendPhoto", "#1 #2")]


async def test_an_album_whose_answer_was_lost_is_not_sent_again(tmp_path: Path) -> None:
    async with rig(listening=False) as r:
        await r.channel.send(out("before"))
        r.tg.fault("sendMediaGroup", "drop_after")
        await r.deliver(out("#1 #2", picture=sheet_of(tmp_path, ["#1", "#2"])))
        assert seen(r)[1:] == [("sendMediaGroup", "#1"), ("sendMediaGroup", "#2")]
