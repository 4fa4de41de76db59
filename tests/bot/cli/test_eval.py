"""`kairos eval`, as a person or a judge calls it."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog

from bot.cli import run
from tests.bot.evals import test_baseline, test_dialogues, test_search


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    """The command silences the whole process; the tests after these want to hear again."""
    level = logging.getLogger().level
    yield
    structlog.reset_defaults()
    logging.getLogger().setLevel(level)


def test_search_prints_lines_and_leaves_the_home_alone(
    tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = test_search.file(tmp_path, test_search.FILES)
    assert run(["eval", "search", str(path), "--json"]) == 0
    printed = capsys.readouterr()
    *rows, totals = [json.loads(line) for line in printed.out.splitlines()]
    assert len(rows) == totals["questions"] == 5
    assert rows[3]["results"][0] == "x"
    assert not home.exists()


def test_dialogues_with_no_model(tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = test_dialogues.file(tmp_path, test_dialogues.CASES)
    assert run(["eval", "dialogues", str(path), "--json"]) == 0
    *rows, totals = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["id"] for row in rows] == [case["id"] for case in test_dialogues.CASES]
    assert (totals["brain"], totals["problems"]) == ("embedded", 0)
    assert rows[4]["operations"] == rows[4]["questions"] == []
    assert not home.exists()


def test_baseline_without_a_model(tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = test_baseline.file(tmp_path, {**test_baseline.TASK, "steps": test_baseline.TASK["steps"][:1]})
    assert run(["eval", "baseline", str(path), "--json"]) == 0
    *rows, totals = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["arm"] for row in rows] == ["without", "with"]
    assert totals["brain"] == "embedded"
    assert not home.exists()


@pytest.mark.parametrize("command", ["baseline", "dialogues", "pictures", "search"])
def test_a_file_that_is_not_there(command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["eval", command, str(tmp_path / "nowhere")]) == 1
    printed = capsys.readouterr()
    assert "nowhere" in printed.err
    assert "Traceback" not in printed.err
    assert printed.out == ""


def test_which_evals_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    run(["eval", "--help"])
    shown = capsys.readouterr().out
    assert all(name in shown for name in ("baseline", "dialogues", "pictures", "search"))
