"""Every kind of operation, scope and end in one case file: all right, all wrong, and sums that the lines bear out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from bot.minds import asking
from bot.models.scripted import Scripted
from memory import Utterance
from memory.changes import Instruct, Learn
from memory.extraction import Extraction
from memory.extractor import Extractor
from memory.intake import Lines
from tests.bot.evals.test_dialogues import case, judged, model, perfect, source, wanted

LEARNED = {"layer": "topic", "kind": "persona", "origin": "auto"}
TOLD = {**LEARNED, "origin": "explicit"}
EVENT = {"layer": "topic", "kind": "episodic", "origin": "auto"}

THERE: dict[str, Any] = {
    "core": [
        {"id": "k1", "text": "周报写五条。", "origin": "explicit", "scope": "genre:周报"},
        {"id": "k2", "text": "Answer in two sentences.", "origin": "explicit", "scope": "global"},
    ],
    "topics": [
        {
            "title": "Home",
            "purpose": "where the user lives",
            "items": [
                {"id": "h1", "text": "The user has a dog.", "origin": "explicit", "scope": "global"},
                {"id": "h2", "text": "The user lives in Turku.", "origin": "auto", "scope": "global"},
            ],
        }
    ],
}

CASES = [
    case(
        "rule-everywhere",
        "From now on call me Skipper.",
        lang="en",
        expect=[wanted("add", "Call the user Skipper.", "From now on call me Skipper")],
    ),
    case(
        "rule-of-a-genre",
        "以后写请柬都用竖排。",
        expect=[wanted("add", "请柬用竖排。", "以后写请柬都用竖排", scope="genre:请柬")],
    ),
    case(
        "rule-of-a-project",
        "灯塔项目里以后都用公制单位。",
        expect=[wanted("add", "都用公制单位。", "灯塔项目里以后都用公制单位", scope="project:灯塔")],
    ),
    case(
        "rule-of-a-collection",
        "从现在起，植物图鉴资料集里的回答都附上拉丁学名。",
        expect=[
            wanted(
                "add",
                "回答都附上拉丁学名。",
                "植物图鉴资料集里的回答都附上拉丁学名",
                scope="collection:植物图鉴",
            )
        ],
    ),
    case(
        "rule-with-an-end",
        "Until 2030-06-30 always write my reports in Finnish.",
        lang="en",
        expect=[
            wanted(
                "add",
                "Write reports in Finnish.",
                "Until 2030-06-30 always write my reports in Finnish",
                scope="genre:report",
                expires="2030-06-30",
            )
        ],
    ),
    case(
        "fact-told",
        "Please remember that my locker is the blue one.",
        lang="en",
        expect=[wanted("add", "The user's locker is the blue one.", "my locker is the blue one", **TOLD)],
    ),
    case(
        "fact-in-passing",
        "I play the oboe in a wind quintet.",
        lang="en",
        expect=[
            wanted(
                "add",
                "The user plays the oboe in a wind quintet.",
                "I play the oboe in a wind quintet",
                **LEARNED,
            )
        ],
    ),
    case(
        "event",
        "I sat my sailing exam on 2030-05-02.",
        lang="en",
        expect=[
            wanted(
                "add",
                "The user sat a sailing exam on 2030-05-02.",
                "I sat my sailing exam on 2030-05-02",
                **EVENT,
            )
        ],
    ),
    case(
        "more-detail",
        "My dog is called Bosun, please note that.",
        lang="en",
        existing=THERE,
        expect=[
            wanted(
                "update", "The user has a dog called Bosun.", "My dog is called Bosun", **TOLD, target="h1"
            )
        ],
    ),
    case(
        "changed-rule",
        "以后周报改成写三条。",
        existing=THERE,
        expect=[
            wanted(
                "supersede",
                "周报写三条。",
                "以后周报改成写三条",
                scope="genre:周报",
                target="k1",
                must_not_contain=["五"],
            )
        ],
    ),
    case(
        "taken-back",
        "Forget the rule about two sentences.",
        lang="en",
        existing=THERE,
        expect=[wanted("delete", "", "Forget the rule about two sentences", target="k2")],
    ),
    case(
        "fact-taken-back",
        "Please forget that I live in Turku.",
        lang="en",
        existing=THERE,
        expect=[wanted("delete", "", "forget that I live in Turku", **TOLD, target="h2")],
    ),
    case("talk", "天气真好啊。", trap=["small-talk"], existing=THERE, forbid=["天气"]),
    case("once", "Just this once, answer in Latin.", lang="en", trap=["one-off"], forbid=["Latin"]),
]


def summed(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The totals, worked out again from the lines alone."""
    due = [row for row in rows if not row["expects"]]
    traps: Counter[str] = Counter()
    for row in rows:
        traps.update(dict.fromkeys(row["trap"], row["wrong_writes"]))
    right = sum(row["right"] for row in rows)
    return {
        "cases": len(rows),
        "right": right,
        "rate": round(right / len(rows), 4),
        "expecting": len(rows) - len(due),
        "expecting_right": sum(row["right"] for row in rows if row["expects"]),
        "silent_due": len(due),
        "silent": sum(row["silent"] and "problem" not in row for row in due),
        "false_stores": sum(row["false_store"] for row in rows),
        "misses": sum(row["missed"] for row in rows),
        "forbidden": sum(row["forbidden"] for row in rows),
        "wrong_writes": sum(row["wrong_writes"] for row in rows),
        "wrong_by_trap": {trap: count for trap, count in sorted(traps.items()) if count},
        "questions": sum(len(row["questions"]) for row in rows),
        "problems": sum("problem" in row for row in rows),
    }


