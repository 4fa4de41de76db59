"""Files of a manifest, filed by the bot's own job: lines, totals, and no file that ends the run."""

from __future__ import annotations

import json
import unicodedata
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from bot.evals import pictures
from bot.evals.manifest import Entry
from bot.evals.pictures import Ended, Tally
from bot.minds import open_minds
from bot.settings import Settings
from classifiers.types import Picture, Reading
from tests.fakes.drawing import CODE, RECEIPT, drawn


def manifest(folder: Path, **groups: Any) -> Path:
    text = json.dumps({"about": "x", "pairs": [{"a": "p.png", "b": "q.png"}], **groups}, ensure_ascii=False)
    (folder / "manifest.json").write_text(text, encoding="utf-8")
    return folder


def entry(**more: Any) -> Entry:
    fields: dict[str, Any] = {"labels": frozenset(), "outcomes": frozenset(), "must_find": (), "odd": False}
    return Entry(file="a.png", **(fields | more))


async def judged(
    folder: Path, capsys: pytest.CaptureFixture[str], settings: Settings, **minds_: Any
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    settings.home.mkdir()
    with capture_logs():  # which would go to stdout where nobody has configured them
        async with open_minds(settings) as minds:
            changed = replace(minds, **minds_)
            await pictures.run(folder, settings, changed, as_json=True, bare=False, language="en")
    *rows, totals = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    return rows, totals


@pytest.mark.slow
@pytest.mark.timeout(180)
async def test_files_end_as_they_should(
    tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    accented = unicodedata.normalize("NFD", "reçu.png")
    for name, data in {
        "code.png": drawn(CODE),
        accented: drawn(RECEIPT),
        "again.png": drawn(CODE),
        "empty.png": b"",
        "garbage.jpg": b"\xff\xd8\xff\xe0 not a picture",
    }.items():
        (tmp_path / name).write_bytes(data)
    folder = manifest(
        tmp_path,
        labels={"Code notes": 1, "Receipts": 1},
        real=[
            {"file": "code.png", "label": "Code notes", "must_find": ["row.items", "np.zeros"]},
            {"file": unicodedata.normalize("NFC", "reçu.png"), "label": "Bills", "also_ok": ["Receipts"]},
        ],
        odd=[
            {"file": "again.png", "outcomes": ["duplicate"], "must_find": ["unpack"]},
            {"file": "empty.png", "outcomes": ["refused"]},
            {"file": "garbage.jpg", "outcomes": ["refused", "kept_unread"]},
            {"file": "nowhere.png", "outcomes": ["refused"]},
        ],
    )
    rows, totals = await judged(folder, capsys, Settings.load(home, {}))
    assert [row["file"] for row in rows][2:] == ["again.png", "empty.png", "garbage.jpg", "nowhere.png"]
    assert {"file", "outcome", "category", "title", "text", "seconds"} <= set(rows[0])
    assert [row["outcome"] for row in rows[:4]] == ["filed", "filed", "duplicate", "refused"]
    assert (rows[0]["category"], rows[1]["category"]) == ("Code notes", "Receipts")
    assert rows[2]["category"] == "Code notes"
    assert "unpack" in rows[2]["text"]
    assert [row["after"] for row in rows[2:]] == ["filed"] * 4
    assert rows[5]["outcome"] == "missing"
    assert (totals["files"], totals["labelled"], totals["right"]) == (6, 2, 2)
    assert (totals["odd"], totals["odd_ok"]) == (4, 3)
    assert totals["must_find_recall"] == 1.0
    assert totals["peak_mb"] > 0


async def test_a_crash_in_one_file_ends_no_run(
    tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    class Broken:
        async def open(self, data: bytes, name: str = "") -> Picture:
            raise ZeroDivisionError("a decoder's bug")

        async def read(self, picture: Picture) -> Reading:
            raise AssertionError

    (tmp_path / "a.png").write_bytes(drawn("hello"))
    folder = manifest(tmp_path, labels=["Notes"], real=[{"file": "a.png", "label": "Notes"}] * 2, odd=[])
    rows, totals = await judged(folder, capsys, Settings.load(home, {}), reader=Broken())
    assert len(rows) == 1  # the same file once
    assert rows[0]["outcome"] == "failed"
    assert "decoder's bug" in rows[0]["problem"]
    assert (totals["right"], totals["accuracy"]) == (0, 0.0)


def test_a_file_is_judged_by_all_that_is_asked_of_it() -> None:
    tally = Tally()
    filed = Ended("filed", "Bills", "Bill", "Total: 9.84", 1.0)
    assert (
        tally.count(entry(labels=frozenset({"Bills", "Receipts"}), must_find=("TOTAL 984",)), filed, None)
        == []
    )
    assert tally.count(entry(labels=frozenset({"Maps"})), filed, None) == ["in Bills, not Maps"]
    odd = entry(outcomes=frozenset({"refused"}), odd=True, must_find=("tax",))
    assert tally.count(odd, filed, "failed") == [
        "lacks tax",
        "filed, not refused",
        "a good picture after it: failed",
    ]
    assert tally.count(entry(odd=True, outcomes=frozenset({"filed"})), filed, "filed") == []
    totals = tally.totals()
    assert (totals["accuracy"], totals["must_find_recall"], totals["odd_rate"]) == (0.5, 0.5, 0.5)


def test_a_file_with_neither_label_nor_outcome_should_be_filed() -> None:
    assert Tally().count(entry(), Ended("refused"), None) == ["refused, not filed"]


def test_the_drawn_picture_is_one(tmp_path: Path) -> None:
    from classifiers.prepare import prepare

    assert prepare(pictures._drawn() + b"more").width == 320
