"""What a summary has lost of figures, addresses and names of files."""

from __future__ import annotations

import pytest

from bot.agent.figures import CROWD, MOST, beside, lost
from bot.models.tokens import tokens


@pytest.mark.parametrize(
    ("said", "summary", "pieces"),
    [
        ("Ann's birthday is on 12 September", "A party for Ann.", ["Ann's birthday is on 12 September"]),
        ("Ask Bob (030 1234567) about the cake", "Bob: 030-1234567", []),
        ("Ask Bob (030 1234567) about the cake", "Bob brings it", ["Ask Bob (030 1234567) about the"]),
        ("想约在9月18号，预算2000元以内。", "体检，预算2000元", ["想约在9月18号"]),
        ("the file is invite_v3.pdf, mail a.b@example.org", "invite_v3.pdf", ["mail a.b@example.org"]),
        ("it costs 1,200 euro", "1200 euro", []),
        ("room 12", "room 123", ["room 12"]),
        ("we are 8", "", []),  # a single digit is in most sentences
        ("nothing of the kind", "", []),
    ],
)
def test_what_is_lost(said: str, summary: str, pieces: list[str]) -> None:
    assert lost([said], summary) == pieces


def test_secrets_are_lost_on_purpose() -> None:
    assert lost(["my password is hunter2024 for the router"], "") == []


def test_a_table_is_looked_up_where_it_stands() -> None:
    assert lost([" ".join(str(number) for number in range(10, 11 + CROWD)).replace(" ", " | ")], "") == []


def test_the_newest_and_each_once() -> None:
    said = [f"item {number}" for number in range(100, 130)]
    assert lost([*said, "item 129"], "") == said[-MOST:]


def test_they_stand_in_a_line_of_their_own_that_fits() -> None:
    assert (
        beside("Open: a cake.", ["room 12", "room 13"], "Also given: ", 50)
        == "Open: a cake.\nAlso given: room 12; room 13"
    )
    assert beside("Open: a cake.", [], "Also given: ", 50) == "Open: a cake."
    text = beside("", [f"item {number}" for number in range(100, 200)], "Also given: ", 30)
    assert tokens(text.strip()) <= 30
    assert "item 100" in text
