"""Every kind of failure that assistants were publicly reported for is held by a test, or said to be open."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from tests.shape.failures import FAILURES
from tests.shape.failures_pictures import PICTURES
from tests.shape.failures_telegram import TELEGRAM

KINDS = FAILURES | TELEGRAM | PICTURES

IDS = {
    *(f"B{n:02}" for n in (1, 3, 5, 7, 9, 11, 13, 14, 16, 18, 21, 23, 25, 27, 29, 30, 32, 35, 37, 39)),
    *(f"B{n:02}" for n in (41, 42, 44, 46, 47, 49, 51, 53, 55, 57, 59, 61, 63, 65, 67, 69, 71, 73, 75)),
    *(f"A{n:02}" for n in range(1, 74)),
    *(
        f"F{n:02}"
        for n in (1, 3, 5, 6, 8, 10, 12, 13, 16, 17, 18, 20, 22, 23, 25, 27, 31, 32, 33, 35, 38, 40)
    ),
    *(
        f"F{n:02}"
        for n in (43, 44, 48, 49, 51, 53, 55, 56, 58, 60, 62, 64, 66, 68, 70, 73, 75, 77, 79, 81, 83, 85)
    ),
}


@cache
def _functions(file: str) -> frozenset[str]:
    """The tests that a file defines; parsed, not imported."""
    path = Path(file)
    tree = ast.parse(path.read_text(encoding="utf-8")) if path.is_file() else ast.Module([], [])
    return frozenset(
        node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    )


def test_no_kind_is_missing() -> None:
    assert set(KINDS) == IDS
    assert not set(FAILURES) & set(TELEGRAM)


@pytest.mark.parametrize("name", sorted(KINDS))
def test_each_kind_is_held_by_tests_that_exist(name: str) -> None:
    kind = KINDS[name]
    assert kind.what
    assert re.fullmatch(r"[\w.-]+/[\w.-]+#\d+", kind.seen)
    assert bool(kind.tests) != bool(kind.open), "either tests, or why there are none yet"
    for test in kind.tests:
        file, _, function = test.partition("::")
        assert function.startswith("test_")
        assert function in _functions(file), f"{name}: there is no {test}"
