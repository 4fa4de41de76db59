"""Scopes there and back."""

from __future__ import annotations

import pytest

from bot.evals.scopes import from_when, same_scope, to_when


@pytest.mark.parametrize(
    "scope",
    [
        "global",
        "genre:请假条",
        "genre:release note",
        "genre:项目总结",
        "project:灯塔",
        "project:Lighthouse",
        "collection:旅行手帐",
        "collection:field notes",
    ],
)
def test_there_and_back(scope: str) -> None:
    assert same_scope(from_when(to_when(scope)), scope)


@pytest.mark.parametrize(
    ("when", "scope"),
    [
        ("写请假条", "genre:请假条"),
        ("写请假条的时候", "genre:请假条"),
        ("起草「请假条」时", "genre:请假条"),
        ("writing release notes", "genre:release note"),
        ("when I write the release notes", "genre:release note"),
        ("release summaries", "genre:release summary"),
        ("“旅行手帐”资料集", "collection:旅行手帐"),
        ("旅行手帐资料集里", "collection:旅行手帐"),
        ("in the field diary collection", "collection:field diary"),
        ("灯塔项目", "project:灯塔"),
        ("the Lighthouse project", "project:Lighthouse"),
        ("project: Lighthouse", "project:Lighthouse"),
        ("归档图片", "global"),
        ("filing pictures", "global"),
        ("everywhere", "global"),
        ("晚上", "genre:晚上"),
        ("发票", "genre:发票"),
        ("写", "genre:写"),
        (None, "global"),
    ],
)
def test_words_of_a_line(when: str | None, scope: str) -> None:
    assert from_when(when) == scope


def test_plural_and_width_make_no_difference() -> None:
    assert same_scope("genre:Release Notes", "genre：release note")
    assert not same_scope("genre:release note", "project:release note")
    assert not same_scope("global", "genre:release note")
