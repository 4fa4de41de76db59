"""Filing rules read piece by piece, by form alone."""

from __future__ import annotations

import pytest

from memory.offline.filing_pairs import pairs, pairs_and_rest
from memory.wording import Language


def _told(text: str, language: Language) -> list[tuple[str, str]]:
    return [(one.rule.what, one.rule.where) for one in pairs(text, language)]


@pytest.mark.parametrize(
    ("text", "language", "rules"),
    [
        (
            "If I send a map, put it in Trips, and keep bills in House",
            "en",
            [("map", "Trips"), ("bills", "House")],
        ),
        ("put maps in Trips and bills in House", "en", [("maps", "Trips"), ("bills", "House")]),
        ("maps -> Trips, bills -> House", "en", [("maps", "Trips"), ("bills", "House")]),
        ("photos of cats and dogs go in Pets", "en", [("photos of cats and dogs", "Pets")]),
        ("当我发菜单时，存到美食", "zh", [("菜单", "美食")]),
        ("如果我截的图是代码的话，给它放到代码笔记分类", "zh", [("代码", "代码笔记")]),
        ("如果截图是代码，就放到代码笔记", "zh", [("代码", "代码笔记")]),
        ("如果我发的图书封面的话，放到书单", "zh", [("图书封面", "书单")]),
        ("我截的图要是菜谱，就把它归到厨房", "zh", [("菜谱", "厨房")]),
        ("要是我发的照片里有猫的时候，将它们归到宠物", "zh", [("猫", "宠物")]),
        ("要是发的是病历，就放健康，保单另外放保险", "zh", [("病历", "健康"), ("保单", "保险")]),
        ("菜单→美食", "zh", [("菜单", "美食")]),
        ("船票单独放一个叫海岛的相册，其他不变", "zh", [("船票", "海岛")]),
        ("船票改放到 Sea 片段", "zh", [("船票", "Sea 片段")]),
    ],
)
def test_each_piece_is_a_rule(text: str, language: Language, rules: list[tuple[str, str]]) -> None:
    assert _told(text, language) == rules


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("聊天截图存在哪", "zh"),
        ("把它放到美食", "zh"),
        ("给它放到美食", "zh"),
        ("别把菜单放到美食", "zh"),
        ("when I send a text, put it in French", "en"),
        ("put it in Trips", "en"),
        ("maps go in Trips, what about bills", "en"),
    ],
)
def test_anything_else_is_none(text: str, language: Language) -> None:
    assert _told(text, language) == []


def test_what_stands_beside_the_rules_is_handed_back() -> None:
    found, rest = pairs_and_rest("put maps in Trips, and keep answers short", "en")
    assert [(one.rule.what, one.said) for one in found] == [("maps", "put maps in Trips")]
    assert rest == "and keep answers short"
    assert pairs_and_rest("be brief, maps go in Trips, and no jokes", "en")[0] == []
