"""Small files with telling names: what cannot be named has no place, what grows too long is two things."""

from __future__ import annotations

import ast
import dataclasses

from bot.desk import Desk
from tests.shape.tree import PACKAGES, ROOT, modules, text, tree

MOST_LINES = 400
VAGUE = {"utils", "util", "helpers", "helper", "manager", "managers", "common", "base", "misc", "stuff"}


def test_no_file_is_too_long() -> None:
    lengths = {str(path): len(text(path).splitlines()) for path in modules()}
    assert {path: length for path, length in lengths.items() if length > MOST_LINES} == {}


def test_no_name_is_vague() -> None:
    words = {
        str(path): {w for part in path.with_suffix("").parts for w in part.split("_")} for path in modules()
    }
    assert [path for path, parts in words.items() if parts & VAGUE] == []


def test_every_module_says_what_it_is_for() -> None:
    silent = [path for path in modules(*PACKAGES) if text(path).strip() and not ast.get_docstring(tree(path))]
    assert silent == []


def test_the_desk_stays_a_desk() -> None:
    assert len(dataclasses.fields(Desk)) <= 10, "a Desk that holds everything is a god object"


def test_every_package_is_typed() -> None:
    assert all((ROOT / package / "py.typed").is_file() for package in PACKAGES)
