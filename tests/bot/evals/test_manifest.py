"""Manifests in the forms they come in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bot.evals.manifest import read_manifest, searchable
from bot.evals.report import CaseFileError


@pytest.mark.parametrize(
    ("labels", "wanted"),
    [
        ({"票据": 3, "手册": "how to use it"}, [("票据", ""), ("手册", "how to use it")]),
        (["票据"], [("票据", "")]),
        (
            [{"name": "票据", "description": "付过的钱"}, {"label": "手册"}],
            [("票据", "付过的钱"), ("手册", "")],
        ),
        (None, []),
    ],
)
def test_labels_in_several_forms(labels: Any, wanted: list[tuple[str, str]]) -> None:
    found, _ = read_manifest({"labels": labels, "real": [{"file": "a"}]}, Path("x"), "en")
    assert found == wanted


def test_odd_files_come_last_and_each_file_once() -> None:
    _, entries = read_manifest(
        {"odd": [{"file": "o"}, {"file": "r"}], "real": [{"file": "r", "label": "x"}], "pairs": [{"a": "r"}]},
        Path("x"),
        "en",
    )
    assert [(each.file, each.odd) for each in entries] == [("o", True), ("r", True)]


@pytest.mark.parametrize("value", [[], {}, {"real": []}, {"real": 3}, "x"])
def test_a_manifest_without_files(value: Any) -> None:
    with pytest.raises(CaseFileError, match=r"manifest\.json"):
        read_manifest(value, Path("x"), "en")


def test_texts_are_compared_without_width_case_space_and_punctuation() -> None:
    assert searchable("ＡＢ-c_d， 3.5") == "abcd35"
