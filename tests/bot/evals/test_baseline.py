"""The same tasks without memory and with it: a careful model gains by it, and every way of using it badly shows."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import structlog

from bot.errors import ModelUnavailable
from bot.evals import baseline
from bot.evals.report import CaseFileError
from bot.models.model import Call, Prompt, Reply
from bot.models.scripted import Scripted
from bot.settings import Settings
from tests.bot.evals.careful import careful

Rows = list[dict[str, Any]]

TASK: dict[str, Any] = json.loads(baseline.OWN.read_text(encoding="utf-8"))["tasks"][1]
CASES = {"first", "again", "exception", "out of scope", "changed"}


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    """The command silences the whole process; here the log would stand among the lines that are read."""
    before = structlog.get_config()
    structlog.configure(processors=[_dropped])
    yield
    structlog.configure(**before)


def _dropped(*_: object) -> str:
    raise structlog.DropEvent


def file(folder: Path, *tasks: Any) -> Path:
    path = folder / "tasks.json"
    path.write_text(json.dumps({"tasks": list(tasks)}), encoding="utf-8")
    return path


async def ran(
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    play: Callable[[Prompt], Reply] = careful,
    path: Path | None = None,
) -> tuple[Rows, dict[str, Any]]:
    """What is printed for one task (or a file of them)."""
    settings = Settings.load(folder / "eval", {})
    path = path or file(folder, TASK)
    model = Scripted(play)
    totals = await baseline.run(path, settings, as_json=True, language="en", model=model)
    *rows, last = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert last == totals
    return rows, totals


def arm(rows: Rows, name: str) -> Rows:
    return [row for row in rows if row["arm"] == name]


def summed(rows: Rows) -> dict[str, dict[str, int]]:
    """The totals, worked out again from the lines alone."""
    found: dict[str, dict[str, int]] = {}
    for name in ("without", "with"):
        mine = arm(rows, name)
        sums = {
            "steps": len(mine),
            "right": sum(row["right"] for row in mine),
            "questions": sum(row["questions"] for row in mine),
            "corrections": sum(row["corrections"] for row in mine),
            "loaded": sum(len(row["loaded"]) for row in mine),
            "used": sum(bool(row["used"]) for row in mine),
            "changed": sum(len(row["changed"]) for row in mine),
            "queries": sum(len(row["queries"]) for row in mine),
            "anew": sum(row["anew"] for row in mine),
            "due": sum(row["due"] for row in mine),
            "memory_wrong": sum(bool(row["memory_faults"]) for row in mine),
            "problems": sum(bool(row["problem"]) for row in mine),
        }
        for key, value in sums.items():
            found.setdefault(key, {})[name] = value
    return found


@pytest.mark.slow
async def test_a_careful_model_asks_once_and_then_not_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows, totals = await ran(tmp_path, capsys, path=baseline.OWN)
    assert [row["faults"] + row["memory_faults"] for row in rows] == [[]] * len(rows)
    assert {row["kind"] for row in rows} == {"query default", "reading format"}
    for task in {row["task"] for row in rows}:
        assert {row["case"] for row in rows if row["task"] == task} == CASES
    assert totals["right"] == totals["steps"] == {"without": 28, "with": 28}
    assert totals["questions"] == {"without": 7, "with": 2}
    assert totals["corrections"] == {"without": 5, "with": 2}
    assert totals["used"] == {"without": 0, "with": 8}
    assert totals["anew"] == totals["due"] == {"without": 24, "with": 24}
    assert totals["memory_wrong"] == {"without": 0, "with": 0}
    assert {key: totals[key] for key in summed(rows)} == summed(rows)
    lives = [query["live"] for row in rows if row["task"] == "tide" for query in row["queries"]]
    assert len(lives) == len(set(lives))  # every figure told was looked up for it


async def test_what_memory_changes_and_what_it_leaves_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows, _ = await ran(tmp_path, capsys)
    without, with_ = arm(rows, "without"), arm(rows, "with")
    assert [row["questions"] for row in without] == [1, 1, 0, 0, 0, 0, 1]
    assert [row["questions"] for row in with_] == [1, 0, 0, 0, 0, 0, 0]
    forecast, record = {"attribute": "forecast"}, {"attribute": "record"}
    assert [row["changed"] for row in with_] == [{}, forecast, {}, {}, {}, {}, record]
    assert [row["case"] for row in with_ if row["used"]] == ["again", "again"]
    assert "forecast" in with_[1]["used"]
    assert "record" in with_[6]["used"]
    assert [len(row["kept"]) for row in with_] == [1] * 7
    assert [row["loaded"] for row in without] == [[]] * 7
    assert with_[3]["queries"][0]["conditions"] == {"term": "tide", "place": "Aberdeen"}


async def test_a_model_that_reads_no_rules_gains_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def deaf(prompt: Prompt) -> Reply:
        return careful(replace(prompt, system=prompt.system.partition("# Rules")[0]))

    rows, totals = await ran(tmp_path, capsys, deaf)
    assert totals["questions"] == {"without": 3, "with": 3}
    assert (totals["used"]["with"], totals["changed"]["with"]) == (0, 0)
    assert all(row["loaded"] for row in arm(rows, "with")[1:])


async def test_a_habit_that_leaks_is_seen(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def leaky(prompt: Prompt) -> Reply:
        reply = careful(prompt)
        rule = (
            "forecast"
            if "forecast tide" in prompt.system
            else "record"
            if "record tide" in prompt.system
            else ""
        )
        calls = [
            replace(call, arguments={**call.arguments, "attribute": rule})
            if rule and call.name == "query_harbour"
            else call
            for call in reply.calls
        ]
        return replace(reply, calls=tuple(calls))

    rows, totals = await ran(tmp_path, capsys, leaky)
    wrong = [(row["case"], row["faults"]) for row in arm(rows, "with") if not row["right"]]
    assert wrong == [
        ("exception", ["attribute forecast, not observed"]),
        ("out of scope", ["attribute forecast, not –"]),
        ("out of scope", ["attribute forecast, not –"]),
    ]
    assert totals["changed"]["with"] == 5


async def test_a_figure_told_again_is_not_queried_anew(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told: list[str] = []

    def stale(prompt: Prompt) -> Reply:
        reply = careful(prompt)
        if prompt.tools and prompt.messages[-1].role == "tool" and "cm" in reply.text:
            told.append(reply.text)
            return Reply(told[0])
        return reply

    _, totals = await ran(tmp_path, capsys, stale)
    assert totals["due"] == {"without": 6, "with": 6}
    assert totals["anew"] == {"without": 1, "with": 0}


async def test_a_figure_may_be_written_as_people_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def grouping(prompt: Prompt) -> Reply:
        reply = careful(prompt)
        return replace(reply, text=re.sub(r"(\d{2})(\d{3})", r"\1,\2", reply.text)) if prompt.tools else reply

    rows, totals = await ran(tmp_path, capsys, grouping)
    assert "," in rows[0]["answer"]
    assert totals["anew"] == totals["due"]


async def test_pleasantries_are_no_clarifying_questions(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def polite(prompt: Prompt) -> Reply:
        reply = careful(prompt)
        return (
            replace(reply, text=f"{reply.text} Anything else?") if prompt.tools and not reply.calls else reply
        )

    _, totals = await ran(tmp_path, capsys, polite)
    assert totals["questions"] == {"without": 3, "with": 1}


async def test_storing_an_exception_is_seen(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def eager(prompt: Prompt) -> Reply:
        last = prompt.messages[-1]
        if prompt.tools and last.typed and "this once" in last.typed[-1]:
            words = last.typed[-1]
            rule = {"text": "Tide means the observed value.", "quote": words, "kind": "instruction"}
            return Reply("", (Call("e", "remember", rule),), "calls")
        return careful(prompt)

    rows, _ = await ran(tmp_path, capsys, eager)
    exception = arm(rows, "with")[2]
    if exception["kept"] == arm(rows, "with")[1]["kept"]:  # the guards declined it
        assert exception["faults"] == ["nothing was looked up"]
    else:
        assert any("observed" in fault for fault in exception["memory_faults"])


async def test_a_model_that_is_away_ends_no_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    task = {**TASK, "steps": TASK["steps"][:1]}

    def away(prompt: Prompt) -> Reply:
        raise ModelUnavailable("nobody there")

    rows, totals = await ran(tmp_path, capsys, away, file(tmp_path, task))
    assert [bool(row["problem"]) for row in rows] == [True, True]
    assert totals["problems"] == {"without": 1, "with": 1}
    assert totals["right"] == {"without": 0, "with": 0}


async def test_a_task_that_cannot_be_read_is_named_and_passed_over(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = file(tmp_path, {"id": "odd", "tool": {"name": "x"}, "steps": [{"case": "first"}]})
    [row], totals = await ran(tmp_path, capsys, path=path)
    assert "“odd”" in row["problem"]
    assert "say is missing" in row["problem"]
    assert totals["problems"]["with"] == 1
    with pytest.raises(CaseFileError, match=r"nowhere\.json"):
        await ran(tmp_path, capsys, path=tmp_path / "nowhere.json")


async def test_with_no_model_it_says_what_cannot_be_measured(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    task = {**TASK, "steps": TASK["steps"][:2]}
    settings = Settings.load(tmp_path / "eval", {})
    totals = await baseline.run(file(tmp_path, task), settings, as_json=True, language="en")
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()][:-1]
    assert "cannot be measured" in totals["note"]
    assert totals["questions"] == totals["used"] == totals["right"] == {"without": None, "with": None}
    assert totals["brain"] == "embedded"
    assert all("questions" not in row and "queries" not in row for row in rows)
    assert [len(row["loaded"]) for row in arm(rows, "with")] == [0, 1]
    await baseline.run(
        file(tmp_path, task), Settings.load(tmp_path / "again", {}), as_json=False, language="zh"
    )
    printed = capsys.readouterr().out
    assert "· without" in printed
    assert "没有配置模型" in printed
