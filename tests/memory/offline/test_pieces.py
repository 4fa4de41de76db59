"""Texts cut into pieces: each knows its characters, whatever the text is made of."""

from __future__ import annotations

import pytest

from memory.offline.pieces import Pieces


@pytest.fixture(scope="module")
def pieces() -> Pieces:
    return Pieces()


@pytest.mark.parametrize(
    "text",
    [
        "以后把收据都放到「报销」",
        "from now on, answer in French please!",
        "Xiomara 的生日是 5月3日😂ok",
        "全角ＡＢＣ，１２３！",
        "한국어 и русский 日本語",
        "é̀ a\u0301 ½ ﬁ",
        "a\x00b\ud83d c",
        "  spaces   everywhere  ",
    ],
)
def test_the_pieces_cover_every_character_in_order(pieces: Pieces, text: str) -> None:
    ids, places = pieces(text)
    assert len(ids) == len(places)
    assert all(a < b for a, b in places)
    assert [a for a, _ in places[1:]] == [b for _, b in places[:-1]]
    left = text[: places[0][0]] + text[places[-1][1] :]
    assert not left.strip()


def test_a_full_width_sign_is_the_plain_one(pieces: Pieces) -> None:
    assert pieces("好，ＯＫ！")[0] == pieces("好,OK!")[0]


def test_nothing_is_nothing(pieces: Pieces) -> None:
    assert pieces("") == ([], [])
