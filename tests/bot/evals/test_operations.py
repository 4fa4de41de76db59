"""Memory before and after, in the words of case files."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from bot.evals.operations import operations, proposed
from memory import Line, Source
from memory.changes import Instruct, Kind, Learn, Origin, Retire, Revise
from memory.journal import Entry, Op
from memory.page import CORE

AT = datetime(2030, 1, 2, tzinfo=UTC)
TEA = Line("t1", "User seems to like tea.", Kind.PERSONA, Origin.LEARNED)
RULE = Line("r1", "Sign letters with R. Marsh.", Kind.INSTRUCTION, Origin.EDITED, "letters", date(2030, 3, 1))


def entry(
    n: int, op: Op, before: Line | None, after: Line | None, quote: str = "so", part_of: int | None = None
) -> Entry:
    line = after or before
    assert line is not None
    page = CORE if line.id.startswith("r") else "topics/a.md"
    return Entry(n, AT, op, page, line.id, before, after, Source("c", "4", AT, quote, quote), part_of=part_of)


def test_a_line_that_is_new() -> None:
    [done] = operations({}, {"r1": (CORE, RULE)}, [entry(1, "add", None, RULE)], {})
    assert done.row() == {
        "op": "add",
        "layer": "core",
        "kind": "instruction",
        "origin": "explicit",
        "scope": "genre:letter",
        "expires": "2030-03-01",
        "target": None,
        "text": "Sign letters with R. Marsh. (when: letters) (until: 2030-03-01)",
        "quote": "so",
    }
    assert done.turn == 4


@pytest.mark.parametrize(
    ("text", "quote", "op"),
    [
        ("User drinks tea, never coffee.", "I drink tea, never coffee", "update"),
        ("User likes green tea from Uji.", "green tea from Uji", "update"),
        ("User does not like tea.", "I don't like tea", "supersede"),
        ("User likes coffee.", "coffee for me", "supersede"),
        ("User likes tea at night only.", "I no longer drink tea by day", "supersede"),
    ],
)
def test_more_detail_or_not_true_any_more(text: str, quote: str, op: str) -> None:
    new = Line("t1", text, Kind.PERSONA, Origin.EXPLICIT)
    [done] = operations(
        {"t1": ("topics/a.md", TEA)},
        {"t1": ("topics/a.md", new)},
        [entry(2, "replace", TEA, new, quote)],
        {"t1": "m7"},
    )
    assert (done.op, done.target, done.origin) == (op, "m7", "explicit")


def test_only_the_authority_changed() -> None:
    new = Line("t1", TEA.text, TEA.kind, Origin.EXPLICIT)
    [done] = operations({"t1": ("t", TEA)}, {"t1": ("t", new)}, [entry(1, "replace", TEA, new)], {})
    assert (done.op, done.origin) == ("update", "explicit")


def test_a_line_that_is_gone_says_nothing() -> None:
    [done] = operations({"r1": (CORE, RULE)}, {}, [entry(1, "remove", RULE, None)], {"r1": "c1"})
    assert (done.op, done.target, done.text, done.expires) == ("delete", "c1", "", None)


def test_a_line_that_gave_way_with_another() -> None:
    other = Line("t2", "User enjoys tea.")
    new = Line("t1", "User likes coffee.")
    done = operations(
        {"t1": ("t", TEA), "t2": ("t", other)},
        {"t1": ("t", new)},
        [entry(1, "replace", TEA, new), entry(2, "remove", other, None, part_of=1)],
        {"t1": "m1", "t2": "m2"},
    )
    assert [(each.op, each.target, each.text) for each in done] == [
        ("supersede", "m1", "User likes coffee."),
        ("supersede", "m2", "User likes coffee."),
    ]


def test_what_came_and_went_is_nothing() -> None:
    entries = [entry(1, "add", None, TEA), entry(2, "remove", TEA, None)]
    assert operations({}, {}, entries, {}) == []


def test_what_changed_and_changed_back_is_nothing() -> None:
    new = Line("t1", "User likes coffee.")
    entries = [entry(1, "replace", TEA, new), entry(2, "undo", new, TEA)]
    assert operations({"t1": ("t", TEA)}, {"t1": ("t", TEA)}, entries, {}) == []


def test_a_line_made_and_revised_in_one_talk_is_an_addition() -> None:
    new = Line("t1", "User likes coffee.")
    entries = [entry(1, "add", None, TEA), entry(2, "replace", TEA, new, "coffee")]
    [done] = operations({}, {"t1": ("t", new)}, entries, {})
    assert (done.op, done.text, done.quote) == ("add", "User likes coffee.", "coffee")


def test_questions_read_like_operations() -> None:
    source = Source("c", "0", AT, "words", "words")
    lines = {"r1": (CORE, RULE), "t1": ("topics/a.md", TEA)}
    asked = [
        proposed(change, source, lines, {"r1": "c1", "t1": "m1"})
        for change in (
            Instruct("Be brief."),
            Learn("User has a cat.", kind=Kind.EPISODIC),
            Revise("t1", "User likes coffee."),
            Retire("r1"),
        )
    ]
    assert [(each.op, each.layer, each.kind, each.origin, each.target) for each in asked] == [
        ("add", "core", "instruction", "explicit", None),
        ("add", "topic", "episodic", "auto", None),
        ("supersede", "topic", "persona", "auto", "m1"),
        ("delete", "core", "instruction", "explicit", "c1"),
    ]
