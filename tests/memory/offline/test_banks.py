"""The banks the embedded default learns from are well formed, and what it is judged on was not learned."""

from __future__ import annotations

import pytest

from memory.offline.banks import UNKNOWN, BadBlock, message, names, read
from memory.offline.labels import KEEPS, LABELS, OF
from memory.words import squeeze


def test_a_block_is_read_with_its_marks() -> None:
    found = message(
        "some",
        [
            "= the user likes tea",
            "= 收据归档到「花销」",
            "- hm",
            "< Which one?",
            "> [chat]好的，[change.filing+:2]以后{⟨收据⟩都放到“⟪Money⟫”里}吧\\n[?]ok",
        ],
    )
    assert found.text == "好的，以后收据都放到“Money”里吧\nok"
    assert (found.lines, found.earlier, found.heard) == (
        ("the user likes tea", "收据归档到「花销」"),
        "hm",
        "Which one?",
    )
    chat, change, unknown = found.parts
    assert (chat.label, unknown.label) == ("chat", UNKNOWN)
    assert (change.of, change.asked, change.line) == ("filing", True, 1)
    spans = [found.text[slice(*span)] for span in (change.keep, change.what, change.where) if span]
    assert spans == ["收据都放到“Money”里", "收据", "Money"]
    assert found.text[change.start : change.end] == "以后收据都放到“Money”里吧\n"
    assert found.language == "zh"
    assert found.holds


def test_all_of_a_part_is_kept_where_nothing_is_marked() -> None:
    found = message("some", ["> [fact_self]I'm a welder, [task]what's a good mask?"])
    told, task = found.parts
    assert told.keep
    assert found.text[slice(*told.keep)] == "I'm a welder,"
    assert task.keep is None


@pytest.mark.parametrize(
    ("block", "problem"),
    [
        (["> no label"], "does not begin with a label"),
        (["> [fact]x"], "no such label: fact"),
        (["> [forget:1]x"], "there is no line 1"),
        (["> [chat]x", "> [chat]y"], "not one message"),
        (["what?", "> [chat]x"], "a line begins with 'w'"),
    ],
)
def test_a_bad_block_says_why(block: list[str], problem: str) -> None:
    with pytest.raises(BadBlock, match=problem):
        message("some", block)


@pytest.mark.parametrize("bank", [*names(), *names(held_out=True)])
def test_every_bank_is_well_formed(bank: str) -> None:
    for each in read(bank):
        assert each.text.strip()
        assert [part.start for part in each.parts[1:]] == [part.end for part in each.parts[:-1]], each.text
        for part in each.parts:
            assert part.label in (*LABELS, "ask", UNKNOWN), each.text
            spans = [span for span in (part.keep, part.what, part.where) if span]
            assert all(part.start <= a < b <= part.end for a, b in spans), each.text
            assert part.of in ("", *OF), each.text


def test_there_is_enough_of_either_kind_in_either_language() -> None:
    learned = read(*names())
    for language in ("zh", "en"):
        mine = [each for each in learned if each.language == language]
        assert len(mine) > 10_000
        assert 0.2 < sum(each.holds for each in mine) / len(mine) < 0.6
        assert {part.label for each in mine for part in each.parts} >= set(KEEPS)


def test_nothing_that_is_held_out_is_learned() -> None:
    learned = {(squeeze(each.text), each.heard) for each in read(*names())}
    judged = [(squeeze(each.text), each.heard) for each in read(*names(held_out=True))]
    assert len(judged) > 1_000
    assert [each for each in judged if each in learned] == []