def test_the_file_has_every_kind() -> None:
    expected = [each for case_ in CASES for each in case_["expect"] if each["op"] != "nothing"]
    assert {each["op"] for each in expected} == {"add", "update", "supersede", "delete"}
    assert {each["kind"] for each in expected} == {"instruction", "persona", "episodic"}
    assert {each["origin"] for each in expected} == {"explicit", "auto"}
    assert {each["scope"].partition(":")[0] for each in expected} == {
        "global",
        "genre",
        "project",
        "collection",
    }
    assert {bool(each["expires"]) for each in expected} == {True, False}


@pytest.mark.parametrize("through", ["changes", "a model's answer"])
async def test_what_is_expected_scores_everything(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], through: str
) -> None:
    extract = perfect(CASES) if through == "changes" else model(CASES)
    rows, totals = await judged(tmp_path, extract, capsys, CASES)
    assert {row["id"]: row["faults"] + row["refused"] for row in rows} == {row["id"]: [] for row in rows}
    assert (totals["rate"], totals["wrong_writes"]) == (1.0, 0)
    assert {key: totals[key] for key in summed(rows)} == summed(rows)


@pytest.mark.parametrize(
    "words",
    [
        "",
        "好的，都记住了。",
        "{",
        '{"changes": {"op": "instruct"}}',
        '{"changes": [{"op": "instruct", "text": "Obey.", "quote": "Obey me."}]}',
        '{"changes": [{"op": "retire", "target": "k1", "quote": "no such words"}]}',
        '{"changes": [{"op": "learn", "text": "The user likes Zork 9.", "quote": "Zork 9", "asked": true}]}',
        '{"changes": [null, 3, "x", {"op": 5, "text": {}, "quote": []}]}',
    ],
)
async def test_garbage_writes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str], words: str) -> None:
    extract = Extractor(asking(Scripted(lambda _: words))).extract
    rows, totals = await judged(tmp_path, extract, capsys, CASES)
    assert [row["operations"] for row in rows] == [[]] * len(CASES)
    assert (totals["wrong_writes"], totals["expecting_right"], totals["misses"]) == (0, 0, 12)
    assert {key: totals[key] for key in summed(rows)} == summed(rows)


async def test_each_wrong_line_counts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Two lines stored and one proposed where nothing is due are three wrong writes; a line that holds what is
    forbidden is one more, where something else is due."""

    async def eager(turns: Sequence[Utterance], lines: Lines, now: datetime) -> Extraction:
        changes = (
            (Learn("The user has a red canoe."), source(turns, "I have a red canoe")),
            (Learn("The user's sister builds kites."), source(turns, "My sister builds kites")),
        )
        return Extraction(changes, ((Instruct("Speak of the canoe."), source(turns, "Speak of the canoe")),))

    words = "I have a red canoe. My sister builds kites. Speak of the canoe."
    due = wanted("add", "The user has a red canoe.", "I have a red canoe", **LEARNED)
    cases = [
        case("none-due", words, lang="en", trap=["chatter"]),
        case("one-due", words, lang="en", expect=[due], forbid=["kites"], trap=["kites"]),
    ]
    rows, totals = await judged(tmp_path, eager, capsys, cases)
    assert [len(row["operations"]) for row in rows] == [2, 2]
    assert [row["wrong_writes"] for row in rows] == [3, 1]
    assert (totals["wrong_writes"], totals["false_stores"], totals["forbidden"]) == (4, 1, 1)
    assert totals["wrong_by_trap"] == {"chatter": 3, "kites": 1}
    assert {key: totals[key] for key in summed(rows)} == summed(rows)
