"""What people put around a statement comes off; the statement stays whole."""

from __future__ import annotations

import pytest

from memory.asides import bare, closed, opened, without_reason
from memory.wording import Language


@pytest.mark.parametrize(
    ("text", "language", "left"),
    [
        ("Yep, the choir is called Tin Roof", "en", "the choir is called Tin Roof"),
        ("no exclamation marks", "en", "no exclamation marks"),
        ("别，我对虾过敏", "zh", "我对虾过敏"),
        ("不吃香菜", "zh", "不吃香菜"),
    ],
)
def test_answers_before_it(text: str, language: Language, left: str) -> None:
    assert opened(text, language) == left


def test_laughter_after_it() -> None:
    assert closed("我属猴哈哈哈") == "我属猴"
    assert bare("haha, I collect stamps lol", "en") == "I collect stamps"


@pytest.mark.parametrize(
    ("text", "language", "left"),
    [
        ("写笔记都标页码，不然找不着", "zh", "写笔记都标页码"),
        ("use short lines because my screen is tiny", "en", "use short lines"),
        ("I sell cosmetics", "en", "I sell cosmetics"),
    ],
)
def test_reasons_after_it(text: str, language: Language, left: str) -> None:
    assert without_reason(text, language) == left
