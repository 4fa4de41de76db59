"""Filing rules that are plain by their form."""

from __future__ import annotations

import pytest

from memory.changes import Instruct
from memory.offline import Offline
from memory.offline.filing_forms import Placed, placed, speaks_of_filing, with_its_like
from memory.wording import Language
from tests.memory.conftest import NOW
from tests.memory.offline.test_offline import embed, needs_vectors, utterances


@pytest.mark.parametrize(
    ("text", "language", "rule"),
    [
        ("车票登机牌这些，统统放进路上", "zh", Placed("车票登机牌", "路上")),
        ("球赛截图和战术板归在一块儿，叫「足球」好了", "zh", Placed("球赛截图和战术板", "足球")),
        (
            "Sketches and moodboards should live in the same folder, call it Studio",
            "en",
            Placed("Sketches and moodboards", "Studio"),
        ),
        ("Payslips? Stick them all in Work.", "en", Placed("Payslips", "Work")),
        (
            "Until July 3 put anything about the move under Flat",
            "en",
            Placed("anything about the move", "Flat"),
        ),
        ("sketches go to Studio instead", "en", Placed("sketches", "Studio")),
        ("put payslips in Work now, please", "en", Placed("payslips", "Work")),
        ("keep your answers under 50 words", "en", None),
        ("put it under Flat", "en", None),
        ("she goes to Leeds", "en", None),
        ("今天好累，叫外卖吧", "zh", None),
    ],
)
def test_a_rule_is_read_from_its_form(text: str, language: Language, rule: Placed | None) -> None:
    assert placed(text, language) == rule


def test_a_wish_without_picture_folder_or_verb_of_filing_is_none() -> None:
    assert not speaks_of_filing("in letters I want British spelling, always")
    assert speaks_of_filing("receipts go in Money")
    assert speaks_of_filing("小票放进「开销」")


@needs_vectors
@pytest.mark.parametrize(
    ("said", "rules"),
    [
        ("如果截图是发票的话，归到报销", ["发票归档到「报销」"]),
        ("我拍的要是菜单的话，帮我放到「吃喝」分类", ["菜单归档到「吃喝」"]),
        ("我截的图要是小票呢，丢到账本里", ["小票归档到「账本」"]),
        ("看到报错截图，放到排错", ["报错截图归档到「排错」"]),
        ("只要是快递单，放包裹那儿", ["快递单归档到「包裹」"]),
        ("以后但凡是课件，都扔到学习资料里", ["课件归档到「学习资料」"]),
        ("小票，放账本", ["小票归档到「账本」"]),
        ("if I send you a menu, put it in Food", ['File menu under "Food"']),
        ("When it's a boarding pass, file it under Travel", ['File boarding pass under "Travel"']),
        ("发票归报销，车票归出行", ["发票归档到「报销」", "车票归档到「出行」"]),
        (
            "receipts go to Money and tickets go to Travel",
            ['File receipts under "Money"', 'File tickets under "Travel"'],
        ),
    ],
)
async def test_a_condition_and_its_place_are_one_rule(said: str, rules: list[str]) -> None:
    """The comma between what a picture is and where it goes tears nothing apart; two rules stay two."""
    found = await Offline(embed).extract(utterances(said), [], NOW)
    assert [change.text for change, _ in found.changes if isinstance(change, Instruct)] == rules
    assert found.questions == ()


def test_with_its_like_is_a_place_that_nobody_named() -> None:
    assert with_its_like("车票和别的差旅资料放一起") == Placed("车票", "差旅资料", sure=False)
    assert with_its_like("keep warranties with the other house papers") == Placed(
        "warranties", "house papers", sure=False
    )
    assert with_its_like("车票和别的差旅资料放一起行吗") is None
