"""Questions about corpora: ten ids each, and scores that the lines bear out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bot.evals import search
from bot.evals.report import CaseFileError

FILES: dict[str, Any] = {
    "corpora": [
        {
            "name": "harbour",
            "docs": [
                {"id": "a1", "session": 1, "time": "3 May 2031", "text": "Ola: The ferry left without us"},
                {"id": "a2", "session": 1, "time": "3 May 2031", "text": "Per: Which one?"},
                {"id": "a3", "session": 1, "time": "3 May 2031", "text": "Ola: The blue one"},
                {"id": "a4", "session": 2, "time": "9 June 2031", "text": "Per: My sister plays the cello"},
            ],
            "questions": [
                {"question": "Who plays the cello?", "evidence": ["a4"], "kind": "single"},
                {"question": "When did the ferry leave?", "evidence": ["a1", "gone"], "kind": "time"},
                {"question": "Nobody knows", "evidence": [], "kind": "none"},
            ],
        },
        {
            "name": "茶馆",
            "docs": [{"id": str(n), "text": f"第{n}天喝茶"} for n in range(14)]
            + [{"id": "x", "text": "他不吃香菜"}],
            "questions": [{"question": "谁不吃香菜", "evidence": ["x"]}],
        },
        {"name": "empty", "docs": [], "questions": [{"question": "Anything?", "evidence": ["q"]}]},
    ]
}


def file(folder: Path, value: Any) -> Path:
    path = folder / "search.json"
    path.write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8")
    return path


async def test_lines_and_totals(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = file(tmp_path, FILES)
    totals = await search.run(path, None, as_json=True, language="en")
    *rows, last = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert last == totals
    assert [row["corpus"] for row in rows] == ["harbour", "harbour", "harbour", "茶馆", "empty"]
    assert set(rows[0]) == {"corpus", "question", "results", "ms"}
    assert rows[0]["results"][0] == "a4"
    assert rows[1]["results"][0] == "a1"
    assert sorted(rows[1]["results"]) == ["a1", "a2", "a3", "a4"]
    assert rows[3]["results"][0] == "x"
    assert len(rows[3]["results"]) == 10
    assert rows[4]["results"] == []
    assert (totals["questions"], totals["with_evidence"]) == (5, 4)
    assert totals["recall_at_10"] == pytest.approx((1 + 0.5 + 1 + 0) / 4)
    assert totals["mrr"] == pytest.approx(3 / 4)
    assert totals["by_kind"] == {"single": 1.0, "time": 0.5}


async def test_people_see_what_was_missed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    await search.run(file(tmp_path, FILES), None, as_json=False, language="zh")
    printed = capsys.readouterr().out
    assert "✗ empty: Anything?" in printed
    assert "问题" in printed


@pytest.mark.parametrize(
    "value", [{}, {"corpora": 1}, {"corpora": [{}]}, {"corpora": [{"docs": [{"text": "no id"}]}]}]
)
async def test_files_that_cannot_be_used(tmp_path: Path, value: Any) -> None:
    with pytest.raises(CaseFileError, match=r"search\.json"):
        await search.run(file(tmp_path, value), None, as_json=True, language="en")
