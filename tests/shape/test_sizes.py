"""Small files with telling names: what cannot be named has no place, what grows too long is two things."""

from __future__ import annotations

import ast
import dataclasses
from pathlib import Path

import pytest

from bot.desk import Desk
from tests.shape.tree import PACKAGES, ROOT, modules, text, tree

MOST_LINES = 400
VAGUE = {"utils", "util", "helpers", "helper", "manager", "managers", "common", "base", "misc", "stuff"}


@pytest.mark.parametrize("path", modules(), ids=str)
def test_no_file_is_too_long(path: Path) -> None:
    assert len(text(path).splitlines()) <= MOST_LINES


@pytest.mark.parametrize("path", modules(), ids=str)
def test_no_name_is_vague(path: Path) -> None:
    words = {word for part in path.with_suffix("").parts for word in part.split("_")}
    assert not words & VAGUE


@pytest.mark.parametrize("path", modules(*PACKAGES), ids=str)
def test_every_module_says_what_it_is_for(path: Path) -> None:
    if text(path).strip():
        assert ast.get_docstring(tree(path)), "the first line of a module says what it is for"


def test_the_desk_stays_a_desk() -> None:
    assert len(dataclasses.fields(Desk)) <= 8, "a Desk that holds everything is a god object"


def test_every_package_is_typed() -> None:
    assert all((ROOT / package / "py.typed").is_file() for package in PACKAGES)
